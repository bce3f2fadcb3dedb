// The distinct tuples of a table over some lattice columns, sorted, with how often each occurs: where every count of
// the lattice methods starts.
//
// A tuple is one 32-bit id. Ids are built from the last column to the first: the id of columns i.. is made of column
// i's digit and the id of columns i+1.. ("the rest"), so that ids ascend with the digit first and a column can be
// peeled off in front. Where digit x rest does not fit 32 bits, the pairs that occur are numbered instead; a table of
// any width needs no wider ids. After the last column there may be a "tail": one more number per row that is never
// generalised (see LevelLoss): what a measure or the rules of requirements need of a row besides its columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "shoal/method/levels/lattice.h"
#include "shoal/table/table.h"

namespace shoal {

// One 32-bit number per row, 0 .. size-1.
struct Tail {
  std::vector<uint32_t> of_row;
  uint32_t size = 1;
  // [tail]: a row that has it. Set where rows with the same tail are the same to every rule, which Sweep then asks.
  std::shared_ptr<const std::vector<uint32_t>> row_with = nullptr;
};

// How ids of columns i.. fall apart into column i's digit and the rest.
class IdColumn {
 public:
  // Every pair is an id: digit * rests + rest. Requires digits * rests < 2^32.
  IdColumn(uint32_t digits, uint32_t rests);
  // Only the given pairs, ascending by digit, then rest, are ids: 0, 1, ...
  IdColumn(uint32_t digits, uint32_t rests, std::vector<uint32_t> digit_of, std::vector<uint32_t> rest_of);

  uint32_t digit(uint32_t id) const {
    if (!digit_of_.empty()) return digit_of_[id];
    return rests_ == 1 ? id : static_cast<uint32_t>((Wide{reciprocal_} * id) >> 64);
  }
  uint32_t rest(uint32_t id, uint32_t digit) const { return digit_of_.empty() ? id - digit * rests_ : rest_of_[id]; }
  // Calls f(i, rest of ids[i]) for all i. Requires that all ids have this digit.
  template <typename F>
  void each_rest(std::span<const uint32_t> ids, uint32_t digit, const F& f) const {
    if (digit_of_.empty()) {
      const uint32_t before = digit * rests_;
      for (size_t i = 0; i < ids.size(); ++i) f(i, ids[i] - before);
    } else {
      for (size_t i = 0; i < ids.size(); ++i) f(i, rest_of_[ids[i]]);
    }
  }
  uint32_t digits() const { return static_cast<uint32_t>(last_id_.size()); }
  // Rests are 0 .. rests()-1.
  uint32_t rests() const { return rests_; }
  // The last id whose digit is at most this one. Requires that there is one.
  uint32_t last_id(uint32_t digit) const { return last_id_[digit]; }

 private:
  __extension__ using Wide = unsigned __int128;
  uint32_t rests_;
  uint64_t reciprocal_;  // ceil(2^64 / rests): the high half of the product with any id is the exact quotient
  std::vector<uint32_t> last_id_;
  std::vector<uint32_t> digit_of_, rest_of_;
};

class LatticeTuples {
 public:
  // A column of the table: which lattice column, from which level its digits are.
  struct Position {
    size_t column = 0;
    int floor = 0;
  };

  // No rows, no columns.
  LatticeTuples() = default;
  // All rows at level 0. `tail` may be null. Cost: linear in rows (one radix sort).
  LatticeTuples(const Table& table, std::span<const LevelColumn> columns, const Tail* tail, int threads);

  // The same rows over fewer columns and/or from higher levels, with the same tail. Requires: unpack_digits(); each
  // position's column occurs in this table with a floor not above the asked one. Cost: linear in size().
  LatticeTuples project(std::span<const LevelColumn> columns, std::vector<Position> positions) const;

  // In the order in which columns are peeled off.
  std::span<const Position> positions() const { return positions_; }
  std::span<const IdColumn> id_columns() const { return id_columns_; }
  bool has_tail() const { return has_tail_; }
  // Tail::row_with; null where there is none.
  const std::vector<uint32_t>* row_with_tail() const { return row_with_tail_.get(); }
  size_t size() const { return ids_.size(); }
  uint64_t rows() const { return rows_; }
  // Ascending.
  std::span<const uint32_t> ids() const { return ids_; }
  std::span<const uint32_t> counts() const { return counts_; }

  // Makes project() possible; not needed otherwise, and not safe while other threads use the table.
  void unpack_digits();

 private:
  struct Items;
  void build(const Items& items, int threads);
  // Makes id_columns_ and returns the ids of all items, also where pairs have to be numbered.
  std::vector<uint32_t> wide_ids(const Items& items);

  std::vector<Position> positions_;
  std::vector<IdColumn> id_columns_;
  bool has_tail_ = false;
  uint32_t tail_size_ = 1;
  std::shared_ptr<const std::vector<uint32_t>> row_with_tail_;
  uint64_t rows_ = 0;
  std::vector<uint32_t> ids_, counts_;
  std::vector<Codes> digits_;    // [position], by tuple; empty until unpack_digits
  std::vector<uint32_t> tails_;  // by tuple, likewise
};

}  // namespace shoal
