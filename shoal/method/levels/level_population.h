// Level vectors beside a population: do the groups of a requirement keep its models of the population?
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/model/population_index.h"
#include "shoal/table/groups.h"

namespace shoal {

// For one requirement of a problem whose rule has such models. Immutable: safe to share between threads.
//
// A full-domain recoding parts the whole space into boxes, so that groups of a more general vector are unions of boxes
// and of their people: what holds below holds above (k-map; delta-presence as long as it has no least share).
class LevelPopulation {
 public:
  // Cost: linear in rows. Keeps a reference to the problem.
  LevelPopulation(const Problem& problem, size_t requirement);

  // `levels`: one per quasi column of the table. Cost: linear in the table's different tuples, and a count per group.
  bool holds(std::span<const int> levels) const;

 private:
  const Problem& problem_;
  const std::vector<size_t>& columns_;
  const std::shared_ptr<const GroupRule> rule_;
  const PopulationIndex& population_;
  Tuples tuples_;
};

}  // namespace shoal
