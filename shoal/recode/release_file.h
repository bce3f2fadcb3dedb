// Outputs that appear whole or not at all: written under a temporary name beside their place, renamed at the end.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "shoal/read/source.h"
#include "shoal/read/temporary_file.h"

namespace shoal {

// Throws Error(job) unless a file can be written at `output` without harm to one of the inputs. "-" and "" always can.
void check_output_place(const std::string& output, const std::vector<std::string>& inputs);

// A table on its way to `output` ("-": standard output). Removed unless published.
class ReleaseFile {
 public:
  ReleaseFile(std::string output, const Source& source);

  const std::string& path() const { return file_->path(); }  // the temporary file
  const FileKind& kind() const { return kind_; }
  const std::string& delimiter() const { return delimiter_; }
  // Gives the file its name, or copies it to standard output.
  void publish();

 private:
  std::string output_;
  FileKind kind_;
  std::string delimiter_;
  std::unique_ptr<TemporaryFile> file_;
};

// A small text file, whole or not at all; "-": standard output.
void write_text_file(const std::string& path, const std::string& text);

}  // namespace shoal
