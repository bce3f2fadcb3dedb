// A recoding as JSON: what `--recoding` writes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/hierarchy/tree.h"
#include "shoal/recode/recoding.h"
#include "shoal/table/table.h"

namespace shoal {

// What the recoding alone does not know, but whoever applies it to new rows needs.
struct RecodingContext {
  std::vector<std::string> identifiers;              // columns that are never released
  std::vector<std::string> missing;                  // texts that mean missing, besides the empty one
  std::vector<std::pair<size_t, Tree>> grown_trees;  // interval trees grown by the search, by quasi column
};

// levels and cut: per column the released text of every value (numeric columns also as intervals, for numbers not seen
// yet), the level, the grown tree if any; regions and groups: the released texts and size of every group. Rows are not
// listed: the recoding names no person. `shoal apply` reads it back.
nlohmann::ordered_json recoding_json(const Recoding& recoding, const Table& table,
                                     const std::vector<Hierarchy>& hierarchies, const RecodingContext& context);

}  // namespace shoal
