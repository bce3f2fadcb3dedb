// The project's documents, and the commands that they show.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "testing/run_program.h"

namespace shoal::testing {

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// README and the pages of docs/, by their names.
inline std::map<std::string, std::string> documents() {
  const std::filesystem::path source = kSourceFolder;
  std::map<std::string, std::string> texts{{"README.md", read_file(source / "README.md")}};
  for (const auto& file : std::filesystem::recursive_directory_iterator(source / "docs")) {
    if (file.path().extension() == ".md") texts[file.path().filename().string()] = read_file(file.path());
  }
  return texts;
}

// The commands of a text: lines that begin with `shoal` or `build/shoal`, with the lines that they go on in.
inline std::vector<std::string> commands_in(const std::string& text) {
  std::vector<std::string> commands;
  std::istringstream lines(text);
  bool goes_on = false;
  for (std::string line; std::getline(lines, line);) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || begin == 0) {
      goes_on = false;
      continue;
    }
    std::string words = line.substr(begin, line.find(" #", begin) - begin);
    const bool is_command = words.starts_with("shoal ") || words.starts_with("build/shoal ");
    if (!is_command && !goes_on) continue;
    const bool more = words.ends_with("\\");
    if (more) words.pop_back();
    if (goes_on) {
      commands.back() += words;
    } else {
      commands.push_back(words.substr(words.find(' ') + 1));
    }
    goes_on = more;
  }
  return commands;
}

}  // namespace shoal::testing
