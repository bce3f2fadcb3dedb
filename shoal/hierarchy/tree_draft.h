// A tree while it is being read: grows node by node and notes every fault on the way.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shoal/hierarchy/tree.h"

namespace shoal {

// What a file says. `tree` may be used only when no fault is an error.
struct ParsedTree {
  Tree tree;
  std::vector<HierarchyFault> faults;
};

bool has_error(const std::vector<HierarchyFault>& faults);

// Deeper trees are refused: every leaf carries one node per level.
inline constexpr uint32_t kDeepestTree = 255;

class TreeDraft {
 public:
  // `root_label` as the file names it; "*" when the file does not name one.
  TreeDraft(std::string_view root_label, size_t root_line);

  struct Added {
    uint32_t node;
    bool fresh;  // false: the parent had this child already
  };
  // The child of `parent` with this label, made when there is none. Notes an error, once for each (parent, label), when
  // the label already names another node, its own ancestor, or both a value and an inner node. Cost: constant, and the
  // depth when there is something to note.
  Added add(uint32_t parent, std::string_view label, size_t line, bool leaf);

  // A leaf from a line that is already at fault: counts as known when values are checked, and nothing more.
  void add_misplaced_leaf(std::string_view label, size_t line);

  void error(size_t line, std::string message);
  void warning(size_t line, std::string message);
  const Tree::Node& node(uint32_t node) const { return tree_.nodes[node]; }

  // Ends the draft.
  ParsedTree take() &&;

 private:
  struct Place {
    uint32_t parent;
    std::string label;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    size_t operator()(const Place& place) const {
      return std::hash<std::string>()(place.label) * 31 + place.parent * size_t{0x9E3779B97F4A7C15};
    }
  };

  void note_conflict(uint32_t first, uint32_t parent, size_t line, bool leaf);
  void note_mixed(uint32_t node, size_t line, bool leaf);

  Tree tree_;
  std::vector<HierarchyFault> faults_;
  std::vector<uint32_t> depth_;
  std::vector<uint8_t> mixed_;  // value and inner node: noted already
  std::unordered_map<Place, uint32_t, PlaceHash> by_place_;
  std::unordered_map<std::string, uint32_t> by_label_;  // the first node of that label
  bool too_deep_ = false;
};

// A node with its parent spelled out, as indented text and JSON give it. Parents stand before their children.
struct NamedNode {
  static constexpr size_t kTop = static_cast<size_t>(-1);
  std::string label;
  size_t parent = kTop;  // index of the parent among the named nodes
  size_t line = 0;
};

// One top node is the root; above several a root is added. `faults` are those found while reading.
ParsedTree grow_named(const std::vector<NamedNode>& named, std::vector<HierarchyFault> faults);

// The text forms. `text` is the whole file without its byte order mark.
ParsedTree parse_level_table(std::string_view text, bool tab_first);
ParsedTree parse_indented(std::string_view text);

// A tree as parsed, with the faults added that only show in the whole; in line order. `source` names it in messages.
ParsedTree seen_as_a_whole(ParsedTree parsed, const std::string& source);

// All faults of a tree, in line order; with `values`, missing and unused leaves too.
std::vector<HierarchyFault> all_faults(const ParsedTree& parsed, std::optional<std::span<const std::string>> values);

// Numbers that stand under an interval which does not contain them: warnings.
std::vector<HierarchyFault> interval_faults(const Tree& tree);

}  // namespace shoal
