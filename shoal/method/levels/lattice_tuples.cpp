// Sorting once is what makes all later steps passes over neighbours (see sweep.cpp). Rows become ids by peeling columns
// from the last to the first; the ids of a chunk of rows are sorted by a radix sort or counted directly when there are
// few, chunks are merged pairwise on all threads, and equal ids are counted on the way.
#include "shoal/method/levels/lattice_tuples.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr uint64_t kIdLimit = UINT32_MAX;   // ids stay below
constexpr size_t kChunk = size_t{1} << 18;  // items sorted together: their words fit a second-level cache

// Columns that split the rows most go first, so that groups become small, and can be given up, as early as possible
// (see Sweep); but a column with many levels has the work behind it done again for each of them.
void sort_positions(std::span<const LevelColumn> columns, std::vector<LatticeTuples::Position>& positions) {
  using Position = LatticeTuples::Position;
  auto rank = [&](const Position& position) {
    const LevelColumn& column = columns[position.column];
    return std::log2(double(column.values(position.floor))) / (column.height() - position.floor + 1);
  };
  std::stable_sort(positions.begin(), positions.end(),
                   [&](const Position& a, const Position& b) { return rank(a) > rank(b); });
}

// An id in the upper half, how often it occurs in the lower: sorting words sorts ids.
using Word = uint64_t;
uint32_t id_of(Word word) { return static_cast<uint32_t>(word >> 32); }

// Sorts by id, least significant bits first. Requires ids < 2^id_bits. `spare` is scratch of any size.
void sort_by_id(std::vector<Word>& words, int id_bits, std::vector<Word>& spare) {
  constexpr int kBits = 11;
  constexpr Word kMask = (Word{1} << kBits) - 1;
  spare.resize(words.size());
  for (int done = 0; done < id_bits; done += kBits) {
    const int shift = 32 + done;
    std::array<uint32_t, kMask + 1> next{};
    for (Word word : words) ++next[word >> shift & kMask];
    uint32_t before = 0;
    for (uint32_t& slot : next) before += std::exchange(slot, before);
    for (Word word : words) spare[next[word >> shift & kMask]++] = word;
    words.swap(spare);
  }
}

// Adds up the counts of equal ids that stand side by side.
void join_equal(std::vector<Word>& words) {
  size_t kept = 0;
  for (Word word : words) {
    if (kept > 0 && id_of(words[kept - 1]) == id_of(word)) {
      words[kept - 1] += word & UINT32_MAX;
    } else {
      words[kept++] = word;
    }
  }
  words.resize(kept);
}

// Numbers the keys that occur 0, 1, ... in ascending order. Returns the distinct keys; `number` gets one per key.
std::vector<uint64_t> number_keys(const std::vector<uint64_t>& keys, std::vector<uint32_t>& number) {
  std::vector<std::pair<uint64_t, uint32_t>> order(keys.size());
  for (uint32_t i = 0; i < keys.size(); ++i) order[i] = {keys[i], i};
  std::sort(order.begin(), order.end());
  std::vector<uint64_t> distinct;
  for (const auto& [key, item] : order) {
    if (distinct.empty() || distinct.back() != key) distinct.push_back(key);
    number[item] = static_cast<uint32_t>(distinct.size() - 1);
  }
  return distinct;
}

}  // namespace

IdColumn::IdColumn(uint32_t digits, uint32_t rests) : rests_(rests), reciprocal_(UINT64_MAX / rests + 1) {
  for (uint32_t digit = 0; digit < digits; ++digit) last_id_.push_back(digit * rests + (rests - 1));
}

IdColumn::IdColumn(uint32_t digits, uint32_t rests, std::vector<uint32_t> digit_of, std::vector<uint32_t> rest_of)
    : rests_(rests), reciprocal_(0), last_id_(digits, 0), digit_of_(std::move(digit_of)), rest_of_(std::move(rest_of)) {
  for (uint32_t id = 0; id < digit_of_.size(); ++id) last_id_[digit_of_[id]] = id;
  for (size_t digit = 1; digit < last_id_.size(); ++digit) {
    last_id_[digit] = std::max(last_id_[digit], last_id_[digit - 1]);  // a digit that does not occur
  }
}

// Rows, or tuples, that are to be grouped.
struct LatticeTuples::Items {
  struct Column {
    const Codes* codes = nullptr;
    std::vector<uint32_t> digit_of_code;
    uint32_t digits = 0;
  };
  size_t size = 0;
  std::vector<Column> columns;     // as positions_
  std::span<const uint32_t> tail;  // one per item, or empty
  uint32_t tail_size = 1;
  std::span<const uint32_t> counts;  // one per item, or empty: 1 each

  uint32_t count(size_t item) const { return counts.empty() ? 1 : counts[item]; }
};

namespace {

// How many different ids there can be; at least kIdLimit when they do not fit.
template <typename Items>
uint64_t id_space(const Items& items) {
  uint64_t space = items.tail_size;
  for (const auto& column : items.columns) space = std::min(space * column.digits, kIdLimit);
  return space;
}

// Ids of items begin .. begin + out.size() - 1, by digit * rests + rest all the way.
template <typename Items>
class Arithmetic {
 public:
  Arithmetic(const Items& items, std::span<const IdColumn> id_columns) : items_(items) {
    for (size_t i = 0; i < id_columns.size(); ++i) {
      addends_.push_back(items.columns[i].digit_of_code);
      for (uint32_t& addend : addends_.back()) addend *= id_columns[i].rests();
    }
  }
  void fill(size_t begin, std::span<uint32_t> out) const {
    for (size_t i = 0; i < out.size(); ++i) out[i] = items_.tail.empty() ? 0 : items_.tail[begin + i];
    for (size_t column = 0; column < addends_.size(); ++column) {
      const uint32_t* addends = addends_[column].data();
      items_.columns[column].codes->visit([&](auto codes) {
        for (size_t i = 0; i < out.size(); ++i) out[i] += addends[codes[begin + i]];
      });
    }
  }

 private:
  const Items& items_;
  std::vector<std::vector<uint32_t>> addends_;  // [column][code]
};

// Grouping with one counter per possible id.
template <typename Items, typename Fill>
void group_dense(const Items& items, uint64_t space, const Fill& fill, std::vector<uint32_t>& ids,
                 std::vector<uint32_t>& counts) {
  std::vector<uint32_t> counters(space, 0);
  std::array<uint32_t, 2048> buffer;
  for (size_t begin = 0; begin < items.size; begin += buffer.size()) {
    const std::span<uint32_t> out(buffer.data(), std::min(buffer.size(), items.size - begin));
    fill(begin, out);
    for (size_t i = 0; i < out.size(); ++i) counters[out[i]] += items.count(begin + i);
  }
  for (uint32_t id = 0; id < counters.size(); ++id) {
    if (counters[id] == 0) continue;
    ids.push_back(id);
    counts.push_back(counters[id]);
  }
}

// Grouping by sorting chunks and merging them.
template <typename Items, typename Fill>
void group_sorted(const Items& items, uint64_t space, int threads, const Fill& fill, std::vector<uint32_t>& ids,
                  std::vector<uint32_t>& counts) {
  std::vector<std::vector<Word>> runs((items.size + kChunk - 1) / kChunk);
  run_tasks(runs.size(), threads, [&](size_t, size_t task) {
    const size_t begin = task * kChunk, size = std::min(kChunk, items.size - begin);
    std::vector<uint32_t> chunk(size);
    fill(begin, chunk);
    std::vector<Word>& words = runs[task];
    words.resize(size);
    for (size_t i = 0; i < size; ++i) words[i] = Word{chunk[i]} << 32 | items.count(begin + i);
    std::vector<Word> spare;
    sort_by_id(words, static_cast<int>(std::bit_width(space - 1)), spare);
    join_equal(words);
  });
  while (runs.size() > 1) {
    std::vector<std::vector<Word>> merged((runs.size() + 1) / 2);
    run_tasks(merged.size(), threads, [&](size_t, size_t task) {
      merged[task] = std::move(runs[2 * task]);
      if (2 * task + 1 == runs.size()) return;
      const std::vector<Word> a = std::move(merged[task]), b = std::move(runs[2 * task + 1]);
      merged[task].resize(a.size() + b.size());
      std::merge(a.begin(), a.end(), b.begin(), b.end(), merged[task].begin());
      join_equal(merged[task]);
    });
    runs = std::move(merged);
  }
  if (runs.empty()) return;
  for (Word word : runs.front()) {
    ids.push_back(id_of(word));
    counts.push_back(static_cast<uint32_t>(word));
  }
}

}  // namespace

LatticeTuples::LatticeTuples(const Table& table, std::span<const LevelColumn> columns, const Tail* tail, int threads) {
  for (size_t column = 0; column < columns.size(); ++column) positions_.push_back({column, 0});
  sort_positions(columns, positions_);
  rows_ = table.input_rows();
  has_tail_ = tail != nullptr;
  Items items;
  items.size = table.rows;
  items.counts = table.times;
  for (const Position& position : positions_) {
    const LevelColumn& column = columns[position.column];
    items.columns.push_back({&table.quasi[column.quasi].codes, column.digit_of_leaf, column.values(0)});
  }
  if (tail) {
    items.tail = tail->of_row;
    items.tail_size = tail_size_ = tail->size;
    row_with_tail_ = tail->row_with;
  }
  build(items, threads);
}

LatticeTuples LatticeTuples::project(std::span<const LevelColumn> columns, std::vector<Position> positions) const {
  sort_positions(columns, positions);
  LatticeTuples projected;
  projected.positions_ = std::move(positions);
  projected.rows_ = rows_;
  projected.has_tail_ = has_tail_;
  projected.tail_size_ = tail_size_;
  projected.row_with_tail_ = row_with_tail_;
  Items items;
  items.size = size();
  items.counts = counts_;
  items.tail = tails_;
  items.tail_size = tail_size_;
  for (const Position& wanted : projected.positions_) {
    const auto here = std::find_if(positions_.begin(), positions_.end(),
                                   [&](const Position& position) { return position.column == wanted.column; });
    const LevelColumn& column = columns[wanted.column];
    items.columns.push_back({&digits_[static_cast<size_t>(here - positions_.begin())],
                             column.raise(here->floor, wanted.floor), column.values(wanted.floor)});
  }
  projected.build(items, 1);
  return projected;
}

void LatticeTuples::build(const Items& items, int threads) {
  const uint64_t space = id_space(items);
  if (space >= kIdLimit) {
    const std::vector<uint32_t> wide = wide_ids(items);
    auto fill = [&](size_t begin, std::span<uint32_t> out) {
      std::copy_n(wide.begin() + static_cast<std::ptrdiff_t>(begin), out.size(), out.begin());
    };
    group_sorted(items, kIdLimit, threads, fill, ids_, counts_);
    return;
  }
  uint32_t rests = items.tail_size;
  for (size_t i = items.columns.size(); i-- > 0;) {
    id_columns_.insert(id_columns_.begin(), IdColumn(items.columns[i].digits, rests));
    rests *= items.columns[i].digits;
  }
  const Arithmetic arithmetic(items, id_columns_);
  auto fill = [&](size_t begin, std::span<uint32_t> out) { arithmetic.fill(begin, out); };
  if (space <= 1024 + 4 * uint64_t{items.size}) {
    group_dense(items, space, fill, ids_, counts_);
  } else {
    group_sorted(items, space, threads, fill, ids_, counts_);
  }
}

std::vector<uint32_t> LatticeTuples::wide_ids(const Items& items) {
  std::vector<uint32_t> ids(items.size, 0);
  if (!items.tail.empty()) ids.assign(items.tail.begin(), items.tail.end());
  uint64_t rests = items.tail_size;
  std::vector<uint64_t> keys(items.size);
  for (size_t i = items.columns.size(); i-- > 0;) {
    const Items::Column& column = items.columns[i];
    column.codes->visit([&](auto codes) {
      for (size_t item = 0; item < items.size; ++item) {
        keys[item] = column.digit_of_code[codes[item]] * rests + ids[item];
      }
    });
    if (rests * column.digits < kIdLimit) {
      for (size_t item = 0; item < items.size; ++item) ids[item] = static_cast<uint32_t>(keys[item]);
      id_columns_.insert(id_columns_.begin(), IdColumn(column.digits, static_cast<uint32_t>(rests)));
      rests *= column.digits;
      continue;
    }
    const std::vector<uint64_t> distinct = number_keys(keys, ids);
    std::vector<uint32_t> digit_of, rest_of;
    for (uint64_t key : distinct) {
      digit_of.push_back(static_cast<uint32_t>(key / rests));
      rest_of.push_back(static_cast<uint32_t>(key % rests));
    }
    id_columns_.insert(id_columns_.begin(),
                       IdColumn(column.digits, static_cast<uint32_t>(rests), std::move(digit_of), std::move(rest_of)));
    rests = distinct.size();
  }
  return ids;
}

void LatticeTuples::unpack_digits() {
  if (!digits_.empty()) return;
  std::vector<uint32_t> rests(ids_);
  for (size_t i = 0; i < positions_.size(); ++i) {
    const IdColumn& column = id_columns_[i];
    digits_.emplace_back(size(), column.digits());
    digits_.back().visit([&](auto codes) {
      using Code = typename decltype(codes)::value_type;
      for (size_t tuple = 0; tuple < rests.size(); ++tuple) {
        const uint32_t digit = column.digit(rests[tuple]);
        codes[tuple] = static_cast<Code>(digit);
        rests[tuple] = column.rest(rests[tuple], digit);
      }
    });
  }
  if (has_tail_) tails_ = std::move(rests);  // what is left of an id
}

}  // namespace shoal
