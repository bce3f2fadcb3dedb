#include "shoal/release/released_order.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "shoal/recode/apply.h"
#include "shoal/recode/group_keys.h"
#include "shoal/table/decimal.h"
#include "shoal/table/dictionary.h"
#include "shoal/table/groups.h"

namespace shoal {
namespace {

// Groups of rows whose recoded cells print alike, each with its place in the order of the release; kNoGroup for rows
// that are dropped.
struct PlacedGroups {
  std::vector<uint32_t> place_of_row;
  std::vector<uint32_t> rows_at;  // rows at each place
};

PlacedGroups place_groups(const Draft& draft) {
  const ReleasedTable& released = draft.released;
  Groups groups = group_rows(draft.original.table.rows, released_keys(released), released.dropped_rows);
  const size_t width = released.quasi.size();
  std::vector<uint32_t> places(groups.sizes.size() * width);  // [group * width + column]
  std::vector<uint32_t> a_row(groups.sizes.size());
  for (uint32_t row = 0; row < groups.group_of_row.size(); ++row) {
    if (groups.group_of_row[row] != kNoGroup) a_row[groups.group_of_row[row]] = row;
  }
  for (size_t j = 0; j < width; ++j) {
    std::vector<std::string> texts;
    for (const Released& value : released.quasi[j].values) {
      texts.push_back(released_text(value, draft.original.table.quasi[j], draft.original.encoding.hierarchies[j],
                                    released.quasi[j].means));
    }
    const std::vector<uint32_t> place = places_of(texts);
    released.quasi[j].codes.visit([&](auto codes) {
      for (size_t group = 0; group < a_row.size(); ++group) places[group * width + j] = place[codes[a_row[group]]];
    });
  }
  const auto tuple = [&](uint32_t group) { return std::span(places).subspan(group * width, width); };
  std::vector<uint32_t> order(groups.sizes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return std::ranges::lexicographical_compare(tuple(a), tuple(b)); });
  PlacedGroups placed;
  std::vector<uint32_t> place_of_group(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    // Different releases may print alike.
    if (i == 0 || !std::ranges::equal(tuple(order[i - 1]), tuple(order[i]))) placed.rows_at.push_back(0);
    place_of_group[order[i]] = static_cast<uint32_t>(placed.rows_at.size() - 1);
    placed.rows_at.back() += groups.sizes[order[i]];
  }
  placed.place_of_row = std::move(groups.group_of_row);
  for (uint32_t& place : placed.place_of_row) {
    if (place != kNoGroup) place = place_of_group[place];
  }
  return placed;
}

// One number per row for all released cells that are not recoded; empty when there are none.
std::vector<uint64_t> fingerprints(const Table& table) {
  std::vector<uint64_t> prints = table.rest;
  if (!table.target) return prints;
  prints.resize(table.rows, 0);
  std::vector<uint64_t> of_class;
  for (const std::string& text : table.target->values) of_class.push_back(hash_text(text));
  for (size_t row = 0; row < table.rows; ++row) {
    prints[row] = print_with_class(prints[row], of_class[table.target->codes[row]]);
  }
  return prints;
}

}  // namespace

std::vector<uint32_t> places_of(std::span<const std::string> texts) {
  struct Entry {
    std::optional<DecimalRange> numbers;
    uint32_t text;
  };
  std::vector<Entry> entries;
  for (uint32_t text = 0; text < texts.size(); ++text) {
    std::optional<DecimalRange> numbers = parse_decimal_range(texts[text]);
    if (const auto number = Decimal::parse(texts[text])) numbers = DecimalRange{*number, *number};
    entries.push_back({std::move(numbers), text});
  }
  std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    if (a.numbers.has_value() != b.numbers.has_value()) return a.numbers.has_value();
    if (a.numbers && a.numbers->low != b.numbers->low) return a.numbers->low < b.numbers->low;
    if (a.numbers && a.numbers->high != b.numbers->high) return a.numbers->high < b.numbers->high;
    return texts[a.text] < texts[b.text];
  });
  std::vector<uint32_t> places(texts.size());
  uint32_t place = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i > 0 && texts[entries[i].text] != texts[entries[i - 1].text]) ++place;
    places[entries[i].text] = place;
  }
  return places;
}

std::vector<uint32_t> row_of_release(const Draft& draft) {
  if (draft.job.order == Order::input) return draft.kept_rows();
  PlacedGroups placed = place_groups(draft);
  std::vector<uint32_t> next(placed.rows_at.size());
  std::exclusive_scan(placed.rows_at.begin(), placed.rows_at.end(), next.begin(), 0U);
  std::vector<uint32_t> rows(std::accumulate(placed.rows_at.begin(), placed.rows_at.end(), size_t{0}));
  for (uint32_t row = 0; row < placed.place_of_row.size(); ++row) {
    if (placed.place_of_row[row] != kNoGroup) rows[next[placed.place_of_row[row]]++] = row;
  }
  placed.place_of_row = {};
  const std::vector<uint64_t> prints = fingerprints(draft.original.table);
  if (prints.empty()) return rows;
  size_t begin = 0;
  for (uint32_t count : placed.rows_at) {
    std::sort(rows.begin() + static_cast<ptrdiff_t>(begin), rows.begin() + static_cast<ptrdiff_t>(begin + count),
              [&](uint32_t a, uint32_t b) { return prints[a] != prints[b] ? prints[a] < prints[b] : a < b; });
    begin += count;
  }
  return rows;
}

}  // namespace shoal
