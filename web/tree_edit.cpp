// A tree is taken apart into lists of children, changed there, and put together again in depth-first order, so that
// parents stand before their children. Inner nodes that are left without children go.
#include "web/tree_edit.h"

#include <fmt/format.h>

#include <algorithm>

namespace shoal::web {
namespace {

struct Parts {
  std::vector<Tree::Node> nodes;
  std::vector<std::vector<uint32_t>> children;
};

Parts parts_of(const Tree& tree) {
  Parts parts{tree.nodes, std::vector<std::vector<uint32_t>>(tree.nodes.size())};
  for (uint32_t node = 1; node < tree.nodes.size(); ++node) parts.children[tree.nodes[node].parent].push_back(node);
  return parts;
}

// Which nodes have a leaf below them, or are one. Of those that can be reached from the root.
std::vector<bool> with_leaves(const Parts& parts) {
  std::vector<uint32_t> order{0};  // parents before their children
  for (size_t i = 0; i < order.size(); ++i) {
    const std::vector<uint32_t>& children = parts.children[order[i]];
    order.insert(order.end(), children.begin(), children.end());
  }
  std::vector<bool> has(parts.nodes.size(), false);
  for (size_t i = order.size(); i-- > 0;) {
    const uint32_t node = order[i];
    has[node] = parts.nodes[node].leaf || std::any_of(parts.children[node].begin(), parts.children[node].end(),
                                                      [&](uint32_t child) { return has[child]; });
  }
  return has;
}

Tree together(const Parts& parts, const std::string& source) {
  Tree tree;
  tree.source = source;
  struct Visit {
    uint32_t node, parent;
  };
  const std::vector<bool> kept = with_leaves(parts);
  std::vector<Visit> to_visit{{0, 0}};
  while (!to_visit.empty()) {
    const Visit visit = to_visit.back();
    to_visit.pop_back();
    if (!kept[visit.node]) continue;
    const auto place = static_cast<uint32_t>(tree.nodes.size());
    Tree::Node node = parts.nodes[visit.node];
    node.parent = visit.parent;
    node.line = 0;
    tree.nodes.push_back(std::move(node));
    const std::vector<uint32_t>& children = parts.children[visit.node];
    for (size_t i = children.size(); i-- > 0;) to_visit.push_back({children[i], place});
  }
  return tree;
}

void check_nodes(const Tree& tree, const std::vector<uint32_t>& nodes) {
  if (nodes.empty()) throw Error(ErrorKind::job, "mark at least one node of the tree first");
  for (const uint32_t node : nodes) {
    if (node >= tree.nodes.size()) throw Error(ErrorKind::job, "the tree has no such node any more");
    if (node == 0) throw Error(ErrorKind::job, "the root stays where it is");
  }
}

void check_label(const Tree& tree, const std::string& label) {
  if (label.empty() || label == "*") throw Error(ErrorKind::job, "a new node needs a name, and * is the root's");
  for (const char c : label) {
    if (static_cast<unsigned char>(c) < 0x20) throw Error(ErrorKind::job, "a name must be one line");
  }
  for (const Tree::Node& node : tree.nodes) {
    if (node.label == label) throw Error(ErrorKind::job, fmt::format("'{}' is in the tree already", label));
  }
}

uint32_t common_parent(const Tree& tree, const std::vector<uint32_t>& nodes) {
  const uint32_t parent = tree.nodes[nodes.front()].parent;
  for (const uint32_t node : nodes) {
    if (tree.nodes[node].parent != parent) {
      throw Error(ErrorKind::job, fmt::format("'{}' and '{}' are not under the same node",
                                              tree.nodes[nodes.front()].label, tree.nodes[node].label));
    }
  }
  return parent;
}

bool is_among(const std::vector<uint32_t>& nodes, uint32_t node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

// The marked ones of `from`, taken out of it, in its order.
std::vector<uint32_t> take_out(std::vector<uint32_t>& from, const std::vector<uint32_t>& marked) {
  std::vector<uint32_t> taken;
  for (const uint32_t node : from) {
    if (is_among(marked, node)) taken.push_back(node);
  }
  std::erase_if(from, [&](uint32_t node) { return is_among(marked, node); });
  return taken;
}

uint32_t new_node(Parts& parts, const std::string& label, std::vector<uint32_t> children) {
  parts.nodes.push_back({label, 0, 0, false});
  parts.children.push_back(std::move(children));
  return static_cast<uint32_t>(parts.nodes.size() - 1);
}

}  // namespace

Tree renamed(const Tree& tree, uint32_t node, const std::string& label) {
  check_nodes(tree, {node});
  if (tree.nodes[node].leaf)
    throw Error(ErrorKind::job, fmt::format("'{}' is a value of the table and keeps its name", tree.nodes[node].label));
  check_label(tree, label);
  Parts parts = parts_of(tree);
  parts.nodes[node].label = label;
  return together(parts, tree.source);
}

Tree joined(const Tree& tree, const std::vector<uint32_t>& nodes, const std::string& label) {
  check_nodes(tree, nodes);
  check_label(tree, label);
  const uint32_t parent = common_parent(tree, nodes);
  Parts parts = parts_of(tree);
  std::vector<uint32_t>& siblings = parts.children[parent];
  const auto first =
      std::find_if(siblings.begin(), siblings.end(), [&](uint32_t node) { return is_among(nodes, node); });
  const auto place = first - siblings.begin();
  std::vector<uint32_t> taken = take_out(siblings, nodes);
  const uint32_t above = new_node(parts, label, std::move(taken));  // may move the lists: `siblings` is stale from here
  parts.children[parent].insert(parts.children[parent].begin() + place, above);
  return together(parts, tree.source);
}

Tree split_off(const Tree& tree, const std::vector<uint32_t>& nodes, const std::string& label) {
  check_nodes(tree, nodes);
  check_label(tree, label);
  const uint32_t parent = common_parent(tree, nodes);
  if (parent == 0) throw Error(ErrorKind::job, "nothing stands beside the root: join them instead");
  Parts parts = parts_of(tree);
  if (parts.children[parent].size() == nodes.size()) {
    throw Error(ErrorKind::job,
                fmt::format("nothing would be left under '{}': rename it instead", tree.nodes[parent].label));
  }
  std::vector<uint32_t> taken = take_out(parts.children[parent], nodes);
  const uint32_t beside = new_node(parts, label, std::move(taken));
  std::vector<uint32_t>& siblings = parts.children[tree.nodes[parent].parent];
  siblings.insert(std::find(siblings.begin(), siblings.end(), parent) + 1, beside);
  return together(parts, tree.source);
}

Tree dissolved(const Tree& tree, uint32_t node) {
  check_nodes(tree, {node});
  if (tree.nodes[node].leaf)
    throw Error(ErrorKind::job, fmt::format("'{}' is a value of the table and stays", tree.nodes[node].label));
  Parts parts = parts_of(tree);
  const std::vector<uint32_t> children = parts.children[node];
  std::vector<uint32_t>& siblings = parts.children[tree.nodes[node].parent];
  const auto place = siblings.erase(std::find(siblings.begin(), siblings.end(), node));
  siblings.insert(place, children.begin(), children.end());
  parts.children[node].clear();
  return together(parts, tree.source);
}

Tree moved(const Tree& tree, const std::vector<uint32_t>& nodes, uint32_t target) {
  check_nodes(tree, nodes);
  if (target >= tree.nodes.size()) throw Error(ErrorKind::job, "the tree has no such node any more");
  if (tree.nodes[target].leaf)
    throw Error(ErrorKind::job, fmt::format("'{}' is a value: nothing can be under it", tree.nodes[target].label));
  for (uint32_t above = target;; above = tree.nodes[above].parent) {
    if (is_among(nodes, above))
      throw Error(ErrorKind::job, fmt::format("'{}' cannot be moved below itself", tree.nodes[above].label));
    if (above == 0) break;
  }
  Parts parts = parts_of(tree);
  // A node whose ancestor is moved too goes with that one.
  for (const uint32_t node : nodes) {
    bool goes_along = false;
    for (uint32_t above = tree.nodes[node].parent; above != 0; above = tree.nodes[above].parent) {
      goes_along = goes_along || is_among(nodes, above);
    }
    if (goes_along) continue;
    std::erase(parts.children[tree.nodes[node].parent], node);
    parts.children[target].push_back(node);
  }
  return together(parts, tree.source);
}

}  // namespace shoal::web
