// Growing and pruning as in C4.5 release 8. Grown to the end, then collapsed where a subtree makes no fewer errors on
// its own training rows, then pruned from the leaves up by pessimistic errors (Quinlan 1993, chapter 4): the subtree, a
// leaf in its place, or its heaviest branch raised into its place, whichever is expected to err least. Raising sends
// all rows of the node through that branch, which is what costs.
#include "shoal/learn/c45_draft.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "shoal/learn/entropy.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr size_t kLeastSharedRows = 20'000;  // fewer are grown by one thread
constexpr size_t kLargeShare = 16;           // nodes of less than this share of the rows are grown a subtree a task

double errors_of(std::span<const double> weights) {
  return sum_of(weights) - *std::max_element(weights.begin(), weights.end());
}

}  // namespace

C45Draft::C45Draft(const Dataset& data, const C45Options& options, Progress& progress)
    : data_(data),
      options_(options),
      progress_(progress),
      search_(data, options.min_objects),
      extra_errors_(options.confidence),
      path_(data) {}

void C45Draft::grow() {
  nodes_.clear();
  if (options_.threads > 1 && data_.rows >= kLeastSharedRows) {
    large_ = data_.rows / kLargeShare;
    workers_ = std::vector<SplitSearch>(task_workers(data_.attributes.size(), options_.threads), search_);
  }
  grow(all_rows(data_));
  grow_later();
}

std::optional<C45Split> C45Draft::best_split(const NodeRows& rows) {
  // No time left: what is grown so far is a tree, too.
  if (progress_.out_of_time()) return std::nullopt;
  return workers_.empty() ? search_.best(rows, path_) : search_.best(rows, path_, workers_);
}

uint32_t C45Draft::grow(NodeRows rows) {
  progress_.check();
  const auto index = static_cast<uint32_t>(nodes_.size());
  nodes_.emplace_back();
  if (rows.size() < large_) {
    later_.push_back({index, std::move(rows), path_});
    return index;
  }
  nodes_[index].weights = class_weights(data_, rows);
  const auto split = best_split(rows);
  if (!split) {
    grown_ += static_cast<double>(rows.size());
    if (!part_) progress_.update(std::min(1.0, 0.9 * grown_ / static_cast<double>(data_.rows)));
    return index;
  }
  nodes_[index].attribute = split->attribute;
  nodes_[index].threshold = split->threshold;
  std::vector<NodeRows> parts = split_rows(data_, *split, rows, path_);
  rows = {};
  std::vector<uint32_t> children;
  for (size_t branch = 0; branch < parts.size(); ++branch) {
    const BranchLimits limits(path_, data_, split->attribute, split->threshold, branch);
    children.push_back(grow(std::move(parts[branch])));
  }
  nodes_[index].children = std::move(children);
  return index;
}

void C45Draft::grow_later() {
  std::vector<std::vector<Node>> subtrees(later_.size());
  C45Options alone = options_;
  alone.threads = 1;
  run_tasks_with(
      later_.size(), options_.threads, [&] { return std::make_unique<C45Draft>(data_, alone, progress_); },
      [&](C45Draft& draft, size_t task) {
        draft.part_ = true;
        draft.path_ = std::move(later_[task].path);
        draft.grow(std::move(later_[task].rows));
        subtrees[task] = std::move(draft.nodes_);
        draft.nodes_.clear();
      });
  // A subtree's root takes the place kept for it, its other nodes come at the end.
  for (size_t task = 0; task < subtrees.size(); ++task) {
    const auto moved = static_cast<uint32_t>(nodes_.size() - 1);  // where node 0 would stand
    for (Node& node : subtrees[task]) {
      for (uint32_t& child : node.children) child += moved;
    }
    nodes_[later_[task].node] = std::move(subtrees[task].front());
    nodes_.insert(nodes_.end(), std::make_move_iterator(subtrees[task].begin() + 1),
                  std::make_move_iterator(subtrees[task].end()));
  }
  later_.clear();
  workers_.clear();
}

void C45Draft::make_leaf(Node& node) const {
  node.attribute = C45Tree::Node::kLeaf;
  node.children.clear();
}

double C45Draft::training_errors(uint32_t index) const {
  const Node& node = nodes_[index];
  if (node.leaf()) return errors_of(node.weights);
  double errors = 0;
  for (uint32_t child : node.children) errors += training_errors(child);
  return errors;
}

void C45Draft::collapse() { collapse(0); }

void C45Draft::collapse(uint32_t index) {
  Node& node = nodes_[index];
  if (node.leaf()) return;
  if (training_errors(index) >= errors_of(node.weights) - 1e-3) {
    make_leaf(node);
    return;
  }
  for (uint32_t child : node.children) collapse(child);
}

C45Split C45Draft::split_of(const Node& node, const NodeRows& rows) const {
  C45Split split;
  split.attribute = node.attribute;
  split.threshold = node.threshold;
  split.branches.assign(node.children.size(), 0);
  const Attribute& attribute = data_.attributes[node.attribute];
  const auto& limit = path_.limits[node.attribute];
  double shares[2];
  for (size_t i = 0; i < rows.size(); ++i) {
    const uint32_t code = attribute.codes[rows.rows[i]];
    if (code == Attribute::kMissing) continue;
    if (attribute.numeric) {
      branch_shares(attribute, code, node.threshold, limit, split.branches, shares);
      split.branches[0] += rows.weights[i] * shares[0];
      split.branches[1] += rows.weights[i] * shares[1];
    } else if (attribute.known_category(code)) {
      split.branches[code] += rows.weights[i];
    }
  }
  return split;
}

void C45Draft::prune() { prune(0, all_rows(data_)); }

double C45Draft::branch_estimate(uint32_t index, const NodeRows& rows, double enough) {
  const Node& node = nodes_[index];
  if (node.leaf()) return extra_errors_.of_leaf(class_weights(data_, rows));
  const C45Split split = split_of(node, rows);
  const auto parts = split_rows(data_, split, rows, path_);
  double errors = 0;
  for (size_t branch = 0; branch < parts.size() && errors <= enough; ++branch) {
    const BranchLimits limits(path_, data_, node.attribute, node.threshold, branch);
    errors += branch_estimate(node.children[branch], parts[branch], enough - errors);
  }
  return errors;
}

void C45Draft::redistribute(uint32_t index, const NodeRows& rows) {
  Node& node = nodes_[index];
  node.weights = class_weights(data_, rows);
  if (node.leaf()) return;
  const auto parts = split_rows(data_, split_of(node, rows), rows, path_);
  for (size_t branch = 0; branch < parts.size(); ++branch) {
    const BranchLimits limits(path_, data_, node.attribute, node.threshold, branch);
    redistribute(node.children[branch], parts[branch]);
  }
}

// Returns the estimated errors of what is left.
double C45Draft::prune(uint32_t index, const NodeRows& rows) {
  progress_.check();
  if (nodes_[index].leaf()) return extra_errors_.of_leaf(nodes_[index].weights);
  double as_tree = 0;
  {
    const auto parts = split_rows(data_, split_of(nodes_[index], rows), rows, path_);
    for (size_t branch = 0; branch < parts.size(); ++branch) {
      const BranchLimits limits(path_, data_, nodes_[index].attribute, nodes_[index].threshold, branch);
      as_tree += prune(nodes_[index].children[branch], parts[branch]);
    }
  }
  Node& node = nodes_[index];
  const double as_leaf = extra_errors_.of_leaf(node.weights);
  double as_branch = std::numeric_limits<double>::infinity();
  uint32_t heaviest = node.children[0];
  if (options_.subtree_raising) {
    for (uint32_t child : node.children) {
      if (sum_of(nodes_[child].weights) >= sum_of(nodes_[heaviest].weights) - 1e-6) heaviest = child;
    }
    // Beyond this the branch changes nothing below, so its exact estimate does not matter.
    as_branch = branch_estimate(heaviest, rows, std::max(as_leaf, as_tree) + 0.2);
  }
  if (as_leaf <= as_tree + 0.1 && as_leaf <= as_branch + 0.1) {
    make_leaf(node);
    return as_leaf;
  }
  if (as_branch <= as_tree + 0.1) {
    node = Node(nodes_[heaviest]);
    redistribute(index, rows);
    return prune(index, rows);
  }
  return as_tree;
}

C45Tree C45Draft::tree() const {
  C45Tree tree;
  tree.classes = data_.classes.size();
  std::vector<uint32_t> drafts{0};  // [node of the tree]
  tree.nodes.emplace_back();
  for (uint32_t index = 0; index < tree.nodes.size(); ++index) {
    const Node& draft = nodes_[drafts[index]];
    C45Tree::Node& node = tree.nodes[index];
    node.attribute = draft.attribute;
    node.threshold = draft.threshold;
    node.empty = sum_of(draft.weights) <= 0;
    const auto weights = node.empty ? tree.weights(node.parent) : std::span<const double>(draft.weights);
    const std::vector<double> copy(weights.begin(), weights.end());
    tree.class_weights.insert(tree.class_weights.end(), copy.begin(), copy.end());
    if (draft.leaf()) continue;
    node.first_child = static_cast<uint32_t>(tree.nodes.size());
    node.children = static_cast<uint32_t>(draft.children.size());
    for (uint32_t child : draft.children) {
      drafts.push_back(child);
      tree.nodes.emplace_back();  // may move `node`
      tree.nodes.back().parent = index;
    }
  }
  return tree;
}

}  // namespace shoal
