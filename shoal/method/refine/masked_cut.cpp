// Which refinements there are and what they gain (tdr.txt section 3.1 and eq. 2 and 3). A gain depends on the classes
// below the refined value alone, not on the other columns: it is worked out once, when the cell comes to be, from class
// counts per leaf. A candidate dies when a requirement would break, or is never born when it tells nothing (all its
// rows have one class).
#include "shoal/method/refine/masked_cut.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/recode/apply.h"

namespace shoal {
namespace {

constexpr size_t kPartsShown = 8;

}  // namespace

MaskedCut::MaskedCut(const Problem& problem, FlatColumns flat_columns)
    : problem_(problem), flat_columns_(flat_columns), columns_(problem.table.quasi.size()) {
  const Table& table = problem.table;
  std::vector<bool> named(table.quasi.size(), false);
  for (const Requirement& requirement : problem.requirements) {
    for (size_t j : requirement.columns) named[j] = true;
  }
  for (uint32_t j = 0; j < table.quasi.size(); ++j) {
    if (!named[j]) continue;
    const Hierarchy& hierarchy = problem.hierarchies[j];
    ColumnState& state = columns_[j];
    if (hierarchy.height() == 1) state.kind = hierarchy.numeric() ? Kind::interval : Kind::flat;
    state.counts.emplace_back(table, j, hierarchy.leaves());
    state.cell_of_leaf.assign(hierarchy.leaves(), 0);
    state.part_of_leaf.assign(hierarchy.leaves(), 0);
    open(add_cell(j, released_node(hierarchy, Hierarchy::kRoot)));
  }
}

void MaskedCut::kill(uint32_t candidate) {
  if (close(candidate)) invalid_.fetch_add(1, std::memory_order_relaxed);
}

bool MaskedCut::close(uint32_t candidate) {
  if (!live_[candidate].exchange(false, std::memory_order_relaxed)) return false;
  live_candidates_[candidates_[candidate].cell].fetch_sub(1, std::memory_order_relaxed);
  return true;
}

uint32_t MaskedCut::add_cell(uint32_t column, const Released& release) {
  const auto id = static_cast<uint32_t>(cells_.size());
  cells_.emplace_back();
  cells_.back().column = column;
  cells_.back().release = release;
  live_candidates_.emplace_back(0u);
  auto& cell_of_leaf = columns_[column].cell_of_leaf;
  std::fill(cell_of_leaf.begin() + release.first, cell_of_leaf.begin() + release.last + 1, id);
  return id;
}

uint32_t MaskedCut::add_candidate(uint32_t cell, uint32_t part, double info_gain) {
  const auto id = static_cast<uint32_t>(candidates_.size());
  candidates_.push_back({cell, part, info_gain});
  live_.emplace_back(true);
  if (cells_[cell].candidates++ == 0) cells_[cell].first_candidate = id;
  live_candidates_[cell].fetch_add(1, std::memory_order_relaxed);
  return id;
}

std::vector<uint64_t> MaskedCut::class_counts(const Cell& cell) const {
  const ClassCounts& counts = columns_[cell.column].counts.front();
  std::vector<uint64_t> classes(counts.classes(), 0);
  counts.add(cell.release.first, cell.release.last, classes);
  return classes;
}

// Finds out how a new cell can be refined. One that is not beneficial gets no candidate: its rows are of one class.
void MaskedCut::open(uint32_t cell) {
  const Cell& opened = cells_[cell];
  if (!mixed(class_counts(opened))) return;
  const Kind kind = columns_[opened.column].kind;
  if (kind == Kind::flat && flat_columns_ == FlatColumns::disclose_one) {
    open_disclosures(cell);
    return;
  }
  auto children = kind == Kind::interval ? best_split(opened) : tree_children(opened);
  if (!children.empty()) open_whole(cell, std::move(children));
}

std::vector<Released> MaskedCut::tree_children(const Cell& cell) const {
  const Hierarchy& hierarchy = problem_.hierarchies[cell.column];
  std::vector<Released> children;
  for (uint32_t node : hierarchy.children(cell.release.number)) children.push_back(released_node(hierarchy, node));
  return children;
}

// The split of an interval with the most information gain (the lowest of equal ones). At the root a missing leaf is a
// part of its own: it has no place among the numbers, and its share of the gain is the same for every split.
std::vector<Released> MaskedCut::best_split(const Cell& cell) const {
  const Hierarchy& hierarchy = problem_.hierarchies[cell.column];
  const ClassCounts& counts = columns_[cell.column].counts.front();
  const size_t classes = counts.classes();
  uint32_t first = cell.release.first, last = cell.release.last;
  const bool missing = hierarchy.missing() == last && first < last;
  if (first == last && (!cell.release.is_root() || hierarchy.is_leaf(Hierarchy::kRoot))) return {};
  std::vector<Released> children;
  if (missing) --last;
  if (first == last) {
    children.push_back(released_leaf(hierarchy, first));
  } else {
    std::vector<uint64_t> parts(3 * classes, 0);
    const auto left = std::span(parts).subspan(0, classes), right = std::span(parts).subspan(classes, classes);
    counts.add(first, last, right);
    if (missing) counts.add(last + 1, last + 1, std::span(parts).subspan(2 * classes));
    uint32_t best = first;
    double best_gain = -1;
    for (uint32_t leaf = first; leaf < last; ++leaf) {
      counts.add(leaf, leaf, left);
      std::fill(right.begin(), right.end(), 0);
      counts.add(leaf + 1, last, right);
      const double gain = information_gain(parts, classes);
      if (gain > best_gain * (1 + 1e-12)) best_gain = gain, best = leaf;
    }
    children.push_back(released_interval(hierarchy, first, best));
    children.push_back(released_interval(hierarchy, best + 1, last));
  }
  if (missing) children.push_back(released_leaf(hierarchy, last + 1));
  return children;
}

void MaskedCut::open_whole(uint32_t cell, std::vector<Released> children) {
  const uint32_t column = cells_[cell].column;
  const ClassCounts& counts = columns_[column].counts.front();
  std::vector<uint64_t> parts(children.size() * counts.classes(), 0);
  auto& part_of_leaf = columns_[column].part_of_leaf;
  for (size_t i = 0; i < children.size(); ++i) {
    counts.add(children[i].first, children[i].last, std::span(parts).subspan(i * counts.classes(), counts.classes()));
    std::fill(part_of_leaf.begin() + children[i].first, part_of_leaf.begin() + children[i].last + 1,
              static_cast<uint32_t>(i));
  }
  cells_[cell].parts = static_cast<uint32_t>(children.size());
  cells_[cell].children = std::move(children);
  add_candidate(cell, 0, information_gain(parts, counts.classes()));
}

// Every value of a suppressed column is a candidate.
void MaskedCut::open_disclosures(uint32_t cell) {
  const uint32_t column = cells_[cell].column;
  const Hierarchy& hierarchy = problem_.hierarchies[column];
  cells_[cell].one_by_one = true;
  cells_[cell].parts = 1;
  for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
    const uint32_t part = cells_[cell].parts++;
    columns_[column].part_of_leaf[leaf] = part;
    cells_[cell].children.push_back(released_leaf(hierarchy, leaf));
    add_candidate(cell, part, 0);
  }
  score_disclosures(cell);
}

Refined MaskedCut::refine(uint32_t candidate) {
  const uint32_t cell = candidates_[candidate].cell;
  return cells_[cell].one_by_one ? disclose(candidate) : refine_whole(cell);
}

Refined MaskedCut::refine_whole(uint32_t cell) {
  const std::vector<Released> children = cells_[cell].children;
  const uint32_t column = cells_[cell].column;
  close(cells_[cell].first_candidate);
  const Refined refined{cell, static_cast<uint32_t>(cells_.size()), static_cast<uint32_t>(children.size())};
  for (const Released& child : children) open(add_cell(column, child));
  if (columns_[column].kind == Kind::interval) splits_.push_back({refined.cell, refined.first, refined.count});
  return refined;
}

// The disclosed value becomes a cell of its own; the old cell keeps the others, whose gains are new.
Refined MaskedCut::disclose(uint32_t candidate) {
  const uint32_t cell = candidates_[candidate].cell;
  const uint32_t column = cells_[cell].column;
  const Released disclosed = cells_[cell].children[candidates_[candidate].part - 1];
  close(candidate);
  const uint32_t added = add_cell(column, disclosed);
  columns_[column].part_of_leaf[disclosed.first] = 0;
  score_disclosures(cell);
  return {cell, added, 1};
}

// Each candidate of the cell splits the rows still suppressed in two: those of its value and the others (eq. 5).
void MaskedCut::score_disclosures(uint32_t cell) {
  const ColumnState& state = columns_[cells_[cell].column];
  const ClassCounts& counts = state.counts.front();
  const size_t classes = counts.classes();
  std::vector<uint64_t> all(classes, 0), parts(2 * classes);
  for (uint32_t leaf = 0; leaf < state.cell_of_leaf.size(); ++leaf) {
    if (state.cell_of_leaf[leaf] == cell) counts.add(leaf, leaf, all);
  }
  const bool beneficial = mixed(all);
  for (uint32_t i = 0; i < cells_[cell].candidates; ++i) {
    const uint32_t candidate = cells_[cell].first_candidate + i;
    if (!live(candidate)) continue;
    if (!beneficial) {
      close(candidate);
      continue;
    }
    const uint32_t leaf = cells_[cell].children[i].first;
    std::fill(parts.begin(), parts.end(), 0);
    counts.add(leaf, leaf, parts);
    for (size_t c = 0; c < classes; ++c) parts[classes + c] = all[c] - parts[c];
    candidates_[candidate].info_gain = information_gain(parts, classes);
  }
}

std::string MaskedCut::text(uint32_t column, const Released& release) const {
  return released_text(release, problem_.table.quasi[column], problem_.hierarchies[column]);
}

std::string MaskedCut::describe(uint32_t candidate) const {
  const Cell& cell = cells_[candidates_[candidate].cell];
  const std::string head =
      fmt::format("{}: {} -> ", problem_.table.quasi[cell.column].name, text(cell.column, cell.release));
  if (cell.one_by_one) {
    const uint32_t rest =
        static_cast<uint32_t>(std::count(columns_[cell.column].cell_of_leaf.begin(),
                                         columns_[cell.column].cell_of_leaf.end(), candidates_[candidate].cell));
    return head + text(cell.column, cell.children[candidates_[candidate].part - 1]) + (rest > 1 ? ", *" : "");
  }
  std::vector<std::string> parts;
  for (const Released& child : cell.children) {
    if (parts.size() == kPartsShown) break;
    parts.push_back(text(cell.column, child));
  }
  const size_t more = cell.children.size() - parts.size();
  return head + fmt::format("{}", fmt::join(parts, ", ")) + (more > 0 ? fmt::format(" and {} more", more) : "");
}

Recoding MaskedCut::recoding() const {
  ValueRecoding recoding;
  recoding.value_map.resize(columns_.size());
  for (size_t j = 0; j < columns_.size(); ++j) {
    const Hierarchy& hierarchy = problem_.hierarchies[j];
    for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
      recoding.value_map[j].push_back(masked(j) ? cells_[columns_[j].cell_of_leaf[leaf]].release
                                                : released_leaf(hierarchy, leaf));
    }
  }
  return {std::move(recoding)};
}

std::vector<std::pair<size_t, Tree>> MaskedCut::grown_trees() const {
  std::vector<std::pair<size_t, Tree>> trees;
  for (uint32_t j = 0; j < columns_.size(); ++j) {
    Tree tree;
    tree.source = fmt::format("intervals grown for {}", problem_.table.quasi[j].name);
    std::vector<uint32_t> node_of_cell(cells_.size(), 0);
    for (const Split& split : splits_) {  // in the order they were made: parents come first
      if (cells_[split.parent].column != j) continue;
      if (tree.nodes.empty()) tree.nodes.push_back({"*", 0, 0, true});
      const uint32_t parent = node_of_cell[split.parent];
      tree.nodes[parent].leaf = false;
      for (uint32_t cell = split.first; cell < split.first + split.count; ++cell) {
        node_of_cell[cell] = static_cast<uint32_t>(tree.nodes.size());
        tree.nodes.push_back({text(j, cells_[cell].release), parent, 0, true});
      }
    }
    if (!tree.nodes.empty()) trees.emplace_back(j, std::move(tree));
  }
  return trees;
}

}  // namespace shoal
