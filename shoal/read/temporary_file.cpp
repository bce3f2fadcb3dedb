#include "shoal/read/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "shoal/error.h"

namespace shoal {

TemporaryFile::TemporaryFile(const std::string& folder, const std::string& base, const std::string& suffix) {
  path_ = (std::filesystem::path(folder) / fmt::format(".{}.XXXXXX{}", base, suffix)).string();
  const int descriptor = mkstemps(path_.data(), static_cast<int>(suffix.size()));
  if (descriptor < 0) {
    throw Error(ErrorKind::job,
                fmt::format("cannot write into the folder '{}': {}; choose another place for the output",
                            folder.empty() ? "." : folder, std::strerror(errno)));
  }
  close(descriptor);
}

TemporaryFile::TemporaryFile(const std::string& suffix)
    : TemporaryFile(std::filesystem::temp_directory_path().string(), "shoal", suffix) {}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) std::remove(path_.c_str());
}

void TemporaryFile::rename_to(const std::string& target) {
  const mode_t mask = umask(0);
  umask(mask);
  chmod(path_.c_str(), 0666 & ~mask);
  if (std::rename(path_.c_str(), target.c_str()) != 0) {
    throw Error(ErrorKind::job, fmt::format("cannot write '{}': {}", target, std::strerror(errno)));
  }
  path_.clear();
}

}  // namespace shoal
