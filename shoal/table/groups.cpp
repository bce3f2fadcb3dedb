#include "shoal/table/groups.h"

#include <algorithm>
#include <utility>

namespace shoal {
namespace {

uint64_t mix(uint64_t key) {
  key *= 0x9E3779B97F4A7C15ULL;
  return key ^ (key >> 32);
}

// Gives dense ids to 64-bit keys in order of first appearance. Open addressing, linear probing, at most half full.
class KeyIds {
 public:
  KeyIds() { resize(1024); }
  uint32_t id(uint64_t key) {
    size_t slot = mix(key) & mask_;
    while (slots_[slot].id != kNoGroup) {
      if (slots_[slot].key == key) return slots_[slot].id;
      slot = (slot + 1) & mask_;
    }
    slots_[slot] = {key, next_};
    if (2 * size_t{++next_} > mask_) grow();
    return next_ - 1;
  }
  uint32_t size() const { return next_; }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t id = kNoGroup;
  };
  void resize(size_t slots) {
    slots_.assign(slots, Slot{});
    mask_ = slots - 1;
  }
  void grow() {
    std::vector<Slot> old = std::move(slots_);
    resize(old.size() * 4);
    for (const Slot& entry : old) {
      if (entry.id == kNoGroup) continue;
      size_t slot = mix(entry.key) & mask_;
      while (slots_[slot].id != kNoGroup) slot = (slot + 1) & mask_;
      slots_[slot] = entry;
    }
  }
  std::vector<Slot> slots_;
  size_t mask_ = 0;
  uint32_t next_ = 0;
};

// Replaces keys by dense ids in order of first appearance; returns how many there are.
uint32_t make_dense(std::vector<uint64_t>& keys, size_t key_space) {
  if (key_space <= (size_t{1} << 22)) {
    std::vector<uint32_t> id_of_key(key_space, kNoGroup);
    uint32_t next = 0;
    for (uint64_t& key : keys) {
      uint32_t& id = id_of_key[key];
      if (id == kNoGroup) id = next++;
      key = id;
    }
    return next;
  }
  KeyIds ids;
  for (uint64_t& key : keys) key = ids.id(key);
  return ids.size();
}

}  // namespace

Groups group_rows(size_t rows, std::span<const GroupKey> keys, std::span<const uint32_t> without) {
  // Codes are packed into one 64-bit number per row (mixed radix); when it would overflow, what is packed so far is
  // first replaced by dense ids.
  std::vector<uint64_t> packed(rows, 0);
  size_t space = 1;
  for (const GroupKey& key : keys) {
    const size_t cardinality = std::max<size_t>(key.cardinality, 1);
    if (space > UINT64_MAX / cardinality) space = make_dense(packed, SIZE_MAX);
    key.codes->visit([&](auto codes) {
      for (size_t row = 0; row < rows; ++row) packed[row] = packed[row] * cardinality + codes[row];
    });
    space *= cardinality;
  }
  if (!without.empty()) {  // left-out rows must not open groups
    std::vector<bool> left_out(rows, false);
    for (uint32_t row : without) left_out[row] = true;
    std::vector<uint64_t> kept;
    kept.reserve(rows - without.size());
    for (size_t row = 0; row < rows; ++row) {
      if (!left_out[row]) kept.push_back(packed[row]);
    }
    Groups groups;
    groups.sizes.assign(make_dense(kept, space), 0);
    groups.group_of_row.assign(rows, kNoGroup);
    size_t next = 0;
    for (size_t row = 0; row < rows; ++row) {
      if (left_out[row]) continue;
      const auto id = static_cast<uint32_t>(kept[next++]);
      groups.group_of_row[row] = id;
      ++groups.sizes[id];
    }
    return groups;
  }
  Groups groups;
  groups.sizes.assign(make_dense(packed, space), 0);
  groups.group_of_row.resize(rows);
  for (size_t row = 0; row < rows; ++row) {
    const auto id = static_cast<uint32_t>(packed[row]);
    groups.group_of_row[row] = id;
    ++groups.sizes[id];
  }
  return groups;
}

Tuples distinct_tuples(size_t rows, std::span<const GroupKey> keys) {
  Groups groups = group_rows(rows, keys);
  Tuples tuples;
  tuples.counts = std::move(groups.sizes);
  tuples.tuple_of_row = std::move(groups.group_of_row);
  tuples.columns.resize(keys.size());
  for (size_t j = 0; j < keys.size(); ++j) {
    auto& column = tuples.columns[j];
    column.resize(tuples.size());
    keys[j].codes->visit([&](auto codes) {
      for (size_t row = 0; row < rows; ++row) column[tuples.tuple_of_row[row]] = codes[row];
    });
  }
  return tuples;
}

}  // namespace shoal
