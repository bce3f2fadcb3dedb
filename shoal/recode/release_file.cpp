#include "shoal/recode/release_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace shoal {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace

void check_output_place(const std::string& output, const std::vector<std::string>& inputs) {
  if (output.empty() || output == "-") return;
  std::error_code ignored;
  for (const std::string& input : inputs) {
    if (fs::equivalent(output, input, ignored)) {
      throw Error(
          ErrorKind::job,
          fmt::format("the output '{}' is also an input; choose another name, so that nothing is lost", output));
    }
  }
  const std::string folder = folder_of(output);
  if (!fs::exists(folder, ignored)) {
    throw Error(ErrorKind::job, fmt::format("the folder '{}' for '{}' does not exist; make it first", folder, output));
  }
  if (fs::is_directory(output, ignored)) {
    throw Error(ErrorKind::job, fmt::format("the output '{}' is a folder; give a file name", output));
  }
  const TemporaryFile probe(folder, "shoal", ".probe");  // throws when the folder is read-only
}

ReleaseFile::ReleaseFile(std::string output, const Source& source) : output_(std::move(output)) {
  if (output_ != "-") kind_ = file_kind(output_);
  // A .tsv file has tabs; a text table that came with other delimiters than its name says keeps them.
  const bool keeps = source.format() == FileFormat::csv && source.kind().delimiter.empty();
  delimiter_ = kind_.delimiter.empty() ? (keeps ? source.delimiter() : ",") : kind_.delimiter;
  if (output_ == "-") {
    file_ = std::make_unique<TemporaryFile>(".csv");
  } else {
    // The temporary name keeps the extensions, for they tell the format when it is read back.
    const std::string name = fs::path(output_).filename().string();
    file_ = std::make_unique<TemporaryFile>(folder_of(output_), name, name.substr(name.find('.')));
  }
}

void ReleaseFile::publish() {
  if (output_ != "-") {
    file_->rename_to(output_);
    return;
  }
  std::ifstream file(file_->path(), std::ios::binary);
  std::cout << file.rdbuf();
  std::cout.flush();
  if (!std::cout) throw Error(ErrorKind::job, "cannot write the release to standard output");
}

void write_text_file(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::cout << text;
    return;
  }
  TemporaryFile file(folder_of(path), fs::path(path).filename().string(), ".tmp");
  std::ofstream out(file.path(), std::ios::binary);
  out << text;
  out.close();
  if (!out) throw Error(ErrorKind::job, fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  file.rename_to(path);
}

}  // namespace shoal
