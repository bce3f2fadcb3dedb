// The folder that the page may read and write: files are named relative to it, and no name leads out of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/shoal.h"

namespace shoal::web {

struct FolderEntry {
  std::string name;  // relative, with slashes
  uint64_t bytes = 0;
  bool job = false;  // by its ending; else a table
};

// The current folder of the process: the engine's messages, jobs and reports then name files as a person would who runs
// the command line there.
class Folder {
 public:
  // Tables and jobs in it and two folders below, by name; at most `most`. Symbolic links, hidden files and our
  // temporary files are left out.
  static std::vector<FolderEntry> entries(size_t most);

  // The name, if it is that of a regular file in the folder and no part of it is a symbolic link. Throws Error(job)
  // otherwise, without saying whether there is such a file elsewhere.
  static std::string file(const std::string& name);
  // The name of a file that may be written: no folders in it, nothing hidden, no link there. Throws Error(job).
  static std::string output(const std::string& name);
  // Something is there under this name, whatever it is.
  static bool has(const std::string& name);
  // An open descriptor of a file in it, or -1. Links are not followed.
  static int open_file(const std::string& name);

  // The job with every path that it reads made relative and checked by file(); hierarchies of a folder become files.
  // `trusted` may stand anywhere: the table that was dropped on the page.
  static FileJob checked(FileJob job, const std::string& trusted);
};

// A private folder below the system's one for temporary files, with one file in it that keeps its own name there; both
// go with the object, and a later run removes what a kill left.
class PrivateTable {
 public:
  // `name`: of the file, as the browser says; only its last part counts. Throws Error(job).
  explicit PrivateTable(const std::string& name);
  PrivateTable(const PrivateTable&) = delete;
  PrivateTable& operator=(const PrivateTable&) = delete;

  const std::string& path() const { return path_; }
  const std::string& name() const { return name_; }
  // Appends. False when it could not be written.
  bool write(std::string_view part);

 private:
  std::string name_;
  std::optional<PrivateFolder> folder_;
  std::string path_;
  Descriptor file_;
};

}  // namespace shoal::web
