#include "shoal/table/fingerprint.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace shoal {
namespace {

constexpr uint32_t kFree = UINT32_MAX;
constexpr size_t kAhead = 16;  // rows between asking for a slot's memory and looking at it

// Rows whose first half another row has with another second half. One row of each first half is enough to find all
// others.
std::vector<uint32_t> rows_alike_by_half(std::span<const uint64_t> first, std::span<const uint64_t> second) {
  std::vector<uint32_t> slots(std::bit_ceil(std::max<size_t>(first.size() + first.size() / 3, 16)), kFree);
  const size_t mask = slots.size() - 1;
  std::vector<uint32_t> found;
  for (size_t row = 0; row < first.size(); ++row) {
    if (row + kAhead < first.size()) __builtin_prefetch(&slots[first[row + kAhead] & mask]);
    size_t slot = first[row] & mask;
    while (slots[slot] != kFree && first[slots[slot]] != first[row]) slot = (slot + 1) & mask;
    if (slots[slot] == kFree) {
      slots[slot] = static_cast<uint32_t>(row);
    } else if (second[slots[slot]] != second[row]) {
      found.push_back(static_cast<uint32_t>(row));
    }
  }
  return found;
}

}  // namespace

void tell_apart(std::span<uint64_t> first, std::span<const uint64_t> second) {
  const std::vector<uint32_t> alike = rows_alike_by_half(first, second);
  if (alike.empty()) return;
  // Chance does not come here.
  std::unordered_set<uint64_t> shared, taken(first.begin(), first.end());
  for (uint32_t row : alike) shared.insert(first[row]);
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < first.size(); ++row) {
    if (shared.contains(first[row])) rows.push_back(row);
  }
  const auto both = [&](uint32_t row) { return std::pair(first[row], second[row]); };
  std::sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) { return both(a) < both(b); });
  // The least second half keeps the first one; each further one takes the next number that nobody has.
  std::vector<uint64_t> given(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || first[rows[i]] != first[rows[i - 1]]) {
      given[i] = first[rows[i]];
    } else if (second[rows[i]] == second[rows[i - 1]]) {
      given[i] = given[i - 1];
    } else {
      uint64_t next = given[i - 1] + 1;
      while (!taken.insert(next).second) ++next;
      given[i] = next;
    }
  }
  for (size_t i = 0; i < rows.size(); ++i) first[rows[i]] = given[i];
}

}  // namespace shoal
