// The whole search of method `shoal`: a first partition from one good line, then passes over windows of neighbouring
// groups, always along another line. Work is split the same way whatever the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "shoal/method/shoal/shoal_order.h"
#include "shoal/method/shoal/shoal_passes.h"
#include "shoal/method/shoal/shoal_refine.h"
#include "shoal/method/space/ncp_space.h"
#include "shoal/run/progress.h"

namespace shoal {

struct ShoalPlan {
  size_t orders = 8;     // orders of digits tried at a time for the first line
  size_t climbs = 4;     // how often, after the first time, by varying the best so far
  size_t passes = 10;    // over all windows
  size_t window = 1000;  // rows per window, about
  RefinePlan refine;
};
// effort: 0 fast, 1 normal, 2 best. Many rows, many columns: fewer passes, so that time per row stays about the same.
ShoalPlan shoal_plan(int effort, size_t rows, size_t columns, uint64_t k);

class ShoalSearch {
 public:
  // space and progress must outlive the search. Requires 1 <= k <= space.rows().
  ShoalSearch(const NcpSpace& space, uint64_t k, const ShoalPlan& plan, uint64_t seed, int threads, Progress& progress);

  // Lines up all rows along the most promising of several orders of digits (large tables: the worthiest one) and cuts
  // the line.
  void start();
  // Begins with this partition instead, or goes on from it. Requires groups of k rows or more that cover all rows once.
  void start(RowGroups partition) { partition_ = std::move(partition); }
  // One pass over all groups. Never makes the partition dearer.
  void pass();

  const RowGroups& partition() const { return partition_; }
  size_t passes_done() const { return passes_done_; }
  const RefineCounts& counts() const { return counts_; }

 private:
  struct Worker;
  struct CutWorker;
  struct Sample;
  std::vector<double> sample_costs(Sample& sample, const std::vector<LineOrder>& orders);
  LineOrder promising_order();

  const NcpSpace& space_;
  const uint64_t k_;
  const ShoalPlan plan_;
  SeededRandom random_;
  Progress& progress_;
  TableLines lines_;
  RowGroups partition_;
  size_t passes_done_ = 0;
  RefineCounts counts_;
};

}  // namespace shoal
