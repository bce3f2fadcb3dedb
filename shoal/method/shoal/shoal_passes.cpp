// A window's random numbers come from the pass and the window's number, and windows share nothing: threads take them in
// any order with the same result.
#include "shoal/method/shoal/shoal_passes.h"

#include <algorithm>

namespace shoal {
namespace {

constexpr size_t kSortBlock = 1 << 18;  // keys sorted at a time
constexpr size_t kKeyBlock = 1 << 14;   // keys made at a time

// What one thread needs to make keys.
struct KeyWorker {
  std::vector<uint32_t> rows, codes;
  std::vector<uint64_t> keys;
};

}  // namespace

uint64_t hashed(uint64_t seed, uint64_t number) { return SeededRandom(seed ^ (number * 0xD1342543DE82EF95ULL))(); }

// (key, row) pairs are all different, so the result does not depend on how the work is split.
void TableLines::sort_keys(KeyedRows& keys) const {
  const size_t blocks = (keys.size() + kSortBlock - 1) / kSortBlock;
  auto bound = [&](size_t block) {
    return keys.begin() + static_cast<ptrdiff_t>(std::min(keys.size(), block * kSortBlock));
  };
  run_tasks(blocks, threads_, [&](size_t, size_t block) {
    KeyedRows spare;
    sort_keyed({bound(block), bound(block + 1)}, spare);
  });
  for (size_t width = 1; width < blocks; width *= 2) {
    run_tasks((blocks + 2 * width - 1) / (2 * width), threads_, [&](size_t, size_t pair) {
      const size_t first = pair * 2 * width;
      std::inplace_merge(bound(first), bound(first + width), bound(first + 2 * width));
    });
    progress_.check();
  }
}

namespace {

// The keys of `count` points: row_of(i) is a row of the table that stands for the i-th.
template <typename RowOf>
KeyedRows keys_of(const TableLines& lines, const LineOrder& order, size_t count, const RowOf& row_of) {
  KeyedRows keys(count);
  const NcpSpace& space = lines.space();
  const Walk walk(space, order);
  run_tasks_with((count + kKeyBlock - 1) / kKeyBlock, lines.threads(), [] { return std::make_unique<KeyWorker>(); },
                 [&](KeyWorker& worker, size_t block) {
                   lines.progress().check();
                   const size_t first = block * kKeyBlock, last = std::min(count, first + kKeyBlock);
                   worker.rows.clear();
                   for (size_t i = first; i < last; ++i) worker.rows.push_back(row_of(i));
                   worker.codes.resize(worker.rows.size() * space.columns());
                   space.gather(worker.rows, worker.codes.data());
                   worker.keys.resize(worker.rows.size());
                   walk.keys(worker.codes.data(), space.columns(), worker.keys);
                   for (size_t i = first; i < last; ++i) {
                     keys[i] = {worker.keys[i - first], static_cast<uint32_t>(i)};
                   }
                 });
  return keys;
}

}  // namespace

KeyedRows TableLines::rows_along(const LineOrder& order) const {
  KeyedRows keys = keys_of(*this, order, space_.rows(), [](size_t row) { return static_cast<uint32_t>(row); });
  sort_keys(keys);
  return keys;
}

KeyedRows TableLines::groups_along(const RowGroups& partition, const LineOrder& order, uint64_t seed) const {
  KeyedRows keys = keys_of(*this, order, partition.size(), [&](size_t group) {
    return partition.group(group)[hashed(seed, group) % partition.rows_in(group)];
  });
  sort_keys(keys);
  return keys;
}

WindowPlan::WindowPlan(const TableLines& lines, const RowGroups& partition, const LineOrder& order, uint64_t pass_seed,
                       size_t window_rows)
    : seed(pass_seed) {
  sequence.reserve(partition.size());
  for (const auto& [key, group] : lines.groups_along(partition, order, pass_seed)) sequence.push_back(group);
  size_t rows = 0;
  for (size_t i = 0; i < sequence.size(); ++i) {
    rows += partition.rows_in(sequence[i]);
    if (rows - first_row.back() < window_rows && i + 1 < sequence.size()) continue;
    bounds.push_back(i + 1);
    first_row.push_back(rows);
  }
}

}  // namespace shoal
