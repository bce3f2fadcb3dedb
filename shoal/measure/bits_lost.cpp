#include "shoal/measure/bits_lost.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace shoal {

BitsLost bits_lost(const Hierarchy& hierarchy, std::span<const uint64_t> leaf_counts,
                   std::span<const Released> releases, std::span<const uint64_t> release_counts) {
  BitsLost bits;
  std::vector<uint64_t> rows_before(leaf_counts.size() + 1, 0);  // rows with a smaller leaf
  std::inclusive_scan(leaf_counts.begin(), leaf_counts.end(), rows_before.begin() + 1, std::plus<>(), uint64_t{0});
  std::vector<uint64_t> changed(leaf_counts.begin(), leaf_counts.end());  // cells per leaf
  for (size_t release = 0; release < releases.size(); ++release) {
    if (release_counts[release] == 0) continue;
    const Released& value = releases[release];
    if (value.is_node(hierarchy.leaf_node(value.first))) {
      changed[value.first] -= release_counts[release];
    } else {
      const uint64_t covered = rows_before[value.last + size_t{1}] - rows_before[value.first];
      bits.lost += double(release_counts[release]) * std::log2(double(covered));
    }
  }
  const double rows = double(rows_before.back());
  for (size_t leaf = 0; leaf < changed.size(); ++leaf) {
    const double count = double(leaf_counts[leaf]);
    if (count == 0) continue;
    bits.lost -= double(changed[leaf]) * std::log2(count);
    bits.at_root += count * std::log2(rows / count);
  }
  bits.lost = std::clamp(bits.lost, 0.0, bits.at_root);  // rounding
  return bits;
}

}  // namespace shoal
