#include "shoal/measure/model_values.h"

#include <algorithm>
#include <numeric>

namespace shoal {
namespace {

// Calls visit(codes of its rows, for how many rows each stands) for every group; the second is empty where each stands
// for itself.
template <class Visit>
void each_group(const CountedColumn& column, const Groups& groups, RowTimes times, Visit visit) {
  std::vector<uint32_t> sorted = sorted_by_group<uint32_t>(groups, column.codes);
  const std::vector<uint32_t> sorted_times =
      times.empty() ? std::vector<uint32_t>() : sorted_by_group<uint32_t>(groups, times);
  size_t first = 0;
  for (const uint32_t size : groups.sizes) {
    visit(std::span(sorted).subspan(first, size),
          times.empty() ? RowTimes() : RowTimes(sorted_times).subspan(first, size));
    first += size;
  }
}

uint64_t rows_of(std::span<const uint32_t> codes, RowTimes times) {
  return times.empty() ? codes.size() : std::accumulate(times.begin(), times.end(), uint64_t{0});
}

size_t different(std::span<uint32_t> codes) {
  std::sort(codes.begin(), codes.end());
  return static_cast<size_t>(std::unique(codes.begin(), codes.end()) - codes.begin());
}

}  // namespace

ModelTally::ModelTally(const Model& model, uint32_t values, std::optional<uint32_t> missing)
    : model_(model), shape_{values, model.logs()}, missing_(missing), values_{model.spec()} {}

void ModelTally::add_group(std::span<const uint32_t> codes, std::span<const uint32_t> times) {
  const bool larger_is_safer = model_entry(values_.spec.kind).larger_is_safer;
  Histogram group(shape_);
  if (times.empty()) group.add_all(codes);
  for (size_t i = 0; i < times.size(); ++i) group.add(codes[i], times[i]);
  const double value = model_.value(group);
  values_.worst = first_ ? value : larger_is_safer ? std::min(values_.worst, value) : std::max(values_.worst, value);
  first_ = false;
  if (!model_.holds(group)) {
    ++values_.groups_broken;
    values_.rows_broken += rows_of(codes, times);
  } else if (missing_ && holds_by_missing(model_, group, *missing_)) {
    ++values_.groups_by_missing;
  }
}

ModelValues model_values(const CountedModel& counted, std::optional<uint32_t> missing, const Groups& groups,
                         RowTimes times) {
  ModelTally tally(*counted.model, counted.counted->values, missing);
  each_group(*counted.counted, groups, times,
             [&](std::span<const uint32_t> codes, RowTimes of_group) { tally.add_group(codes, of_group); });
  return tally.values();
}

ModelValues average_risk_values(const ModelSpec& spec, uint64_t groups, uint64_t rows) {
  ModelValues values{spec};
  values.worst = AverageRisk::value(groups, rows);
  if (!AverageRisk(spec).holds(groups, rows)) {
    values.groups_broken = groups;
    values.rows_broken = rows;
  }
  return values;
}

ModelValues average_risk_values(const ModelSpec& spec, const Groups& groups, RowTimes times) {
  uint64_t rows = 0;
  for (uint32_t size : group_totals(groups, times)) rows += size;
  return average_risk_values(spec, groups.sizes.size(), rows);
}

size_t diversity_place(size_t values) { return values <= 4 ? values - 1 : values <= 9 ? 4 : 5; }

RowsByDiversity rows_by_diversity(const CountedColumn& column, const Groups& groups, RowTimes times) {
  RowsByDiversity rows{};
  each_group(column, groups, times, [&](std::span<uint32_t> codes, RowTimes of_group) {
    const uint64_t size = rows_of(codes, of_group);
    rows[diversity_place(different(codes))] += size;
  });
  return rows;
}

std::vector<uint32_t> different_per_group(const CountedColumn& column, const Groups& groups) {
  std::vector<uint32_t> result;
  each_group(column, groups, {},
             [&](std::span<uint32_t> codes, RowTimes) { result.push_back(static_cast<uint32_t>(different(codes))); });
  return result;
}

}  // namespace shoal
