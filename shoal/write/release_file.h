// A table on its way to an output: in which format, with which delimiter.
#pragma once

#include <string>

#include "shoal/read/source.h"
#include "shoal/write/outputs.h"

namespace shoal {

// What the name of an output says: "-" and pipes or devices without an ending are CSV. Throws Error(job) on an
// extension we do not know; better asked before the work.
FileKind release_kind(const std::string& output);

class ReleaseFile {
 public:
  // `output` must be wanted and outlive this.
  ReleaseFile(Output& output, const Source& source);

  const std::string& path() const { return output_.path(); }  // the private file to write
  const FileKind& kind() const { return kind_; }
  const std::string& delimiter() const { return delimiter_; }
  // It is whole and verified: it may be published.
  void done() { output_.done(); }

 private:
  Output& output_;
  FileKind kind_;
  std::string delimiter_;
};

}  // namespace shoal
