#include "shoal/method/trees/kactus_release.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "shoal/table/decimal.h"
#include "shoal/table/dictionary.h"

namespace shoal::kactus {
namespace {

constexpr int kMostDecimals = 15;

// The numbers of a column's leaves, exactly; 0 for missing.
std::vector<Decimal> numbers_of(const Column& column, const Hierarchy& hierarchy) {
  std::vector<Decimal> numbers;
  for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
    const auto number = leaf == hierarchy.missing() ? std::nullopt : Decimal::parse(column.values[leaf]);
    numbers.push_back(number.value_or(Decimal()));
  }
  return numbers;
}

// How many decimals they need.
int decimals_of(std::span<const Decimal> numbers) {
  int64_t decimals = 0;
  for (const Decimal& number : numbers) decimals = std::max(decimals, -number.exponent());
  return static_cast<int>(std::min<int64_t>(decimals, kMostDecimals));
}

// The releases of one column.
class ColumnReleases {
 public:
  ColumnReleases(const Column& column, const Hierarchy& hierarchy, Numbers numbers)
      : column_(column),
        hierarchy_(hierarchy),
        numbers_(numbers),
        averaged_(hierarchy.numeric() && numbers == Numbers::mean),
        exact_(averaged_ ? numbers_of(column, hierarchy) : std::vector<Decimal>{}),
        decimals_(std::min(decimals_of(exact_) + 2, kMostDecimals)) {}

  Released of(const std::vector<uint32_t>& rows, const PathColumn& told) {
    if (!told.asked) return released_node(hierarchy_, Hierarchy::kRoot);
    uint32_t least = UINT32_MAX, greatest = 0;
    column_.codes.visit([&](auto codes) {
      for (uint32_t row : rows) {
        least = std::min<uint32_t>(least, codes[row]);
        greatest = std::max<uint32_t>(greatest, codes[row]);
      }
    });
    if (hierarchy_.numeric() && numbers_ == Numbers::path && greatest != hierarchy_.missing()) {
      least = told.first;
      greatest = std::min(told.last, last_number());
    }
    const Released released = released_interval(hierarchy_, least, greatest);
    if (!averaged_ || !released.is_range()) return released;
    return released_mean(least, greatest, means_.code(mean_of(rows)));
  }
  const std::vector<std::string>& means() const { return means_.texts(); }

 private:
  uint32_t last_number() const { return static_cast<uint32_t>(hierarchy_.leaves() - (hierarchy_.missing() ? 2 : 1)); }
  // Without rounding until the end: verification adds up the originals exactly, too.
  std::string mean_of(const std::vector<uint32_t>& rows) const {
    std::map<uint32_t, int64_t> times;  // rows of a group share few numbers
    for (uint32_t row : rows) ++times[column_.codes[row]];
    ExactSum total;
    for (const auto& [leaf, count] : times) total.add(exact_[leaf], count);
    return mean_text(total, rows.size(), decimals_);
  }

  const Column& column_;
  const Hierarchy& hierarchy_;
  const Numbers numbers_;
  const bool averaged_;
  const std::vector<Decimal> exact_;
  const int decimals_;
  Dictionary means_;
};

// What a row of a group shows: equal keys look alike, whatever ranges their means come from.
std::vector<uint32_t> visible(std::span<const Released> releases) {
  std::vector<uint32_t> key;
  for (const Released& released : releases) {
    key.push_back(static_cast<uint32_t>(released.kind));
    key.push_back(released.number);
    if (released.is_mean()) continue;
    key.push_back(released.first);
    key.push_back(released.last);
  }
  return key;
}

}  // namespace

void release(const Problem& problem, std::span<const Group> groups, std::span<const std::vector<PathColumn>> told,
             Numbers numbers, GroupRecoding& recoding) {
  const std::vector<size_t>& columns = recoding.recoded_columns;
  std::vector<ColumnReleases> column_releases;
  column_releases.reserve(columns.size());
  for (size_t j : columns) column_releases.emplace_back(problem.table.quasi[j], problem.hierarchies[j], numbers);
  recoding.group_of_row.assign(problem.table.rows, 0);
  std::map<std::vector<uint32_t>, uint32_t> group_of_key;
  std::vector<Released> releases(columns.size());
  for (size_t g = 0; g < groups.size(); ++g) {
    for (size_t i = 0; i < columns.size(); ++i) {
      releases[i] = column_releases[i].of(groups[g].rows, told[g][i]);
    }
    const auto [known, fresh] = group_of_key.emplace(visible(releases), static_cast<uint32_t>(recoding.groups()));
    for (uint32_t row : groups[g].rows) recoding.group_of_row[row] = known->second;
    if (fresh) {
      recoding.group_releases.insert(recoding.group_releases.end(), releases.begin(), releases.end());
      continue;
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      Released& merged = recoding.group_releases[known->second * columns.size() + i];
      merged.first = std::min(merged.first, releases[i].first);
      merged.last = std::max(merged.last, releases[i].last);
    }
  }
  for (const ColumnReleases& column : column_releases) recoding.means.push_back(column.means());
}

}  // namespace shoal::kactus
