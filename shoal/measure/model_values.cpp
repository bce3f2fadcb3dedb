#include "shoal/measure/model_values.h"

#include <algorithm>

namespace shoal {
namespace {

// Calls visit(codes of its rows) for every group.
template <class Visit>
void each_group(const CountedColumn& column, const Groups& groups, Visit visit) {
  std::vector<uint32_t> sorted = sorted_by_group<uint32_t>(groups, column.codes);
  size_t first = 0;
  for (const uint32_t size : groups.sizes) {
    visit(std::span(sorted).subspan(first, size));
    first += size;
  }
}

size_t different(std::span<uint32_t> codes) {
  std::sort(codes.begin(), codes.end());
  return static_cast<size_t>(std::unique(codes.begin(), codes.end()) - codes.begin());
}

}  // namespace

ModelTally::ModelTally(const Model& model, uint32_t values, std::optional<uint32_t> missing)
    : model_(model), shape_{values, model.logs()}, missing_(missing), values_{model.spec()} {}

void ModelTally::add_group(std::span<const uint32_t> codes) {
  const bool larger_is_safer = model_entry(values_.spec.kind).larger_is_safer;
  Histogram group(shape_);
  group.add_all(codes);
  const double value = model_.value(group);
  values_.worst = first_ ? value : larger_is_safer ? std::min(values_.worst, value) : std::max(values_.worst, value);
  first_ = false;
  if (!model_.holds(group)) {
    ++values_.groups_broken;
    values_.rows_broken += codes.size();
  } else if (missing_ && holds_by_missing(model_, group, *missing_)) {
    ++values_.groups_by_missing;
  }
}

ModelValues model_values(const CountedModel& counted, std::optional<uint32_t> missing, const Groups& groups) {
  ModelTally tally(*counted.model, counted.counted->values, missing);
  each_group(*counted.counted, groups, [&](std::span<const uint32_t> codes) { tally.add_group(codes); });
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

ModelValues average_risk_values(const ModelSpec& spec, const Groups& groups) {
  uint64_t rows = 0;
  for (uint32_t size : groups.sizes) rows += size;
  return average_risk_values(spec, groups.sizes.size(), rows);
}

size_t diversity_place(size_t values) { return values <= 4 ? values - 1 : values <= 9 ? 4 : 5; }

RowsByDiversity rows_by_diversity(const CountedColumn& column, const Groups& groups) {
  RowsByDiversity rows{};
  each_group(column, groups, [&](std::span<uint32_t> codes) {
    const size_t size = codes.size();
    rows[diversity_place(different(codes))] += size;
  });
  return rows;
}

std::vector<uint32_t> different_per_group(const CountedColumn& column, const Groups& groups) {
  std::vector<uint32_t> result;
  each_group(column, groups,
             [&](std::span<uint32_t> codes) { result.push_back(static_cast<uint32_t>(different(codes))); });
  return result;
}

}  // namespace shoal
