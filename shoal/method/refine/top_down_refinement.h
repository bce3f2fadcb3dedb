// Top-down refinement (tdr.txt): from the most masked table, always the refinement with the best score that keeps
// every requirement. The engine of the methods tdr and tds, which differ in the score and in flat columns.
#pragma once

#include <string>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/method/refine/anonymity_index.h"
#include "shoal/method/refine/masked_cut.h"
#include "shoal/method/refine/rule_index.h"

namespace shoal {

struct RefinementRules {
  FlatColumns flat_columns = FlatColumns::disclose_one;
  double (*score)(double info_gain, double anonymity_loss) = nullptr;  // larger is better
  bool recount = false;  // count all groups again after each refinement: see check_parameter()
};

class TopDownRefinement {
 public:
  // The most masked table. Requires: it keeps every requirement; the problem has a target and outlives this object.
  // Cost: rows x columns of all requirements.
  TopDownRefinement(const Problem& problem, const RefinementRules& rules, const Progress& progress);

  // What a candidate would bring and cost.
  struct Scored {
    uint32_t candidate = 0;
    double info_gain = 0, anonymity_loss = 0, score = 0;
  };
  // Requires: live.
  Scored scored(uint32_t candidate) const;
  // The best live candidate (all live ones are valid and beneficial); nothing is done with it. False when none is left.
  // Ties, within 1e-12 of each other: first column, then first leaf.
  bool best(Scored& best) const;
  // Does it. Returns false when time ran out while counting: the cut is refined and keeps every requirement, but no
  // further step can be taken. Uses up to problem.threads threads, a requirement each.
  bool refine(const Scored& chosen);

  const MaskedCut& cut() const { return cut_; }
  const std::vector<AnonymityIndex>& indexes() const { return indexes_; }  // one per requirement
  const std::vector<SearchStep>& steps() const { return steps_; }

  // The debug check: counts every group again from the rows and compares all anonymities. Empty when all agree, else
  // the first difference in words. Slow.
  std::string recount_fault() const;

 private:
  const Problem& problem_;
  RefinementRules rules_;
  const Progress& progress_;
  MaskedCut cut_;
  std::vector<Requirement> requirements_;
  std::vector<AnonymityIndex> indexes_;
  std::vector<std::shared_ptr<const GroupRule>> group_rules_;  // of the requirements that ask for more than k rows
  std::vector<RuleIndex> rule_indexes_;                        // one for each of them
  std::vector<SearchStep> steps_;
};

// The whole search, for Method::search.
SearchResult refine_top_down(const Problem& problem, const RefinementRules& rules, Progress& progress);

// The parameter both methods have, and what it is set to.
Parameter check_parameter();
bool check_setting(const Params& params);

}  // namespace shoal
