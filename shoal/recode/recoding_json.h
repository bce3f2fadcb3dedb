// A recoding as JSON: what `--recoding` writes.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/recode/recoding.h"
#include "shoal/table/table.h"

namespace shoal {

// levels and cut: per column the released text of every value (and the level); regions and groups: the released texts
// and size of every group. Rows are not listed: the recoding names no person.
nlohmann::ordered_json recoding_json(const Recoding& recoding, const Table& table,
                                     const std::vector<Hierarchy>& hierarchies);

}  // namespace shoal
