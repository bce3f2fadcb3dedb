#include "shoal/hierarchy/tree_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "shoal/hierarchy/label_text.h"

namespace shoal {

bool has_error(const std::vector<HierarchyFault>& faults) {
  return std::any_of(faults.begin(), faults.end(),
                     [](const auto& fault) { return fault.severity == HierarchyFault::Severity::error; });
}

TreeDraft::TreeDraft(std::string_view root_label, size_t root_line) : depth_{0}, mixed_{0} {
  // Whatever the file calls it, the root is released as "*".
  tree_.nodes.push_back({"*", 0, root_line, false});
  by_label_.emplace(root_label, 0);
}

void TreeDraft::error(size_t line, std::string message) {
  faults_.push_back({HierarchyFault::Severity::error, line, std::move(message)});
}

void TreeDraft::warning(size_t line, std::string message) {
  faults_.push_back({HierarchyFault::Severity::warning, line, std::move(message)});
}

TreeDraft::Added TreeDraft::add(uint32_t parent, std::string_view label, size_t line, bool leaf) {
  if (depth_[parent] >= kDeepestTree) {
    if (!std::exchange(too_deep_, true)) {
      error(line, fmt::format("the tree is deeper than {} levels at {}; merge some levels", kDeepestTree,
                              quoted_label(label)));
    }
    parent = tree_.nodes[parent].parent;  // go on, but no deeper
  }
  const auto id = static_cast<uint32_t>(tree_.nodes.size());
  const auto [place, fresh] = by_place_.try_emplace(Place{parent, std::string(label)}, id);
  if (!fresh) {
    if (tree_.nodes[place->second].leaf != leaf) note_mixed(place->second, line, leaf);
    return {place->second, false};
  }
  const auto [first, unheard] = by_label_.try_emplace(std::string(label), id);
  if (label == "*") {
    error(line,
          "the label '*' stands below the root, but '*' is what the root is released as; end every line in the same "
          "label, or give this one another label");
  } else if (!unheard) {
    note_conflict(first->second, parent, line, leaf);
  }
  tree_.nodes.push_back({std::string(label), parent, line, leaf});
  depth_.push_back(depth_[parent] + 1);
  mixed_.push_back(0);
  return {id, true};
}

void TreeDraft::add_misplaced_leaf(std::string_view label, size_t line) {
  tree_.nodes.push_back({std::string(label), 0, line, true});
  depth_.push_back(1);
  mixed_.push_back(0);
}

void TreeDraft::note_mixed(uint32_t node, size_t line, bool leaf) {
  if (std::exchange(mixed_[node], uint8_t{1}) != 0) return;
  const Tree::Node& known = tree_.nodes[node];
  error(line, fmt::format("{} is {} here and {} on line {}: released text would be ambiguous; rename the inner label",
                          quoted_label(known.label), leaf ? "a value" : "an inner label",
                          known.leaf ? "a value" : "an inner label", known.line));
}

void TreeDraft::note_conflict(uint32_t first, uint32_t parent, size_t line, bool leaf) {
  const Tree::Node& known = tree_.nodes[first];
  uint32_t ancestor = parent;
  while (ancestor != first && ancestor != 0) ancestor = tree_.nodes[ancestor].parent;
  if (ancestor == first) {
    const std::string label = first == 0 ? "the root's label" : quoted_label(known.label);
    error(line, fmt::format("cycle: {} is its own ancestor (first named on line {}); rename one of the two", label,
                            known.line));
  } else if (known.leaf != leaf) {
    note_mixed(first, line, leaf);
  } else if (leaf) {
    error(line, fmt::format("value {} has two parents, {} (line {}) and {}; keep one of them",
                            quoted_label(known.label), quoted_label(tree_.nodes[known.parent].label), known.line,
                            quoted_label(tree_.nodes[parent].label)));
  } else {
    error(line, fmt::format("label {} names two nodes, under {} (line {}) and under {}: released text would be "
                            "ambiguous; rename one of them",
                            quoted_label(known.label), quoted_label(tree_.nodes[known.parent].label), known.line,
                            quoted_label(tree_.nodes[parent].label)));
  }
}

ParsedTree TreeDraft::take() && { return {std::move(tree_), std::move(faults_)}; }

ParsedTree grow_named(const std::vector<NamedNode>& named, std::vector<HierarchyFault> faults) {
  if (named.empty()) {
    if (!has_error(faults)) faults.push_back({HierarchyFault::Severity::error, 0, "the file names no labels"});
    return {{}, std::move(faults)};
  }
  std::vector<bool> inner(named.size(), false);
  size_t tops = 0;
  for (const NamedNode& node : named) {
    if (node.parent == NamedNode::kTop) {
      ++tops;
    } else {
      inner[node.parent] = true;
    }
  }
  TreeDraft draft(tops == 1 ? named.front().label : "*", named.front().line);
  std::vector<uint32_t> grown(named.size(), 0);
  for (size_t i = tops == 1 ? 1 : 0; i < named.size(); ++i) {
    const auto& [label, parent, line] = named[i];
    const uint32_t under = parent == NamedNode::kTop ? 0 : grown[parent];
    const auto [node, fresh] = draft.add(under, label, line, !inner[i]);
    grown[i] = node;
    if (!fresh && inner[i] != draft.node(node).leaf) {
      draft.warning(line, fmt::format("{} stands twice under {} (first on line {}); {}", quoted_label(label),
                                      quoted_label(draft.node(under).label), draft.node(node).line,
                                      inner[i] ? "the two are taken as one node" : "the second is ignored"));
    }
  }
  ParsedTree parsed = std::move(draft).take();
  parsed.faults.insert(parsed.faults.begin(), std::make_move_iterator(faults.begin()),
                       std::make_move_iterator(faults.end()));
  return parsed;
}

}  // namespace shoal
