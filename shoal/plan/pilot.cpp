#include "shoal/plan/pilot.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "shoal/method/fragment_search.h"
#include "shoal/run/seeded_random.h"

namespace shoal {
namespace {

uint64_t mixed(uint64_t hash, uint64_t number) { return SeededRandom(hash ^ (number * 0xD1342543DE82EF95ULL))(); }

// For each requirement, rows with the same releases on its columns are one group.
std::vector<uint32_t> groups_on(const GroupRecoding& recoding, const std::vector<size_t>& columns) {
  std::vector<size_t> places;
  for (size_t i = 0; i < recoding.recoded_columns.size(); ++i) {
    if (std::find(columns.begin(), columns.end(), recoding.recoded_columns[i]) != columns.end()) places.push_back(i);
  }
  std::map<std::vector<uint32_t>, uint32_t> number_of;
  std::vector<uint32_t> number(recoding.groups());
  for (size_t g = 0; g < recoding.groups(); ++g) {
    std::vector<uint32_t> cells;
    for (size_t i : places) {
      const Released& cell = recoding.group_releases[g * recoding.recoded_columns.size() + i];
      cells.insert(cells.end(), {cell.first, cell.last, static_cast<uint32_t>(cell.kind)});
    }
    number[g] = number_of.emplace(std::move(cells), static_cast<uint32_t>(number_of.size())).first->second;
  }
  std::vector<uint32_t> groups;
  groups.reserve(recoding.group_of_row.size());
  for (uint32_t group : recoding.group_of_row) groups.push_back(number[group]);
  return groups;
}

}  // namespace

RowDraw::RowDraw(size_t wanted, uint64_t rows) : all_(wanted >= rows) {
  if (!all_) below_ = static_cast<uint64_t>(std::ldexp(double(wanted) / double(rows), 64));
}

uint64_t RowDraw::drawn(std::span<const uint32_t> codes, uint64_t count) const {
  if (all_) return count;
  uint64_t hash = 0;
  for (uint32_t code : codes) hash = mixed(hash, code + uint64_t{1});
  uint64_t drawn = 0;
  for (uint64_t copy = 0; copy < count; ++copy) drawn += mixed(hash, copy + 1) < below_;
  return drawn;
}

std::vector<uint32_t> pilot_rows(const Table& table, const OrderedRows& order, const std::vector<size_t>& columns,
                                 size_t wanted) {
  const RowDraw draw(wanted, table.rows);
  std::vector<uint32_t> rows, codes(columns.size());
  for (size_t tuple = 0; tuple < order.tuples(); ++tuple) {
    const uint32_t first = order.starts[tuple];
    for (size_t i = 0; i < columns.size(); ++i) codes[i] = table.quasi[columns[i]].codes[order.rows[first]];
    const uint64_t drawn = draw.drawn(codes, order.starts[tuple + 1] - first);
    rows.insert(rows.end(), order.rows.begin() + first, order.rows.begin() + first + static_cast<ptrdiff_t>(drawn));
  }
  return rows;
}

SearchResult fragment_answer(const Method& method, const Problem& fragment, Progress& progress) {
  const auto* const search = dynamic_cast<const FragmentSearch*>(&method);
  return search != nullptr ? search->search_fragment(fragment, progress) : method.search(fragment, progress);
}

std::optional<PilotGroups> pilot_groups(const Problem& problem, const Table& sample, size_t rows, Progress& progress) {
  const MethodEntry* const shoal = find_method("shoal");
  const double share = double(sample.rows) / double(std::max<size_t>(rows, 1));
  std::vector<Requirement> requirements;
  PilotGroups pilot;
  pilot.table = &sample;
  for (const Requirement& requirement : problem.requirements) {
    const auto k = static_cast<uint64_t>(std::llround(double(requirement.k) * share));
    requirements.push_back({requirement.columns, std::max<uint64_t>(2, k), {}});
    if (sample.rows < requirements.back().k) return std::nullopt;
    pilot.columns.insert(pilot.columns.end(), requirement.columns.begin(), requirement.columns.end());
  }
  std::sort(pilot.columns.begin(), pilot.columns.end());
  pilot.columns.erase(std::unique(pilot.columns.begin(), pilot.columns.end()), pilot.columns.end());
  const Problem thinned{sample,
                        problem.hierarchies,
                        std::move(requirements),
                        problem.weights,
                        0.0,
                        complete({{"effort", "fast"}}, shoal->parameters),
                        problem.seed,
                        problem.threads};
  const SearchResult found = fragment_answer(*shoal->make(), thinned, progress);
  if (found.recoding() == nullptr) return std::nullopt;
  for (const Requirement& requirement : problem.requirements) {
    pilot.groups.push_back(groups_on(found.recoding()->by_group(), requirement.columns));
  }
  return pilot;
}

}  // namespace shoal
