#include "shoal/method/cuts/cut_clauses.h"

#include <algorithm>

namespace shoal {
namespace {

// The way from a box's node up to the root in one column, and for each tuple how far up it must go to be inside.
struct Path {
  size_t column;
  std::vector<Hierarchy::Node> nodes;  // the box's node first
  std::vector<uint16_t> step_of_tuple;
  size_t step = 0;  // where the box is now
};

Path make_path(const CutSpace& space, const TupleTable& table, const TupleTable::Field& field, Hierarchy::Node node) {
  const Hierarchy& tree = space.hierarchies()[field.column];
  Path path{field.column, {node}, {}, 0};
  std::vector<uint16_t> step_of_node(tree.nodes(), 0);
  for (; node != Hierarchy::kRoot; path.nodes.push_back(node)) {
    node = tree.node(node).parent;
    step_of_node[node] = static_cast<uint16_t>(path.nodes.size());
  }
  // Any other node is reached where its parent is: parents stand before their children.
  for (Hierarchy::Node other = 1; other < tree.nodes(); ++other) {
    if (step_of_node[other] == 0 && other != path.nodes[0]) step_of_node[other] = step_of_node[tree.node(other).parent];
  }
  path.step_of_tuple.resize(table.size());
  for (size_t tuple = 0; tuple < table.size(); ++tuple) {
    path.step_of_tuple[tuple] = step_of_node[table.node(tuple, field)];
  }
  return path;
}

}  // namespace

Clause grow_clause(const CutSpace& space, const TupleTable& table, std::span<const Hierarchy::Node> nodes,
                   const GroupRule& rule, const std::vector<double>& price) {
  std::vector<Path> growing, stuck;
  for (size_t i = 0; i < nodes.size(); ++i) {
    growing.push_back(make_path(space, table, table.fields()[i], nodes[i]));
  }
  std::vector<uint32_t> within(table.size());  // tuples that the box can still reach
  for (uint32_t tuple = 0; tuple < within.size(); ++tuple) within[tuple] = tuple;
  auto inside = [&](uint32_t tuple) {
    return std::all_of(growing.begin(), growing.end(),
                       [&](const Path& path) { return path.step_of_tuple[tuple] <= path.step; });
  };
  auto box_holds = [&] {
    if (!rule.rows_only()) {
      GroupTally tally = rule.tally();
      for (uint32_t tuple : within) {
        if (inside(tuple)) rule.add(tally, table.row_like(tuple), table.rows()[tuple]);
      }
      return rule.holds(tally);
    }
    uint64_t rows = 0;  // stops counting at k
    for (uint32_t tuple : within) {
      if (inside(tuple) && (rows += table.rows()[tuple]) >= rule.k()) return true;
    }
    return false;
  };
  auto next_raise = [&](const Path& path) { return space.raise_of(path.column, path.nodes[path.step + 1]); };
  const auto at_root = [](const Path& path) { return path.step + 1 == path.nodes.size(); };
  // The rows of a box do not tell how many people of the population fit it: then the clause is that of the box itself.
  if (rule.needs_population()) {
    std::erase_if(growing, at_root);
    stuck = std::move(growing);
    growing.clear();
  }
  while (!growing.empty()) {
    std::erase_if(growing, at_root);  // these have nothing left to say
    const auto cheapest = std::min_element(growing.begin(), growing.end(), [&](const Path& a, const Path& b) {
      return price[next_raise(a)] < price[next_raise(b)];
    });
    if (cheapest == growing.end()) break;
    ++cheapest->step;
    if (!box_holds()) continue;
    // And it stays there: the box only grows, and with it what one more step would take in. (A larger box may break a
    // rule of closure U again. What is missed is a stronger clause, not a true one.)
    --cheapest->step;
    std::erase_if(within, [&](uint32_t tuple) { return cheapest->step_of_tuple[tuple] > cheapest->step; });
    stuck.push_back(std::move(*cheapest));
    growing.erase(cheapest);
  }
  Clause clause;
  for (const Path& path : stuck) clause.push_back(next_raise(path));
  std::sort(clause.begin(), clause.end());
  return clause;
}

Clause beyond(const CutSpace& space, const Cut& cut, const std::vector<size_t>& columns) {
  Clause clause;
  for (size_t column : columns) {
    for (uint32_t raise = space.first_raise(column); raise < space.first_raise(column + 1); ++raise) {
      bool lowest = !cut.has(raise);
      for (uint32_t below = raise + 1; below < space.raise(raise).end && lowest; ++below) lowest = cut.has(below);
      if (lowest) clause.push_back(raise);
    }
  }
  std::sort(clause.begin(), clause.end());
  return clause;
}

bool ClauseStore::add(Clause clause) {
  const auto [entry, fresh] = known_.insert(std::move(clause));
  if (!fresh) return false;
  raises_.insert(raises_.end(), entry->begin(), entry->end());
  begin_.push_back(raises_.size());
  return true;
}

bool ClauseStore::propagate(const CutSpace& space, Cut& low, const Cut& high, std::span<const Clause> more) const {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < size() + more.size(); ++i) {
      uint32_t only = CutSpace::kNone;
      size_t possible = 0;
      for (uint32_t raise : i < size() ? clause(i) : std::span<const uint32_t>(more[i - size()])) {
        if (!high.has(raise)) continue;
        if (low.has(raise)) {
          possible = 2;  // met already
          break;
        }
        ++possible;
        only = raise;
      }
      if (possible == 0) return false;
      if (possible > 1) continue;
      space.raise_to(low, only);
      changed = true;
    }
  }
  return true;
}

}  // namespace shoal
