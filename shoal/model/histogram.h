// How often each value of a sensitive column occurs in one group of rows: what every privacy model looks at.
//
// A group has few rows and a table has many groups, so a histogram is small: 64 bytes and 8 for each different value,
// ascending by value (found by halving); a column of up to 16 values, or a group that has many of its column's values,
// has one entry for each value of the column instead (found at once). Adding and removing rows are exact inverses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/model/fixed_log.h"

namespace shoal {

struct ValueCount {
  uint32_t value = 0;  // code of the value in its column
  uint32_t count = 0;  // rows that have it
  friend bool operator==(const ValueCount&, const ValueCount&) = default;
};

// What the histograms of one column have in common. `logs`: they also keep the sum of c·log2(c), which entropy-l asks
// for (Model::logs); the other models need counts alone.
struct HistogramShape {
  uint32_t values = 0;  // codes 0 .. values-1
  const CountLogs* logs = nullptr;
};

class Histogram {
 public:
  // Empty. The shape must outlive the histogram and its copies.
  explicit Histogram(const HistogramShape& shape);

  uint64_t rows() const { return rows_; }
  size_t distinct() const { return distinct_; }  // values that occur
  uint32_t count(uint32_t value) const;
  const HistogramShape& shape() const { return *shape_; }
  // Ascending by value; some entries may count 0.
  std::span<const ValueCount> entries() const { return entries_; }
  // The sum of shape().logs->of(count), 0 without logs.
  int64_t log_sum() const { return log_sum_; }

  // Require value < values and, for remove and subtract, that the rows are there: else std::logic_error. Cost: the
  // logarithm of distinct(), and for a new value moving the entries behind it.
  void add(uint32_t value, uint32_t times = 1);
  void remove(uint32_t value, uint32_t times = 1);
  // The rows of another group of the same column join, or leave again: one undoes the other. Cost: both groups'
  // entries.
  void merge(const Histogram& other);
  void subtract(const Histogram& other);
  // Rows by their values, in any order; faster than one by one.
  void add_all(std::span<const uint32_t> values);

  // The same rows, however they came.
  friend bool operator==(const Histogram& a, const Histogram& b);

 private:
  bool complete() const { return entries_.size() == shape_->values; }  // one entry for each value of the column
  size_t place(uint32_t value) const;                                  // of the first entry with `value` or more
  void change(ValueCount& entry, uint32_t count);                      // the only place where a count changes
  void fit();                                                          // one entry for each value, or for those there
  void merge_entries(std::span<const ValueCount> other);

  const HistogramShape* shape_;
  uint64_t rows_ = 0;
  int64_t log_sum_ = 0;
  size_t distinct_ = 0;
  std::vector<ValueCount> entries_;
};

// A group as a model sees it: as it is, with one row more or less, or two groups as one. Made on the spot, no copies:
// it must not outlive the histograms it was made from.
class GroupView {
 public:
  // Any histogram is a view of itself.
  GroupView(const Histogram& group);  // NOLINT(google-explicit-constructor)
  static GroupView united(const Histogram& a, const Histogram& b);
  static GroupView after_adding(const Histogram& group, uint32_t value);
  static GroupView after_removing(const Histogram& group, uint32_t value);  // requires that it is there
  // Counts in a row, ascending by value.
  static GroupView of(std::span<const ValueCount> counts);

  // How many people of the population the group's released values fit, for k-map and delta-presence. Whoever asks
  // counts them: of two groups as one it is not the sum where their boxes overlap.
  GroupView with_population(uint64_t people) const;

  uint64_t rows() const { return rows_; }
  uint64_t population() const { return population_; }
  size_t distinct() const;
  uint32_t count(uint32_t value) const;
  // The sum of logs.of(count). At once where the histogram keeps it, else by looking at all counts.
  int64_t log_sum(const CountLogs& logs) const;

  // Calls visit(value, count) for every value that occurs, ascending.
  template <class Visit>
  void each(Visit visit) const;

 private:
  enum class Second { none, group, row_more, row_less };
  GroupView() = default;
  std::span<const ValueCount> second_entries() const {
    return second_ == Second::none    ? std::span<const ValueCount>()
           : second_ == Second::group ? joined_
                                      : std::span(&row_, 1);
  }

  const Histogram* group_ = nullptr;  // null for of()
  std::span<const ValueCount> entries_;
  std::span<const ValueCount> joined_;
  Second second_ = Second::none;
  ValueCount row_;
  uint64_t rows_ = 0;
  uint64_t population_ = 0;
};

template <class Visit>
void GroupView::each(Visit visit) const {
  const std::span<const ValueCount> second = second_entries();
  size_t i = 0, j = 0;
  while (i < entries_.size() || j < second.size()) {
    const bool first_is_next = j == second.size() || (i < entries_.size() && entries_[i].value <= second[j].value);
    const uint32_t value = first_is_next ? entries_[i].value : second[j].value;
    uint32_t count = first_is_next ? entries_[i++].count : 0;
    if (j < second.size() && second[j].value == value) {
      if (second_ == Second::row_less) {
        count -= second[j++].count;
      } else {
        count += second[j++].count;
      }
    }
    if (count > 0) visit(value, count);
  }
}

}  // namespace shoal
