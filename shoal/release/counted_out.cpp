// Counting everything out would hold every row again, which rows that stand for several are there to avoid.
#include "shoal/release/counted_out.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/recode/apply.h"
#include "shoal/recode/group_keys.h"
#include "shoal/run/seeded_random.h"
#include "shoal/table/dictionary.h"
#include "shoal/table/groups.h"

namespace shoal {
namespace {

constexpr uint64_t kLargeGroup = 10'000;  // rows; more of one group tell nothing more

// A number in [0,1) for each group that what it prints alone decides.
std::vector<double> draws_of_groups(const Groups& groups, const EncodedTable& original, const ReleasedTable& released) {
  std::vector<uint64_t> hashes(groups.sizes.size(), 0);
  std::vector<uint32_t> a_row(groups.sizes.size());
  for (uint32_t row = 0; row < groups.group_of_row.size(); ++row) {
    if (groups.group_of_row[row] != kNoGroup) a_row[groups.group_of_row[row]] = row;
  }
  for (size_t j = 0; j < released.quasi.size(); ++j) {
    const ReleasedColumn& column = released.quasi[j];
    std::vector<uint64_t> hash_of;
    for (const Released& value : column.values) {
      hash_of.push_back(
          hash_text(released_text(value, original.table.quasi[j], original.encoding.hierarchies[j], column.means)));
    }
    for (size_t group = 0; group < hashes.size(); ++group) {
      hashes[group] = SeededRandom(hashes[group] ^ hash_of[column.codes[a_row[group]]])();
    }
  }
  std::vector<double> draws;
  for (uint64_t hash : hashes) draws.push_back(SeededRandom(hash).unit());
  return draws;
}

}  // namespace

std::string findings_in_some_rows(uint64_t looked_at, uint64_t rows) {
  return fmt::format("findings were looked for in {} of the table's {} rows, in whole groups", looked_at, rows);
}

CountedOut counted_out(const EncodedTable& original, const ReleasedTable& released, uint64_t most) {
  const Table& table = original.table;
  CountedOut result;
  const auto add = [&](uint32_t row, uint64_t times) { result.rows.insert(result.rows.end(), times, row); };
  const uint64_t rows = table.input_rows();
  if (rows <= most) {
    for (uint32_t row = 0; row < table.rows; ++row) add(row, table.times_of(row));
    return result;
  }
  result.all = false;
  const Groups groups = group_rows(table.rows, released_keys(released), released.dropped_rows);
  const std::vector<uint32_t> totals = group_totals(groups, table.times);
  const std::vector<double> draws = draws_of_groups(groups, original, released);
  const uint64_t large = std::min(kLargeGroup, most);
  // A group of n rows is drawn with the chance by which about `most` rows are expected in all.
  const auto drawn = [&](size_t group) {
    const uint64_t looked_at = std::min<uint64_t>(totals[group], large);
    return draws[group] * double(rows) * double(looked_at) < double(most) * double(totals[group]);
  };
  // Where chance would have it that none is drawn, the one that came nearest is.
  const size_t nearest = static_cast<size_t>(std::min_element(draws.begin(), draws.end()) - draws.begin());
  for (uint32_t row = 0; row < table.rows; ++row) {
    const uint32_t group = groups.group_of_row[row];
    if (group == kNoGroup || (group != nearest && !drawn(group))) continue;
    const uint64_t times = table.times_of(row);
    add(row, totals[group] <= large ? times : std::max<uint64_t>(1, times * large / totals[group]));
  }
  return result;
}

RowsCountedOut::RowsCountedOut(const Job& job, TableSource& source, const EncodedTable& original,
                               const ReleasedTable& released, const CountedOut& rows, Progress& progress)
    : table_(source, rows.rows) {
  ReadTimings timings;
  EncodeSettings settings;
  settings.encoding = &original.encoding;
  original_ = encode_table(job, table_, settings, timings, progress);
  for (const ReleasedColumn& column : released.quasi) {
    ReleasedColumn& out = released_.quasi.emplace_back(
        ReleasedColumn{column.values, Codes(rows.rows.size(), column.values.size()), column.means});
    for (size_t i = 0; i < rows.rows.size(); ++i) out.codes.set(i, column.codes[rows.rows[i]]);
  }
  for (uint32_t i = 0; i < rows.rows.size(); ++i) {
    if (std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), rows.rows[i])) {
      released_.dropped_rows.push_back(i);
    }
  }
}

}  // namespace shoal
