// Classes come from the released cells, not from the blocks: two blocks with equal cells on a requirement's shared
// columns are one class for it, and larger classes are parted better.
#include "shoal/method/blocks/shared_cells.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr size_t kMostRemembered = 200'000;  // classes

// Cells as numbers that can be compared and sorted.
uint64_t number_of(const Released& cell) { return uint64_t{cell.first} << 32 | cell.last; }

// Numbers the groups by their cells on these places.
std::vector<uint32_t> numbered(const SharedCells& cells, size_t width, std::span<const size_t> places) {
  std::map<std::vector<uint64_t>, uint32_t> known;
  std::vector<uint32_t> number(cells.rows.size());
  std::vector<uint64_t> key(places.size());
  for (size_t g = 0; g < number.size(); ++g) {
    for (size_t i = 0; i < places.size(); ++i) key[i] = number_of(cells.cells[g * width + places[i]]);
    number[g] = known.emplace(key, static_cast<uint32_t>(known.size())).first->second;
  }
  return number;
}

// The groups of `fine` that have the same number, as one.
RowGroups gathered(const RowGroups& fine, const std::vector<uint32_t>& number) {
  uint32_t count = 0;
  for (uint32_t n : number) count = std::max(count, n + 1);
  RowGroups coarse;
  coarse.starts.assign(size_t{count} + 1, 0);
  for (size_t g = 0; g < fine.size(); ++g) coarse.starts[number[g] + 1] += static_cast<uint32_t>(fine.rows_in(g));
  std::partial_sum(coarse.starts.begin(), coarse.starts.end(), coarse.starts.begin());
  coarse.rows.resize(fine.rows.size());
  std::vector<uint32_t> next = coarse.starts;
  for (size_t g = 0; g < fine.size(); ++g) {
    for (uint32_t row : fine.group(g)) coarse.rows[next[number[g]]++] = row;
  }
  return coarse;
}

// Which rows hang together.
class Links {
 public:
  explicit Links(size_t rows) : next_(rows) { std::iota(next_.begin(), next_.end(), 0); }
  uint32_t root(uint32_t row) {
    while (next_[row] != row) row = next_[row] = next_[next_[row]];
    return row;
  }
  void link(uint32_t a, uint32_t b) { next_[root(a)] = root(b); }

 private:
  std::vector<uint32_t> next_;
};

// Every group of `groups` is released as its least cover on each of the columns.
ReleasedPart covered(const Overlap& overlap, const std::vector<size_t>& columns, const RowGroups& groups) {
  const Problem& problem = overlap.problem();
  ReleasedPart part{columns, std::vector<uint32_t>(problem.table.rows), {}};
  part.releases.resize(groups.size() * columns.size());
  for (size_t g = 0; g < groups.size(); ++g) {
    for (uint32_t row : groups.group(g)) part.group_of_row[row] = static_cast<uint32_t>(g);
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    problem.table.quasi[columns[i]].codes.visit([&](auto codes) {
      for (size_t g = 0; g < groups.size(); ++g) {
        uint32_t lo = UINT32_MAX, hi = 0;
        for (uint32_t row : groups.group(g)) {
          lo = std::min<uint32_t>(lo, codes[row]);
          hi = std::max<uint32_t>(hi, codes[row]);
        }
        part.releases[g * columns.size() + i] = released_interval(problem.hierarchies[columns[i]], lo, hi);
      }
    });
  }
  return part;
}

// A column's cells must agree within every group of every requirement that has it, and hence among rows that such
// groups tie together; no further. Rows tied on a column had the same cell there, so that no cell grows.
RowGroups tied_rows(const std::vector<const RowGroups*>& partitions, size_t rows) {
  Links links(rows);
  for (const RowGroups* partition : partitions) {
    for (size_t g = 0; g < partition->size(); ++g) {
      const auto group = partition->group(g);
      for (size_t i = 1; i < group.size(); ++i) links.link(group[i], group[0]);
    }
  }
  RowGroups alone;
  alone.rows.resize(rows);
  std::iota(alone.rows.begin(), alone.rows.end(), 0);
  alone.starts.resize(rows + 1);
  std::iota(alone.starts.begin(), alone.starts.end(), 0);
  std::vector<uint32_t> number(rows), of_root(rows, UINT32_MAX);
  uint32_t count = 0;
  for (uint32_t row = 0; row < rows; ++row) {
    uint32_t& known = of_root[links.root(row)];
    if (known == UINT32_MAX) known = count++;
    number[row] = known;
  }
  return gathered(alone, number);
}

}  // namespace

SharedCells cells_of_blocks(const Overlap& overlap, const std::vector<Block>& blocks) {
  const NcpSpace& shared = overlap.shared();
  SharedCells cells;
  std::vector<uint32_t> codes;
  for (const Block& block : blocks) {
    if (block.rows.empty()) continue;
    cells.rows.rows.insert(cells.rows.rows.end(), block.rows.begin(), block.rows.end());
    cells.rows.starts.push_back(static_cast<uint32_t>(cells.rows.rows.size()));
    codes.resize(block.rows.size() * shared.columns());
    shared.gather(block.rows, codes.data());
    for (size_t j = 0; j < shared.columns(); ++j) {
      uint32_t lo = codes[j], hi = codes[j];
      for (size_t at = j; at < codes.size(); at += shared.columns()) {
        lo = std::min(lo, codes[at]);
        hi = std::max(hi, codes[at]);
      }
      cells.cells.push_back(released_interval(shared.hierarchy(j), lo, hi));
    }
  }
  return cells;
}

SharedCells cells_of_release(const Overlap& overlap, const ReleasedPart& release) {
  const NcpSpace& shared = overlap.shared();
  const size_t width = shared.columns();
  SharedCells by_group;
  by_group.rows.starts.assign(release.groups() + 1, 0);
  for (uint32_t group : release.group_of_row) ++by_group.rows.starts[group + 1];
  std::partial_sum(by_group.rows.starts.begin(), by_group.rows.starts.end(), by_group.rows.starts.begin());
  by_group.rows.rows.resize(release.group_of_row.size());
  std::vector<uint32_t> next = by_group.rows.starts;
  for (uint32_t row = 0; row < release.group_of_row.size(); ++row) {
    by_group.rows.rows[next[release.group_of_row[row]]++] = row;
  }
  for (size_t group = 0; group < release.groups(); ++group) {
    for (size_t j = 0; j < width; ++j) {
      const auto place = std::lower_bound(release.columns.begin(), release.columns.end(), shared.quasi(j));
      by_group.cells.push_back(
          release.releases[group * release.columns.size() + static_cast<size_t>(place - release.columns.begin())]);
    }
  }
  return by_group;
}

RowGroups classes_of(const Overlap& overlap, size_t part, const SharedCells& cells) {
  return gathered(cells.rows, numbered(cells, overlap.shared().columns(), overlap.parts()[part].shared));
}

ExpectedCost::ExpectedCost(const Overlap& overlap, size_t lines, Progress& progress)
    : overlap_(overlap), lines_(lines), progress_(progress), known_(overlap.parts().size()) {}

double ExpectedCost::of(const SharedCells& cells) {
  const size_t width = overlap_.shared().columns();
  double total = 0;
  for (size_t g = 0; g < cells.rows.size(); ++g) {
    for (size_t j = 0; j < width; ++j) {
      const Released& cell = cells.cells[g * width + j];
      total += double(cells.rows.rows_in(g)) * overlap_.shared().cost(j, cell.first, cell.last);
    }
  }
  for (size_t r = 0; r < known_.size(); ++r) {
    if (overlap_.parts()[r].own) total += own_cost(r, classes_of(overlap_, r, cells));
  }
  return total;
}

double ExpectedCost::own_cost(size_t part, const RowGroups& classes) {
  std::unordered_map<uint64_t, double>& known = known_[part];
  if (known.size() > kMostRemembered) known.clear();
  std::vector<uint64_t> prints(classes.size());
  std::vector<size_t> unknown;
  for (size_t c = 0; c < classes.size(); ++c) {
    for (uint32_t row : classes.group(c)) prints[c] += SeededRandom(row)();
    if (known.emplace(prints[c], 0.0).second) unknown.push_back(c);
  }
  std::vector<double> costs(unknown.size());
  run_tasks_with(
      unknown.size(), overlap_.problem().threads, [&] { return std::make_unique<OwnCutter>(overlap_); },
      [&](OwnCutter& cutter, size_t i) {
        progress_.check();
        costs[i] = cutter.cut(part, classes.group(unknown[i]), overlap_.parts()[part].k, lines_);
      });
  for (size_t i = 0; i < unknown.size(); ++i) known[prints[unknown[i]]] = costs[i];
  double total = 0;
  for (uint64_t print : prints) total += known[print];
  return total;
}

ReleasedPart finished(const Overlap& overlap, const SharedCells& cells, const ClassSolver& solver, Progress& progress) {
  const NcpSpace& shared = overlap.shared();
  std::vector<RowGroups> groups;
  for (size_t r = 0; r < overlap.parts().size(); ++r) {
    const RowGroups classes = classes_of(overlap, r, cells);
    groups.push_back(overlap.parts()[r].own ? solver.solve(overlap, r, classes, progress) : classes);
  }
  ReleasedPart answer{{}, std::vector<uint32_t>(overlap.problem().table.rows, 0), {}};
  for (size_t j = 0; j < shared.columns(); ++j) {
    std::vector<const RowGroups*> with_column;
    for (size_t r = 0; r < groups.size(); ++r) {
      const auto& places = overlap.parts()[r].shared;
      if (std::binary_search(places.begin(), places.end(), j)) with_column.push_back(&groups[r]);
    }
    answer = together(answer, covered(overlap, {shared.quasi(j)}, tied_rows(with_column, shared.rows())));
  }
  for (size_t r = 0; r < groups.size(); ++r) {
    if (overlap.parts()[r].own) answer = together(answer, covered(overlap, overlap.parts()[r].own_columns, groups[r]));
  }
  return answer;
}

}  // namespace shoal
