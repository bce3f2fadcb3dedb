// The groups of one requirement under a cut that is raised, where the requirement asks for more than k rows: which of
// their rows break its rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/method/rules.h"

namespace shoal {

class RuledGroups {
 public:
  // What each leaf of each quasi column is released as: a node.
  using Values = std::vector<std::span<const uint32_t>>;

  // Keeps a reference to the problem. Memory: 4 bytes x columns for each tuple of the columns and what rules count.
  RuledGroups(const Problem& problem, size_t requirement, const CountedTuples& counted);

  // Under the values of the last count.
  bool holds() const { return holds_; }
  // Rows in groups that break the rule, with a value under this node. Requires a column of the requirement.
  uint64_t breaking_under(size_t column, uint32_t node) const;
  // Cost: linear in tuples x columns.
  void count(const Values& values);

 private:
  const Problem& problem_;
  std::vector<size_t> columns_;
  std::shared_ptr<const GroupRule> rule_;
  std::vector<std::vector<uint32_t>> leaves_;  // [place][tuple]
  std::vector<uint32_t> rows_;                 // [tuple]: how many
  std::vector<uint32_t> row_like_;             // [tuple]: a row that the rule counts like these
  bool holds_ = false;
  std::vector<std::vector<uint64_t>> breaking_before_;  // [place][leaf]: breaking rows with a smaller leaf
};

}  // namespace shoal
