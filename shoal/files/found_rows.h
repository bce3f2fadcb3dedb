// What a search has made of the rows of a table that does not fit into memory, row by row in a private file; counted on
// the way as they stand.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "shoal/files/outsized_privacy.h"
#include "shoal/files/outsized_table.h"
#include "shoal/measure/measures.h"
#include "shoal/measure/risk.h"

namespace shoal {

class FoundRows {
 public:
  // All must outlive it.
  FoundRows(const OutsizedTable& table, OutsizedPrivacy& privacy, const std::string& folder, const Progress& progress);

  struct Row {
    const uint32_t* leaves;    // [quasi column]
    const uint32_t* releases;  // [quasi column]: a number for each release; nullptr: the row is dropped
    const uint32_t* asked;     // codes in the sensitive columns, then the person
    uint64_t rest;
    uint32_t target, row;  // of the source
  };
  // Equal tuples of the quasi columns must come one after the other, all of them before end_tuples().
  void add(const Row& row);
  void end_tuples();

  // Rows that were added, and of these dropped ones.
  uint64_t size() const { return size_; }
  uint64_t dropped() const { return dropped_; }
  // Which rows of the source are released; empty: all.
  const std::vector<bool>& kept() const { return kept_; }
  // As they stand: groups over all quasi columns by their size; different tuples of all released columns but the
  // target.
  const GroupSizeCounts& sizes_before() const { return sizes_before_; }
  uint64_t tuples_before() const { return tuples_before_; }

  // A record of each row, in the order in which they came; for the functions below.
  const SpilledRecords& records() const { return rows_; }
  // Their records, not what was counted: gives the disk back.
  void forget_rows() { rows_.clear(); }
  static bool is_dropped(const uint64_t* record) { return record[0] == UINT64_MAX; }
  static uint32_t release(const uint64_t* record, size_t column) { return cell_at(record, column); }
  // Requires that OutsizedPrivacy::asked_of_some_columns().
  uint32_t leaf(const uint64_t* record, size_t column) const { return cell_at(record + cell_words(), column); }
  size_t asked_word() const { return cell_words() * (with_leaves_ ? 2 : 1); }
  uint64_t rest(const uint64_t* record) const { return record[rest_word()]; }
  uint32_t target(const uint64_t* record) const { return static_cast<uint32_t>(record[rest_word() + 1] >> 32); }
  uint32_t row(const uint64_t* record) const { return static_cast<uint32_t>(record[rest_word() + 1]); }

 private:
  static uint32_t cell_at(const uint64_t* words, size_t column) {
    return static_cast<uint32_t>(words[column / 2] >> (column % 2 == 0 ? 0 : 32));
  }
  // Words: releases, two in each, leaves (where they are asked for), what is asked, fingerprint, class and row.
  size_t cell_words() const { return (width_ + 1) / 2; }
  size_t rest_word() const { return asked_word() + table_.asked_words(); }
  void count_before(const Row& row);

  const OutsizedTable& table_;
  OutsizedPrivacy& privacy_;
  const size_t width_;
  const bool with_leaves_;
  SpilledRecords rows_;
  std::vector<uint64_t> record_;
  uint64_t size_ = 0, dropped_ = 0;
  std::vector<bool> kept_;
  GroupSizeCounts sizes_before_;
  uint64_t tuples_before_ = 0;
  // The tuple at hand, and its rows.
  std::vector<uint32_t> tuple_;
  uint32_t in_tuple_ = 0;
  std::vector<uint64_t> rests_;
  OutsizedGroup group_;
};

// How many different ones there are; sorts them.
uint64_t count_different(std::vector<uint64_t>& values);

}  // namespace shoal
