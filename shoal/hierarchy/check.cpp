// What is wrong with a tree as a whole, and against the values of a table.

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "shoal/hierarchy/interval_label.h"
#include "shoal/hierarchy/label_text.h"
#include "shoal/hierarchy/tree_draft.h"
#include "shoal/nearest_word.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

std::string first_few(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < std::min(words.size(), kValuesNamed); ++i) text += (i == 0 ? "" : ", ") + words[i];
  return words.size() > kValuesNamed ? text + ", ..." : text;
}

class ValueCheck {
 public:
  ValueCheck(const Tree& tree, std::span<const std::string> values) : values_(values.begin(), values.end()) {
    for (const Tree::Node& node : tree.nodes) {
      if (!node.leaf) continue;
      leaves_.push_back(&node);
      labels_.push_back(node.label);
      known_.insert(node.label);
      if (const auto number = label_decimal(node.label)) by_number_.try_emplace(*number, &node);
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
           fmt::format("{} in the tree only as another spelling of the same number: {}; that matches in a "
                       "numeric column only",
                       counted(by_number_only_.size(), "value of the table is", "values of the table are"),
                       first_few(by_number_only_)));
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
    const auto number = label_decimal(value);
    const auto same = number ? by_number_.find(*number) : by_number_.end();
    if (same != by_number_.end()) {
      used_by_number_.insert(same->second);
      by_number_only_.push_back(quoted_label(value) + " for " + quoted_label(same->second->label));
      return;
    }
    // Looking for what was meant costs a pass over the labels, so only for the values that are named.
    const auto meant = missing_.size() < kValuesNamed ? nearest_word(value, labels_, WordKind::value) : std::nullopt;
    missing_.push_back(quoted_label(value) + (meant ? " (did you mean " + quoted_label(*meant) + "?)" : ""));
  }

  std::unordered_set<std::string_view> values_;
  std::vector<const Tree::Node*> leaves_;
  std::vector<std::string_view> labels_;
  std::unordered_set<std::string_view> known_;
  std::unordered_map<Decimal, const Tree::Node*, DecimalHash> by_number_;
  std::unordered_set<const Tree::Node*> used_by_number_;
  std::vector<std::string> missing_, by_number_only_;
};

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
    const auto number = leaf.leaf ? label_decimal(leaf.label) : std::nullopt;
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

ParsedTree seen_as_a_whole(ParsedTree parsed, const std::string& source) {
  parsed.tree.source = source;
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

std::vector<HierarchyFault> all_faults(const ParsedTree& parsed, std::optional<std::span<const std::string>> values) {
  std::vector<HierarchyFault> faults;
  // A file of the root alone takes every value; an unreadable one has been called that already.
  if (values && parsed.tree.nodes.size() > 1) faults = ValueCheck(parsed.tree, *values).faults();
  faults.insert(faults.end(), parsed.faults.begin(), parsed.faults.end());
  std::stable_sort(faults.begin(), faults.end(),
                   [](const HierarchyFault& a, const HierarchyFault& b) { return a.line < b.line; });
  return faults;
}

}  // namespace shoal
