// The search of method `shoal` under a rule: privacy models beside k, an average risk over all groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shoal/method/shoal/rules/fair_refine.h"
#include "shoal/method/shoal/rules/row_kinds.h"
#include "shoal/method/shoal/shoal_passes.h"
#include "shoal/method/shoal/shoal_refine.h"
#include "shoal/method/shoal/shoal_search.h"

namespace shoal {

struct RulePlan {
  size_t passes = 20;       // over all windows, those of all starts together
  size_t trial_passes = 2;  // of these for each start, before the cheapest goes on; may be 0
  RefinePlan refine;
  FairPlan fair;
};
// effort: 0 fast, 1 normal, 2 best. `without`: of the search for k alone, of whose passes these are a share.
RulePlan rule_plan(int effort, const ShoalPlan& without);

class RuleSearch {
 public:
  // All must outlive the search. Requires that the whole table, as one group, holds.
  RuleSearch(const NcpSpace& space, const GroupRule& rule, const RulePlan& plan, uint64_t seed, int threads,
             Progress& progress);

  // A partition whose groups all hold, from one that has k rows in every group. Out of time: the best so far.
  RowGroups search(const RowGroups& k_only);

  size_t passes_done() const { return passes_done_; }
  const RefineCounts& counts() const { return counts_; }
  const FairCounts& fair_counts() const { return fair_counts_; }
  // Where the answer came from: "fair cuts", ...
  const std::string& came_from() const { return came_from_; }

 private:
  struct Worker;
  struct Start {
    std::string name;
    bool from_k = false;  // the answer for k alone; else the whole table
    RowGroups groups;
    double cost = 0;
  };
  std::vector<Start> starts(const RowGroups& k_only);
  void try_out(Start& start);
  Start& best_start(std::vector<Start>& all);
  void pass(RowGroups& partition);
  RowGroups with_few_groups(RowGroups partition, size_t most);
  void unite_cheap_pairs(RowGroups& partition, size_t most, size_t window_rows);
  size_t window_rows(const RowGroups& partition) const;

  const NcpSpace& space_;
  const GroupRule& rule_;
  const RulePlan plan_;
  SeededRandom random_;
  Progress& progress_;
  const TableLines lines_;
  const RowKinds kinds_;
  double group_price_ = 0;
  size_t passes_done_ = 0;
  size_t passes_without_boxes_ = 0;  // still to come
  RefineCounts counts_;
  FairCounts fair_counts_;
  std::string came_from_;
};

}  // namespace shoal
