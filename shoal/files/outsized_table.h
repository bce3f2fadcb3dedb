// A table that does not fit into memory: its rows by content in a private file, cut into fragments that do, or as few
// different rows with how often each occurs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/encode/streamed_table.h"
#include "shoal/files/packed_numbers.h"
#include "shoal/job/job.h"
#include "shoal/method/method.h"
#include "shoal/plan/by_fragments.h"
#include "shoal/run/progress.h"
#include "shoal/write/sorted_records.h"
#include "shoal/write/spill_file.h"

namespace shoal {

// Where private files go, and how much each part of the work may hold at a time.
struct OutsizedPlace {
  std::string folder;
  size_t most_bytes = 64 << 20;
};

class OutsizedTable {
 public:
  // What rows are sorted for, all by their content.
  enum class Sorted {
    for_fragments,   // as ordered_rows does in memory: the columns of the job's requirements first
    for_alike_rows,  // as ContentOrder does
  };
  // Reads the source once and sorts its rows. Throws as stream_table and SpillFile do.
  OutsizedTable(const Job& job, TableSource& source, Sorted sorted, const OutsizedPlace& place,
                const Progress& progress);

  const StreamedTable& streamed() const { return streamed_; }
  size_t quasi() const { return streamed_.quasi.size(); }

  // Plans as plan_fragments does, and routes all rows. Fewer than two fragments: it stays whole; `reason` may say why.
  // `problem`: posed on columns(), its requirements hang together. Requires rows sorted for its columns.
  struct Fragments {
    std::vector<uint64_t> rows;  // of each
    std::string words, reason;
  };
  const Fragments& cut(const Problem& problem, Progress& progress);

  // A fragment: its rows by content, and where each stands in the source. `target`, `sensitive`, `person` and `rest`
  // where the table has them.
  struct Part {
    Table table;
    std::vector<uint32_t> row;            // of the source
    std::vector<uint32_t> found;          // [row * numbers that rows take along + i]
    std::vector<uint32_t> unpacked = {};  // of a row, while the part is filled
  };

  // Whether every different tuple on the requirements' columns has by itself what they ask for, so that nothing need
  // change there. Requires as cut() does. Cost: one reading of the rows, up to the first tuple that has not.
  bool holds_as_it_is(const Problem& problem) const;

  // Where requirements share no column, each of their families has its own fragments, one family after the other. After
  // one of them: rows are sorted anew, for the next one's columns, and take along what was found for them, a few
  // numbers.
  //   begin_next(columns, 2);  add_next(part, row, numbers) for every row of every part;  end_next();
  void begin_next(const std::vector<size_t>& columns, size_t found);
  void add_next(const Part& part, size_t row, const uint32_t* found);
  void end_next();

  // Rows are alike that agree in the quasi columns and the target, and where these say so in what is asked and in the
  // rest (Table::rest). Requires rows sorted for that.
  struct Alike {
    bool asked = false, rest = false;
  };
  uint64_t count_alike(Alike by) const;
  // Each different row once, by content, with how often it occurs (Table::times): `count` of them.
  Table alike_rows(Alike by, uint64_t count) const;
  // All rows by content, each with the number of the row of alike_rows() that it is like.
  struct AlikeRow {
    uint32_t number;
    std::span<const uint32_t> codes;  // quasi columns, then the target
    std::span<const uint32_t> asked;  // sensitive columns, then the person
    uint64_t rest;
    uint32_t row;  // of the source
  };
  void each_alike(Alike by, const std::function<void(const AlikeRow&)>& take) const;

  // Rows are not asked for any more: gives the disk back.
  void forget_rows() { rows_->clear(); }

  // A fragment of those that were cut.
  Part part(size_t fragment) const;
  // All rows in their order, so many at a time.
  void each_part(size_t rows, const std::function<void(const Part&)>& take) const;
  // A table without rows that has the names and texts of all columns.
  Table columns() const;

  // What is asked about rows, the sensitive columns and then the person, as a few words (0: nothing is).
  size_t asked_words() const { return asked_ ? asked_->words() : 0; }
  const PackedNumbers* asked() const { return asked_ ? &*asked_ : nullptr; }
  size_t asked_columns() const { return streamed_.sensitive.size() + (streamed_.person ? 1 : 0); }

 private:
  // Where a row's record has what, in words: packed codes, fingerprint, what is asked, row, numbers that were found;
  // for alike rows what is asked comes before the fingerprint.
  struct Layout {
    std::vector<size_t> column_at;  // quasi columns (and the target) in the order in which they are packed
    PackedNumbers packed;
    size_t rest_word, asked_word, row_word;
    size_t found = 0;  // numbers, two in a word
    size_t found_word() const { return row_word + 1; }
    size_t words() const { return found_word() + (found + 1) / 2; }
  };
  Part room_for(size_t rows) const;
  void put(const uint64_t* record, size_t at, Part& part) const;
  Layout layout_for(const std::vector<size_t>& first_columns, size_t found) const;
  std::vector<uint32_t> join_leaves(const Problem& problem, const CutTree& tree, const std::vector<uint64_t>& leaf_rows,
                                    size_t least_rows) const;
  void read(const Job& job, TableSource& source, const Progress& progress);
  void count_pairs(const std::vector<ModelSpec>& models, SortedRecords& rows);
  // Words of a record in which alike rows agree.
  size_t alike_words(Alike by) const {
    return by.rest ? layout_->rest_word + 1 : by.asked ? layout_->rest_word : layout_->packed.words();
  }
  Table drawn_rows(const std::vector<size_t>& columns, size_t wanted) const;
  std::vector<size_t> place_of() const;  // [quasi column]: among the packed ones
  std::vector<uint64_t> count_leaves(const CutTree& tree) const;
  void route(const CutTree& tree, const std::vector<uint32_t>& fragment_of_leaf);

  const OutsizedPlace place_;
  const Sorted sorted_;
  const Progress& progress_;
  StreamedTable streamed_;
  std::optional<PackedNumbers> asked_;
  std::optional<Layout> layout_, next_layout_;
  std::optional<SpilledRecords> rows_;  // by content
  std::optional<SortedRecords> next_;
  Fragments fragments_;
  SpillFile routed_;
  std::vector<std::vector<std::pair<uint64_t, uint64_t>>> extents_;  // [fragment]: begin and length in `routed_`
};

}  // namespace shoal
