#include "shoal/read/read_tree.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "shoal/error.h"
#include "shoal/read/whole_file.h"

namespace shoal {
namespace {

std::string file_text(const std::string& path) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(path, ignored);
  std::ifstream file(path, std::ios::binary);
  if (folder || !file) {
    throw Error(ErrorKind::input, fmt::format("cannot open hierarchy file {}: {}; check the name", path,
                                              folder ? "it is a folder" : "no such file, or it may not be read"));
  }
  return whole_file(path, "the hierarchy file");
}

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return ending;
}

ParsedTree parse(std::string_view content, const std::string& ending) {
  const auto refuse = [](std::string message) {
    return ParsedTree{{}, {{HierarchyFault::Severity::error, 0, std::move(message)}}};
  };
  if (content.starts_with("\xFF\xFE") || content.starts_with("\xFE\xFF")) {
    return refuse("the file is UTF-16 text; save it as UTF-8");
  }
  if (content.starts_with("\xEF\xBB\xBF")) content.remove_prefix(3);
  if (ending == ".csv" || ending == ".tsv") return parse_level_table(content, ending == ".tsv");
  if (ending == ".txt" || ending == ".tree") return parse_indented(content);
  if (ending == ".json") return parse_json_tree(content);
  return refuse(
      "the name does not say which form the file has; end it in .csv or .tsv (level table), .txt or .tree "
      "(indented text), or .json");
}

}  // namespace

ParsedTree parse_tree_file(const std::string& path) { return parse_tree_text(file_text(path), path); }

ParsedTree parse_tree_text(std::string_view text, const std::string& path) {
  return seen_as_a_whole(parse(text, ending_of(path)), path);
}

Tree read_tree(const std::string& path, std::vector<HierarchyFault>* warnings) {
  ParsedTree parsed = parse_tree_file(path);
  for (HierarchyFault& fault : parsed.faults) {
    if (fault.severity == HierarchyFault::Severity::error) {
      const std::string where = fault.line == 0 ? path : fmt::format("{} line {}", path, fault.line);
      throw Error(ErrorKind::input, where + ": " + fault.message);
    }
  }
  if (warnings != nullptr) warnings->insert(warnings->end(), parsed.faults.begin(), parsed.faults.end());
  return std::move(parsed.tree);
}

std::vector<HierarchyFault> check_tree(const std::string& path, std::optional<std::span<const std::string>> values) {
  return all_faults(parse_tree_file(path), values);
}

}  // namespace shoal
