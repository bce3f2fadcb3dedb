#include <fmt/format.h>

#include <cstdio>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "shoal/shoal.h"
#include "web/serve.h"

namespace shoal::cli {
namespace {

constexpr const char* kDescription =
    "Opens the whole way from a table to a signed report as a page on this machine: the table, roles with reasons, "
    "hierarchies, goal, methods side by side, release. Listens on 127.0.0.1 alone, for one person: the address that is "
    "printed works once, in one browser. Reads and writes in one folder. Ctrl-C ends it (docs/serve.md).";
constexpr const char* kExamples = R"(  shoal serve
  shoal serve examples/census
  shoal serve examples/census/people.csv --port 8080

Exit codes: 0 ended by Ctrl-C; 2 wrong usage, or the folder or port cannot be used.
)";

}  // namespace

int serve_command(const Arguments& arguments) {
  web::ServeSettings settings;
  std::string port;
  Command command("serve", kDescription, kExamples);
  command.argument("PLACE", settings.place,
                   "A folder, or a table or job in it to begin with. If not given: the current folder.");
  command.value("--port", port, "N", "The port on 127.0.0.1; any that is free if not given.");
  if (!command.parse(arguments)) return kDone;
  if (!port.empty()) {
    const uint64_t number = parse_whole_number("--port", port);
    if (number < 1 || number > 65535) throw Error(ErrorKind::job, "--port: a port is a number from 1 to 65535");
    settings.port = static_cast<uint16_t>(number);
  }
  // Signals ask this one to stop, as they do a run; the page has progress of its own.
  TerminalProgress progress(true);
  web::serve(
      settings,
      [](const web::Serving& serving) {
        print_words(stdout, fmt::format("Open this in a browser on this machine; it works once:\n\n  {}\n\n"
                                        "Tables come from {}, and outputs go there. Ctrl-C ends it.\n",
                                        serving.address, serving.folder));
        std::fflush(stdout);
      },
      progress);
  return kDone;
}

}  // namespace shoal::cli
