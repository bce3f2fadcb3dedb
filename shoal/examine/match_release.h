// A release in the terms of its original: which row stands for which, and what its cells cover.
#pragma once

#include <cstdint>

#include "shoal/encode/encoding.h"
#include "shoal/job/job.h"
#include "shoal/recode/recoding.h"
#include "shoal/run/progress.h"

namespace shoal {

// Rows are matched in order and, where that fails, as sets: each released row gets an original row of its own with the
// same plain, sensitive and target cells that its other cells cover. Where several would do any is taken. Originals
// without a partner were dropped. Throws Error(input) where a released row has no original that it could stand for,
// where it is too much work to find out, and where rows in another order hold means.
struct MatchedRelease {
  EncodedTable original;
  ReleasedTable released;
  uint64_t rows_out = 0;
  // As in the original; else as sets: which of several originals a row stands for is then a guess.
  bool in_order = true;
  bool alike_together = true;  // rows that look alike stand together, as in the released order
};
MatchedRelease match_release(const Job& job, TableSource& original, TableSource& release, Progress& progress);

}  // namespace shoal
