// Non-uniform entropy of a column: what a release says less about its cells, in bits.
#pragma once

#include <cstdint>
#include <span>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/recode/recoding.h"

namespace shoal {

struct BitsLost {
  double lost = 0;
  double at_root = 0;  // with every cell at the root
};

// A cell released as a set S of leaves loses log2(rows in S / rows of its leaf) bits, a cell as it is none: a sum of
// one term for its release and one for its leaf, so that counts of both will do. `leaf_counts`: cells of each leaf;
// `release_counts`: cells of each release, as many in all. Cost: linear in leaves and releases.
BitsLost bits_lost(const Hierarchy& hierarchy, std::span<const uint64_t> leaf_counts,
                   std::span<const Released> releases, std::span<const uint64_t> release_counts);

}  // namespace shoal
