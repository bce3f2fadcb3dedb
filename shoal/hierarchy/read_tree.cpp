// From a file to a tree: opens it, chooses the form by the name's ending, and looks at the tree as a whole.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "shoal/error.h"
#include "shoal/hierarchy/interval_label.h"
#include "shoal/hierarchy/label_text.h"
#include "shoal/hierarchy/tree_draft.h"

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
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) throw Error(ErrorKind::input, fmt::format("cannot read hierarchy file {} to its end", path));
  return text;
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

// One warning for the whole file: blanks at the ends of labels are usually a slip, and never visible.
void note_blanks(ParsedTree& parsed) {
  const Tree::Node* first = nullptr;
  size_t count = 0;
  for (const Tree::Node& node : parsed.tree.nodes) {
    if (node.label.empty() || (node.label.front() != ' ' && node.label.back() != ' ')) continue;
    ++count;
    if (first == nullptr) first = &node;
  }
  if (first == nullptr) return;
  parsed.faults.push_back(
      {HierarchyFault::Severity::warning, first->line,
       fmt::format("{} label{} with a blank, {} first; blanks are part of a label, so take them out "
                   "unless the table has them too",
                   count, count == 1 ? " begins or ends" : "s begin or end", quoted_label(first->label))});
}

}  // namespace

std::vector<HierarchyFault> interval_faults(const Tree& tree) {
  std::vector<std::optional<LabelInterval>> intervals(tree.nodes.size());
  for (size_t node = 1; node < tree.nodes.size(); ++node) {
    if (!tree.nodes[node].leaf) intervals[node] = label_interval(tree.nodes[node].label);
  }
  std::vector<HierarchyFault> faults;
  for (const Tree::Node& leaf : tree.nodes) {
    const auto number = leaf.leaf ? label_number(leaf.label) : std::nullopt;
    if (!number) continue;
    std::string wrong;
    for (uint32_t node = leaf.parent; node != 0; node = tree.nodes[node].parent) {
      if (!intervals[node] || intervals[node]->contains(*number)) continue;
      wrong += (wrong.empty() ? "" : ", ") + quoted_label(tree.nodes[node].label);
    }
    if (wrong.empty()) continue;
    faults.push_back(
        {HierarchyFault::Severity::warning, leaf.line,
         fmt::format("value {} stands under {}, which does not contain it; move the value, or mend the label",
                     quoted_label(leaf.label), wrong)});
  }
  return faults;
}

ParsedTree parse_tree_file(const std::string& path) { return parse_tree_text(file_text(path), path); }

ParsedTree parse_tree_text(std::string_view text, const std::string& path) {
  ParsedTree parsed = parse(text, ending_of(path));
  parsed.tree.source = path;
  if (!has_error(parsed.faults)) {
    if (parsed.tree.nodes.size() == 1) {
      parsed.faults.push_back({HierarchyFault::Severity::warning, 0,
                               "the file names only the root: every value will stand directly under it"});
    }
    note_blanks(parsed);
  }
  for (HierarchyFault& fault : interval_faults(parsed.tree)) parsed.faults.push_back(std::move(fault));
  std::stable_sort(parsed.faults.begin(), parsed.faults.end(),
                   [](const HierarchyFault& a, const HierarchyFault& b) { return a.line < b.line; });
  return parsed;
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

}  // namespace shoal
