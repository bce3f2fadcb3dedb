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

ModelValues model_values(const CountedModel& counted, std::optional<uint32_t> missing, const Groups& groups) {
  const Model& model = *counted.model;
  ModelValues values{model.spec()};
  const bool larger_is_safer = model_entry(values.spec.kind).larger_is_safer;
  const HistogramShape shape{counted.counted->values, model.logs()};
  bool first = true;
  each_group(*counted.counted, groups, [&](std::span<const uint32_t> codes) {
    Histogram group(shape);
    group.add_all(codes);
    const double value = model.value(group);
    values.worst = first ? value : larger_is_safer ? std::min(values.worst, value) : std::max(values.worst, value);
    first = false;
    if (!model.holds(group)) {
      ++values.groups_broken;
      values.rows_broken += codes.size();
    } else if (missing && holds_by_missing(model, group, *missing)) {
      ++values.groups_by_missing;
    }
  });
  return values;
}

ModelValues average_risk_values(const ModelSpec& spec, const Groups& groups) {
  uint64_t rows = 0;
  for (uint32_t size : groups.sizes) rows += size;
  ModelValues values{spec};
  values.worst = AverageRisk::value(groups.sizes.size(), rows);
  if (!AverageRisk(spec).holds(groups.sizes.size(), rows)) {
    values.groups_broken = groups.sizes.size();
    values.rows_broken = rows;
  }
  return values;
}

RowsByDiversity rows_by_diversity(const CountedColumn& column, const Groups& groups) {
  RowsByDiversity rows{};
  each_group(column, groups, [&](std::span<uint32_t> codes) {
    const size_t values = different(codes);
    rows[values <= 4 ? values - 1 : values <= 9 ? 4 : 5] += codes.size();
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
