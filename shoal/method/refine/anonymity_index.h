// How anonymous one requirement's columns are under a cut that is refined, and would be after each open refinement.
//
// The TIPS and QITS of tdr.txt section 4 in one: the rows lie in one order in which every group of the requirement is
// a range (a leaf partition), each live cell knows the partitions it is in (its link), and each candidate the smallest
// group that refining it would leave. Rows are only touched when their own masked value is refined. Each requirement
// has its own order, so that a partition always IS a group and nothing must be added up across partitions.
//
// Since refining never makes a group larger, both minima only ever fall: a partition that is split can keep its old
// contribution, and a candidate that fell below k is dead for good and is not counted again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/method/refine/masked_cut.h"
#include "shoal/run/progress.h"

namespace shoal {

class AnonymityIndex {
 public:
  // `columns` are the requirement's; the cut is one cell per column. Kills candidates of the cut that are not valid.
  // Memory: one copy of the requirement's columns, or of its distinct tuples where these are few. Cost: linear in rows.
  // Requires: 1 <= k <= rows; table and cut outlive the index.
  AnonymityIndex(const Table& table, const Requirement& requirement, MaskedCut& cut);

  bool has_column(size_t column) const;
  // A(QID): the size of the smallest group.
  uint64_t anonymity() const { return anonymity_; }
  // A_x(QID): the size of the smallest group if the candidate were refined. Requires: live, on a column of this
  // requirement.
  uint64_t anonymity_after(uint32_t candidate) const { return std::min(anonymity_, smallest_part_[candidate]); }
  size_t groups() const { return partitions_.size(); }

  // The cut has just been refined on a column of this requirement: splits the groups, counts what is new, kills the
  // candidates that became invalid. Returns false when time ran out half-way; the index is then of no more use.
  // Different indexes over the same cut may do this at the same time. Cost: rows of the refined cell x live columns.
  bool refine(const Refined& refined, const Progress& progress);

 private:
  struct Partition {
    uint32_t begin, end;  // records
    uint64_t rows;
  };
  struct IndexColumn {
    uint32_t column;
    Codes codes;  // in the order of the partitions, as far as the column is live there
  };

  bool compress(const Table& table);
  void grow();
  uint32_t cell_at(const IndexColumn& column, const Partition& partition) const;
  bool live_at(const IndexColumn& column, const Partition& partition) const;
  std::vector<Partition> split(const IndexColumn& column, const Partition& partition, const Refined& refined);
  void move_records(const Partition& partition, const Refined& refined);
  void renamed(uint32_t partition, const IndexColumn& column, const Refined& refined);
  void replaced(uint32_t partition, const std::vector<Partition>& parts, const Refined& refined);
  void count(const IndexColumn& column, const Partition& partition, uint32_t cell);
  void count_records(const IndexColumn& column, const Partition& partition, uint32_t parts);
  void note_part(const Cell& cell, uint32_t part, uint64_t part_rows, uint64_t rows);

  uint64_t k_;
  MaskedCut& cut_;
  std::vector<IndexColumn> columns_;
  std::vector<uint32_t> weights_;  // rows per record; empty: one each
  std::vector<Partition> partitions_;
  uint64_t anonymity_;
  std::vector<uint64_t> smallest_part_;       // [candidate]
  std::vector<std::vector<uint32_t>> links_;  // [cell]: partitions masked to it; only while the cell is live

  std::vector<uint64_t> part_rows_;     // scratch, all 0 between uses
  std::vector<uint32_t> part_records_;  // scratch
  std::vector<uint32_t> place_;         // scratch: where each record of the partition goes
  std::vector<unsigned char> moved_;    // scratch
};

}  // namespace shoal
