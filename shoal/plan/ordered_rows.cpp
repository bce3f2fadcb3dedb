// Codes of several columns are packed into one number of 64 bits each, as many as fit; rows are sorted by the first
// number, runs of equal ones by the next, and so on: most tables need one.
#include "shoal/plan/ordered_rows.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <span>
#include <utility>

namespace shoal {
namespace {

constexpr size_t kCheckEvery = 1 << 16;  // rows between two looks at whether to stop

struct CodedColumn {
  const Codes* codes;
  size_t cardinality;
};

int bits_of(const CodedColumn& column) {
  return static_cast<int>(std::bit_width(std::max<size_t>(column.cardinality, 1) - 1));
}

// Numbers of up to 64 bits that columns are packed into, those of the first columns first.
std::vector<std::vector<CodedColumn>> packed(std::span<const CodedColumn> columns) {
  std::vector<std::vector<CodedColumn>> words;
  int used = 0;
  for (const CodedColumn& column : columns) {
    const int bits = bits_of(column);
    if (words.empty() || used + bits > 64) {
      words.emplace_back();
      used = 0;
    }
    used += bits;
    words.back().push_back(column);
  }
  return words;
}

class Sorting {
 public:
  using Keyed = std::pair<uint64_t, uint32_t>;

  Sorting(size_t rows, const Progress& progress) : rows_(rows), progress_(progress), starts_{0} {
    for (size_t row = 0; row < rows; ++row) rows_[row] = static_cast<uint32_t>(row);
    if (rows > 0) starts_.push_back(static_cast<uint32_t>(rows));
  }

  void by(const std::vector<CodedColumn>& word) {
    by_keys([&](std::vector<Keyed>& keys) {
      for (const CodedColumn& column : word) {
        const int bits = bits_of(column);  // at most 32
        column.codes->visit([&](auto codes) {
          for (Keyed& key : keys) key.first = key.first << bits | codes[key.second];
        });
      }
    });
  }
  void by(std::span<const uint64_t> numbers) {
    by_keys([&](std::vector<Keyed>& keys) {
      for (Keyed& key : keys) key.first = numbers[key.second];
    });
  }

  const std::vector<uint32_t>& rows() const { return rows_; }
  const std::vector<uint32_t>& starts() const { return starts_; }

 private:
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

}  // namespace

OrderedRows ordered_rows(const Table& table, const std::vector<Hierarchy>& hierarchies,
                           const std::vector<size_t>& columns, const Progress& progress) {
  std::vector<CodedColumn> first, further;
  for (size_t j : columns) first.push_back({&table.quasi[j].codes, hierarchies[j].leaves()});
  for (size_t j = 0; j < table.quasi.size(); ++j) {
    if (std::find(columns.begin(), columns.end(), j) != columns.end()) continue;
    further.push_back({&table.quasi[j].codes, hierarchies[j].leaves()});
  }
  if (table.target) further.push_back({&table.target->codes, table.target->values.size()});
  Sorting sorting(table.rows, progress);
  for (const auto& word : packed(first)) sorting.by(word);
  OrderedRows order;
  order.starts = sorting.starts();
  for (const auto& word : packed(further)) sorting.by(word);
  if (!table.rest.empty()) sorting.by(table.rest);
  order.rows = sorting.rows();
  return order;
}

}  // namespace shoal
