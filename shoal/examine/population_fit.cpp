#include "shoal/examine/population_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "shoal/error.h"
#include "shoal/recode/apply.h"
#include "shoal/recode/group_keys.h"
#include "shoal/table/missing_texts.h"

namespace shoal {
namespace {

EncodedTable quasi_of(Job job, TableSource& population, Progress& progress) {
  std::erase_if(job.columns, [](const ColumnJob& column) { return column.role != Role::quasi; });
  job.requirements.clear();
  job.models.clear();
  for (const ColumnJob& column : job.columns) {
    if (population.find(column.name)) continue;
    throw Error(ErrorKind::input, fmt::format("the population '{}' has no column '{}'; it needs all quasi columns",
                                              population.name(), column.name));
  }
  ReadTimings timings;
  return encode_table(job, population, {.with_rest = false}, timings, progress);
}

// The leaves that each text of a column stands for.
std::vector<Released> cells_of(const RawColumn& column, const Column& known, const Hierarchy& hierarchy,
                               const MissingTexts& missing, const std::string& where) {
  const ReleasedCells cells(known, hierarchy);
  std::vector<Released> result;
  for (size_t text = 0; text < column.texts.size(); ++text) {
    std::optional<Released> cell;
    if (!missing(column.texts[text])) {
      cell = cells.parse(column.texts[text]);
    } else if (hierarchy.missing()) {
      cell = released_leaf(hierarchy, *hierarchy.missing());
    }
    if (!cell) {
      throw Error(ErrorKind::input, fmt::format("'{}' in the column '{}' of {} is no value, range or hierarchy node of "
                                                "the population; the table must be a sample of it",
                                                column.texts[text], column.name, where));
    }
    result.push_back(*cell);
  }
  return result;
}

}  // namespace

PopulationFit::PopulationFit(const Job& job, TableSource& population, Progress& progress)
    : name_(population.name()), encoded_(quasi_of(job, population, progress)), missing_(job.missing) {
  const auto& hierarchies = encoded_.encoding.hierarchies;
  tuples_ = distinct_tuples(encoded_.table.rows, raw_keys(encoded_.table, hierarchies));
  for (size_t j = 0; j < hierarchies.size(); ++j) {
    const std::vector<uint32_t>& leaves = tuples_.columns[j];
    std::vector<uint32_t> order(tuples_.size());
    std::iota(order.begin(), order.end(), uint32_t{0});
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return leaves[a] < leaves[b]; });
    std::vector<uint32_t> first(hierarchies[j].leaves() + 1, 0);
    for (uint32_t leaf : leaves) ++first[leaf + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    by_leaf_.push_back(std::move(order));
    first_of_.push_back(std::move(first));
  }
}

std::vector<uint64_t> PopulationFit::people_of(const RawTable& table, std::span<const size_t> columns,
                                               const Groups& groups, const TableSource& source) const {
  const MissingTexts missing(missing_);
  std::vector<std::pair<size_t, std::vector<Released>>> cells;  // a column of the population, and its cells by text
  std::vector<size_t> of_table;
  for (size_t j : columns) {
    const auto known = std::find_if(encoded_.table.quasi.begin(), encoded_.table.quasi.end(),
                                    [&](const Column& column) { return column.name == table.columns[j].name; });
    const auto place = static_cast<size_t>(known - encoded_.table.quasi.begin());
    cells.emplace_back(place, cells_of(table.columns[j], *known, encoded_.encoding.hierarchies[place], missing,
                                       fmt::format("'{}'", source.name())));
    of_table.push_back(j);
  }
  std::vector<uint64_t> people(groups.sizes.size(), 0);
  std::vector<bool> done(groups.sizes.size(), false);
  for (size_t row = 0; row < groups.group_of_row.size(); ++row) {
    const uint32_t group = groups.group_of_row[row];
    if (group == kNoGroup || done[group]) continue;
    done[group] = true;
    std::vector<std::pair<size_t, Released>> box;
    for (size_t i = 0; i < cells.size(); ++i) {
      box.emplace_back(cells[i].first, cells[i].second[table.columns[of_table[i]].codes[row]]);
    }
    const auto candidates = [&](const std::pair<size_t, Released>& side) {
      return first_of_[side.first][side.second.last + 1] - first_of_[side.first][side.second.first];
    };
    const auto least = *std::min_element(box.begin(), box.end(),
                                         [&](const auto& a, const auto& b) { return candidates(a) < candidates(b); });
    const uint32_t from = first_of_[least.first][least.second.first];
    for (uint32_t i = from; i < from + candidates(least); ++i) {
      const uint32_t tuple = by_leaf_[least.first][i];
      const bool inside = std::all_of(box.begin(), box.end(), [&](const auto& side) {
        const uint32_t leaf = tuples_.columns[side.first][tuple];
        return side.second.first <= leaf && leaf <= side.second.last;
      });
      if (inside) people[group] += tuples_.counts[tuple];
    }
  }
  return people;
}

ModelValues population_values(const ModelSpec& spec, const Groups& groups, std::span<const uint64_t> people) {
  const std::unique_ptr<Model> model = make_model(spec, {});
  const bool larger_is_safer = model_entry(spec.kind).larger_is_safer;
  ModelValues values{spec};
  for (size_t g = 0; g < groups.sizes.size(); ++g) {
    const ValueCount rows{0, groups.sizes[g]};
    const GroupView group = GroupView::of(std::span(&rows, 1)).with_population(people[g]);
    const double value = model->value(group);
    values.worst = g == 0 ? value : larger_is_safer ? std::min(values.worst, value) : std::max(values.worst, value);
    if (model->holds(group)) continue;
    ++values.groups_broken;
    values.rows_broken += groups.sizes[g];
  }
  return values;
}

}  // namespace shoal
