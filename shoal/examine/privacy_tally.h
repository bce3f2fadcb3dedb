// What `privacy.h` says about a table whose groups come one after the other, because it is never in memory as a whole.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "shoal/encode/counted_table.h"
#include "shoal/measure/model_values.h"

namespace shoal {

// The rows of one group: the codes that they have in each sensitive column, and their persons where the table has
// these.
struct GroupCodes {
  size_t rows = 0;
  std::vector<std::vector<uint32_t>> sensitive;  // [column][row of the group]
  std::vector<uint32_t> persons;                 // [row of the group]

  void clear();
};

// As privacy_of.
class PrivacyTally {
 public:
  // `table`: its columns; rows are not looked at.
  PrivacyTally(CountedTable& counted, const Table& table, const Encoding& encoding);
  void add_group(const GroupCodes& group);
  PrivacyValues values(double threshold) const;

 private:
  struct OfColumn {
    std::string name;
    std::vector<CountedModel> models;
    std::vector<ModelTally> tallies;
    RowsByDiversity rows_by_diversity{};
  };
  std::vector<OfColumn> columns_;
  bool has_persons_;
  GroupSizeCounts persons_;
};

// As asked_values.
class AskedTally {
 public:
  // `counted`: of a part of a table; what it knows about the whole must outlive the object.
  AskedTally(CountedTable& counted, const Table& table, const Requirement& requirement);
  void add_group(const GroupCodes& group);
  std::vector<ModelValues> values() const;

 private:
  struct Asked {
    ModelSpec spec;
    CountedModel model;                     // unless average-risk
    std::optional<ModelTally> tally;        // unless average-risk
    size_t sensitive = 0;                   // the column that it counts, unless persons
    const SensitivePairs* pairs = nullptr;  // what it counts instead
  };
  const std::vector<uint32_t>& counted_of(const Asked& asked, const GroupCodes& group);

  std::vector<Asked> asked_;
  std::vector<uint32_t> pairs_, tuple_;  // of a group, of a row: kept for their room
  uint64_t groups_ = 0, rows_ = 0;
};

}  // namespace shoal
