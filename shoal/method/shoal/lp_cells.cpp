// Why coarse cells keep the bound. A group's values on a column span an interval. With bins: it begins in one bin and
// ends in another, so the cheapest interval between these two costs no more. With levels of a tree taken together: the
// group's closest common ancestor is one of the nodes taken together, so the cheapest of them costs no more.
#include "shoal/method/shoal/lp_cells.h"

#include <algorithm>
#include <limits>

namespace shoal {
namespace {

uint32_t deepest_leaf(const Hierarchy& tree) {
  uint32_t depth = 0;
  for (uint32_t leaf = 0; leaf < tree.leaves(); ++leaf) depth = std::max(depth, tree.node(tree.leaf_node(leaf)).depth);
  return depth;
}

bool single(const Hierarchy& tree, Hierarchy::Node node) { return tree.leaves_under(node) == 1; }

// Nodes of depth 1 .. `merged` stand for themselves only when they are single values; the others are one with the root.
class TreeCells {
 public:
  TreeCells(const NcpSpace& space, size_t column, uint32_t merged)
      : space_(space), tree_(space.hierarchy(column)), merged_(merged) {
    result_.column = column;
    result_.cells.emplace_back();
    result_.cells[0].charge = std::numeric_limits<double>::infinity();
    result_.cells[0].last_leaf = static_cast<uint32_t>(tree_.leaves() - 1);
    below(Hierarchy::kRoot, 0);
    for (uint32_t cell = 0; cell < result_.cells.size(); ++cell) number_children(cell);
  }
  CellColumn result() && { return std::move(result_); }

 private:
  double cost(Hierarchy::Node node) const {
    return space_.cost(result_.column, tree_.node(node).first, tree_.node(node).last);
  }

  // Adds what hangs below `node`, whose values are those of `cell` (or, merged, some of them).
  void below(Hierarchy::Node node, uint32_t cell) {
    result_.cells[cell].charge = std::min(result_.cells[cell].charge, cost(node));
    if (single(tree_, node)) return;
    for (Hierarchy::Node child : tree_.children(node)) {
      if (tree_.node(child).depth <= merged_ && !single(tree_, child)) {
        below(child, cell);
        continue;
      }
      const auto added = static_cast<uint32_t>(result_.cells.size());
      CellColumn::Cell next;
      next.charge = cost(child);
      next.depth = result_.cells[cell].depth + 1;
      next.first_leaf = tree_.node(child).first;
      next.last_leaf = tree_.node(child).last;
      result_.cells.push_back(std::move(next));
      result_.cells[cell].children.push_back(added);
      below(child, added);
    }
  }

  void number_children(uint32_t cell) {
    const uint32_t depth = result_.cells[cell].depth;
    const std::vector<uint32_t>& children = result_.cells[cell].children;
    if (!children.empty() && result_.child_at.size() <= depth) {
      result_.child_at.resize(depth + 1, std::vector<uint32_t>(tree_.leaves(), 0));
    }
    for (uint32_t i = 0; i < children.size(); ++i) {
      const CellColumn::Cell& child = result_.cells[children[i]];
      std::fill(result_.child_at[depth].begin() + child.first_leaf,
                result_.child_at[depth].begin() + child.last_leaf + 1, i);
    }
  }

  const NcpSpace& space_;
  const Hierarchy& tree_;
  const uint32_t merged_;
  CellColumn result_;
};

// Bins of about as many values each; the missing value, always the last leaf, has its own.
CellColumn bin_cells(const NcpSpace& space, size_t column, uint32_t most_bins) {
  CellColumn result;
  result.column = column;
  const uint32_t leaves = space.leaves(column);
  const bool missing = space.hierarchy(column).missing().has_value();
  const uint32_t numbers = leaves - (missing ? 1 : 0);
  const uint32_t bins = std::min(numbers, most_bins);
  for (uint32_t leaf = 0; leaf < numbers; ++leaf) {
    result.bin_of.push_back(static_cast<uint32_t>(uint64_t{leaf} * bins / numbers));
  }
  if (missing) result.bin_of.push_back(bins);
  result.bins = bins + (missing ? 1 : 0);
  std::vector<uint32_t> first(result.bins, UINT32_MAX), last(result.bins, 0);
  for (uint32_t leaf = 0; leaf < leaves; ++leaf) {
    first[result.bin_of[leaf]] = std::min(first[result.bin_of[leaf]], leaf);
    last[result.bin_of[leaf]] = leaf;
  }
  result.charge.resize(size_t{result.bins} * result.bins, 0);
  for (uint32_t a = 0; a < result.bins; ++a) {
    double alone = std::numeric_limits<double>::infinity();
    for (uint32_t leaf = first[a]; leaf <= last[a]; ++leaf) alone = std::min(alone, space.cost(column, leaf, leaf));
    result.charge[size_t{a} * result.bins + a] = alone;
    for (uint32_t b = a + 1; b < result.bins; ++b) {
      result.charge[size_t{a} * result.bins + b] = space.cost(column, last[a], first[b]);
    }
  }
  return result;
}

bool costs_anything(const NcpSpace& space, size_t column) {
  return space.leaves(column) > 0 && space.cost(column, 0, space.leaves(column) - 1) > 0;
}

std::optional<size_t> column_to_slide(const NcpSpace& space) {
  std::optional<size_t> slid;
  for (size_t j = 0; j < space.columns(); ++j) {
    if (!space.hierarchy(j).releases_ranges() || !costs_anything(space, j)) continue;
    if (!slid || space.leaves(j) > space.leaves(*slid)) slid = j;
  }
  return slid;
}

// How many levels below the root are taken together with it.
uint32_t merged_levels(const Hierarchy& tree, uint32_t levels) {
  const uint32_t depth = deepest_leaf(tree);
  return depth > levels ? depth - levels : 0;
}

}  // namespace

BoxCells box_cells(const NcpSpace& space, const CellFineness& fineness) {
  BoxCells cells;
  cells.slid = column_to_slide(space);
  for (size_t j = 0; j < space.columns(); ++j) {
    if (cells.slid == j || !costs_anything(space, j)) continue;
    const Hierarchy& tree = space.hierarchy(j);
    if (tree.releases_ranges()) {
      cells.columns.push_back(bin_cells(space, j, fineness.bins));
      cells.exact &= cells.columns.back().bins == space.leaves(j);
    } else {
      const uint32_t merged = merged_levels(tree, fineness.levels);
      cells.columns.push_back(TreeCells(space, j, merged).result());
      cells.exact &= merged == 0;
    }
  }
  return cells;
}

std::optional<CellFineness> coarser(const NcpSpace& space, const CellFineness& fineness) {
  uint32_t most_bins = 0, most_levels = 0;
  const std::optional<size_t> slid = column_to_slide(space);
  for (size_t j = 0; j < space.columns(); ++j) {
    if (slid == j || !costs_anything(space, j)) continue;
    const Hierarchy& tree = space.hierarchy(j);
    if (tree.releases_ranges()) {
      most_bins = std::max(most_bins, std::min<uint32_t>(fineness.bins, space.leaves(j)));
    } else {
      most_levels = std::max(most_levels, std::min(fineness.levels, deepest_leaf(tree)));
    }
  }
  // Numbers first: they have most boxes, and neighbouring values are alike.
  if (most_bins > 4) return CellFineness{most_bins / 2, fineness.levels};
  if (most_levels > 1) return CellFineness{fineness.bins, most_levels - 1};
  return std::nullopt;
}

}  // namespace shoal
