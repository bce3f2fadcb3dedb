#include "shoal/write/release_file.h"

#include <unistd.h>

#include <filesystem>

namespace shoal {

FileKind release_kind(const std::string& output) {
  const bool nameless =
      output == "-" || (!std::filesystem::path(output).has_extension() && Place(output, STDOUT_FILENO).is_stream());
  return nameless ? FileKind{} : file_kind(output);
}

ReleaseFile::ReleaseFile(Output& output, const Source& source) : output_(output), kind_(release_kind(output.name())) {
  // A .tsv file has tabs; a text table that came with other delimiters than its name says keeps them.
  const bool keeps = source.format() == FileFormat::csv && source.kind().delimiter.empty();
  delimiter_ = kind_.delimiter.empty() ? (keeps ? source.delimiter() : ",") : kind_.delimiter;
}

}  // namespace shoal
