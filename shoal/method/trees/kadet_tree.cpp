// C4.5's criterion (gain ratio among splits of at least average gain, Quinlan 1993) with the k of Friedman, Wolff and
// Schuster 2008, section 4: a split counts only when every branch that rows take has k of them. A column's node is
// split into the children of the lowest hierarchy node that still covers all its values, so that a column can be asked
// again further down. Pruning is C4.5's estimate of errors, children first.
#include "shoal/method/trees/kadet_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "shoal/learn/c45_errors.h"
#include "shoal/learn/entropy.h"
#include "shoal/learn/leaf_histogram.h"
#include "shoal/recode/recoding.h"

namespace shoal {
namespace {

constexpr double kNoGain = 1e-9;
// C4.5 lets a split compete when its gain is the average of all candidates', less this.
constexpr double kNearAverage = 1e-3;

// One way to split a node's rows.
struct Split {
  struct Branch {
    uint32_t first, last, covered_by;
    std::vector<double> class_rows;
  };
  uint32_t column = 0;
  double threshold = 0;
  double gain = 0, ratio = 0;  // bits a row; gain over the entropy of the branch sizes
  std::vector<Branch> branches;
};

double sum(std::span<const double> values) { return std::reduce(values.begin(), values.end()); }

void add(std::vector<double>& to, std::span<const double> what) {
  for (size_t i = 0; i < to.size(); ++i) to[i] += what[i];
}

class Growing {
 public:
  Growing(const Problem& problem, const Tuples& tuples, const std::vector<size_t>& columns, const KadetOptions& options,
          Progress& progress)
      : problem_(problem),
        tuples_(tuples),
        options_(options),
        progress_(progress),
        classes_(problem.table.target->values.size()),
        histogram_(classes_),
        order_(tuples.size()) {
    tree_.columns = columns;
    std::iota(order_.begin(), order_.end(), uint32_t{0});
  }

  KadetTree run() {
    KadetTree::Node root;
    root.class_rows.assign(classes_, 0);
    for (size_t tuple = 0; tuple < tuples_.size(); ++tuple) {
      root.class_rows[tuples_.columns.back()[tuple]] += tuples_.counts[tuple];
    }
    tree_.nodes.push_back(std::move(root));
    std::vector<Extent> waiting{{0, 0, tuples_.size()}};  // inner nodes to be, depth-first
    while (!waiting.empty()) {
      const Extent extent = waiting.back();
      waiting.pop_back();
      progress_.check();
      if (progress_.out_of_time()) break;
      if (const std::optional<Split> split = best_split(extent)) make(*split, extent, waiting);
    }
    return std::move(tree_);
  }

 private:
  // The tuples of one node: a stretch of order_.
  struct Extent {
    uint32_t node;
    size_t begin, end;
  };

  const Hierarchy& hierarchy(size_t column) const { return problem_.hierarchies[tree_.columns[column]]; }

  std::optional<Split> best_split(const Extent& extent) {
    const KadetTree::Node& node = tree_.nodes[extent.node];
    const double rows = node.rows(), before = weighted_entropy(node.class_rows);
    if (rows < 2 * static_cast<double>(options_.k) || before <= kNoGain) return std::nullopt;
    classes_of_.clear();
    weights_.clear();
    for (size_t i = extent.begin; i < extent.end; ++i) {
      classes_of_.push_back(tuples_.columns.back()[order_[i]]);
      weights_.push_back(tuples_.counts[order_[i]]);
    }
    std::vector<Split> candidates;
    double gains = 0;
    for (uint32_t column = 0; column < tree_.columns.size(); ++column) {
      leaves_.clear();
      for (size_t i = extent.begin; i < extent.end; ++i) leaves_.push_back(tuples_.columns[column][order_[i]]);
      histogram_.count(leaves_, classes_of_, weights_);
      if (histogram_.leaves().size() < 2) continue;
      std::optional<Split> split =
          hierarchy(column).numeric() ? numeric_split(column, rows, before) : categorical_split(column, rows, before);
      if (!split || split->gain <= kNoGain) continue;
      gains += split->gain;
      candidates.push_back(std::move(*split));
    }
    const Split* best = nullptr;
    for (const Split& split : candidates) {
      if (split.gain < gains / static_cast<double>(candidates.size()) - kNearAverage) continue;
      if (!best || split.ratio > best->ratio) best = &split;
    }
    return best ? std::optional(*best) : std::nullopt;
  }

  bool enough(std::span<const double> class_rows) const { return sum(class_rows) >= static_cast<double>(options_.k); }

  // `price` is taken off the gain.
  void score(Split& split, double rows, double before, double price) const {
    double after = 0;
    std::vector<double> sizes;
    for (const Split::Branch& branch : split.branches) {
      after += weighted_entropy(branch.class_rows);
      sizes.push_back(sum(branch.class_rows));
    }
    split.gain = (before - after) / rows - price;
    split.ratio = split.gain / (weighted_entropy(sizes) / rows);
  }

  // Into the children of the lowest hierarchy node that covers all values of the rows.
  std::optional<Split> categorical_split(uint32_t column, double rows, double before) const {
    const Hierarchy& tree = hierarchy(column);
    const std::vector<uint32_t>& leaves = histogram_.leaves();
    Split split;
    split.column = column;
    size_t i = 0;
    for (Hierarchy::Node child : tree.children(tree.common_ancestor(leaves.front(), leaves.back()))) {
      Split::Branch branch{tree.node(child).first, tree.node(child).last, child, std::vector<double>(classes_, 0)};
      const size_t begin = i;
      for (; i < leaves.size() && leaves[i] <= branch.last; ++i) add(branch.class_rows, histogram_.weights(i));
      if (i == begin) continue;
      if (!enough(branch.class_rows)) return std::nullopt;
      split.branches.push_back(std::move(branch));
    }
    score(split, rows, before, 0);
    return split;
  }

  static double between(const Hierarchy& tree, uint32_t leaf, uint32_t next) {
    return (tree.number(leaf) + tree.number(next)) / 2;
  }

  // At the threshold that gains most; missing cells apart. The gain pays for the choice of a threshold, as in C4.5.
  std::optional<Split> numeric_split(uint32_t column, double rows, double before) const {
    const Hierarchy& tree = hierarchy(column);
    const std::vector<uint32_t>& leaves = histogram_.leaves();
    const bool missing = tree.missing() == leaves.back();
    const size_t numbers = leaves.size() - (missing ? 1 : 0);
    std::vector<double> left(classes_, 0), right(classes_, 0), all(classes_, 0);
    for (size_t i = 0; i < numbers; ++i) add(all, histogram_.weights(i));
    double least = 0;
    std::optional<size_t> best;
    for (size_t i = 0; i + 1 < numbers; ++i) {
      add(left, histogram_.weights(i));
      for (size_t c = 0; c < classes_; ++c) right[c] = all[c] - left[c];
      if (!enough(left) || !enough(right)) continue;
      // Thresholds are doubles: numbers that a double cannot tell apart stay together.
      if (between(tree, leaves[i], leaves[i + 1]) >= tree.number(leaves[i + 1])) continue;
      const double after = weighted_entropy(left) + weighted_entropy(right);
      if (best && after >= least - kNoGain) continue;
      best = i;
      least = after;
    }
    if (!best || (missing && !enough(histogram_.weights(numbers)))) return std::nullopt;
    Split split;
    split.column = column;
    split.threshold = between(tree, leaves[*best], leaves[*best + 1]);
    std::fill(left.begin(), left.end(), 0);
    for (size_t i = 0; i <= *best; ++i) add(left, histogram_.weights(i));
    for (size_t c = 0; c < classes_; ++c) right[c] = all[c] - left[c];
    const auto last_number = static_cast<uint32_t>(tree.leaves() - (tree.missing() ? 2 : 1));
    // Leaves between the two that no row has go by the threshold.
    uint32_t first_right = leaves[*best] + 1;
    while (tree.number(first_right) <= split.threshold) ++first_right;
    split.branches.push_back({0, first_right - 1, KadetTree::Node::kNumbers, left});
    split.branches.push_back({first_right, last_number, KadetTree::Node::kNumbers, right});
    if (missing) {
      const std::span<const double> weights = histogram_.weights(numbers);
      split.branches.push_back(
          {*tree.missing(), *tree.missing(), tree.leaf_node(*tree.missing()), {weights.begin(), weights.end()}});
    }
    score(split, rows, before, std::log2(static_cast<double>(numbers - 1)) / rows);
    return split;
  }

  void make(const Split& split, const Extent& extent, std::vector<Extent>& waiting) {
    const auto first_child = static_cast<uint32_t>(tree_.nodes.size());
    KadetTree::Node& node = tree_.nodes[extent.node];
    node.column = split.column;
    node.threshold = split.threshold;
    node.first_child = first_child;
    node.children = static_cast<uint32_t>(split.branches.size());
    for (const Split::Branch& branch : split.branches) {
      KadetTree::Node child;
      child.parent = extent.node;
      child.first = branch.first;
      child.last = branch.last;
      child.covered_by = branch.covered_by;
      child.class_rows = branch.class_rows;
      tree_.nodes.push_back(std::move(child));
    }
    const std::vector<uint32_t>& leaves = tuples_.columns[split.column];
    size_t begin = extent.begin;
    for (uint32_t i = 0; i < split.branches.size(); ++i) {
      const Split::Branch& branch = split.branches[i];
      const auto end = std::stable_partition(
          order_.begin() + static_cast<ptrdiff_t>(begin), order_.begin() + static_cast<ptrdiff_t>(extent.end),
          [&](uint32_t tuple) { return leaves[tuple] >= branch.first && leaves[tuple] <= branch.last; });
      const auto middle = static_cast<size_t>(end - order_.begin());
      waiting.push_back({first_child + i, begin, middle});
      begin = middle;
    }
  }

  const Problem& problem_;
  const Tuples& tuples_;
  const KadetOptions& options_;
  Progress& progress_;
  const size_t classes_;
  LeafHistogram histogram_;
  std::vector<uint32_t> order_;                          // tuples, those of a node side by side
  std::vector<uint32_t> leaves_, classes_of_, weights_;  // of the node at hand
  KadetTree tree_;
};

// Makes leaves of inner nodes that are not expected to err more as one: C4.5's estimate, children first.
std::vector<bool> nodes_to_keep(KadetTree& tree, const ExtraErrors& extra) {
  std::vector<double> errors(tree.nodes.size(), 0);
  for (size_t i = tree.nodes.size(); i-- > 0;) {
    KadetTree::Node& node = tree.nodes[i];
    const double as_leaf = extra.of_leaf(node.class_rows);
    if (!node.leaf() && as_leaf <= errors[i] + 0.1) node.column = KadetTree::kLeaf;
    if (i > 0) errors[node.parent] += node.leaf() ? as_leaf : errors[i];
  }
  std::vector<bool> keep(tree.nodes.size(), true);
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    keep[i] = keep[tree.nodes[i].parent] && !tree.nodes[tree.nodes[i].parent].leaf();
  }
  return keep;
}

void prune(KadetTree& tree, double confidence) {
  const std::vector<bool> keep = nodes_to_keep(tree, ExtraErrors(confidence));
  std::vector<uint32_t> number(tree.nodes.size(), 0);
  std::vector<KadetTree::Node> kept;
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    if (!keep[i]) continue;
    number[i] = static_cast<uint32_t>(kept.size());
    kept.push_back(std::move(tree.nodes[i]));
  }
  for (KadetTree::Node& node : kept) {
    node.parent = number[node.parent];
    if (node.leaf()) node.children = node.first_child = 0;
    if (!node.leaf()) node.first_child = number[node.first_child];
  }
  tree.nodes = std::move(kept);
}

}  // namespace

double KadetTree::Node::rows() const { return sum(class_rows); }

uint32_t KadetTree::Node::majority() const {
  return static_cast<uint32_t>(std::max_element(class_rows.begin(), class_rows.end()) - class_rows.begin());
}

size_t KadetTree::leaves() const {
  return static_cast<size_t>(std::count_if(nodes.begin(), nodes.end(), [](const Node& node) { return node.leaf(); }));
}

KadetTree grow_kadet(const Problem& problem, const Tuples& tuples, const std::vector<size_t>& columns,
                     const KadetOptions& options, Progress& progress) {
  KadetTree tree = Growing(problem, tuples, columns, options, progress).run();
  if (options.pruned) prune(tree, options.confidence);
  return tree;
}

}  // namespace shoal
