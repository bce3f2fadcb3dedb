// Hierarchies in their three forms. One that is taken can be shown, bound to its own leaves, and written as a level
// table that is taken again.
#include "fuzz/fuzz.h"
#include "shoal/hierarchy/tree_draft.h"
#include "shoal/read/read_tree.h"

using namespace shoal;

FUZZ_TARGET(bytes) {
  const char* const names[] = {"tree.csv", "tree.txt", "tree.json"};
  const std::string name = names[bytes.below(3)];
  const ParsedTree parsed = parse_tree_text(bytes.rest(), name);
  for (const HierarchyFault& fault : parsed.faults) fuzz::expect(!fault.message.empty(), "a fault says something");
  if (has_error(parsed.faults)) return;
  const Tree& tree = parsed.tree;
  fuzz::expect(!tree.nodes.empty(), "a tree has a root");
  std::vector<std::string> leaves;
  for (size_t node = 0; node < tree.nodes.size(); ++node) {
    fuzz::expect(tree.nodes[node].parent <= node, "parents stand before their children");
    if (tree.nodes[node].leaf) leaves.push_back(tree.nodes[node].label);
  }
  show_tree(tree, 3);
  if (leaves.empty()) return;  // a lone root is taken with a warning, and has no levels
  const BoundHierarchy bound = bind_tree(tree, {"c", leaves, false, "", {}}, UnknownValues::refuse, {});
  fuzz::expect(bound.hierarchy.leaves() == leaves.size(), "every leaf is bound");
  const ParsedTree again = parse_tree_text(level_table(tree), "again.csv");
  fuzz::expect(!has_error(again.faults), "a level table that was written is read");
  size_t leaves_again = 0;
  for (const Tree::Node& node : again.tree.nodes) leaves_again += node.leaf;
  fuzz::expect(leaves_again == leaves.size(), "with all its leaves");
}
