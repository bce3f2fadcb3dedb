// Gradient boosting: many small trees, each grown on what the ones before it get wrong.
#pragma once

#include <memory>
#include <vector>

#include "shoal/learn/learner.h"

namespace shoal {

LearnerEntry boosted_learner();

}  // namespace shoal
