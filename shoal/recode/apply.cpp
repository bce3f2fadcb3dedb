#include "shoal/recode/apply.h"

#include <algorithm>
#include <unordered_map>

#include "shoal/recode/ranges.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

struct ReleasedHash {
  size_t operator()(const Released& released) const {
    const uint64_t key = (uint64_t{released.first} << 32 | released.last) * 0x9E3779B97F4A7C15ULL +
                         (uint64_t{static_cast<uint32_t>(released.kind)} << 30 | released.number);
    return key ^ (key >> 29);
  }
};

// Turns a list of releases (by leaf, by group) into the distinct ones and an index into them for each entry.
std::vector<uint32_t> deduplicate(size_t count, const auto& release_at, std::vector<Released>& distinct) {
  std::unordered_map<Released, uint32_t, ReleasedHash> index;
  std::vector<uint32_t> codes(count);
  for (size_t i = 0; i < count; ++i) {
    const auto [entry, fresh] = index.emplace(release_at(i), static_cast<uint32_t>(distinct.size()));
    if (fresh) distinct.push_back(release_at(i));
    codes[i] = entry->second;
  }
  return codes;
}

// released code of row r = code_of[key(r)].
ReleasedColumn released_column(std::vector<Released> distinct, const std::vector<uint32_t>& code_of, size_t rows,
                               const auto& key_of_row) {
  ReleasedColumn column{std::move(distinct), {}};
  column.codes = Codes(rows, column.values.size());
  column.codes.visit([&](auto codes) {
    using Code = typename decltype(codes)::value_type;
    for (size_t row = 0; row < rows; ++row) codes[row] = static_cast<Code>(code_of[key_of_row(row)]);
  });
  return column;
}

ReleasedColumn by_value(const Codes& leaves, const std::vector<Released>& value_map) {
  std::vector<Released> distinct;
  const auto code_of = deduplicate(
      value_map.size(), [&](size_t leaf) { return value_map[leaf]; }, distinct);
  return leaves.visit([&](auto codes) {
    return released_column(std::move(distinct), code_of, codes.size(), [&](size_t row) { return codes[row]; });
  });
}

ReleasedColumn by_group(const GroupRecoding& recoding, const std::vector<uint32_t>& dropped_rows, size_t position,
                        size_t rows) {
  const size_t width = recoding.recoded_columns.size();
  std::vector<Released> distinct;
  const auto code_of = deduplicate(
      recoding.groups(), [&](size_t group) { return recoding.group_releases[group * width + position]; }, distinct);
  if (distinct.empty()) return {{}, Codes(rows, 1)};  // every row is dropped
  size_t next_dropped = 0;
  return released_column(std::move(distinct), code_of, rows, [&](size_t row) -> size_t {
    if (next_dropped < dropped_rows.size() && dropped_rows[next_dropped] == row) {
      ++next_dropped;
      return 0;  // means nothing, but must be a group
    }
    return recoding.group_of_row[row];
  });
}

ReleasedColumn as_it_is(const Column& column, const Hierarchy& hierarchy) {
  ReleasedColumn released;
  for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) released.values.push_back(released_leaf(hierarchy, leaf));
  released.codes = column.codes;
  return released;
}

}  // namespace

ReleasedTable apply(const Recoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies,
                    int threads) {
  ReleasedTable released;
  released.quasi.resize(table.quasi.size());
  released.dropped_rows = recoding.dropped_rows;
  auto release_column = [&](size_t j) {
    if (recoding.is_by_value()) {
      released.quasi[j] = by_value(table.quasi[j].codes, recoding.by_value().value_map[j]);
      return;
    }
    const GroupRecoding& groups = recoding.by_group();
    const auto& columns = groups.recoded_columns;
    const auto found = std::lower_bound(columns.begin(), columns.end(), j);
    if (found == columns.end() || *found != j) {
      released.quasi[j] = as_it_is(table.quasi[j], hierarchies[j]);
    } else {
      const auto position = static_cast<size_t>(found - columns.begin());
      released.quasi[j] = by_group(groups, recoding.dropped_rows, position, table.rows);
      if (!groups.means.empty()) released.quasi[j].means = groups.means[position];
    }
  };
  run_tasks(table.quasi.size(), threads, [&](size_t, size_t j) { release_column(j); });
  return released;
}

std::string released_text(const Released& released, const Column& column, const Hierarchy& hierarchy,
                          std::span<const std::string> means) {
  if (released.is_root()) return "*";
  if (released.is_mean()) return means[released.number];
  if (released.is_node(hierarchy.leaf_node(released.first))) return column.values[released.first];
  if (released.is_range()) {
    if (released.number == 0) return "[" + column.values[released.first] + "," + column.values[released.last] + "]";
    const DecimalRange ends = printed_ends(released, column.values);
    return "[" + ends.low.text() + "," + ends.high.text() + "]";
  }
  return hierarchy.node(released.number).label;
}

ReleasedCells::ReleasedCells(const Column& column, const Hierarchy& hierarchy) : hierarchy_(hierarchy) {
  by_text_.reserve(hierarchy.nodes());
  for (uint32_t leaf = 0; leaf < column.values.size(); ++leaf) {
    by_text_.try_emplace(column.values[leaf], hierarchy.leaf_node(leaf));
  }
  for (uint32_t node = 0; node < hierarchy.nodes(); ++node) by_text_.try_emplace(hierarchy.node(node).label, node);
  if (!hierarchy.numeric()) return;
  const size_t known = hierarchy.leaves() - (hierarchy.missing() ? 1 : 0);
  for (size_t leaf = 0; leaf < known; ++leaf) {
    numbers_.push_back(Decimal::parse(column.values[leaf]).value_or(Decimal()));
  }
  round_.emplace(hierarchy, column.values);
}

std::optional<Released> ReleasedCells::parse(std::string_view text) const {
  if (text == "*") return released_node(hierarchy_, Hierarchy::kRoot);
  if (const auto found = by_text_.find(text); found != by_text_.end()) return released_node(hierarchy_, found->second);
  if (!hierarchy_.numeric()) return std::nullopt;
  if (const auto number = Decimal::parse(text)) {
    if (const auto leaf = leaf_with(*number)) return released_leaf(hierarchy_, *leaf);
    return std::nullopt;
  }
  const auto range = parse_decimal_range(text);
  if (!range) return std::nullopt;
  const auto first = leaf_with(range->low), last = leaf_with(range->high);
  if (!first || !last) return round_->with_ends(range->low, range->high);
  if (*first >= *last) return std::nullopt;
  return released_range(*first, *last);
}

std::optional<uint32_t> ReleasedCells::leaf_with(const Decimal& number) const {
  const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), number);
  if (found == numbers_.end() || *found != number) return std::nullopt;
  return static_cast<uint32_t>(found - numbers_.begin());
}

}  // namespace shoal
