// The release of a table that does not fit into memory: what becomes of its rows, in private files, and what the report
// says about it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "shoal/files/found_rows.h"
#include "shoal/files/outsized_privacy.h"
#include "shoal/files/outsized_table.h"
#include "shoal/files/releases_of_part.h"
#include "shoal/measure/measures.h"
#include "shoal/measure/risk.h"
#include "shoal/write/write_release.h"

namespace shoal {

class OutsizedRelease {
 public:
  // All must outlive it.
  OutsizedRelease(OutsizedTable& table, const Job& job, const MethodEntry& method, const OutsizedPlace& place,
                  const Progress& progress);

  // Searches every fragment, several side by side, each in memory alone. Why there is no answer; "": there is one.
  //
  // Where requirements share no column, each of their families has a turn, one after the other. After all but the last
  // one what rows are released as on its columns is kept with them in the table (OutsizedTable::begin_next), which must
  // then be cut for the next one.
  struct Fragments {
    const std::vector<uint64_t>& rows;  // of each
    int side_by_side;                   // so many at most
  };
  std::string search(const FamilyTurn& turn, const Fragments& fragments, Progress& progress);
  // The same where nothing changes on the family's columns (OutsizedTable::holds_as_it_is).
  void leave_as_it_is(const FamilyTurn& turn, Progress& progress);
  // Searches the table's different rows, each with how often it occurs, and does with every row what the answer does
  // with the one it is like (MethodEntry::alike_rows). `count`: OutsizedTable::count_alike.
  std::string search_alike(OutsizedTable::Alike by, uint64_t count, Progress& progress);
  // Settles ranges, puts the rows into the job's order and counts what the measures ask for. After search().
  void arrange(const Progress& progress);

  const SearchStats& stats() const { return stats_; }
  const std::vector<std::string>& notices() const { return notices_; }
  // Of an answer by levels: those of the quasi columns; else empty.
  const std::vector<int>& levels() const { return levels_; }
  // After arrange(). The distinct releases of each quasi column, without codes, and how many cells each has.
  const ReleasedTable& released() const { return released_; }
  const std::vector<CellTally>& cells() const { return tallies_; }
  const GroupTotals& groups() const { return groups_; }
  // Which rows of the source are released; nullptr: all.
  const std::vector<bool>* kept() const { return found_->kept().empty() ? nullptr : &found_->kept(); }
  const GroupSizeCounts& sizes_before() const { return found_->sizes_before(); }
  const GroupSizeCounts& sizes() const { return sizes_; }
  // What models and persons come to, in the report.
  void fill_privacy(Report& report) { privacy_.fill(report); }
  // The row of the source of each released row, in the order of the release: a word each.
  const SpilledRecords& row_of_release() const { return *row_of_release_; }
  // For write_release.
  std::unique_ptr<ReleasedRows> rows() const;
  // Some rows, in whole groups, that findings are looked for in: rows of the source, ascending, and the numbers of
  // their releases, one quasi column after the other for each row.
  struct Sample {
    std::vector<uint32_t> rows;
    std::vector<uint32_t> releases;
  };
  const Sample& sample() const { return sample_; }

 private:
  using Key = std::pair<uint64_t, uint64_t>;
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return (key.first * 0x9E3779B97F4A7C15ULL ^ key.second) * 0xD6E8FEB86659FD93ULL >> 17;
    }
  };
  uint32_t number_of(size_t column, const Released& released);
  void begin(const FamilyTurn& turn);
  void take(const FamilyTurn& turn, const OutsizedTable::Part& part, const GroupRecoding& groups);
  void end(const FamilyTurn& turn);
  void take_alike(OutsizedTable::Alike by, const Recoding& recoding);
  void note(const SearchStats& stats);
  void settle();
  void keep_order_of_input();
  std::vector<std::vector<uint32_t>> places() const;
  void count_group(std::vector<uint64_t>& rests, const std::vector<uint32_t>& classes, uint32_t rows);
  void count_requirements(const std::vector<std::vector<uint32_t>>& places, const std::vector<size_t>& cardinalities,
                          const Progress& progress);

  OutsizedTable& table_;
  const Job& job_;
  const MethodEntry& method_;
  const OutsizedPlace place_;
  const Progress& progress_;  // of the whole run: files outlive the turn that they were made in
  const size_t width_;
  std::mutex mutex_;
  std::vector<std::unordered_map<Key, uint32_t, KeyHash>> numbers_;  // [column]: of each release
  std::vector<CellTally> tallies_;
  OutsizedPrivacy privacy_;
  std::unique_ptr<FoundRows> found_;
  std::vector<std::vector<uint32_t>> settled_;  // [column][number while searching]: number once ranges are settled
  std::string reason_;
  SearchStats stats_;
  std::vector<std::string> notices_;
  ReleasedTable released_;
  GroupTotals groups_;
  GroupSizeCounts sizes_;
  std::vector<int> levels_;
  std::unique_ptr<SpilledRecords> row_of_release_, by_row_;
  Sample sample_;
};

}  // namespace shoal
