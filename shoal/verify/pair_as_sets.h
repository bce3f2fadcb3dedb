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
// be told apart in the release. Looked for when `rows_wanted`, with a limit on the work. Where it is not known, and
// `persons` are wanted, it is a pairing in which every group has enough of them, if one is found (spread_persons): the
// release is what that recoding gives, whoever made it and however.
struct SetPairing {
  Pairing pairing;
  bool decided = true;
  std::optional<std::vector<uint32_t>> row_of_release = {};  // original row of each released row
  bool one_of_many = false;                                  // row_of_release is such a pairing
};

struct PersonsWanted {
  struct Groups {
    std::vector<size_t> columns;  // numbers into tables.columns, of recoded ones: rows that are alike there
    uint64_t persons = 0;         // must be about so many
  };
  std::vector<Groups> groups;
  std::vector<uint32_t> person;  // of each original row
};

SetPairing pair_as_sets(const ComparedTables& tables, bool rows_wanted = false, const PersonsWanted* persons = nullptr);

}  // namespace shoal
