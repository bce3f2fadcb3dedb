// Models and persons of a table that does not fit into memory, before and after: what draft.cpp reports of one that
// does.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "shoal/examine/privacy_tally.h"
#include "shoal/files/outsized_table.h"
#include "shoal/report/report.h"

namespace shoal {

// Rows of groups are told one after the other, as they are read in order.
class OutsizedGroup {
 public:
  explicit OutsizedGroup(const OutsizedTable& table);
  // A row, by what is asked about it (OutsizedTable::asked).
  void add(const uint64_t* asked);
  // The same by its codes in the sensitive columns, then the person.
  void add_codes(const uint32_t* codes);
  const GroupCodes& codes() const { return codes_; }
  void clear() { codes_.clear(); }

 private:
  const PackedNumbers* const asked_;
  std::vector<uint32_t> numbers_;
  GroupCodes codes_;
};

class OutsizedPrivacy {
 public:
  // All must outlive it.
  OutsizedPrivacy(const OutsizedTable& table, const Job& job, const OutsizedPlace& place);

  // Whether anything is asked about rows beyond how many there are.
  bool asked() const { return table_.asked_words() > 0; }
  // Whether a requirement with models is about other columns than all: its groups have to be sorted for.
  bool asked_of_some_columns() const { return !others_.empty(); }

  // A group over all quasi columns, as it stands and as released.
  void add_before(const GroupCodes& group) { add(before_, group); }
  void add_after(const GroupCodes& group) { add(after_, group); }

  // Rows of the table in any order, with a number for each cell: as it stands, or as released.
  struct NumberedRows {
    const SpilledRecords& rows;
    size_t asked_word;                  // of a record: what is asked about the row begins here
    std::vector<size_t> cardinalities;  // [quasi column]: different numbers
    std::function<uint32_t(const uint64_t* record, size_t column)> number;
    bool (*left_out)(const uint64_t* record) = nullptr;  // rows that do not count
  };
  // Sorts once for every requirement of which asked_of_some_columns() speaks.
  void count_before(const NumberedRows& rows, const Progress& progress) { count(before_, rows, progress); }
  void count_after(const NumberedRows& rows, const Progress& progress) { count(after_, rows, progress); }

  // What the report says about it; its requirements are there.
  void fill(Report& report);

 private:
  struct Side {
    PrivacyTally privacy;
    std::vector<AskedTally> requirements;  // [requirement]
  };
  Side side();
  void add(Side& side, const GroupCodes& group);
  void count(Side& side, const NumberedRows& rows, const Progress& progress);

  const OutsizedTable& table_;
  const Job& job_;
  const OutsizedPlace place_;
  const Table columns_;
  CountedTable counted_;
  std::vector<Requirement> requirements_;
  std::vector<size_t> all_, others_;  // requirements with models: over all quasi columns, and over some
  Side before_, after_;
};

}  // namespace shoal
