// Finding "order": the rows stand as in the input, and that is sorted by a quasi column.
//
// In a table that ascends by a column a number is at least the lower end of every cell before it and at most the upper
// end of every cell after it. Where a table ascends with exceptions, only cells near by are used. Categories that stand
// together (sorted by name) are told by the nearest cells before and after that were released as they are.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "shoal/examine/finding_parts.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

constexpr size_t kNear = 50;
constexpr uint32_t kUntold = UINT32_MAX;

enum class Sorting { none, ascending, descending, together };

// How a column stands in the rows that are released. `exact`: without exceptions.
struct Found {
  Sorting sorting = Sorting::none;
  bool exact = false;
};

class OrderedColumn {
 public:
  OrderedColumn(const FindingContext& context, size_t quasi)
      : context_(context), column_(context.table.quasi[quasi]), quasi_(quasi) {
    for (uint32_t row = 0; row < context.table.rows; ++row) {
      if (context.is_released(row)) rows_.push_back(row);
    }
    if (context.released) {
      for (uint32_t row : rows_)
        covers_.push_back(context.released->quasi[quasi].values[context.released->quasi[quasi].codes[row]]);
    }
  }

  Found sorting() const {
    const std::vector<uint64_t> counts = value_counts();
    uint64_t up = 0, down = 0;
    for (size_t i = 1; i < rows_.size(); ++i) {
      up += leaf(i) > leaf(i - 1) ? 1 : 0;
      down += leaf(i) < leaf(i - 1) ? 1 : 0;
    }
    double expected = static_cast<double>(rows_.size());
    for (uint64_t count : counts) {
      expected -= static_cast<double>(count) * static_cast<double>(count) / static_cast<double>(rows_.size());
    }
    if (expected < 10) return {};  // hardly two values
    if (context_.hierarchies[quasi_].numeric()) {
      if (down * 50 <= up) return {Sorting::ascending, down == 0};
      if (up * 50 <= down) return {Sorting::descending, up == 0};
    }
    if (static_cast<double>(up + down) * 5 <= expected) return {Sorting::together, false};
    return {};
  }

  // For each released row the leaf that its place tells, or kUntold. Told rightly only: what would mislead does not
  // count.
  std::vector<uint32_t> told(Found found) const {
    if (found.sorting == Sorting::together) return told_by_neighbours();
    const bool descending = found.sorting == Sorting::descending;
    const size_t count = rows_.size();
    const auto at = [&](size_t i) { return descending ? count - 1 - i : i; };
    std::vector<uint32_t> low(count), high(count), result(count, kUntold);
    for (size_t i = 0; i < count; ++i) {
      low[i] = covers_[at(i)].first;
      high[i] = covers_[at(i)].last;
    }
    if (found.exact) {
      for (size_t i = 1; i < count; ++i) low[i] = std::max(low[i], low[i - 1]);
      for (size_t i = count - 1; i > 0; --i) high[i - 1] = std::min(high[i], high[i - 1]);
    } else {
      const std::vector<uint32_t> own_low = low, own_high = high;
      for (size_t i = 0; i < count; ++i) {
        for (size_t j = i - std::min(i, kNear); j < i; ++j) low[i] = std::max(low[i], own_low[j]);
        for (size_t j = i + 1; j < std::min(count, i + 1 + kNear); ++j) high[i] = std::min(high[i], own_high[j]);
      }
    }
    for (size_t i = 0; i < count; ++i) {
      if (low[i] == high[i] && low[i] == leaf(at(i))) result[at(i)] = low[i];
    }
    return result;
  }

  uint64_t exact_cells() const {
    return static_cast<uint64_t>(
        std::count_if(covers_.begin(), covers_.end(), [](const Released& cell) { return cell.first == cell.last; }));
  }

  // Rows that are unique when told leaves take the place of this column's cells.
  uint64_t unique_rows(const std::vector<uint32_t>& told) const {
    const size_t leaves = context_.hierarchies[quasi_].leaves(), cells = context_.released->quasi[quasi_].values.size();
    Codes codes(context_.table.rows, leaves + cells);
    for (size_t i = 0; i < rows_.size(); ++i) {
      const uint32_t cell = context_.released->quasi[quasi_].codes[rows_[i]];
      codes.set(rows_[i], told[i] != kUntold ? told[i] : static_cast<uint32_t>(leaves) + cell);
    }
    std::vector<GroupKey> keys;
    for (size_t j : context_.quasi) {
      const ReleasedColumn& other = context_.released->quasi[j];
      keys.push_back(j == quasi_ ? GroupKey{&codes, leaves + cells} : GroupKey{&other.codes, other.values.size()});
    }
    const Groups groups = group_rows(context_.table.rows, keys, context_.dropped());
    return static_cast<uint64_t>(std::count(groups.sizes.begin(), groups.sizes.end(), 1U));
  }

 private:
  uint32_t leaf(size_t i) const { return column_.codes[rows_[i]]; }

  std::vector<uint64_t> value_counts() const {
    std::vector<uint64_t> counts(column_.values.size(), 0);
    for (uint32_t row : rows_) ++counts[column_.codes[row]];
    return counts;
  }

  std::vector<uint32_t> told_by_neighbours() const {
    std::vector<uint32_t> before(rows_.size(), kUntold), result(rows_.size(), kUntold);
    for (size_t i = 0; i < rows_.size(); ++i) {
      before[i] = covers_[i].first == covers_[i].last ? covers_[i].first : i > 0 ? before[i - 1] : kUntold;
    }
    uint32_t after = kUntold;
    for (size_t i = rows_.size(); i-- > 0;) {
      if (covers_[i].first == covers_[i].last) after = covers_[i].first;
      if (before[i] == after && after == leaf(i)) result[i] = after;
    }
    return result;
  }

  const FindingContext& context_;
  const Column& column_;
  const size_t quasi_;
  std::vector<uint32_t> rows_;
  std::vector<Released> covers_;
};

}  // namespace

void find_order(const FindingContext& context, std::vector<Finding>& findings) {
  // The release's own order, which tells nothing that its cells do not; nor does the order of a table as it stands.
  if (context.examined.job.order == Order::released) return;
  for (size_t j = 0; j < context.table.quasi.size(); ++j) {
    const OrderedColumn column(context, j);
    const Found found = column.sorting();
    if (found.sorting == Sorting::none) continue;
    const std::string& name = context.table.quasi[j].name;
    const char* how = found.sorting == Sorting::together ? "equal values stand together"
                      : found.exact                      ? "rows are sorted by it"
                                                         : "rows are nearly sorted by it";
    if (!context.released) {
      findings.push_back({"order", {name}, how, "order: released (the default) hides it"});
      continue;
    }
    const std::vector<uint32_t> told = column.told(found);
    const auto exact =
        static_cast<uint64_t>(told.size()) - static_cast<uint64_t>(std::count(told.begin(), told.end(), kUntold));
    if (exact <= column.exact_cells()) continue;
    const uint64_t unique = column.unique_rows(told);
    findings.push_back({"order",
                        {name},
                        fmt::format("{}: their order tells {} of {} cells exactly ({} were released so), and {} "
                                    "unique then",
                                    how, number_text(exact), number_text(told.size()),
                                    number_text(column.exact_cells()), counted(unique, "row is", "rows are")),
                        "order: released",
                        true,
                        false,
                        {{"exact_cells", double(exact)},
                         {"exact_before", double(column.exact_cells())},
                         {"unique_rows", double(unique)}}});
  }
}

}  // namespace shoal
