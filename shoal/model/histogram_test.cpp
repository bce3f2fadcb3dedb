#include "shoal/model/histogram.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace shoal {
namespace SHOAL_THIS_FILE {

using Counts = std::map<uint32_t, uint64_t>;

void expect_counts(const GroupView& view, const Counts& expected, const CountLogs& logs) {
  Counts seen;
  uint32_t before = 0;
  bool first = true;
  view.each([&](uint32_t value, uint32_t count) {
    EXPECT_TRUE(first || value > before);
    EXPECT_GT(count, 0U);
    first = false;
    before = value;
    seen[value] = count;
  });
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(view.distinct(), expected.size());
  uint64_t rows = 0;
  int64_t sum = 0;
  for (const auto& [value, count] : expected) {
    rows += count;
    sum += logs.of(count);
    EXPECT_EQ(view.count(value), count);
  }
  EXPECT_EQ(view.rows(), rows);
  EXPECT_EQ(view.log_sum(logs), sum);
}

void take(Counts& counts, uint32_t value, uint64_t times) {
  if ((counts[value] -= times) == 0) counts.erase(value);
}

// Random additions, removals, merges and their undoing, beside a map. Columns small enough for one entry per value,
// large enough for few, and groups that go from one form to the other and back.
TEST(Histogram, CountsAsAMapDoes) {
  std::mt19937_64 random(1);
  for (uint32_t values : {1U, 2U, 15U, 16U, 17U, 40U, 200U, 5'000U}) {
    const CountLogs logs(1'000'000);
    const HistogramShape shape{values, &logs};
    Histogram group(shape);
    Counts expected;
    for (int step = 0; step < 3'000; ++step) {
      const bool growing = step / 500 % 2 == 0;
      const auto value = static_cast<uint32_t>(random() % values);
      if (random() % 4 != 0 ? growing : !growing) {
        const auto times = static_cast<uint32_t>(1 + random() % 3);
        group.add(value, times);
        expected[value] += times;
      } else if (!expected.empty()) {
        auto at = expected.lower_bound(value);
        if (at == expected.end()) at = expected.begin();
        const uint32_t chosen = at->first;
        const auto times = static_cast<uint32_t>(1 + random() % at->second);
        group.remove(chosen, times);
        take(expected, chosen, times);
      }
      if (step % 37 == 0) expect_counts(group, expected, logs);
      if (step % 50 != 0) continue;
      Histogram other(shape);
      std::vector<uint32_t> rows(random() % (step % 300 == 0 ? 2'000 : 20));
      Counts both = expected, others;
      for (uint32_t& row : rows) {
        row = static_cast<uint32_t>(random() % values);
        ++both[row];
        ++others[row];
      }
      other.add_all(rows);
      expect_counts(other, others, logs);
      expect_counts(GroupView::united(group, other), both, logs);
      const Histogram before = group;
      group.merge(other);
      expect_counts(group, both, logs);
      group.subtract(other);
      expect_counts(group, expected, logs);
      EXPECT_TRUE(group == before);
      EXPECT_EQ(group == other, expected == others);
      expected[value] += 1;
      expect_counts(GroupView::after_adding(group, value), expected, logs);
      group.add(value);
      take(expected, value, 1);
      expect_counts(GroupView::after_removing(group, value), expected, logs);
      group.remove(value);
    }
  }
}

TEST(Histogram, OfItself) {
  const HistogramShape shape{100, nullptr};
  Histogram group(shape);
  group.add_all(std::vector<uint32_t>{5, 7, 5});
  group.merge(group);
  EXPECT_EQ(group.count(5), 4U);
  EXPECT_EQ(group.rows(), 6U);
  group.subtract(group);
  EXPECT_EQ(group.rows(), 0U);
  EXPECT_EQ(group.distinct(), 0U);
  EXPECT_TRUE(group == Histogram(shape));
}

TEST(Histogram, RefusesWhatCannotBe) {
  for (uint32_t values : {4U, 400U}) {
    const HistogramShape shape{values, nullptr};
    const HistogramShape wider{values + 1, nullptr};
    Histogram group(shape), other(shape);
    group.add(3, 2);
    other.add(3, 3);
    EXPECT_THROW(group.add(values), std::logic_error);
    EXPECT_THROW(group.add_all(std::vector<uint32_t>{0, values}), std::logic_error);
    EXPECT_THROW(group.remove(3, 3), std::logic_error);
    EXPECT_THROW(group.remove(2), std::logic_error);
    EXPECT_THROW(group.remove(values), std::logic_error);
    EXPECT_THROW(group.subtract(other), std::logic_error);
    EXPECT_THROW(group.merge(Histogram(wider)), std::logic_error);
    EXPECT_THROW(GroupView::after_removing(group, 1), std::logic_error);
    EXPECT_THROW(GroupView::after_adding(group, values), std::logic_error);
    EXPECT_EQ(group.count(3), 2U);  // untouched
    EXPECT_EQ(group.rows(), 2U);
    group.add(1, static_cast<uint32_t>(kMostRows - 2));
    EXPECT_THROW(group.add(0), std::logic_error);
    EXPECT_THROW(group.merge(other), std::logic_error);
    EXPECT_THROW(GroupView::united(group, other), std::logic_error);
    EXPECT_EQ(group.rows(), kMostRows);
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
