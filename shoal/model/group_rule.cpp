#include "shoal/model/group_rule.h"

#include <algorithm>

namespace shoal {

GroupRule::GroupRule(uint64_t k, std::vector<CountedModel> models, std::optional<AverageRisk> average_risk)
    : k_(k), models_(std::move(models)), average_risk_(average_risk) {
  for (const CountedModel& model : models_) note_column(model);
  closure_ = Closure::any_superset;
  for (const CountedModel& model : models_) closure_ = std::max(closure_, model.model->closure());
}

// Models that look at the same column share a histogram, which keeps logarithms when one of them asks for these.
void GroupRule::note_column(const CountedModel& counted) {
  Part part{counted.model.get(), kNone};
  if (!counted.counted) {
    needs_population_ = true;
  } else {
    const auto found = std::find(columns_.begin(), columns_.end(), counted.counted);
    part.histogram = static_cast<size_t>(found - columns_.begin());
    if (found == columns_.end()) {
      columns_.push_back(counted.counted);
      shapes_.push_back({counted.counted->values, nullptr});
    }
    if (const CountLogs* logs = counted.model->logs()) shapes_[part.histogram].logs = logs;
  }
  parts_.push_back(part);
}

GroupTally GroupRule::tally() const {
  GroupTally group;
  group.histograms_.reserve(shapes_.size());
  for (const HistogramShape& shape : shapes_) group.histograms_.emplace_back(shape);
  return group;
}

GroupTally GroupRule::tally(std::span<const uint32_t> rows) const {
  GroupTally group = tally();
  group.rows_ = rows.size();
  std::vector<uint32_t> values(rows.size());
  for (size_t i = 0; i < columns_.size(); ++i) {
    for (size_t j = 0; j < rows.size(); ++j) values[j] = columns_[i]->codes[rows[j]];
    group.histograms_[i].add_all(values);
  }
  return group;
}

GroupTally GroupRule::tally(std::span<const uint32_t> rows, std::span<const uint32_t> times) const {
  if (times.empty()) return tally(rows);
  GroupTally group = tally();
  for (uint32_t row : rows) add(group, row, times[row]);
  return group;
}

void GroupRule::add(GroupTally& group, uint32_t row, uint32_t times) const {
  group.rows_ += times;
  for (size_t i = 0; i < columns_.size(); ++i) group.histograms_[i].add(columns_[i]->codes[row], times);
}

void GroupRule::remove(GroupTally& group, uint32_t row, uint32_t times) const {
  group.rows_ -= times;
  for (size_t i = 0; i < columns_.size(); ++i) group.histograms_[i].remove(columns_[i]->codes[row], times);
}

void GroupRule::merge(GroupTally& group, const GroupTally& other) const {
  group.rows_ += other.rows_;
  for (size_t i = 0; i < columns_.size(); ++i) group.histograms_[i].merge(other.histograms_[i]);
}

void GroupRule::subtract(GroupTally& group, const GroupTally& other) const {
  group.rows_ -= other.rows_;
  for (size_t i = 0; i < columns_.size(); ++i) group.histograms_[i].subtract(other.histograms_[i]);
}

// ---- tests: the same loop over all models, each with its own view of the group ----

namespace {

// A group that has no histogram for a model of the population.
GroupView rows_without_values(uint64_t rows, uint64_t population, ValueCount& scratch) {
  scratch = {0, static_cast<uint32_t>(rows)};
  return GroupView::of(std::span(&scratch, 1)).with_population(population);
}

}  // namespace

template <class View>
bool GroupRule::all_hold(uint64_t rows, const View& view_of) const {
  if (rows == 0) return true;
  if (rows < k_) return false;
  return std::all_of(parts_.begin(), parts_.end(), [&](const Part& part) {
    ValueCount scratch;
    return part.model->holds(view_of(part, scratch));
  });
}

template <class View>
double GroupRule::sum_of_deficits(uint64_t rows, const View& view_of) const {
  if (rows == 0) return 0;
  double sum = rows < k_ ? static_cast<double>(k_ - rows) : 0;
  for (const Part& part : parts_) {
    ValueCount scratch;
    sum += part.model->deficit(view_of(part, scratch));
  }
  return sum;
}

bool GroupRule::holds(const GroupTally& group) const {
  return all_hold(group.rows_, [&](const Part& part, ValueCount& scratch) {
    return part.histogram == kNone ? rows_without_values(group.rows_, group.population, scratch)
                                   : GroupView(group.histograms_[part.histogram]);
  });
}

bool GroupRule::holds_union(const GroupTally& a, const GroupTally& b) const {
  return all_hold(a.rows_ + b.rows_, [&](const Part& part, ValueCount& scratch) {
    return part.histogram == kNone ? rows_without_values(a.rows_ + b.rows_, a.population, scratch)
                                   : GroupView::united(a.histograms_[part.histogram], b.histograms_[part.histogram]);
  });
}

bool GroupRule::holds_after_adding(const GroupTally& group, uint32_t row) const {
  return all_hold(group.rows_ + 1, [&](const Part& part, ValueCount& scratch) {
    return part.histogram == kNone
               ? rows_without_values(group.rows_ + 1, group.population, scratch)
               : GroupView::after_adding(group.histograms_[part.histogram], columns_[part.histogram]->codes[row]);
  });
}

bool GroupRule::holds_after_removing(const GroupTally& group, uint32_t row) const {
  return all_hold(group.rows_ - 1, [&](const Part& part, ValueCount& scratch) {
    return part.histogram == kNone
               ? rows_without_values(group.rows_ - 1, group.population, scratch)
               : GroupView::after_removing(group.histograms_[part.histogram], columns_[part.histogram]->codes[row]);
  });
}

bool GroupRule::holds(std::span<const uint32_t> rows) const {
  if (rows.size() < k_) return rows.empty();
  return rows_only() || holds(tally(rows));
}

double GroupRule::deficit(const GroupTally& group) const {
  return sum_of_deficits(group.rows_, [&](const Part& part, ValueCount& scratch) {
    return part.histogram == kNone ? rows_without_values(group.rows_, group.population, scratch)
                                   : GroupView(group.histograms_[part.histogram]);
  });
}

double GroupRule::deficit_union(const GroupTally& a, const GroupTally& b) const {
  return sum_of_deficits(a.rows_ + b.rows_, [&](const Part& part, ValueCount& scratch) {
    return part.histogram == kNone ? rows_without_values(a.rows_ + b.rows_, a.population, scratch)
                                   : GroupView::united(a.histograms_[part.histogram], b.histograms_[part.histogram]);
  });
}

}  // namespace shoal
