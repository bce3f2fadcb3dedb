// What rows of a fragment are released as, where each family of requirements that share no column has fragments of its
// own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shoal/files/outsized_table.h"
#include "shoal/recode/recoding.h"

namespace shoal {

// Which family is searched for: the first has number 0.
struct FamilyTurn {
  std::vector<std::vector<size_t>> columns;  // [family]
  std::vector<std::string> names;            // [family]: what to call it; "" where there is no other
  size_t number = 0;
  bool last() const { return number + 1 == columns.size(); }
};

// What each row is released as after a fragment's search: on the columns of its family as was found there, on those of
// families before as was found then, on others as it is.
class ReleasesOfPart {
 public:
  // `number_of`: a number that the caller gives to a release. Part and groups must outlive it.
  using NumberOf = std::function<uint32_t(size_t column, const Released& released)>;
  ReleasesOfPart(const FamilyTurn& turn, const OutsizedTable::Part& part, const GroupRecoding& groups,
                 const NumberOf& number_of)
      : part_(part), groups_(groups), place_(part.table.quasi.size(), SIZE_MAX), found_at_(place_.size(), SIZE_MAX) {
    const size_t recoded = groups.recoded_columns.size();
    for (size_t i = 0; i < recoded; ++i) place_[groups.recoded_columns[i]] = i;
    for (size_t cell = 0; cell < groups.group_releases.size(); ++cell) {
      numbers_.push_back(number_of(groups.recoded_columns[cell % recoded], groups.group_releases[cell]));
    }
    for (size_t family = 0; family < turn.number; ++family) {
      for (size_t j : turn.columns[family]) found_at_[j] = found_++;
    }
  }

  // Nothing for a column that stays as it is.
  std::optional<uint32_t> of(size_t row, size_t column) const {
    if (found_at_[column] != SIZE_MAX) return part_.found[row * found_ + found_at_[column]];
    if (place_[column] == SIZE_MAX) return std::nullopt;
    return numbers_[groups_.group_of_row[row] * groups_.recoded_columns.size() + place_[column]];
  }

 private:
  const OutsizedTable::Part& part_;
  const GroupRecoding& groups_;
  std::vector<size_t> place_;      // [column]: among the recoded ones
  std::vector<size_t> found_at_;   // [column]: among what was found before
  size_t found_ = 0;               // before, for each row
  std::vector<uint32_t> numbers_;  // [cell of a group]
};

}  // namespace shoal
