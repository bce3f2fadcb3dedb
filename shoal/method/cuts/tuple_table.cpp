// A state of a cut search is mostly a question of counting tuples, millions of times. Hence: keys packed into one word
// where they fit (nearly always), an index of open addressing whose memory is kept from state to state, and tables
// rolled up from the tuples of a finer state, of which there are never fewer.
#include "shoal/method/cuts/tuple_table.h"

#include <algorithm>
#include <bit>

#include "shoal/method/rules.h"
#include "shoal/table/groups.h"

namespace shoal {
namespace {

// Fingerprints as dense codes, so that they fit into a key.
std::pair<Codes, size_t> dense_codes(const std::vector<uint64_t>& fingerprints) {
  std::vector<uint64_t> distinct = fingerprints;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  Codes codes(fingerprints.size(), distinct.size());
  codes.visit([&](auto out) {
    using Code = typename decltype(out)::value_type;
    for (size_t row = 0; row < fingerprints.size(); ++row) {
      const auto found = std::lower_bound(distinct.begin(), distinct.end(), fingerprints[row]);
      out[row] = static_cast<Code>(found - distinct.begin());
    }
  });
  return {std::move(codes), distinct.size()};
}

}  // namespace

void KeyIndex::reset(size_t words, size_t expected) {
  words_ = words;
  size_ = 0;
  keys_.clear();
  const size_t wanted = std::bit_ceil(std::max<size_t>(2 * expected, 16));
  mask_ = wanted - 1;
  if (slots_.size() < wanted) {
    slots_.assign(wanted, kEmpty);
  } else {
    std::fill_n(slots_.begin(), wanted, kEmpty);
  }
}

TupleTable::TupleTable(const Problem& problem, const View& view) {
  const Table& table = problem.table;
  std::vector<GroupKey> group_keys;
  for (size_t column : view.columns) {
    group_keys.push_back({&table.quasi[column].codes, problem.hierarchies[column].leaves()});
  }
  std::pair<Codes, size_t> rest;
  if (view.rest) {
    rest = dense_codes(table.rest);
    group_keys.push_back({&rest.first, rest.second});
  }
  CountedTuples counted;
  if (view.counted) {
    counted = counted_tuples(problem);
    group_keys.push_back({&counted.codes, counted.size()});
  }
  const Tuples tuples = distinct_tuples(table.rows, group_keys, table.times);

  auto layout = std::make_shared<Layout>();
  layout->rest = view.rest;
  uint32_t used = 0;
  auto place = [&](size_t column, size_t codes) {
    const auto width = static_cast<uint32_t>(std::bit_width(std::max<size_t>(codes, 2) - 1));
    if (used + width > 64) {
      ++layout->words;
      used = 0;
    }
    const Field field{column, layout->words - 1, used, (uint64_t{1} << width) - 1};
    used += width;
    return field;
  };
  for (size_t column : view.columns) layout->fields.push_back(place(column, problem.hierarchies[column].nodes()));
  std::vector<Field> all = layout->fields;
  if (view.rest) all.push_back(place(table.quasi.size(), rest.second));  // part of the key, but nobody asks for it
  if (view.counted) {
    layout->counted = place(table.quasi.size(), counted.size());
    layout->row_of_counted = std::move(counted.row_of_tuple);
    all.push_back(*layout->counted);
  }

  keys_.assign(tuples.size() * layout->words, 0);
  for (size_t i = 0; i < all.size(); ++i) {
    const Field& field = all[i];
    const bool is_code = i >= layout->fields.size();
    for (size_t tuple = 0; tuple < tuples.size(); ++tuple) {
      const uint32_t code = tuples.columns[i][tuple];
      const uint64_t node = is_code ? code : problem.hierarchies[field.column].leaf_node(code);
      keys_[tuple * layout->words + field.word] |= node << field.shift;
    }
  }
  rows_ = tuples.counts;
  if (view.classes) {
    layout->classes = table.target->values.size();
    class_rows_.assign(tuples.size() * layout->classes, 0);
    table.target->codes.visit([&](auto codes) {
      for (size_t row = 0; row < codes.size(); ++row) {
        class_rows_[tuples.tuple_of_row[row] * layout->classes + codes[row]] += table.times_of(row);
      }
    });
  }
  layout_ = std::move(layout);
}

std::vector<TupleTable::Moved> TupleTable::moved_columns(const CutSpace& space, const Cut& cut) const {
  std::vector<Moved> moved;
  for (const Field& field : layout_->fields) {
    bool differs = false;
    for (uint32_t raise = space.first_raise(field.column); raise < space.first_raise(field.column + 1); ++raise) {
      differs = differs || cut.has(raise) != (!cut_.words.empty() && cut_.has(raise));
    }
    if (!differs) continue;
    moved.push_back({field, {}});
    space.release_map(cut, field.column, moved.back().map);
  }
  return moved;
}

TupleTable TupleTable::rolled(const CutSpace& space, const Cut& cut, KeyIndex& index) const {
  TupleTable result = rolled(moved_columns(space, cut), index);
  result.cut_ = cut;
  return result;
}

TupleTable TupleTable::rolled(const std::vector<NodeMap>& maps, KeyIndex& index) const {
  std::vector<Moved> moved;
  for (const Field& field : layout_->fields) {
    if (!maps[field.column].empty()) moved.push_back({field, maps[field.column]});
  }
  return rolled(moved, index);
}

TupleTable TupleTable::rolled(const std::vector<Moved>& moved, KeyIndex& index) const {
  const size_t words = layout_->words;
  index.reset(words, size());
  std::vector<uint32_t> id_of_tuple(size());
  auto raise_values = [&](uint64_t* key) {
    for (const auto& [field, map] : moved) {
      uint64_t& word = key[field.word];
      const uint64_t node = map[(word >> field.shift) & field.mask];
      word = (word & ~(field.mask << field.shift)) | (node << field.shift);
    }
  };
  if (words == 1) {  // nearly always, and much faster
    for (size_t tuple = 0; tuple < size(); ++tuple) {
      uint64_t key = keys_[tuple];
      raise_values(&key);
      id_of_tuple[tuple] = index.id(&key);
    }
  } else {
    std::vector<uint64_t> key(words);
    for (size_t tuple = 0; tuple < size(); ++tuple) {
      std::copy_n(keys_.data() + tuple * words, words, key.data());
      raise_values(key.data());
      id_of_tuple[tuple] = index.id(key.data());
    }
  }
  TupleTable result;
  result.layout_ = layout_;
  result.add_rows(*this, id_of_tuple, index.size());
  result.keys_ = index.take_keys();
  return result;
}

void TupleTable::add_rows(const TupleTable& from, const std::vector<uint32_t>& id_of_tuple, size_t ids) {
  rows_.assign(ids, 0);
  const size_t classes = layout_->classes;
  class_rows_.assign(ids * classes, 0);
  for (size_t tuple = 0; tuple < id_of_tuple.size(); ++tuple) {
    rows_[id_of_tuple[tuple]] += from.rows_[tuple];
    for (size_t c = 0; c < classes; ++c) {
      class_rows_[id_of_tuple[tuple] * classes + c] += from.class_rows_[tuple * classes + c];
    }
  }
}

std::vector<uint32_t> TupleTable::group_rows(const std::vector<size_t>& columns, KeyIndex& index) const {
  if (columns.size() == layout_->fields.size() && !layout_->rest && !layout_->counted) return rows_;
  index.reset(group_words(), size());
  std::vector<uint32_t> group_of_tuple = group_numbers(columns, index), group_rows(index.size(), 0);
  for (size_t tuple = 0; tuple < size(); ++tuple) group_rows[group_of_tuple[tuple]] += rows_[tuple];
  for (uint32_t& group : group_of_tuple) group = group_rows[group];
  return group_of_tuple;
}

std::vector<uint32_t> TupleTable::group_numbers(const std::vector<size_t>& columns, KeyIndex& index) const {
  const size_t words = group_words();
  std::vector<uint64_t> mask(words, 0), key(words);
  for (const Field& field : layout_->fields) {
    if (std::binary_search(columns.begin(), columns.end(), field.column)) mask[field.word] |= field.mask << field.shift;
  }
  std::vector<uint32_t> group_of_tuple(size());
  for (size_t tuple = 0; tuple < size(); ++tuple) {
    for (size_t word = 0; word < words; ++word) key[word] = keys_[tuple * layout_->words + word] & mask[word];
    group_of_tuple[tuple] = index.id(key.data());
  }
  return group_of_tuple;
}

std::vector<uint32_t> TupleTable::numbers_beside(const Field& field, KeyIndex& index) const {
  const size_t words = layout_->words;
  index.reset(words, size());
  std::vector<uint32_t> numbers(size());
  const uint64_t others = ~(field.mask << field.shift);
  if (words == 1) {
    for (size_t tuple = 0; tuple < size(); ++tuple) {
      const uint64_t key = keys_[tuple] & others;
      numbers[tuple] = index.id(&key);
    }
    return numbers;
  }
  std::vector<uint64_t> key(words);
  for (size_t tuple = 0; tuple < size(); ++tuple) {
    std::copy_n(keys_.data() + tuple * words, words, key.data());
    key[field.word] &= others;
    numbers[tuple] = index.id(key.data());
  }
  return numbers;
}

}  // namespace shoal
