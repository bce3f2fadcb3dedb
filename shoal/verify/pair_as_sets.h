// Pairs the rows of a release with those of its original whatever order they are in.
#pragma once

#include "shoal/verify/pairing.h"

namespace shoal {

// Rows are put into classes by the cells that were released as they are; within a class every released row needs an
// original row of its own that it covers (match_boxes). `decided` is false when that is too much work to find out.
// Memory: a code for each row and recoded column of both tables, and the texts of the other columns once.
//
// As a rule there are many such pairings. Where every original row lies in exactly one released look of its class, and
// none is left over, it is known which look it was released as: `row_of_release`, with any row among those that cannot
// be told apart in the release. Looked for when `rows_wanted`, with a limit on the work.
struct SetPairing {
  Pairing pairing;
  bool decided = true;
  std::optional<std::vector<uint32_t>> row_of_release = {};  // original row of each released row
};
SetPairing pair_as_sets(const ComparedTables& tables, bool rows_wanted = false);

}  // namespace shoal
