#include "shoal/method/kactus_release.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "shoal/read/dictionary.h"

namespace shoal::kactus {
namespace {

constexpr int kMostDecimals = 15;

// How many decimals the numbers of a column need.
int decimals_of(const Hierarchy& hierarchy) {
  int decimals = 0;
  for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
    if (leaf == hierarchy.missing()) continue;
    auto needs_more = [&] {
      const double shifted = hierarchy.number(leaf) * std::pow(10, decimals);
      return std::abs(shifted - std::round(shifted)) > 1e-9 * std::max(1.0, std::abs(shifted));
    };
    while (decimals < kMostDecimals && needs_more()) ++decimals;
  }
  return decimals;
}

// The releases of one column.
class ColumnReleases {
 public:
  ColumnReleases(const Column& column, const Hierarchy& hierarchy, Numbers numbers)
      : column_(column),
        hierarchy_(hierarchy),
        numbers_(numbers),
        averaged_(hierarchy.numeric() && numbers == Numbers::mean),
        decimals_(averaged_ ? std::min(decimals_of(hierarchy) + 2, kMostDecimals) : 0) {}

  Released of(const std::vector<uint32_t>& rows, const PathColumn& told) {
    if (!told.asked) return released_node(hierarchy_, Hierarchy::kRoot);
    uint32_t least = UINT32_MAX, greatest = 0;
    double total = 0;
    column_.codes.visit([&](auto codes) {
      for (uint32_t row : rows) {
        least = std::min<uint32_t>(least, codes[row]);
        greatest = std::max<uint32_t>(greatest, codes[row]);
        if (averaged_) total += hierarchy_.number(codes[row]);
      }
    });
    if (hierarchy_.numeric() && numbers_ == Numbers::path && greatest != hierarchy_.missing()) {
      least = told.first;
      greatest = std::min(told.last, last_number());
    }
    Released released = released_interval(hierarchy_, least, greatest);
    if (averaged_ && released.node == Released::kRange) {
      released.node = Released::kFirstMean + means_.code(text(total / static_cast<double>(rows.size())));
    }
    return released;
  }
  const std::vector<std::string>& means() const { return means_.texts(); }

 private:
  uint32_t last_number() const { return static_cast<uint32_t>(hierarchy_.leaves() - (hierarchy_.missing() ? 2 : 1)); }
  std::string text(double mean) const {
    std::string text = fmt::format("{:.{}f}", mean, decimals_);
    if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-') text.erase(0, 1);
    return text;
  }

  const Column& column_;
  const Hierarchy& hierarchy_;
  const Numbers numbers_;
  const bool averaged_;
  const int decimals_;
  Dictionary means_;
};

// What a row of a group shows: equal keys look alike, whatever ranges their means come from.
std::vector<uint32_t> visible(std::span<const Released> releases) {
  std::vector<uint32_t> key;
  for (const Released& released : releases) {
    key.push_back(released.node);
    if (released.is_mean()) continue;
    key.push_back(released.first);
    key.push_back(released.last);
  }
  return key;
}

}  // namespace

void release(const Problem& problem, std::span<const Group> groups, std::span<const std::vector<PathColumn>> told,
             Numbers numbers, Recoding& recoding) {
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
    const auto [known, fresh] =
        group_of_key.emplace(visible(releases), static_cast<uint32_t>(recoding.group_releases.size() / columns.size()));
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
