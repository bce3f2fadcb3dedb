#include "shoal/recode/content_order.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

namespace shoal {
namespace {

// What a row is sorted by, as many columns as fit into 64 bits.
struct Key {
  uint64_t word = 0;
  uint32_t row = 0;
};

// Sorts rows that are equal so far by further columns, until every column was looked at.
class RowSorter {
 public:
  RowSorter(const Table& table, const Progress& progress) : table_(table), progress_(progress) {
    const auto add = [&](const Codes& codes) {
      const uint32_t largest = codes.visit([](auto all) {
        return all.empty() ? 0U : static_cast<uint32_t>(*std::max_element(all.begin(), all.end()));
      });
      const int bits = std::bit_width(largest);
      if (words_.empty() || bits_ + bits > 64) {
        words_.emplace_back();
        bits_ = 0;
      }
      words_.back().push_back({&codes, bits});
      bits_ += bits;
    };
    for (const Column& column : table.quasi) add(column.codes);
    if (table.target) add(table.target->codes);
    for (const Column& column : table.sensitive) add(column.codes);
    if (table.person) add(table.person->codes);
    if (words_.empty()) words_.emplace_back();
  }

  std::vector<uint32_t> sorted() {
    std::vector<uint32_t> rows(table_.rows);
    std::iota(rows.begin(), rows.end(), 0U);
    sort(rows, 0);
    return rows;
  }

 private:
  struct Part {
    const Codes* codes;
    int bits;
  };

  size_t count_words() const { return words_.size() + (table_.rest.empty() ? 0 : 1); }

  void sort(std::span<uint32_t> rows, size_t word) {
    progress_.check();
    std::vector<Key> keys(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) keys[i].row = rows[i];
    if (word < words_.size()) {
      for (const Part& part : words_[word]) {
        if (part.bits == 0) continue;
        part.codes->visit([&](auto codes) {
          for (Key& key : keys) key.word = (part.bits == 64 ? 0 : key.word << part.bits) | codes[key.row];
        });
      }
    } else {
      for (Key& key : keys) key.word = table_.rest[key.row];
    }
    std::sort(keys.begin(), keys.end(),
              [](const Key& a, const Key& b) { return a.word != b.word ? a.word < b.word : a.row < b.row; });
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = keys[i].row;
    if (word + 1 == count_words()) return;
    std::vector<std::pair<size_t, size_t>> ties;
    for (size_t begin = 0; begin < keys.size();) {
      size_t end = begin + 1;
      while (end < keys.size() && keys[end].word == keys[begin].word) ++end;
      if (end - begin > 1) ties.emplace_back(begin, end - begin);
      begin = end;
    }
    keys = {};
    for (const auto& [begin, size] : ties) sort(rows.subspan(begin, size), word + 1);
  }

  const Table& table_;
  const Progress& progress_;
  std::vector<std::vector<Part>> words_;
  int bits_ = 0;
};

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
  const auto move = [&](Column& column) {
    column.codes.visit([&](auto codes) { move_values(codes, row_at, back); });
  };
  for (Column& column : table.quasi) move(column);
  for (Column& column : table.sensitive) move(column);
  if (table.target) move(*table.target);
  if (table.person) move(*table.person);
  if (!table.rest.empty()) move_values(std::span(table.rest), row_at, back);
}

}  // namespace

ContentOrder::ContentOrder(const Table& table, const Progress& progress) : row_at_(RowSorter(table, progress).sorted()) {}

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
