// The people of a population as points, counted by boxes: how many does a group's released tuple fit?
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shoal/model/group_rule.h"

namespace shoal {

// Leaf positions first .. last of one column.
struct LeafStretch {
  uint32_t first = 0, last = 0;
  bool operator==(const LeafStretch&) const = default;
};

// A tree that halves the points column by column; each node knows the box around its points and how many people they
// are, so that a count looks at the border of a box and not at what lies inside. Immutable: safe to share between
// threads.
class PopulationIndex {
 public:
  // `columns[column][point]`: leaf positions; `people[point]`: how many have just these. Cost: points x log(points) x
  // columns; 4 bytes per point and column, and about as much for the tree.
  PopulationIndex(std::vector<std::vector<uint32_t>> columns, std::vector<uint32_t> people);

  size_t columns() const { return width_; }
  uint64_t all() const { return all_; }
  // The people whose leaf lies in the stretch of each column. Requires columns() stretches.
  uint64_t people_in(std::span<const LeafStretch> box) const;

 private:
  static constexpr uint32_t kBucket = 16;
  struct Node {
    uint32_t begin = 0, end = 0;  // points
    uint32_t right = 0;           // the left child is the next node; 0: a bucket
    uint64_t people = 0;
  };
  uint32_t build(uint32_t begin, uint32_t end, std::vector<uint32_t>& order,
                 const std::vector<std::vector<uint32_t>>& columns, const std::vector<uint32_t>& people);

  size_t width_;
  uint64_t all_ = 0;
  std::vector<uint32_t> leaves_;  // [point * width + column]
  std::vector<uint32_t> people_;  // [point]
  std::vector<Node> nodes_;
  std::vector<LeafStretch> bounds_;  // [node * width + column]
};

// The model of a checked spec of k-map or delta-presence that knows its population, on the columns of its requirement.
// Counts nothing of the rows: CountedModel::counted stays null.
CountedModel population_model(const ModelSpec& spec, std::shared_ptr<const PopulationIndex> population);

// The population of a rule's models; nullptr where it has no such model.
const PopulationIndex* population_of(const GroupRule& rule);
// The same rule without these models; itself where it has none.
std::shared_ptr<const GroupRule> without_population(const std::shared_ptr<const GroupRule>& rule);
// Whether so many rows that fit so many people keep the rule's models of the population.
bool population_holds(const GroupRule& rule, uint64_t rows, uint64_t people);

}  // namespace shoal
