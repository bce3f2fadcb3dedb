// t-closeness (Li, Li, Venkatasubramanian 2007): the earth mover's distance between a group's values and the whole
// table's is at most t. With q = c/n and p = C/N everything is kept times n·N, which makes it whole.
//
// Values that a group does not have only receive: all three distances are sums over the values that it has, over the
// stretches between them in the order, or over their ancestors in the tree. So a test costs the group, not the column.
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>

#include "shoal/model/kinds.h"

namespace shoal {
namespace {

class ClosenessModel : public Model {
 public:
  double value(const GroupView& group) const override {
    const Wide work = work_of(group);
    if (work == kNoWay) return std::numeric_limits<double>::infinity();
    return scale_ == 0
               ? 0
               : static_cast<double>(work) / (static_cast<double>(group.rows()) * static_cast<double>(rows_) * scale_);
  }

 protected:
  ClosenessModel(const ModelSpec& spec, std::vector<uint32_t> counts)
      : Model(spec), counts_(std::move(counts)), rows_(std::accumulate(counts_.begin(), counts_.end(), uint64_t{0})) {}

  static constexpr Wide kNoWay = -1;  // a value that the whole table does not have
  // The distance times n·N·scale.
  virtual Wide work_of(const GroupView& group) const = 0;
  // N·c - n·C: what a value, or all values under a node, have too much.
  Wide extra(uint64_t count, uint64_t whole_count, uint64_t group_rows) const {
    return static_cast<Wide>(rows_ * count) - static_cast<Wide>(group_rows * whole_count);  // products below 2^64
  }

  std::vector<uint32_t> counts_;
  uint64_t rows_;
  uint32_t scale_ = 1;  // what the longest way costs

 private:
  bool test(const GroupView& group) const override {
    const Wide work = work_of(group);
    return work != kNoWay && excess(work, group.rows()) <= 0;
  }
  double lack(const GroupView& group) const override {  // rows of the group that are out of place
    const Wide work = work_of(group);
    if (work == kNoWay) return static_cast<double>(group.rows());
    const Wide more = excess(work, group.rows());
    if (more <= 0) return 0;
    return static_cast<double>(more) /
           (static_cast<double>(rows_) * std::max(1U, scale_) * static_cast<double>(spec().t.denominator));
  }
  Wide excess(Wide work, uint64_t n) const {
    return work * spec().t.denominator - static_cast<Wide>(n * rows_) * scale_ * spec().t.numerator;
  }
};

// Half the sum of |q - p| is the sum of what is too much.
class EqualCloseness : public ClosenessModel {
 public:
  EqualCloseness(const ModelSpec& spec, const WholeColumn& whole) : ClosenessModel(spec, whole.counts) {}

 private:
  Wide work_of(const GroupView& group) const override {
    Wide work = 0;
    bool known = true;
    group.each([&](uint32_t value, uint32_t count) {
      known = known && counts_[value] > 0;
      work += std::max<Wide>(0, extra(count, counts_[value], group.rows()));
    });
    return known ? work : kNoWay;
  }
};

// The sum over places i of |Σ_{j<=i} (q_j - p_j)|, over the S - 1 steps from the least to the greatest value.
class OrderedCloseness : public ClosenessModel {
 public:
  OrderedCloseness(const ModelSpec& spec, const WholeColumn& whole)
      : ClosenessModel(spec, whole.counts), rank_(whole.counts.size(), 0) {
    sums_.push_back(0);
    uint64_t upto = 0;
    for (uint32_t value : whole.order) {
      if (counts_[value] == 0) continue;  // S counts the values that occur
      rank_[value] = static_cast<uint32_t>(upto_.size());
      upto_.push_back(upto += counts_[value]);
      sums_.push_back(sums_.back() + upto);
    }
    scale_ = upto_.empty() ? 0 : static_cast<uint32_t>(upto_.size() - 1);
    ascending_ = std::is_sorted(whole.order.begin(), whole.order.end());
  }

 private:
  Wide work_of(const GroupView& group) const override {
    Wide work = 0;
    uint64_t passed = 0;  // rows of the group up to here
    size_t from = 0;
    auto pass = [&](uint32_t rank, uint32_t count) {
      work += stretch(from, rank, passed, group.rows());
      passed += count;
      from = rank;
    };
    bool known = true;
    std::vector<ValueCount> places;  // rank instead of value; where codes are not in their order
    group.each([&](uint32_t value, uint32_t count) {
      known = known && counts_[value] > 0;
      if (ascending_)
        pass(rank_[value], count);
      else
        places.push_back({rank_[value], count});
    });
    if (!known) return kNoWay;
    std::sort(places.begin(), places.end(), [](const ValueCount& a, const ValueCount& b) { return a.value < b.value; });
    for (const ValueCount& place : places) pass(place.value, place.count);
    return work + stretch(from, upto_.size(), passed, group.rows());
  }

  // The sum of |N·passed - n·upto_i| for from <= i < to. upto ascends, so the sign changes once.
  Wide stretch(size_t from, size_t to, uint64_t passed, uint64_t n) const {
    if (from >= to) return 0;
    const uint64_t have = rows_ * passed;  // below 2^64
    const auto begin = upto_.begin();
    const auto turn =
        std::upper_bound(begin + static_cast<ptrdiff_t>(from), begin + static_cast<ptrdiff_t>(to), have / n);
    const auto middle = static_cast<size_t>(turn - begin);
    const Wide above = Wide{have} * (middle - from) - Wide{n} * (sums_[middle] - sums_[from]);
    const Wide below = Wide{n} * (sums_[to] - sums_[middle]) - Wide{have} * (to - middle);
    return above + below;
  }

  std::vector<uint32_t> rank_;  // of each code among the values that occur
  std::vector<uint64_t> upto_;  // rows of the table with this rank or less
  std::vector<uint64_t> sums_;  // of upto_ before this rank; below 2^64, for ranks are rows at most
  bool ascending_ = true;       // codes in their order
};

// The sum over inner nodes of (height / H)·min(pos, neg), where pos and neg are what the children have too much and too
// little. Nodes without a row of the group have no pos; the others are met by walking the group's leaves from left to
// right, with the way from the root to the last one open.
class HierarchicalCloseness : public ClosenessModel {
 public:
  HierarchicalCloseness(const ModelSpec& spec, const WholeColumn& whole)
      : ClosenessModel(spec, whole.counts), nodes_(whole.tree->nodes()), leaf_nodes_(whole.counts.size()) {
    const Hierarchy& tree = *whole.tree;
    for (uint32_t node = 0; node < tree.nodes(); ++node) {
      nodes_[node].parent = tree.node(node).parent;
      nodes_[node].last = tree.node(node).last;
      nodes_[node].depth = tree.node(node).depth;
      deepest_ = std::max(deepest_, nodes_[node].depth);
    }
    for (uint32_t leaf = 0; leaf < counts_.size(); ++leaf) {
      leaf_nodes_[leaf] = tree.leaf_node(leaf);
      nodes_[leaf_nodes_[leaf]].rows = counts_[leaf];
    }
    for (size_t node = nodes_.size(); node-- > 1;) {  // parents stand before their children
      Node& parent = nodes_[nodes_[node].parent];
      parent.rows += nodes_[node].rows;
      parent.height = std::max(parent.height, nodes_[node].height + 1);
    }
    scale_ = nodes_.empty() ? 0 : nodes_[0].height;
  }

 private:
  struct Node {
    uint32_t parent = 0, last = 0;  // last leaf
    uint32_t depth = 0;             // steps to the root
    uint32_t height = 0;            // steps to the deepest leaf below
    uint64_t rows = 0;              // of the whole table
  };
  struct Open {
    uint32_t node = 0;
    uint64_t rows = 0;  // of the group
    Wide pos = 0;
  };

  Wide work_of(const GroupView& group) const override {
    std::array<Open, 16> usual;
    std::vector<Open> deep(deepest_ < usual.size() ? 0 : deepest_ + 1);
    return walk(group, deep.empty() ? std::span<Open>(usual) : std::span<Open>(deep));
  }

  // path[d] is the open node of depth d.
  Wide walk(const GroupView& group, std::span<Open> path) const {
    Wide work = 0;
    bool known = true;
    size_t open = 0;
    auto close = [&] {
      const Open& done = path[--open];
      const Node& node = nodes_[done.node];
      const Wide more = extra(done.rows, node.rows, group.rows());
      work += Wide{node.height} * std::min(done.pos, done.pos - more);  // neg = pos - extra
      if (open == 0) return;
      path[open - 1].rows += done.rows;
      path[open - 1].pos += std::max<Wide>(0, more);
    };
    group.each([&](uint32_t value, uint32_t count) {
      known = known && counts_[value] > 0;
      while (open > 0 && nodes_[path[open - 1].node].last < value) close();
      const uint32_t leaf = leaf_nodes_[value];
      for (size_t depth = nodes_[leaf].depth + size_t{1}, node = leaf; depth-- > open; node = nodes_[node].parent)
        path[depth] = {static_cast<uint32_t>(node), 0, 0};
      open = nodes_[leaf].depth + size_t{1};
      path[open - 1].rows = count;
    });
    while (open > 0) close();
    return known ? work : kNoWay;
  }

  std::vector<Node> nodes_;
  std::vector<uint32_t> leaf_nodes_;
  uint32_t deepest_ = 0;
};

}  // namespace

std::unique_ptr<Model> make_equal_closeness(const ModelSpec& spec, const WholeColumn& whole) {
  return std::make_unique<EqualCloseness>(spec, whole);
}

std::unique_ptr<Model> make_ordered_closeness(const ModelSpec& spec, const WholeColumn& whole) {
  return std::make_unique<OrderedCloseness>(spec, whole);
}

std::unique_ptr<Model> make_hierarchical_closeness(const ModelSpec& spec, const WholeColumn& whole) {
  return std::make_unique<HierarchicalCloseness>(spec, whole);
}

}  // namespace shoal
