// The part of finding "reveals" about columns that tell a recoded cell only partly: a husband is married and a man,
// whatever the recoded cells say (docs/findings.md). Not for others.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shoal/examine/finding_parts.h"

namespace shoal {

// Which values of a quasi column do not go with which of a released column, both in as few classes as do. Class 0 of
// either goes with everything. Cost: linear in rows.
class PairsRuledOut {
 public:
  // Value by value. `of_leaf`, `of_value`: released rows of each. Columns whose frequent values make more than 4
  // million pairs rule nothing out.
  static PairsRuledOut by_value(const FindingContext& context, size_t quasi, const CensusColumn& column,
                                std::vector<uint64_t> of_leaf, std::vector<uint64_t> of_value);
  // All low or high ones of either together, where the column's values are numbers or dates: nobody of 50 and more was
  // born in 1980 or later, however few there are of each age and year.
  static PairsRuledOut by_order(const FindingContext& context, size_t quasi, const CensusColumn& column,
                                const std::vector<uint64_t>& of_leaf, const std::vector<uint64_t>& of_value);
  bool any() const { return !ruled_out_.empty(); }
  size_t quasi() const { return quasi_; }
  const std::vector<uint32_t>& class_of_leaf() const { return class_of_leaf_; }
  const std::vector<uint32_t>& class_of_value() const { return class_of_value_; }
  size_t leaf_classes() const { return ruled_out_.size() / value_classes_; }
  size_t value_classes() const { return value_classes_; }
  bool ruled_out(uint32_t leaf_class, uint32_t value_class) const {
    return ruled_out_[leaf_class * value_classes_ + value_class];
  }

 private:
  explicit PairsRuledOut(size_t quasi) : quasi_(quasi) {}
  // `pairs`: [number of leaf][number of value], whether it is ruled out; leaves and values have these numbers.
  void settle(const std::vector<std::vector<bool>>& pairs, const std::vector<uint32_t>& leaf_number,
              const std::vector<uint32_t>& value_number);

  size_t quasi_ = 0;
  size_t value_classes_ = 1;
  std::vector<uint32_t> class_of_leaf_, class_of_value_;
  std::vector<bool> ruled_out_;  // [class of leaf * value_classes_ + class of value]
};

// The pairs of one released column with every quasi column that is recoded somewhere and of which it rules out values.
struct Narrowing {
  const ExaminedColumn* column = nullptr;
  std::vector<PairsRuledOut> pairs;
};

// Looks for narrowing in a release.
class NarrowingSearch {
 public:
  explicit NarrowingSearch(const FindingContext& context);
  Narrowing by(const ExaminedColumn& column) const;

  // Rows that were in groups of at least k, and are left among fewer than k rows of their group (one: unique) when the
  // columns rule out the rest. nullopt: too many different cases to count them all.
  std::optional<SmallGroups> narrowed(std::span<const Narrowing* const> columns, const Progress& progress) const;

 private:
  const FindingContext& context_;
  std::vector<std::vector<uint64_t>> of_leaf_;  // [quasi column of the table]; empty: nothing of it is recoded
  std::vector<uint32_t> rows_by_group_;
};

}  // namespace shoal
