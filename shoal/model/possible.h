// Whether a model can hold at all, before anything is searched.
#pragma once

#include <string>

#include "shoal/model/model.h"

namespace shoal {

struct Possible {
  bool holds = true;  // for the whole table as one group
  double best = 0;  // what the whole table has: no release has a larger l or k, or a smaller share or t, in all groups
  std::string reason;  // why not, and what is possible; empty when it holds
};

// Looks at the fully general table. Every model here has closure A or U, so when the whole table as one group fails,
// every release has a group that fails (U: as long as no row is dropped). `whole` counts what the model counts: values,
// pairs for a joint model, with the population where it asks for one. Throws as make_model does.
Possible what_is_possible(const ModelSpec& spec, const WholeColumn& column, const GroupView& whole);

}  // namespace shoal
