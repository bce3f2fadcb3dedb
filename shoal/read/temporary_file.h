// Files and folders that must not outlive a run.
//
// All are named .shoal-tmp- and 12 random letters (and an ending that tells the format), are readable by their owner
// alone, and are locked while the run lives. So three things keep them from staying behind: the destructor;
// remove_temporary_files() for a signal handler; and remove_abandoned_files() of a later run, which finds them without
// a lock when a run was killed.
#pragma once

#include <string>
#include <string_view>

#include "shoal/read/descriptor.h"

namespace shoal {

// A new empty file, removed when this goes, unless it was given another name.
class TemporaryFile {
 public:
  // In `folder`. Throws Error(job) when nothing can be written there.
  TemporaryFile(const std::string& folder, const std::string& suffix);
  // In the system's folder for such files, from which abandoned ones are removed first.
  explicit TemporaryFile(const std::string& suffix);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  // A name under which this process (DuckDB, too) can open it, whatever characters the folder's name has.
  const std::string& path() const { return path_; }
  // Open for reading and writing, at the end of what was written through it.
  const Descriptor& descriptor() const { return file_; }

  // Gives it its real name, replacing what is there, in one step. Access rights stay. Returns 0 or the error number.
  int rename_to(const std::string& target);

 private:
  void create(const std::string& folder, const std::string& suffix);

  std::string path_;   // "" once it has another name
  Descriptor folder_;  // keeps path_ valid where it goes through the folder's number
  Descriptor file_;
  int slot_ = -1;  // in the table that remove_temporary_files() reads
};

// A new empty folder, removed with all that lies in it when this goes.
class PrivateFolder {
 public:
  // In `folder`. Where none can be made, error_number() says why and path() is "".
  explicit PrivateFolder(const std::string& folder);
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder();

  const std::string& path() const { return path_; }
  int error_number() const { return error_number_; }

 private:
  bool lock();

  std::string path_;
  Descriptor lock_;
  int slot_ = -1;  // as a file's
  int error_number_ = 0;
};

// $TMPDIR, else /tmp.
std::string system_temporary_folder();

// The endings of a name, as far as they can tell a format: ".csv.gz" of "my.table.csv.gz". For a temporary file that is
// to be read or written as that one would be.
std::string endings_of(const std::string& path);

// Whether DuckDB can be given this path: it takes * ? [ for a pattern and refuses what is not UTF-8.
bool is_plain_path(const std::string& path);

// A name that no file in `folder` has, of the form that remove_abandoned_files() knows, with the folder before it.
std::string unused_private_path(const std::string& folder, std::string_view suffix);

// Removes all temporary files and empty folders of this process. For a signal handler that is about to end it: calls
// only what is safe there, and leaves the objects as they are.
void remove_temporary_files() noexcept;

// Removes what killed runs of this user left in `folder`; what belongs to runs that are still alive stays.
void remove_abandoned_files(const std::string& folder) noexcept;

}  // namespace shoal
