// Files that must not outlive a run.
#pragma once

#include <string>

namespace shoal {

// A new empty file, readable by its owner only, removed when this goes (unless kept).
class TemporaryFile {
 public:
  // In `folder`, named like .BASE.XXXXXX + suffix. Throws Error(job) when the folder cannot be written.
  TemporaryFile(const std::string& folder, const std::string& base, const std::string& suffix);
  // In the system's folder for such files.
  explicit TemporaryFile(const std::string& suffix);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  const std::string& path() const { return path_; }
  // Gives it its real name, replacing what is there, in one step; with the access rights a new file would have.
  void rename_to(const std::string& target);

 private:
  std::string path_;
};

}  // namespace shoal
