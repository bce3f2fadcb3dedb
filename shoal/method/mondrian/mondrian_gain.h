// The cut that tells most about a target: InfoGain Mondrian's choice (LeFevre, DeWitt, Ramakrishnan 2006).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shoal/learn/leaf_histogram.h"
#include "shoal/method/mondrian/mondrian_cut.h"
#include "shoal/table/table.h"

namespace shoal::mondrian {

// Of all allowable cuts on all columns the one with the highest information gain on the target; of equal ones that of
// the first column, and there the lowest. Candidates on a numeric column lie between any two neighbouring numbers, but
// missing values are cut off from numbers first; on a categorical one between two children of the closest common
// ancestor of the values, so that no cut goes through a node below it. Where no candidate gains anything (all rows of
// one class, say) the cut is MedianRule's: it costs the target nothing and leaves narrower values.
class GainRule final : public CutRule {
 public:
  // `columns` are those of Rows, in the same order; both must outlive the rule. `target` has a code for every row of
  // the table.
  GainRule(std::span<const CutColumn> columns, const Column& target);
  std::optional<Cut> choose(const Rows& rows, Region region, Permission& permission) override;

 private:
  struct Candidate {
    Cut cut;
    double gain = 0;  // bits, summed over the rows of the scope
  };
  // Keeps `best` unless a cut on this column gains more.
  void improve(size_t column, const Scope& scope, Permission& permission, std::optional<Candidate>& best);
  void count(const Rows& rows, std::span<const Region> regions, size_t column);

  std::span<const CutColumn> columns_;
  const Codes& target_;
  MedianRule median_;
  std::vector<uint32_t> least_, greatest_;            // the region's extent, by column
  std::vector<uint32_t> leaves_, classes_, weights_;  // scratch of count
  LeafHistogram histogram_;                           // of one column, over the scope
  std::vector<double> whole_, left_, right_;          // rows by class: of the scope, of the sides at hand
};

}  // namespace shoal::mondrian
