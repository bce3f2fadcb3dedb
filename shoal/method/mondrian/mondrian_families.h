// Mondrian over a whole job: any requirements, with the cuts that a rule chooses.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "shoal/method/method.h"
#include "shoal/method/mondrian/mondrian_regions.h"

namespace shoal::mondrian {

using MakeRule = std::function<std::unique_ptr<CutRule>(std::span<const CutColumn> columns, bool relaxed)>;

// Requirements that hang together by shared columns are searched together, the others apart. The recoding has the shape
// regions, or groups when `relaxed` (rules may then deal equal values to both sides). `make_rule` makes a rule for each
// thread.
SearchResult search_families(const Problem& problem, Progress& progress, const MakeRule& make_rule, bool relaxed);

}  // namespace shoal::mondrian
