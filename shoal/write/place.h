// Where a path leads: which file it is, however it is named, and what kind of thing is there.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

namespace shoal {

class Place {
 public:
  enum class Kind { absent, file, folder, disk, device, pipe, socket, descriptor };

  Place() = default;
  // Follows links. "-" and the names of open files (/dev/stdout, /dev/fd/3) are that descriptor; `standard` is the one
  // that "-" means. Throws Error(job) where even looking fails (a name too long, a loop of links).
  Place(const std::string& path, int standard);

  Kind kind() const { return kind_; }
  bool is_stream() const { return kind_ >= Kind::device; }
  // The path with links followed to the end; what must be replaced to replace the file. Not for descriptors.
  const std::string& path() const { return path_; }
  const std::string& folder() const { return folder_; }
  int descriptor() const { return descriptor_; }         // of Kind::descriptor
  const struct stat& status() const { return status_; }  // of what exists
  bool is_null_device() const;

  // Whether both lead to the same file: links and hard links, `a/../b`, names in a linked folder of files that do not
  // exist yet.
  bool same_as(const Place& other) const;

 private:
  Kind kind_ = Kind::absent;
  std::string path_, folder_;
  int descriptor_ = -1;
  struct stat status_ {};  // of the file; of its folder when it is absent
  bool folder_exists_ = false;
};

}  // namespace shoal
