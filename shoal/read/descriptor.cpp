#include "shoal/read/descriptor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace shoal {

int Descriptor::close() {
  if (number_ < 0) return 0;
  return ::close(std::exchange(number_, -1)) == 0 || errno == EINTR ? 0 : errno;
}

void write_fully(const Descriptor& file, std::string_view text, const std::string& name, const Progress& progress) {
  while (!text.empty()) {
    const ssize_t count = ::write(file.number(), text.data(), text.size());
    if (count < 0 && errno == EINTR) {
      progress.check();
      continue;
    }
    if (count <= 0) {
      throw Error(ErrorKind::job, fmt::format("cannot write {}: {}", name, reason_of(count < 0 ? errno : ENOSPC)));
    }
    text.remove_prefix(static_cast<size_t>(count));
  }
}

std::string reason_of(int error_number) {
  switch (error_number) {
    case ENOSPC:
      return "disk full";
    case EDQUOT:
      return "disk full (your quota is used up)";
    case EPIPE:
      return "whoever reads it has gone (broken pipe)";
    default:
      return std::strerror(error_number);
  }
}

std::string reason_of(const std::string& duckdb_said, const std::string& path, const std::string& name) {
  for (const int error_number : {ENOSPC, EDQUOT}) {
    if (duckdb_said.find(std::strerror(error_number)) != std::string::npos) return reason_of(error_number);
  }
  std::string line = duckdb_said.substr(0, duckdb_said.find('\n'));
  for (size_t at = line.find(path); !path.empty() && at != std::string::npos; at = line.find(path, at + name.size())) {
    line.replace(at, path.size(), name);
  }
  return line;
}

}  // namespace shoal
