#include "web/serve.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "web/gate.h"
#include "web/pages_site.h"
#include "web/run.h"
#include "web/server.h"

namespace shoal::web {
namespace {

namespace fs = std::filesystem;

struct Place {
  fs::path folder;
  std::string file;  // in it; "": none to begin with
};

Place place_of(const std::string& given) {
  std::error_code error;
  const fs::path path = fs::canonical(given.empty() ? "." : given, error);
  if (error) throw Error(ErrorKind::job, fmt::format("no file or folder '{}'", given));
  if (fs::is_directory(path, error)) return {path, ""};
  return {path.parent_path(), path.filename().string()};
}

}  // namespace

void serve(const ServeSettings& settings, const std::function<void(const Serving&)>& told, const Progress& progress) {
  const Place place = place_of(settings.place);
  std::error_code error;
  fs::current_path(place.folder, error);
  if (error) throw Error(ErrorKind::job, fmt::format("the folder '{}' cannot be entered", place.folder.string()));
  limit_memory_pools();
  Gate gate;
  PagesSite site(gate);
  Server server(site, settings.port);
  gate.set_port(server.port());
  if (!place.file.empty()) site.open(place.file);
  std::thread listening([&] { server.run(); });
  told({gate.address(), place.folder.string()});
  while (!progress.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  site.close();
  server.stop();
  listening.join();
}

}  // namespace shoal::web
