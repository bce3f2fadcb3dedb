// All faults of a hierarchy file, alone or against the values of a table.

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "shoal/hierarchy/label_text.h"
#include "shoal/hierarchy/tree_draft.h"
#include "shoal/nearest_word.h"

namespace shoal {
namespace {

constexpr size_t kNamed = 5;

std::string first_few(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < std::min(words.size(), kNamed); ++i) text += (i == 0 ? "" : ", ") + words[i];
  return words.size() > kNamed ? text + ", ..." : text;
}

class ValueCheck {
 public:
  ValueCheck(const Tree& tree, std::span<const std::string> values) : values_(values.begin(), values.end()) {
    for (const Tree::Node& node : tree.nodes) {
      if (!node.leaf) continue;
      leaves_.push_back(&node);
      labels_.push_back(node.label);
      known_.insert(node.label);
      if (const auto number = label_number(node.label)) by_number_.try_emplace(*number, &node);
    }
    for (const std::string& value : values) place(value);
  }

  std::vector<HierarchyFault> faults() const {
    std::vector<HierarchyFault> faults;
    const auto note = [&](HierarchyFault::Severity severity, std::string message) {
      faults.push_back({severity, 0, std::move(message)});
    };
    if (!missing_.empty()) {
      note(HierarchyFault::Severity::error,
           fmt::format(
               "{} of {} values of the table are not in the tree: {}; add them, or set `unknown_values: root` in "
               "the job to put them directly under the root",
               missing_.size(), values_.size(), first_few(missing_)));
    }
    if (!by_number_only_.empty()) {
      note(HierarchyFault::Severity::warning,
           fmt::format("{} values of the table are in the tree only as another spelling of the same number: {}; they "
                       "match in a numeric column only",
                       by_number_only_.size(), first_few(by_number_only_)));
    }
    std::vector<std::string> unused;
    for (const Tree::Node* leaf : leaves_) {
      if (values_.contains(leaf->label) || used_by_number_.contains(leaf)) continue;
      unused.push_back(fmt::format("{} (line {})", quoted_label(leaf->label), leaf->line));
    }
    if (!unused.empty()) {
      note(HierarchyFault::Severity::warning,
           fmt::format("{} of {} values of the tree do not occur in the table: {}; they do no harm", unused.size(),
                       leaves_.size(), first_few(unused)));
    }
    return faults;
  }

 private:
  void place(const std::string& value) {
    if (known_.contains(value)) return;
    const auto number = label_number(value);
    const auto same = number ? by_number_.find(*number) : by_number_.end();
    if (same != by_number_.end()) {
      used_by_number_.insert(same->second);
      by_number_only_.push_back(quoted_label(value) + " for " + quoted_label(same->second->label));
      return;
    }
    // Looking for what was meant costs a pass over the labels, so only for the values that are named.
    const auto meant = missing_.size() < kNamed ? nearest_word(value, labels_, WordKind::value) : std::nullopt;
    missing_.push_back(quoted_label(value) + (meant ? " (did you mean " + quoted_label(*meant) + "?)" : ""));
  }

  std::unordered_set<std::string_view> values_;
  std::vector<const Tree::Node*> leaves_;
  std::vector<std::string_view> labels_;
  std::unordered_set<std::string_view> known_;
  std::unordered_map<double, const Tree::Node*> by_number_;
  std::unordered_set<const Tree::Node*> used_by_number_;
  std::vector<std::string> missing_, by_number_only_;
};

}  // namespace

std::vector<HierarchyFault> check_tree(const std::string& path, std::optional<std::span<const std::string>> values) {
  const ParsedTree parsed = parse_tree_file(path);
  std::vector<HierarchyFault> faults;
  // A file of the root alone takes every value; an unreadable one has been called that already.
  if (values && parsed.tree.nodes.size() > 1) faults = ValueCheck(parsed.tree, *values).faults();
  faults.insert(faults.end(), parsed.faults.begin(), parsed.faults.end());
  std::stable_sort(faults.begin(), faults.end(),
                   [](const HierarchyFault& a, const HierarchyFault& b) { return a.line < b.line; });
  return faults;
}

}  // namespace shoal
