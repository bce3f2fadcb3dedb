// PART: a list of rules, each the best leaf of a partial C4.5 tree (Frank and Witten 1998).
#pragma once

#include "shoal/learn/learner.h"

namespace shoal {

// Rules are made one after the other: a partial tree is grown on the rows no rule covers yet, the branch with the least
// entropy first, and subtrees are replaced by leaves as C4.5 would; the leaf that covers most becomes a rule, and its
// rows are gone. Rows with missing or vague cells are covered in part, and what is left of them stays.
LearnerEntry part_learner();

}  // namespace shoal
