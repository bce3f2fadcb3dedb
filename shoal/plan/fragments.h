// How many fragments a table is searched in, how large they are at least, and which leaves of a cut tree make one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "shoal/plan/cut_tree.h"

namespace shoal {

// Times as many rows as planned: a leaf is cut again.
inline constexpr size_t kSkewed = 2;

// Follows from the number of rows and k alone, unless tuples are few (with_tuples).
struct FragmentSizes {
  size_t fragments = 1;   // wanted; there may be fewer where rows lie badly
  size_t least_rows = 1;  // of a fragment
  size_t pilot_rows = 0;  // to draw, about
};
// As the rule of docs/scale.md says: fragments of about 65,536 rows (more for large k), none below 10,000 or 200 k.
FragmentSizes fragment_sizes(size_t rows, uint64_t k);
// The same for a table that has so many different tuples on the columns of the requirements. Where they are few a
// fragment finds little that is near to its rare rows: it has 2,000 of them at least, as long as it has no more than
// 500,000 rows.
FragmentSizes with_tuples(FragmentSizes sizes, size_t rows, size_t tuples);
// So many fragments as asked for, unless that leaves fewer than 2 k rows for each.
FragmentSizes asked_fragments(size_t rows, uint64_t k, size_t fragments);

// [node of the tree]: the number of its fragment, for leaves; 0 for others. Every leaf is a fragment unless it has too
// few rows or `holds` refuses it: then it joins leaves on the other side of the cut above it, the nearest first.
// Fragments are numbered along the tree. `rows`: [node], of leaves. `holds` is given the leaves of a fragment; it must
// take the whole table, or else all of it becomes one fragment.
std::vector<uint32_t> fragments_of_leaves(const CutTree& tree, const std::vector<uint64_t>& rows, size_t least_rows,
                                          const std::function<bool(std::span<const uint32_t> leaves)>& holds);

}  // namespace shoal
