// Which rows have to be dropped for requirements to hold under given levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/method/method.h"

namespace shoal {

// The most rows that may be dropped: the limit's share of the rows, rounded down; 0 when no limit is set.
uint64_t row_limit(const Problem& problem);

// What happens to the rows under some levels.
struct LevelDrop {
  std::vector<uint32_t> rows;    // that have to be dropped, ascending
  uint64_t input_rows = 0;       // that these stand for (Table::times)
  std::vector<size_t> violated;  // requirements that do not hold while no row is dropped
  bool risks_hold = true;        // of the requirements that ask for an average risk, on the rows that are left
  bool populations_hold = true;  // of those with models of the population, while no row is dropped
};
// `levels`: one per quasi column. Drops what Sweep drops. Cost: linear in rows.
LevelDrop drop_rows(const Problem& problem, std::span<const int> levels);

}  // namespace shoal
