// Which refinements of a cut would break the rule of one requirement, where that asks for more than k rows.
//
// Beside the AnonymityIndex, which counts rows for the scores: here each group keeps its rows, and for every candidate
// that is live in a group it is tested whether the parts that refining it would leave hold. A candidate that breaks a
// rule is dead for good: were its parts to hold after further refinements, they would be unions of groups that hold,
// and so would the part that breaks it now (rules.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/method/refine/masked_cut.h"
#include "shoal/model/group_rule.h"
#include "shoal/run/progress.h"

namespace shoal {

class RuleIndex {
 public:
  // The cut is one cell per column. Kills candidates of the cut that are not valid. Table, rule and cut outlive the
  // index. Requires: all rows as one group hold. Memory: 4 bytes per row. Cost: rows x columns.
  RuleIndex(const Table& table, const Requirement& requirement, const GroupRule& rule, MaskedCut& cut);

  bool has_column(size_t column) const;
  // As AnonymityIndex::refine. Cost: groups, and rows of the refined cell x live columns.
  bool refine(const Refined& refined, const Progress& progress);

 private:
  struct Range {
    uint32_t begin, end;
  };
  uint32_t cell_at(size_t column, Range group) const;
  std::vector<Range> split(size_t column, Range group, const Refined& refined);
  void test(size_t column, Range group);
  void test_whole(const Cell& cell, const std::vector<GroupTally>& tallies);
  void test_disclosures(const Cell& cell, const std::vector<uint32_t>& parts, const std::vector<GroupTally>& tallies);

  const Table& table_;
  const GroupRule& rule_;
  MaskedCut& cut_;
  std::vector<size_t> columns_;
  std::vector<uint32_t> rows_;  // group after group
  std::vector<Range> groups_;
  std::vector<uint32_t> moved_, place_of_part_;  // scratch
};

}  // namespace shoal
