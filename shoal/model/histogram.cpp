#include "shoal/model/histogram.h"

#include <algorithm>
#include <stdexcept>

namespace shoal {
namespace {

constexpr uint32_t kAlwaysComplete = 16;  // 128 bytes: about what the entries of a usual group take

// From so many different values on, moving entries to make room costs more than entries that count 0.
size_t complete_from(uint32_t values) { return std::max<size_t>(128, values / 32); }

}  // namespace

Histogram::Histogram(const HistogramShape& shape) : shape_(&shape) {
  if (shape.values > kAlwaysComplete) return;
  entries_.resize(shape.values);
  for (uint32_t value = 0; value < shape.values; ++value) entries_[value].value = value;
}

size_t Histogram::place(uint32_t value) const {
  if (complete()) return value;
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), value,
                                   [](const ValueCount& entry, uint32_t wanted) { return entry.value < wanted; });
  return static_cast<size_t>(at - entries_.begin());
}

uint32_t Histogram::count(uint32_t value) const {
  const size_t at = place(value);
  return at < entries_.size() && entries_[at].value == value ? entries_[at].count : 0;
}

void Histogram::change(ValueCount& entry, uint32_t count) {
  if (shape_->logs) log_sum_ += shape_->logs->of(count) - shape_->logs->of(entry.count);
  rows_ += count;
  rows_ -= entry.count;
  distinct_ += count > 0 ? 1 : 0;
  distinct_ -= entry.count > 0 ? 1 : 0;
  entry.count = count;
}

void Histogram::add(uint32_t value, uint32_t times) {
  if (value >= shape_->values) throw std::logic_error("a value that the column of the histogram does not have");
  if (times == 0) return;
  if (rows_ + times > kMostRows) throw std::logic_error("more rows than a model can count exactly");
  const size_t at = place(value);
  if (at == entries_.size() || entries_[at].value != value)
    entries_.insert(entries_.begin() + static_cast<ptrdiff_t>(at), {value, 0});
  change(entries_[at], entries_[at].count + times);
  if (!complete() && distinct_ >= complete_from(shape_->values)) fit();
}

void Histogram::remove(uint32_t value, uint32_t times) {
  if (times == 0) return;
  const size_t at = value < shape_->values ? place(value) : entries_.size();
  if (at == entries_.size() || entries_[at].value != value || entries_[at].count < times)
    throw std::logic_error("a histogram cannot lose rows that it does not have");
  change(entries_[at], entries_[at].count - times);
  if (entries_[at].count > 0) return;
  if (!complete()) entries_.erase(entries_.begin() + static_cast<ptrdiff_t>(at));
  // A quarter, so that a group at the border does not change its form with every row.
  else if (distinct_ < complete_from(shape_->values) / 4)
    fit();
}

void Histogram::fit() {
  if (shape_->values <= kAlwaysComplete) return;
  if (complete()) {
    std::erase_if(entries_, [](const ValueCount& entry) { return entry.count == 0; });
    entries_.shrink_to_fit();
    return;
  }
  std::vector<ValueCount> all(shape_->values);
  for (uint32_t value = 0; value < shape_->values; ++value) all[value].value = value;
  for (const ValueCount& entry : entries_) all[entry.value] = entry;
  entries_ = std::move(all);
}

void Histogram::merge_entries(std::span<const ValueCount> other) {
  if (complete()) {
    for (const ValueCount& entry : other)
      if (entry.count > 0) change(entries_[entry.value], entries_[entry.value].count + entry.count);
    return;
  }
  std::vector<ValueCount> both;
  both.reserve(entries_.size() + other.size());
  size_t i = 0;
  for (const ValueCount& entry : other) {
    if (entry.count == 0) continue;
    while (i < entries_.size() && entries_[i].value < entry.value) both.push_back(entries_[i++]);
    both.push_back(i < entries_.size() && entries_[i].value == entry.value ? entries_[i++]
                                                                           : ValueCount{entry.value, 0});
    change(both.back(), both.back().count + entry.count);
  }
  both.insert(both.end(), entries_.begin() + static_cast<ptrdiff_t>(i), entries_.end());
  entries_ = std::move(both);
  if (!complete() && distinct_ >= complete_from(shape_->values)) fit();
}

void Histogram::merge(const Histogram& other) {
  if (rows_ + other.rows_ > kMostRows) throw std::logic_error("more rows than a model can count exactly");
  if (other.shape_->values != shape_->values) throw std::logic_error("histograms of different columns");
  if (&other == this) return merge(Histogram(other));
  merge_entries(other.entries_);
}

void Histogram::subtract(const Histogram& other) {
  if (other.shape_->values != shape_->values) throw std::logic_error("histograms of different columns");
  if (&other == this) return subtract(Histogram(other));
  for (const ValueCount& entry : other.entries_)
    if (entry.count > count(entry.value)) throw std::logic_error("a histogram cannot lose rows that it does not have");
  size_t at = 0;
  for (const ValueCount& entry : other.entries_) {
    if (entry.count == 0) continue;
    while (entries_[at].value < entry.value) ++at;
    change(entries_[at], entries_[at].count - entry.count);
  }
  if (!complete())
    std::erase_if(entries_, [](const ValueCount& entry) { return entry.count == 0; });
  else if (distinct_ < complete_from(shape_->values) / 4)
    fit();
}

void Histogram::add_all(std::span<const uint32_t> values) {
  if (rows_ + values.size() > kMostRows) throw std::logic_error("more rows than a model can count exactly");
  if (std::any_of(values.begin(), values.end(), [&](uint32_t value) { return value >= shape_->values; }))
    throw std::logic_error("a value that the column of the histogram does not have");
  if (complete()) {  // every value has its place: nothing to be sorted
    for (uint32_t value : values) change(entries_[value], entries_[value].count + 1);
    return;
  }
  std::vector<uint32_t> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<ValueCount> counts;
  for (uint32_t value : sorted) {
    if (counts.empty() || counts.back().value != value) counts.push_back({value, 0});
    ++counts.back().count;
  }
  merge_entries(counts);
}

bool operator==(const Histogram& a, const Histogram& b) {
  if (a.shape_->values != b.shape_->values || a.rows_ != b.rows_ || a.distinct_ != b.distinct_) return false;
  if (a.shape_->logs == b.shape_->logs && a.log_sum_ != b.log_sum_) return false;
  bool same = true;
  GroupView(a).each([&](uint32_t value, uint32_t count) { same = same && b.count(value) == count; });
  return same;
}

GroupView::GroupView(const Histogram& group) : group_(&group), entries_(group.entries()), rows_(group.rows()) {}

GroupView GroupView::united(const Histogram& a, const Histogram& b) {
  GroupView view(a);
  view.second_ = Second::group;
  view.joined_ = b.entries();
  view.rows_ += b.rows();
  if (view.rows_ > kMostRows) throw std::logic_error("more rows than a model can count exactly");
  return view;
}

GroupView GroupView::after_adding(const Histogram& group, uint32_t value) {
  GroupView view(group);
  if (value >= group.shape().values) throw std::logic_error("a value that the column of the histogram does not have");
  view.second_ = Second::row_more;
  view.row_ = {value, 1};
  ++view.rows_;
  return view;
}

GroupView GroupView::after_removing(const Histogram& group, uint32_t value) {
  if (value >= group.shape().values || group.count(value) == 0)
    throw std::logic_error("a histogram cannot lose rows that it does not have");
  GroupView view(group);
  view.second_ = Second::row_less;
  view.row_ = {value, 1};
  --view.rows_;
  return view;
}

GroupView GroupView::of(std::span<const ValueCount> counts) {
  GroupView view;
  view.entries_ = counts;
  for (const ValueCount& entry : counts) view.rows_ += entry.count;
  return view;
}

GroupView GroupView::with_population(uint64_t people) const {
  GroupView view = *this;
  view.population_ = people;
  return view;
}

uint32_t GroupView::count(uint32_t value) const {
  uint32_t found = 0;
  if (group_ && second_ != Second::group) {
    found = group_->count(value);
    if (second_ == Second::row_more && row_.value == value) ++found;
    if (second_ == Second::row_less && row_.value == value) --found;
    return found;
  }
  each([&](uint32_t other, uint32_t count) { found = other == value ? count : found; });
  return found;
}

size_t GroupView::distinct() const {
  if (group_ && second_ == Second::none) return group_->distinct();
  if (group_ && second_ == Second::row_more) return group_->distinct() + (group_->count(row_.value) == 0 ? 1 : 0);
  if (group_ && second_ == Second::row_less) return group_->distinct() - (group_->count(row_.value) == 1 ? 1 : 0);
  size_t values = 0;
  each([&](uint32_t, uint32_t) { ++values; });
  return values;
}

int64_t GroupView::log_sum(const CountLogs& logs) const {
  // Equal largest counts mean equal units, so that the sum another table of logarithms kept is the same number.
  const bool kept = group_ && group_->shape().logs && group_->shape().logs->largest() == logs.largest();
  if (kept && second_ == Second::none) return group_->log_sum();
  if (kept && second_ != Second::group) {
    const uint32_t before = group_->count(row_.value);
    const uint32_t after = second_ == Second::row_more ? before + 1 : before - 1;
    return group_->log_sum() + logs.of(after) - logs.of(before);
  }
  int64_t sum = 0;
  each([&](uint32_t, uint32_t count) { sum += logs.of(count); });
  return sum;
}

}  // namespace shoal
