// Codes of several columns are packed into one number of 64 bits each, as many as fit; rows are sorted by the first
// number, runs of equal ones by the next, and so on: most tables need one.
#include "shoal/recode/content_order.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

namespace shoal {
namespace {

constexpr size_t kCheckEvery = 1 << 16;  // rows between two looks at whether to stop

// A column's part of a packed number.
struct PackedCodes {
  const Codes* codes;
  int bits;  // at most 32
};

// Numbers of up to 64 bits that columns are packed into, those of the first columns first.
std::vector<std::vector<PackedCodes>> packed(const std::vector<const Codes*>& columns) {
  std::vector<std::vector<PackedCodes>> words;
  int used = 0;
  for (const Codes* codes : columns) {
    const auto largest = codes->visit(
        [](auto all) { return all.empty() ? 0U : static_cast<uint32_t>(*std::max_element(all.begin(), all.end())); });
    const int bits = static_cast<int>(std::bit_width(largest));
    if (words.empty() || used + bits > 64) {
      words.emplace_back();
      used = 0;
    }
    used += bits;
    words.back().push_back({codes, bits});
  }
  return words;
}

// Rows in runs that are equal so far; rows of a run stand in input order.
class RowSorter {
 public:
  RowSorter(size_t rows, const Progress& progress) : rows_(rows), progress_(progress), starts_{0} {
    std::iota(rows_.begin(), rows_.end(), 0U);
    if (rows > 0) starts_.push_back(static_cast<uint32_t>(rows));
  }

  void by(const std::vector<const Codes*>& columns) {
    for (const std::vector<PackedCodes>& word : packed(columns)) {
      by_keys([&](std::vector<Keyed>& keys) {
        for (const PackedCodes& part : word) {
          part.codes->visit([&](auto codes) {
            for (Keyed& key : keys) key.first = key.first << part.bits | codes[key.second];
          });
        }
      });
    }
  }
  void by(std::span<const uint64_t> numbers) {
    by_keys([&](std::vector<Keyed>& keys) {
      for (Keyed& key : keys) key.first = numbers[key.second];
    });
  }

  const std::vector<uint32_t>& starts() const { return starts_; }
  std::vector<uint32_t> take_rows() { return std::move(rows_); }

 private:
  using Keyed = std::pair<uint64_t, uint32_t>;

  // Sorts every run by keys that `fill` gives, then by row, and parts runs where keys differ.
  void by_keys(const std::function<void(std::vector<Keyed>&)>& fill) {
    std::vector<uint32_t> starts{0};
    std::vector<Keyed> keys;
    for (size_t run = 0; run + 1 < starts_.size(); ++run) {
      const size_t first = starts_[run], last = starts_[run + 1];
      if (run % kCheckEvery == 0 || last - first >= kCheckEvery) progress_.check();
      if (last - first == 1) {
        starts.push_back(static_cast<uint32_t>(last));
        continue;
      }
      keys.clear();
      for (size_t i = first; i < last; ++i) keys.emplace_back(0, rows_[i]);
      fill(keys);
      std::sort(keys.begin(), keys.end());
      for (size_t i = first; i < last; ++i) {
        rows_[i] = keys[i - first].second;
        if (i + 1 == last || keys[i - first].first != keys[i - first + 1].first) {
          starts.push_back(static_cast<uint32_t>(i + 1));
        }
      }
    }
    starts_ = std::move(starts);
  }

  std::vector<uint32_t> rows_;
  const Progress& progress_;
  std::vector<uint32_t> starts_;
};

std::vector<uint32_t> by_all_contents(const Table& table, const Progress& progress) {
  std::vector<const Codes*> columns;
  for (const Column& column : table.quasi) columns.push_back(&column.codes);
  if (table.target) columns.push_back(&table.target->codes);
  for (const Column& column : table.sensitive) columns.push_back(&column.codes);
  if (table.person) columns.push_back(&table.person->codes);
  RowSorter sorter(table.rows, progress);
  sorter.by(columns);
  if (!table.rest.empty()) sorter.by(table.rest);
  return sorter.take_rows();
}

// values[place] = values[row_at[place]], or the other way round.
template <typename Values>
void move_values(Values values, const std::vector<uint32_t>& row_at, bool back) {
  std::vector<typename Values::value_type> moved(values.size());
  for (size_t place = 0; place < row_at.size(); ++place) {
    if (back) {
      moved[row_at[place]] = values[place];
    } else {
      moved[place] = values[row_at[place]];
    }
  }
  std::copy(moved.begin(), moved.end(), values.begin());
}

void move_rows(Table& table, const std::vector<uint32_t>& row_at, bool back) {
  const auto move = [&](Column& column) { column.codes.visit([&](auto codes) { move_values(codes, row_at, back); }); };
  for (Column& column : table.quasi) move(column);
  for (Column& column : table.sensitive) move(column);
  if (table.target) move(*table.target);
  if (table.person) move(*table.person);
  if (!table.rest.empty()) move_values(std::span(table.rest), row_at, back);
  if (!table.times.empty()) move_values(std::span(table.times), row_at, back);
}

}  // namespace

OrderedRows ordered_rows(const Table& table, const std::vector<size_t>& columns, const Progress& progress) {
  std::vector<const Codes*> first, further;
  for (size_t j : columns) first.push_back(&table.quasi[j].codes);
  for (size_t j = 0; j < table.quasi.size(); ++j) {
    if (std::find(columns.begin(), columns.end(), j) == columns.end()) further.push_back(&table.quasi[j].codes);
  }
  if (table.target) further.push_back(&table.target->codes);
  RowSorter sorter(table.rows, progress);
  sorter.by(first);
  OrderedRows order;
  order.starts = sorter.starts();
  sorter.by(further);
  if (!table.rest.empty()) sorter.by(table.rest);
  order.rows = sorter.take_rows();
  return order;
}

ContentOrder::ContentOrder(const Table& table, const Progress& progress) : row_at_(by_all_contents(table, progress)) {}

void ContentOrder::arrange(Table& table) const { move_rows(table, row_at_, false); }
void ContentOrder::restore(Table& table) const { move_rows(table, row_at_, true); }

void ContentOrder::restore(Recoding& recoding) const {
  for (uint32_t& row : recoding.dropped_rows) row = row_at_[row];
  std::sort(recoding.dropped_rows.begin(), recoding.dropped_rows.end());
  if (auto* groups = std::get_if<GroupRecoding>(&recoding.cells); groups && !groups->group_of_row.empty()) {
    move_values(std::span(groups->group_of_row), row_at_, true);
  }
}

}  // namespace shoal
