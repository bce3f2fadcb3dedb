#include "shoal/method/levels/lattice.h"

#include <algorithm>
#include <numeric>

#include "shoal/error.h"

namespace shoal {
namespace {

void check_nesting(const Table& table, const Hierarchy& hierarchy, size_t quasi) {
  for (int level = 0; level < hierarchy.height(); ++level) {
    const auto& here = hierarchy.level_nodes(level);
    const auto& above = hierarchy.level_nodes(level + 1);
    std::vector<Hierarchy::Leaf> sample(hierarchy.nodes(), UINT32_MAX);  // a leaf released as this node
    for (Hierarchy::Leaf leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
      Hierarchy::Leaf& other = sample[here[leaf]];
      if (other == UINT32_MAX) other = leaf;
      if (above[leaf] == above[other]) continue;
      const auto& values = table.quasi[quasi].values;
      throw Error(ErrorKind::input, "the levels of the hierarchy do not nest: level " + std::to_string(level) +
                                        " releases '" + values[other] + "' and '" + values[leaf] + "' alike, level " +
                                        std::to_string(level + 1) + " tells them apart (column '" +
                                        table.quasi[quasi].name +
                                        "'); make every level join what the level before it joined");
    }
  }
}

}  // namespace

std::vector<uint32_t> LevelColumn::raise(int from, int to) const {
  std::vector<uint32_t> map;
  const auto& target = digits[static_cast<size_t>(to)];
  for (uint32_t first : first_digit[static_cast<size_t>(from)]) map.push_back(target[first]);
  return map;
}

LevelColumn level_column(const Table& table, const Hierarchy& hierarchy, size_t quasi) {
  check_nesting(table, hierarchy, quasi);
  LevelColumn column;
  column.quasi = quasi;
  // Leaves in an order that keeps the values of every level together: the coarsest level decides first. A node's
  // leaves are neighbours already, but a level table may release one leaf of a node as the node and another as itself.
  std::vector<Hierarchy::Leaf> order(hierarchy.leaves());
  std::iota(order.begin(), order.end(), 0);
  for (int level = 1; level <= hierarchy.height(); ++level) {
    const auto& nodes = hierarchy.level_nodes(level);
    std::vector<Hierarchy::Leaf> first(hierarchy.nodes(), UINT32_MAX);
    for (Hierarchy::Leaf leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
      first[nodes[leaf]] = std::min(first[nodes[leaf]], leaf);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](Hierarchy::Leaf a, Hierarchy::Leaf b) { return first[nodes[a]] < first[nodes[b]]; });
  }
  column.digit_of_leaf.resize(order.size());
  for (uint32_t digit = 0; digit < order.size(); ++digit) column.digit_of_leaf[order[digit]] = digit;
  for (int level = 0; level <= hierarchy.height(); ++level) {
    const auto& nodes = hierarchy.level_nodes(level);
    std::vector<uint32_t> digits, first_digit;
    std::vector<Hierarchy::Node> released;
    for (uint32_t digit = 0; digit < order.size(); ++digit) {
      const Hierarchy::Node node = nodes[order[digit]];
      if (released.empty() || released.back() != node) {
        released.push_back(node);
        first_digit.push_back(digit);
      }
      digits.push_back(static_cast<uint32_t>(released.size() - 1));
    }
    column.digits.push_back(std::move(digits));
    column.first_digit.push_back(std::move(first_digit));
    column.nodes.push_back(std::move(released));
  }
  return column;
}

Lattice::Lattice(std::vector<int> heights) : heights_(std::move(heights)), strides_(heights_.size()) {
  for (size_t column = heights_.size(); column-- > 0;) {
    strides_[column] = size_;
    size_ *= static_cast<VectorIndex>(heights_[column]) + 1;
    total_height_ += heights_[column];
  }
}

std::vector<int> Lattice::levels(VectorIndex vector) const {
  std::vector<int> levels(columns());
  for (size_t column = 0; column < columns(); ++column) levels[column] = level(vector, column);
  return levels;
}

int Lattice::sum_of_levels(VectorIndex vector) const {
  int sum = 0;
  for (size_t column = 0; column < columns(); ++column) sum += level(vector, column);
  return sum;
}

VectorIndex Lattice::index(std::span<const int> levels) const {
  VectorIndex vector = 0;
  for (size_t column = 0; column < columns(); ++column) {
    vector += static_cast<VectorIndex>(levels[column]) * strides_[column];
  }
  return vector;
}

void inherit_verdicts(const Lattice& lattice, std::vector<VectorVerdict>& verdicts) {
  for (size_t column = 0; column < lattice.columns(); ++column) {
    const VectorIndex stride = lattice.stride(column);
    for (VectorIndex vector = 0; vector < lattice.size(); ++vector) {  // one step finer comes earlier
      if (verdicts[vector] != VectorVerdict::unknown || lattice.level(vector, column) == 0) continue;
      if (verdicts[vector - stride] == VectorVerdict::satisfies) verdicts[vector] = VectorVerdict::satisfies;
    }
    for (VectorIndex vector = lattice.size(); vector-- > 0;) {
      if (verdicts[vector] != VectorVerdict::unknown || lattice.level(vector, column) == lattice.height(column))
        continue;
      if (verdicts[vector + stride] == VectorVerdict::fails) verdicts[vector] = VectorVerdict::fails;
    }
  }
}

}  // namespace shoal
