// Which role a column should have, by rules that are stated before any table is looked at (docs/inspect.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shoal/examine/column_profile.h"
#include "shoal/job/job.h"

namespace shoal {

// How a column's values are to be read.
enum class ValueType { empty, constant, yes_no, whole, number, code, category, ordinal, date, two_dates, text };

struct TypeGuess {
  ValueType type = ValueType::category;
  std::string words;  // for people: "date DD.MM.YYYY", "number, decimal comma"
  ColumnType job_type = ColumnType::categorical;
};
TypeGuess guess_type(const ColumnProfile& profile);

struct RoleGuess {
  Role role = Role::none;  // none: leave it out
  std::string reason;      // in words and numbers; holds no cells
  // Nothing about the column speaks for this role: it is the careful choice, and the first to be looked at.
  bool careful = false;
};

// One for each column. Uses what the columns say about each other, too: who tells whom, and which repeats like a
// person's key. Cost: a few passes over the sample for each column, and for pairs of them over a tenth of it.
std::vector<RoleGuess> guess_roles(const TableProfile& table, const std::vector<TypeGuess>& types);

}  // namespace shoal
