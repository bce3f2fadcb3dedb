// The adjustment of method `top-down`: groups below k borrow rows from a larger group or merge with the nearest one.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "shoal/method/local/group_index.h"
#include "shoal/method/local/row_boxes.h"
#include "shoal/run/progress.h"

namespace shoal {

class TopDownRepair {
 public:
  // Requires: every row in one set, no set of 2k rows or more, k <= rows. The codes must outlive the object. Where time
  // is up already groups below k will join the next.
  TopDownRepair(const RowCodes& codes, const RowGroups& sets, uint64_t k, const Progress& progress);

  // Until every group has k rows, in the order of the sets.
  void run(Progress& progress);

  RowGroups groups() const;
  uint64_t borrowed() const { return borrowed_; }
  uint64_t merged() const { return merged_; }
  bool out_of_time() const { return out_of_time_; }

  // Rows that a donor gives to a group.
  struct Loan {
    uint32_t donor = GroupIndex::kNone;
    double penalty = 0;  // of the group with the rows borrowed
    std::vector<uint32_t> rows;
  };
  // The loan of least penalty from a group of more than 2k - |group| rows; of equals the donor of the lowest number.
  // No donor: there is none. Requires that time was not up.
  Loan cheapest_loan(uint32_t group);

 private:
  // k - |group| rows of `donor`: always the one that makes the price of the grown box least, then the lowest. False,
  // and the loan unfinished, where its penalty and donor are not below `limit`.
  bool find_loan(uint32_t group, uint32_t donor, std::pair<double, uint32_t> limit, Loan& loan);
  void repair(uint32_t group);
  void borrow(uint32_t group, const Loan& loan);
  uint32_t merge(uint32_t group, uint32_t other);
  void merge_with_next(uint32_t group);
  double growth_by(uint32_t group, const Loan& loan) const;
  std::vector<uint32_t> without(uint32_t group, const std::vector<uint32_t>& rows) const;
  void set_members(uint32_t group, std::vector<uint32_t> rows);

  const RowCodes& codes_;
  const uint64_t k_;
  std::vector<std::vector<uint32_t>> members_;  // [group], ascending; empty: gone
  std::optional<GroupIndex> index_;             // nothing: time was up from the start
  // Memory of find_loan().
  Loan loan_;
  Box grown_;
  std::vector<double> floors_;  // [row of the donor]: what the box costs with it at least; infinite once taken
  uint64_t borrowed_ = 0, merged_ = 0;
  bool out_of_time_ = false;
};

}  // namespace shoal
