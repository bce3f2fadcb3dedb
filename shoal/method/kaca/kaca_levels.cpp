// Marks: a group keeps what a query's cell tells down to some node only if its own cell is that node or lies under it.
// So a set of all such nodes, made over many groups, says how much none of them can keep. 64 marks stand for all nodes
// of all columns: where two nodes share one, the set only promises less than it could.
#include "shoal/method/kaca/kaca_levels.h"

#include <algorithm>
#include <numeric>

namespace shoal {

KacaLevels::KacaLevels(const KacaGroups& groups, const Progress& progress) : groups_(groups), space_(groups.space()) {
  std::vector<size_t> order(space_.columns());
  std::iota(order.begin(), order.end(), 0);
  // Where the first step up costs much near groups agree, and there are few branches to follow; of columns alike in
  // that, those of few values go first, since what is decided near the root is decided for many groups at once.
  std::vector<KacaCost> first_step;
  for (size_t j = 0; j < space_.columns(); ++j) first_step.push_back(space_.least_step(j));
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return first_step[a] != first_step[b] ? first_step[a] > first_step[b] : space_.leaves(a) < space_.leaves(b);
  });
  levels_.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    levels_[i].column = order[i];
    levels_[i].uneven = space_.uneven(order[i]);
    levels_[i].range = order[i] >= space_.trees();
    if (levels_[i].range) continue;
    place_tree(levels_[i]);
    mark_tree(levels_[i]);
  }
  ids_.reserve(groups.size() * levels_.size() * 2);  // merged groups come, about as many
  for (uint32_t group = 0; group < groups.size(); ++group) {
    if (group % 4096 == 0) progress.check();
    if (group % 4096 == 0 && progress.out_of_time()) return;
    add(group);
  }
}

void KacaLevels::place_tree(KacaLevel& level) const {
  const Hierarchy& tree = space_.hierarchy(level.column);
  for (uint32_t node = 0; node < tree.nodes(); ++node) {
    level.cells.push_back({tree.node(node).first, tree.node(node).last});
    level.kept.push_back(space_.kept_of_node(level.column, node));
  }
  for (uint32_t node = 0; node < tree.nodes(); ++node) {
    level.up.push_back(level.kept[node] - level.kept[tree.node(node).parent]);
    KacaCost down = tree.children(node).empty() ? 0 : INT64_MAX;
    for (uint32_t child : tree.children(node)) down = std::min(down, level.kept[child] - level.kept[node]);
    level.down.push_back(down);
    if (!level.uneven) continue;
    level.share_below.push_back(INT64_MAX);
    for (uint32_t leaf = tree.node(node).first; leaf <= tree.node(node).last; ++leaf) {
      level.share_below.back() = std::min(level.share_below.back(), space_.share(level.column, leaf));
    }
  }
  if (level.uneven) level.least_share = level.share_below[Hierarchy::kRoot];
}

void KacaLevels::mark_tree(KacaLevel& level) {
  const Hierarchy& tree = space_.hierarchy(level.column);
  level.marks.assign(tree.nodes(), 0);
  if (level.uneven) return;
  level.mark.assign(tree.nodes(), 0);
  for (uint32_t node = 1; node < tree.nodes(); ++node) {
    level.mark[node] = static_cast<uint8_t>(marked_++ % 64);
    level.marks[node] = level.marks[tree.node(node).parent] | uint64_t{1} << level.mark[node];
  }
}

uint32_t KacaLevels::id_of(KacaLevel& level, KacaCell cell) const {
  if (!level.range) return space_.node_of(level.column, cell);
  const uint64_t key = uint64_t{cell.first} << 32 | cell.last;
  const auto [found, fresh] = level.ids.emplace(key, static_cast<uint32_t>(level.cells.size()));
  if (fresh) {
    level.cells.push_back(cell);
    level.kept.push_back(space_.kept(level.column, cell));
    level.marks.push_back(0);
  }
  return found->second;
}

void KacaLevels::add(uint32_t group) {
  const size_t columns = levels_.size();
  if (ids_.size() < (group + size_t{1}) * columns) ids_.resize((group + size_t{1}) * columns);
  const auto cells = groups_.cells(group);
  for (size_t i = 0; i < columns; ++i) ids_[group * columns + i] = id_of(levels_[i], cells[levels_[i].column]);
}

// Counting sort, the last level first: a comparison of two rows would look at several columns of each.
std::vector<uint32_t> KacaLevels::sorted_distinct(const Progress& progress) const {
  std::vector<uint32_t> sorted(groups_.distinct()), next(sorted.size()), starts;
  std::iota(sorted.begin(), sorted.end(), 0);
  for (size_t i = levels_.size(); i-- > 0;) {
    progress.check();
    const size_t column = levels_[i].column;
    starts.assign(space_.leaves(column) + 1, 0);
    for (uint32_t group : sorted) ++starts[groups_.cells(group)[column].first + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    for (uint32_t group : sorted) next[starts[groups_.cells(group)[column].first]++] = group;
    sorted.swap(next);
  }
  return sorted;
}

}  // namespace shoal
