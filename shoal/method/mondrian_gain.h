// The cut that tells most about a target: InfoGain Mondrian's choice (LeFevre, DeWitt, Ramakrishnan 2006).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shoal/method/mondrian_cut.h"
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
  void list_values(const Rows& rows, std::span<const Region> regions, size_t column);
  void list_few_values(const Rows& rows, std::span<const Region> regions, size_t column);
  std::span<const uint32_t> classes_of(size_t value) const { return {counts_.data() + value * classes_, classes_}; }

  std::span<const CutColumn> columns_;
  const Codes& target_;
  const size_t classes_;
  MedianRule median_;
  std::vector<uint32_t> least_, greatest_;              // the region's extent, by column
  std::vector<uint32_t> scope_least_, scope_greatest_;  // scratch of list_values, as what follows
  std::vector<uint32_t> leaves_, histogram_;
  std::vector<uint64_t> pairs_;
  std::vector<uint32_t> values_;        // the leaves of one column that occur in the scope, ascending
  std::vector<uint32_t> counts_;        // [value * classes + class]: rows
  std::vector<uint64_t> whole_, left_;  // rows by class: of the scope, of the left side at hand
};

}  // namespace shoal::mondrian
