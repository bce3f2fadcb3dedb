// What the groups of a table, as it stands or as released, have of privacy models: for reports, never for a search.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/measure/risk.h"
#include "shoal/model/group_rule.h"
#include "shoal/table/groups.h"

namespace shoal {

// A model over all groups.
struct ModelValues {
  ModelSpec spec;
  double worst = 0;                             // Model::value of the worst group; average-risk: groups / rows
  uint64_t groups_broken = 0, rows_broken = 0;  // groups that break the model as it was asked, and their rows
  uint64_t groups_by_missing = 0;               // that hold only because missing is a value of its own
};

// How many rows are in groups with 1, 2, 3, 4, 5 to 9, and 10 or more different values.
inline constexpr std::array<const char*, 6> kDiversityWords{"1 value",  "2 values", "3 values",
                                                            "4 values", "5 to 9",   "10 or more"};
using RowsByDiversity = std::array<uint64_t, kDiversityWords.size()>;

// A sensitive column in the groups of a table: every model's value, whatever was asked.
struct SensitiveValues {
  std::string column;
  std::vector<ModelValues> models;
  RowsByDiversity rows_by_diversity{};
};

// The privacy of a table beyond group sizes, over one way to group its rows.
struct PrivacyValues {
  std::vector<SensitiveValues> sensitive;
  std::optional<Risk> persons;  // risk by persons in place of rows; nothing without a person column
};

// Adds up what the groups of one table have of a model, one group after the other.
class ModelTally {
 public:
  // `values`: of the codes that it counts. The model must outlive it.
  ModelTally(const Model& model, uint32_t values, std::optional<uint32_t> missing);
  // The codes of a group's rows, in any order. `times`: for how many rows each stands; empty: for itself.
  void add_group(std::span<const uint32_t> codes, std::span<const uint32_t> times = {});
  const ModelValues& values() const { return values_; }

 private:
  const Model& model_;
  const HistogramShape shape_;
  const std::optional<uint32_t> missing_;
  ModelValues values_;
  bool first_ = true;
};
// The same of average-risk, from how many groups and rows there are.
ModelValues average_risk_values(const ModelSpec& spec, uint64_t groups, uint64_t rows);
// The place in RowsByDiversity of a group with so many different values, at least one.
size_t diversity_place(size_t values);

// No groups: all 0. Cost: linear in rows (times the logarithm of a group's values). average-risk has no column.
// `times`: of the table whose rows are in the groups (Table::times), or none.
using RowTimes = std::span<const uint32_t>;
ModelValues model_values(const CountedModel& model, std::optional<uint32_t> missing, const Groups& groups,
                         RowTimes times = {});
ModelValues average_risk_values(const ModelSpec& spec, const Groups& groups, RowTimes times = {});
RowsByDiversity rows_by_diversity(const CountedColumn& column, const Groups& groups, RowTimes times = {});
// How many different codes each group has: its persons.
std::vector<uint32_t> different_per_group(const CountedColumn& column, const Groups& groups);

}  // namespace shoal
