// A recoding as JSON, whole (for internal use) or as far as everybody may know it (docs/adr/0011).
#pragma once

#include <nlohmann/json_fwd.hpp>
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
  std::vector<std::string> plain;                    // columns released as they are; all others are left out
  std::vector<std::string> missing;                  // texts that mean missing, besides the empty one
  std::vector<std::pair<size_t, Tree>> grown_trees;  // interval trees grown by the search, by quasi column
};

// First of all says that it is for internal use. levels and cut: per column the released text of every value (numeric
// columns also as intervals, for numbers not seen yet), the level, the grown tree if any; regions and groups: the
// released texts and size of every group. Regions also: the values of every recoded column in the order of its leaves
// ("domains"), and for every region the first and last value of each column that its release covers ("covers"), the
// same of its own rows where that is less ("holds"), null standing for missing cells, and its loss. Rows are not
// listed: the recoding names no person. read_recoding() reads levels, cut and regions back.
nlohmann::ordered_json recoding_json(const Recoding& recoding, const Table& table,
                                     const std::vector<Hierarchy>& hierarchies, const RecodingContext& context);

// What the release itself says about it, and nothing else: shape, per column the released texts with the numbers of
// rows that have them (and level and height of full-domain recodings), for regions and groups every different released
// row with its number, sorted; how many rows were dropped. No value that the release hides, no order of the input.
// Cannot be applied to new rows.
nlohmann::ordered_json public_recoding_json(const Recoding& recoding, const ReleasedTable& released, const Table& table,
                                            const std::vector<Hierarchy>& hierarchies);

// Indented, the first member on the first line, with a newline at the end; bytes that are no UTF-8 (names may hold any)
// are replaced, never refused.
std::string indented_text(const nlohmann::ordered_json& json);

}  // namespace shoal
