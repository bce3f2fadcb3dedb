// The certificate of the linear-programming bound: lowers dual values until no k rows of any box carry more than the
// box costs. Nothing else has to be right for the bound to hold.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shoal/method/shoal/lp_boxes.h"

namespace shoal {

struct RepairSettings {
  uint64_t k = 1;
  int threads = 1;
  uint64_t most_looked_at = UINT64_MAX;  // tuples; beyond that it gives up
};

struct RepairedDuals {
  std::vector<double> dual;  // [tuple]
  double bound = 0;          // the sum over all rows: no release in which every group has k rows has a lower NCP
  uint64_t looked_at = 0;
};

// Any numbers will do as `dual` (one per tuple, finite); the closer to the best ones, the better the bound. The same
// for any number of threads. Nothing: it would take too much work. Requires k >= 1 and k rows.
std::optional<RepairedDuals> repaired(const NcpSpace& space, const BoxCells& cells, const DistinctTuples& tuples,
                                      const std::vector<double>& dual, const RepairSettings& settings,
                                      Progress& progress);

// The same, begun again with lower values as long as it would take more than most_looked_at: fewer boxes are overpaid
// then. Nothing: it is too much work even so.
std::optional<RepairedDuals> repaired_within_work(const NcpSpace& space, const BoxCells& cells,
                                                  const DistinctTuples& tuples, const std::vector<double>& dual,
                                                  const RepairSettings& settings, Progress& progress);

}  // namespace shoal
