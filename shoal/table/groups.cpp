#include "shoal/table/groups.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace shoal {
namespace {

// What the rows are told apart by: the codes of as many columns as fit into three words.
struct Key {
  uint32_t words[3] = {0, 0, 0};
  bool operator==(const Key&) const = default;
};

// Both tables below give dense ids to keys in order of first appearance and count how often each came.

// For keys whose first word is all there is, and a small index.
class DirectIds {
 public:
  explicit DirectIds(size_t space) : id_of_word_(space, kNoGroup) {}
  static uint32_t tag(const Key& key) { return key.words[0]; }
  void prefetch(uint32_t tag) const { __builtin_prefetch(id_of_word_.data() + tag); }
  uint32_t id(const Key&, uint32_t tag) {
    uint32_t& id = id_of_word_[tag];
    if (id == kNoGroup) {
      id = static_cast<uint32_t>(sizes_.size());
      sizes_.push_back(0);
    }
    ++sizes_[id];
    return id;
  }
  std::vector<uint32_t> sizes() && { return std::move(sizes_); }

 private:
  std::vector<uint32_t> id_of_word_;
  std::vector<uint32_t> sizes_;
};

// Open addressing, linear probing. Slots hold 8 bytes only, part of the hash and where the key is in a list that grows
// with the groups: with many groups, fresh memory costs more than anything else.
class HashedIds {
 public:
  HashedIds() : slots_(1024) {}
  // The top bits of products with odd constants: every bit of the key reaches them.
  static uint32_t tag(const Key& key) {
    const uint64_t low = key.words[0] | (uint64_t{key.words[1]} << 32);
    return static_cast<uint32_t>(((low ^ (key.words[2] * 0xD6E8FEB86659FD93ULL)) * 0x9E3779B97F4A7C15ULL) >> 32);
  }
  void prefetch(uint32_t tag) const { __builtin_prefetch(&slots_[home(tag)]); }
  uint32_t id(const Key& key, uint32_t own) {
    ++asked_;
    size_t at = home(own);
    while (slots_[at].id != kNoGroup) {
      if (slots_[at].tag == own) {
        Entry& entry = entries_[slots_[at].id];
        if (entry.key == key) {
          ++entry.size;
          return slots_[at].id;
        }
      }
      at = (at + 1) & (slots_.size() - 1);
    }
    const auto id = static_cast<uint32_t>(entries_.size());
    slots_[at] = {own, id};
    entries_.push_back({key, 1});
    if (entries_.size() > room_) grow();
    return id;
  }
  size_t count() const { return entries_.size(); }
  std::vector<uint32_t> sizes() && {
    std::vector<uint32_t> sizes;
    sizes.reserve(entries_.size());
    for (const Entry& entry : entries_) sizes.push_back(entry.size);
    return sizes;
  }

 private:
  struct Slot {
    uint32_t tag = 0;
    uint32_t id = kNoGroup;
  };
  struct Entry {
    Key key;
    uint32_t size;
  };
  size_t home(uint32_t tag) const { return tag >> shift_; }
  // While the slots fit into the cache they are at most a quarter full: a second probe costs a mispredicted branch.
  // Later half full, to spare memory, and growing faster while nearly every key is new: then many more will come.
  // Slots lie in the order of their tags, so that both lists are walked straight.
  void grow() {
    const bool small = slots_.size() < (size_t{1} << 18);
    const bool mostly_new = 8 * (entries_.size() - entries_before_) > 7 * asked_;
    entries_before_ = entries_.size();
    asked_ = 0;
    const size_t factor = small ? 4 : mostly_new ? 8 : 2;
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * factor));
    shift_ = 32 - std::countr_zero(slots_.size());
    room_ = slots_.size() / (small ? 4 : 2);
    if (mostly_new) entries_.reserve(room_ + 1);
    for (const Slot& slot : old) {
      if (slot.id == kNoGroup) continue;
      size_t at = home(slot.tag);
      while (slots_[at].id != kNoGroup) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }
  std::vector<Slot> slots_;
  int shift_ = 22;     // 32 - log2 of the number of slots
  size_t room_ = 256;  // entries before the slots must grow
  std::vector<Entry> entries_;
  size_t asked_ = 0, entries_before_ = 0;  // keys asked for since the slots last grew, entries at that time
};

// The columns that one pass over the rows takes in: each goes into the first word that has bits enough left. When the
// words are full, the ids of this pass become the first word of the next.
struct Pass {
  struct Part {
    const Codes* codes;
    int bits;
    size_t word;
  };
  std::vector<Part> parts;
  int bits[3] = {0, 0, 0};  // used of each word
};

Pass next_pass(std::span<const GroupKey>& keys, bool first_word_taken) {
  Pass pass;
  if (first_word_taken) pass.bits[0] = 32;
  for (; !keys.empty(); keys = keys.subspan(1)) {
    const int bits = std::min(32, static_cast<int>(std::bit_width(std::max<size_t>(keys.front().cardinality, 1) - 1)));
    size_t word = 0;
    while (word < 3 && pass.bits[word] + bits > 32) ++word;
    if (word == 3) break;
    pass.bits[word] += bits;
    if (bits > 0) pass.parts.push_back({keys.front().codes, bits, word});
  }
  return pass;
}

// Rows are taken in blocks whose keys stay in the first-level cache.
constexpr size_t kBlock = 1024;
constexpr size_t kPrefetchDistance = 16;  // rows

using Block = std::array<std::array<uint32_t, kBlock>, 3>;

void pack(const Pass::Part& part, size_t begin, size_t count, std::array<uint32_t, kBlock>& word) {
  part.codes->visit([&](auto codes) {
    const auto* code = codes.data() + begin;
    if (part.bits == 32) {  // the only one in its word, and no number may be shifted by all its bits
      for (size_t i = 0; i < count; ++i) word[i] = code[i];
    } else {
      for (size_t i = 0; i < count; ++i) word[i] = (word[i] << part.bits) | code[i];
    }
  });
}

// Replaces group_of_row (the ids of the pass before, if any) by the ids of this pass; rows left out get kNoGroup.
template <typename Ids>
void number_rows(const Pass& pass, bool first_word_taken, std::span<const uint32_t> without,
                 std::vector<uint32_t>& group_of_row, Ids& ids) {
  Block block;
  std::array<uint32_t, kBlock> tags;
  auto key = [&](size_t i) { return Key{{block[0][i], block[1][i], block[2][i]}}; };
  const size_t rows = group_of_row.size();
  auto next_without = without.begin();
  for (size_t begin = 0; begin < rows; begin += kBlock) {
    const size_t count = std::min(kBlock, rows - begin);
    uint32_t* const group = group_of_row.data() + begin;
    for (auto& word : block) word.fill(0);
    if (first_word_taken) std::copy_n(group, count, block[0].data());
    for (const Pass::Part& part : pass.parts) pack(part, begin, count, block[part.word]);
    for (size_t i = 0; i < count; ++i) tags[i] = Ids::tag(key(i));
    for (size_t i = 0; i < count;) {
      const bool more = next_without != without.end() && *next_without < begin + count;
      const size_t stop = more ? *next_without - begin : count;
      for (; i < stop; ++i) {
        ids.prefetch(tags[std::min(i + kPrefetchDistance, count - 1)]);
        group[i] = ids.id(key(i), tags[i]);
      }
      if (more) {
        group[i++] = kNoGroup;
        ++next_without;
      }
    }
  }
}

}  // namespace

Groups group_rows(size_t rows, std::span<const GroupKey> keys, std::span<const uint32_t> without) {
  Groups groups;
  groups.group_of_row.resize(rows);
  bool first_word_taken = false;
  do {
    const Pass pass = next_pass(keys, first_word_taken);
    // Clearing an index much larger than the rows would cost more than hashing them.
    const size_t largest_index = std::clamp<size_t>(8 * rows, 1024, size_t{1} << 24);
    const size_t space = size_t{1} << pass.bits[0];
    if (pass.bits[1] == 0 && space <= largest_index) {
      DirectIds ids(space);
      number_rows(pass, first_word_taken, without, groups.group_of_row, ids);
      groups.sizes = std::move(ids).sizes();
    } else {
      HashedIds ids;
      number_rows(pass, first_word_taken, without, groups.group_of_row, ids);
      groups.sizes = std::move(ids).sizes();
    }
    first_word_taken = true;
  } while (!keys.empty());
  return groups;
}

size_t count_pairs(const Groups& groups, std::span<const uint64_t> fingerprints) {
  constexpr size_t kSmall = 32;  // up to here sorting a group is faster than hashing its rows
  std::vector<uint64_t> sorted = sorted_by_group<uint64_t>(groups, fingerprints);
  size_t pairs = 0;
  HashedIds ids;
  auto begin = sorted.begin();
  for (uint32_t group = 0; group < groups.sizes.size(); ++group) {
    const auto end = begin + groups.sizes[group];
    if (groups.sizes[group] <= kSmall) {
      std::sort(begin, end);
      pairs += static_cast<size_t>(std::unique(begin, end) - begin);
    } else {
      auto key = [group](uint64_t fingerprint) {
        return Key{{static_cast<uint32_t>(fingerprint), static_cast<uint32_t>(fingerprint >> 32), group}};
      };
      for (auto at = begin; at != end; ++at) {
        ids.prefetch(HashedIds::tag(key(at[std::min<ptrdiff_t>(kPrefetchDistance, end - at - 1)])));
        ids.id(key(*at), HashedIds::tag(key(*at)));
      }
    }
    begin = end;
  }
  return pairs + ids.count();
}

std::vector<uint32_t> group_totals(const Groups& groups, std::span<const uint32_t> times) {
  if (times.empty()) return groups.sizes;
  std::vector<uint32_t> totals(groups.sizes.size(), 0);
  for (size_t row = 0; row < groups.group_of_row.size(); ++row) {
    if (groups.group_of_row[row] != kNoGroup) totals[groups.group_of_row[row]] += times[row];
  }
  return totals;
}

Tuples distinct_tuples(size_t rows, std::span<const GroupKey> keys, std::span<const uint32_t> times) {
  Groups groups = group_rows(rows, keys);
  Tuples tuples;
  tuples.counts = group_totals(groups, times);
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
