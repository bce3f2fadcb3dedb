// Naive Bayes: classes by frequency, columns independent given the class.
#pragma once

#include "shoal/learn/learner.h"

namespace shoal {

// Categories by frequency, one added to each count (Laplace). Numbers by a normal density per class (deviation at least
// a sixth of the column's average gap between neighbouring values), or, with numeric=discretised, cut into
// intervals by Fayyad and Irani's entropy rule first. A vague cell counts as its expectation; a missing one is left
// out. Columns of a locally recoded table are learned by shares of their marginal instead (column_shares.h).
LearnerEntry naive_bayes_learner();

}  // namespace shoal
