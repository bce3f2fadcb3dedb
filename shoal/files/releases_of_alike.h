// What an answer about rows that stand for several (Table::times) does with each of these.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/recode/recoding.h"

namespace shoal {

// In numbers that the caller gives to the releases of each column.
class ReleasesOfAlike {
 public:
  // `number`: of a release of a column. The recoding must outlive it.
  template <typename NumberOf>
  ReleasesOfAlike(const Recoding& recoding, const std::vector<Hierarchy>& hierarchies, const NumberOf& number)
      : dropped_(recoding.dropped_rows), by_leaf_(hierarchies.size()), place_(hierarchies.size(), kAsItIs) {
    if (!recoding.is_by_value()) {
      groups_ = &recoding.by_group();
      recoded_ = groups_->recoded_columns.size();
      for (size_t i = 0; i < recoded_; ++i) place_[groups_->recoded_columns[i]] = i;
      for (size_t cell = 0; cell < groups_->group_releases.size(); ++cell) {
        by_group_.push_back(number(groups_->recoded_columns[cell % recoded_], groups_->group_releases[cell]));
      }
    }
    for (size_t j = 0; j < hierarchies.size(); ++j) {
      if (place_[j] != kAsItIs) continue;
      for (uint32_t leaf = 0; leaf < hierarchies[j].leaves(); ++leaf) {
        by_leaf_[j].push_back(number(
            j, groups_ == nullptr ? recoding.by_value().value_map[j][leaf] : released_leaf(hierarchies[j], leaf)));
      }
    }
  }

  // False: rows like this one are dropped. Numbers must ascend from call to call.
  bool of(uint32_t alike, std::span<const uint32_t> leaves, std::vector<uint32_t>& releases) {
    while (next_dropped_ < dropped_.size() && dropped_[next_dropped_] < alike) ++next_dropped_;
    if (next_dropped_ < dropped_.size() && dropped_[next_dropped_] == alike) return false;
    for (size_t j = 0; j < releases.size(); ++j) {
      releases[j] = place_[j] == kAsItIs ? by_leaf_[j][leaves[j]]
                                         : by_group_[groups_->group_of_row[alike] * recoded_ + place_[j]];
    }
    return true;
  }

 private:
  static constexpr size_t kAsItIs = SIZE_MAX;
  const std::vector<uint32_t>& dropped_;
  const GroupRecoding* groups_ = nullptr;
  size_t recoded_ = 0, next_dropped_ = 0;
  std::vector<std::vector<uint32_t>> by_leaf_;  // [column][leaf]; empty for columns of groups
  std::vector<size_t> place_;                   // [column]: among those of groups
  std::vector<uint32_t> by_group_;
};

}  // namespace shoal
