// What the parts of look_for_findings share. Not for others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shoal/examine/column_census.h"
#include "shoal/examine/findings.h"
#include "shoal/table/groups.h"

namespace shoal {

// A column that is not quasi: its role and its values.
struct ExaminedColumn {
  Role role = Role::none;
  CensusColumn census;
  const std::string& name() const { return census.name; }
  bool is_quiet() const { return role != Role::plain; }  // told, where a plain column stands in the way
};

struct FindingContext {
  const ExaminedTable& examined;
  const Table& table;
  const std::vector<Hierarchy>& hierarchies;
  const ReleasedTable* released;
  uint64_t k = 2;                       // of the requirement that `groups` are about: one of several, maybe
  std::vector<size_t> quasi;            // its columns
  Groups groups;                        // rows that look alike on them; kNoGroup: dropped
  uint64_t rows = 0;                    // that are released
  std::vector<ExaminedColumn> columns;  // those that are released first, in the order of the table; then the others

  bool is_released(size_t row) const { return groups.group_of_row[row] != kNoGroup; }
  std::vector<uint32_t> dropped() const { return released ? released->dropped_rows : std::vector<uint32_t>{}; }
};

// How many released rows are in groups below k, which were not before, once these columns are used as well; and in
// groups of one.
struct SmallGroups {
  uint64_t rows_below_k = 0, unique_rows = 0;
};
SmallGroups small_groups_with(const FindingContext& context, const std::vector<const Codes*>& further);
// The same for the groups as they are.
Codes group_codes(const Groups& groups);

// Which group of each earlier release every row was in. A release whose rows cannot be matched is a finding.
struct EarlierGroups {
  std::vector<std::string> names;
  std::vector<Codes> of_row;
};
EarlierGroups read_earlier(const FindingContext& context, Progress& progress, std::vector<Finding>& findings);

// Each adds what it finds.
void find_near_unique(const FindingContext& context, std::vector<Finding>& findings);
void find_reveals(const FindingContext& context, Progress& progress, std::vector<Finding>& findings);
void find_persons(const FindingContext& context, std::vector<Finding>& findings);
void find_order(const FindingContext& context, std::vector<Finding>& findings);
void find_one_value(const FindingContext& context, std::vector<Finding>& findings);
void find_earlier(const FindingContext& context, const EarlierGroups& earlier, std::vector<Finding>& findings);
void find_tight(const FindingContext& context, std::vector<Finding>& findings);
void find_formulas(const FindingContext& context, std::vector<Finding>& findings);
void find_types(const FindingContext& context, std::vector<Finding>& findings);

// "1,234", "12.3 %" as evidence has them.
std::string number_text(uint64_t number);
std::string share_text(uint64_t part, uint64_t whole);

}  // namespace shoal
