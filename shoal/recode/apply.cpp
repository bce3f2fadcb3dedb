#include "shoal/recode/apply.h"

#include <algorithm>
#include <thread>
#include <unordered_map>

#include "shoal/table/number.h"

namespace shoal {
namespace {

struct ReleasedHash {
  size_t operator()(const Released& released) const {
    const uint64_t key = (uint64_t{released.first} << 32 | released.last) * 0x9E3779B97F4A7C15ULL + released.node;
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

ReleasedColumn by_group(const Recoding& recoding, size_t position, size_t rows) {
  const size_t width = recoding.recoded_columns.size();
  std::vector<Released> distinct;
  const auto code_of = deduplicate(
      recoding.group_releases.size() / width,
      [&](size_t group) { return recoding.group_releases[group * width + position]; }, distinct);
  if (distinct.empty()) return {{}, Codes(rows, 1)};  // every row is dropped
  size_t next_dropped = 0;
  return released_column(std::move(distinct), code_of, rows, [&](size_t row) -> size_t {
    if (next_dropped < recoding.dropped_rows.size() && recoding.dropped_rows[next_dropped] == row) {
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

// The leaf of a numeric column with exactly this number.
std::optional<uint32_t> leaf_with_number(const Hierarchy& hierarchy, double number) {
  uint32_t low = 0, high = static_cast<uint32_t>(hierarchy.leaves() - (hierarchy.missing() ? 1 : 0));
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (hierarchy.number(middle) < number) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low >= hierarchy.leaves() || low == hierarchy.missing() || hierarchy.number(low) != number) return std::nullopt;
  return low;
}

}  // namespace

ReleasedTable apply(const Recoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies,
                    int threads) {
  ReleasedTable released;
  released.quasi.resize(table.quasi.size());
  released.dropped_rows = recoding.dropped_rows;
  auto release_column = [&](size_t j) {
    if (!recoding.value_map.empty()) {
      released.quasi[j] = by_value(table.quasi[j].codes, recoding.value_map[j]);
      return;
    }
    const auto& columns = recoding.recoded_columns;
    const auto found = std::lower_bound(columns.begin(), columns.end(), j);
    if (found == columns.end() || *found != j) {
      released.quasi[j] = as_it_is(table.quasi[j], hierarchies[j]);
    } else {
      const auto position = static_cast<size_t>(found - columns.begin());
      released.quasi[j] = by_group(recoding, position, table.rows);
      if (!recoding.means.empty()) released.quasi[j].means = recoding.means[position];
    }
  };
  std::vector<std::jthread> workers;
  const size_t count = std::clamp<size_t>(static_cast<size_t>(threads), 1, std::max<size_t>(table.quasi.size(), 1));
  for (size_t worker = 1; worker < count; ++worker) {
    workers.emplace_back([&, worker] {
      for (size_t j = worker; j < table.quasi.size(); j += count) release_column(j);
    });
  }
  for (size_t j = 0; j < table.quasi.size(); j += count) release_column(j);
  workers.clear();
  return released;
}

std::string released_text(const Released& released, const Column& column, const Hierarchy& hierarchy,
                          std::span<const std::string> means) {
  if (released.node == Hierarchy::kRoot) return "*";
  if (released.is_mean()) return means[released.node - Released::kFirstMean];
  if (released.first == released.last && released.node == hierarchy.leaf_node(released.first)) {
    return column.values[released.first];
  }
  if (released.node == Released::kRange) {
    return "[" + column.values[released.first] + "," + column.values[released.last] + "]";
  }
  return hierarchy.node(released.node).label;
}

std::optional<Released> parse_released(std::string_view text, const Column& column, const Hierarchy& hierarchy) {
  if (text == "*") return released_node(hierarchy, Hierarchy::kRoot);
  const auto value = std::find(column.values.begin(), column.values.end(), text);
  if (value != column.values.end()) {
    return released_leaf(hierarchy, static_cast<uint32_t>(value - column.values.begin()));
  }
  for (uint32_t node = 0; node < hierarchy.nodes(); ++node) {
    if (hierarchy.node(node).label == text) return released_node(hierarchy, node);
  }
  if (!hierarchy.numeric()) return std::nullopt;
  if (const auto number = parse_number(text)) {
    if (const auto leaf = leaf_with_number(hierarchy, *number)) return released_leaf(hierarchy, *leaf);
    return std::nullopt;
  }
  const auto range = parse_range(text);
  if (!range) return std::nullopt;
  const auto first = leaf_with_number(hierarchy, range->low), last = leaf_with_number(hierarchy, range->high);
  if (!first || !last || *first >= *last) return std::nullopt;
  return Released{*first, *last, Released::kRange};
}

}  // namespace shoal
