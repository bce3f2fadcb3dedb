// The distinct released tuples of a state, with how many rows each has: what the cut searches count on.
//
// A tuple is one packed key (the node released in each column, a few bits each), so that raising values is a table
// lookup per key and grouping is one hash probe. A coarser state is rolled up from a finer one's tuples, never from
// rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "shoal/method/cuts/cut_space.h"
#include "shoal/method/method.h"

namespace shoal {

// Gives dense ids 0, 1, ... to keys of a fixed number of 64-bit words, in order of first appearance. Open addressing,
// at most half full. Not safe to share between threads.
class KeyIndex {
 public:
  // Forgets all keys; makes room for `expected` of them without growing.
  void reset(size_t words, size_t expected);
  // The key's id; a new one when it was not seen since reset(). Requires: at most `expected` distinct keys.
  uint32_t id(const uint64_t* key) {
    size_t slot = hash(key) & mask_;
    for (; slots_[slot] != kEmpty; slot = (slot + 1) & mask_) {
      if (same(keys_.data() + slots_[slot] * words_, key)) return slots_[slot];
    }
    keys_.insert(keys_.end(), key, key + words_);
    return slots_[slot] = size_++;
  }
  uint32_t size() const { return size_; }
  // The keys in order of id, words one after the other. Reset before further use.
  std::vector<uint64_t> take_keys() { return std::move(keys_); }

 private:
  static constexpr uint32_t kEmpty = UINT32_MAX;
  size_t hash(const uint64_t* key) const {
    uint64_t value = key[0] * 0x9E3779B97F4A7C15ULL;
    for (size_t word = 1; word < words_; ++word) value = ((value ^ (value >> 29)) + key[word]) * 0x9E3779B97F4A7C15ULL;
    return static_cast<size_t>(value ^ (value >> 32));
  }
  bool same(const uint64_t* a, const uint64_t* b) const {
    for (size_t word = 0; word < words_; ++word) {
      if (a[word] != b[word]) return false;
    }
    return true;
  }

  size_t words_ = 1, mask_ = 0;
  uint32_t size_ = 0;
  std::vector<uint32_t> slots_;
  std::vector<uint64_t> keys_;
};

class TupleTable {
 public:
  // Where a column's node stands in the key.
  struct Field {
    size_t column;
    size_t word;
    uint32_t shift;
    uint64_t mask;  // before shifting
  };
  // Which columns make a tuple (ascending), whether Table::rest counts as one more, whether classes are counted, and
  // whether what rules count is one more column: tuples of a group then differ in it.
  struct View {
    std::vector<size_t> columns;
    bool rest = false;
    bool classes = false;  // requires a target column
    bool counted = false;
    bool operator==(const View&) const = default;
  };

  // The tuples as they are in the input. Cost: linear in rows x columns.
  TupleTable(const Problem& problem, const View& view);
  // The same rows under a cut that raises at least what this table's cut raises. Cost: linear in tuples.
  TupleTable rolled(const CutSpace& space, const Cut& cut, KeyIndex& index) const;
  // The same rows with every node replaced by what its column's map has for it; `maps`: one per quasi column, empty
  // where nothing changes. For searches whose releases are no nodes: any node may stand for a release, as long as it is
  // the same one for all that is released alike. Cost: linear in tuples.
  using NodeMap = std::vector<Hierarchy::Node>;
  TupleTable rolled(const std::vector<NodeMap>& maps, KeyIndex& index) const;

  size_t size() const { return rows_.size(); }
  const std::vector<uint32_t>& rows() const { return rows_; }  // per tuple
  // Rows per class of a tuple; empty when the view has no classes.
  std::span<const uint32_t> class_rows(size_t tuple) const {
    return {class_rows_.data() + tuple * layout_->classes, layout_->classes};
  }
  size_t classes() const { return layout_->classes; }

  const std::vector<Field>& fields() const { return layout_->fields; }  // one per column of the view
  size_t words() const { return layout_->words; }
  const uint64_t* key(size_t tuple) const { return keys_.data() + tuple * layout_->words; }
  Hierarchy::Node node(size_t tuple, const Field& field) const {
    return static_cast<Hierarchy::Node>((key(tuple)[field.word] >> field.shift) & field.mask);
  }

  // A row of the table that every rule counts like those of the tuple. Requires a view with what rules count.
  uint32_t row_like(size_t tuple) const {
    const Field& field = *layout_->counted;
    return layout_->row_of_counted[(key(tuple)[field.word] >> field.shift) & field.mask];
  }

  // For every tuple: rows of the whole table that agree with it on `columns` (a subset of the view's).
  std::vector<uint32_t> group_rows(const std::vector<size_t>& columns, KeyIndex& index) const;
  // For every tuple: the number of its group on `columns`, by first appearance. Goes on with the groups that `index`
  // knows when it was filled by a table whose fields stand at the same places; `index` must be reset for
  // group_words() words.
  std::vector<uint32_t> group_numbers(const std::vector<size_t>& columns, KeyIndex& index) const;
  // For every tuple: a number 0, 1, ..., the same where everything but this field agrees; index.size() of them.
  std::vector<uint32_t> numbers_beside(const Field& field, KeyIndex& index) const;
  size_t group_words() const { return layout_->fields.empty() ? 1 : layout_->fields.back().word + 1; }

 private:
  struct Layout {
    std::vector<Field> fields;
    size_t words = 1;
    size_t classes = 0;
    bool rest = false;
    std::optional<Field> counted;
    std::vector<uint32_t> row_of_counted;
  };
  // A column in which the next cut raises something, and what it makes of each node there.
  struct Moved {
    Field field;
    std::vector<Hierarchy::Node> map;
  };
  TupleTable() = default;
  std::vector<Moved> moved_columns(const CutSpace& space, const Cut& cut) const;
  TupleTable rolled(const std::vector<Moved>& moved, KeyIndex& index) const;
  void add_rows(const TupleTable& from, const std::vector<uint32_t>& id_of_tuple, size_t ids);

  std::shared_ptr<const Layout> layout_;
  Cut cut_;  // empty: the input as it is
  std::vector<uint64_t> keys_;
  std::vector<uint32_t> rows_;
  std::vector<uint32_t> class_rows_;  // [tuple * classes + class]
};

}  // namespace shoal
