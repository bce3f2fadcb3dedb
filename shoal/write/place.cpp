#include "shoal/write/place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>

#include "shoal/read/descriptor.h"

namespace shoal {
namespace {

namespace fs = std::filesystem;
constexpr int kMostLinks = 40;

// The number in /dev/fd/3 and its like. Such a name must not be followed: the file behind it is open already, and
// replacing it would leave the one who opened it with the old one.
std::optional<int> named_descriptor(const std::string& path) {
  if (path == "/dev/stdin") return 0;
  if (path == "/dev/stdout") return 1;
  if (path == "/dev/stderr") return 2;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const auto [end, error] = std::from_chars(path.data() + folder.size(), path.data() + path.size(), number);
    if (error == std::errc{} && end == path.data() + path.size()) return number;
  }
  return std::nullopt;
}

std::string folder_of(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

Place::Kind kind_of(const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return Place::Kind::folder;
  if (S_ISBLK(status.st_mode)) return Place::Kind::disk;
  if (S_ISCHR(status.st_mode)) return Place::Kind::device;
  if (S_ISFIFO(status.st_mode)) return Place::Kind::pipe;
  if (S_ISSOCK(status.st_mode)) return Place::Kind::socket;
  return Place::Kind::file;
}

bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

}  // namespace

Place::Place(const std::string& path, int standard) : path_(path) {
  std::optional<int> open_already = path == "-" ? standard : named_descriptor(path_);
  for (int links = 0; !open_already; ++links) {
    struct stat link {};
    if (lstat(path_.c_str(), &link) != 0) {
      if (errno == ENOENT || errno == ENOTDIR) break;
      throw Error(ErrorKind::job, fmt::format("cannot look at '{}': {}", path, reason_of(errno)));
    }
    if (!S_ISLNK(link.st_mode)) break;
    if (links == kMostLinks) throw Error(ErrorKind::job, fmt::format("'{}' is a link that leads in circles", path));
    std::error_code error;
    const fs::path target = fs::read_symlink(path_, error);
    if (error) throw Error(ErrorKind::job, fmt::format("cannot follow the link '{}': {}", path, error.message()));
    path_ = target.is_absolute() ? target.string() : (fs::path(folder_of(path_)) / target).string();
    open_already = named_descriptor(path_);
  }
  if (open_already) {
    kind_ = Kind::descriptor;
    descriptor_ = *open_already;
    if (fstat(descriptor_, &status_) != 0) status_ = {};
    return;
  }
  folder_ = folder_of(path_);
  if (stat(path_.c_str(), &status_) == 0) {
    kind_ = kind_of(status_);
  } else {
    folder_exists_ = stat(folder_.c_str(), &status_) == 0;
  }
}

bool Place::is_null_device() const { return S_ISCHR(status_.st_mode) && status_.st_rdev == makedev(1, 3); }

bool Place::same_as(const Place& other) const {
  if (kind_ == Kind::descriptor && other.kind_ == Kind::descriptor && descriptor_ == other.descriptor_) return true;
  if ((kind_ == Kind::absent) != (other.kind_ == Kind::absent)) return false;
  if (kind_ != Kind::absent) return status_.st_nlink > 0 && same_file(status_, other.status_);
  if (fs::path(path_).filename() != fs::path(other.path_).filename()) return false;
  return folder_exists_ && other.folder_exists_ ? same_file(status_, other.status_) : path_ == other.path_;
}

}  // namespace shoal
