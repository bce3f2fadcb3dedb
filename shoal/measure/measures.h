// How much usefulness a release lost: every number of the literature in one place. docs/measures.md has the formulas.
//
// Rows dropped count as fully generalised cells (Prec, NCP, LM, distortion, entropy, modification rate), as n each in
// DM and as misclassified in CM; they are in no group and no released tuple. n and all denominators are rows of the
// input. With no rows at all nothing is lost: prec is 1, the rest 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/recode/recoding.h"
#include "shoal/table/table.h"

namespace shoal {

struct MeasureSettings {
  std::vector<double> weights;  // NCP weight per quasi column; empty: all 1
  double distortion_beta = 0;   // weighted hierarchical distance: 0 uniform weights, >= 1 height weights
  uint64_t k = 1;               // for C_AVG: the largest k asked for
};

struct Measures {
  double prec = 1;
  uint64_t rows = 0;      // distinct released tuples over the released non-target columns
  double rows_ratio = 0;  // O/I: rows / distinct input tuples over the same columns
  double dm = 0;
  double c_avg = 0;  // when every row is dropped: as if all were one group
  double ncp = 0;
  double gcp = 0;
  double distortion = 0;
  double distortion_at_root = 0;  // with every cell there
  double distortion_ratio = 0;
  double modification_rate = 0;
  double lm = 0;                   // mean over cells, in [0,1]
  std::optional<double> cm;        // only with a target
  double entropy = 0;              // non-uniform entropy: bits lost over all cells
  double entropy_ratio = 0;        // of what full suppression would lose, in [0,1]
  std::vector<double> column_gcp;  // of each quasi column alone, whatever its weight
};

// Rows per group over all quasi columns, as they stand in the input and as released (dropped rows in none): what risk()
// asks for. Measuring makes these groups anyhow. Rows that stand for several (Table::times) count as these.
struct GroupSizes {
  std::vector<uint32_t> input, released;
};

// Groups are taken over all quasi columns; `sizes`, when given, gets theirs. Requires: one hierarchy and one released
// column per quasi column; the release of a row that is not dropped covers its leaf. Cost: linear in rows x quasi
// columns, one thread; about 16 bytes of memory per row, and what the distinct tuples need (up to 48 bytes each).
Measures measure(const Table& table, const std::vector<Hierarchy>& hierarchies, const ReleasedTable& released,
                 const MeasureSettings& settings, GroupSizes* sizes = nullptr);

// What all groups come to.
struct GroupTotals {
  uint64_t rows = 0, groups = 0;           // rows: of the input
  uint64_t dropped = 0;                    // of these; in no group
  double squares = 0;                      // of the rows of each group, summed
  std::optional<uint64_t> minority;        // rows that are not of their group's most frequent class; nothing: no target
  uint64_t tuples_before = 0, tuples = 0;  // distinct, over all released columns but the target
};
// The same for a table that is never in memory as a whole, from what its parts are counted to. A tally of the cells of
// one quasi column: what was there, and what it is released as.
class CellTally {
 public:
  // `hierarchy` must outlive it.
  explicit CellTally(const Hierarchy& hierarchy);
  // `release`: a number that the caller gives to each release, from 0.
  void add(uint32_t leaf, uint32_t release);
  // A cell of a row that is dropped.
  void drop(uint32_t leaf);
  void add(const CellTally& other);
  // Releases get other numbers, several perhaps the same. [number before]: number now.
  void renumber(const std::vector<uint32_t>& numbers);
  // Cells of each leaf, those of dropped rows included, and of each release as far as some were added.
  const std::vector<uint64_t>& leaf_counts() const { return leaf_counts_; }
  std::vector<uint64_t> release_counts(size_t releases) const;

 private:
  friend Measures measure(const std::vector<CellTally>& cells, const std::vector<std::vector<Released>>& releases,
                          const GroupTotals& groups, const MeasureSettings& settings);
  const Hierarchy* hierarchy_;
  std::vector<uint32_t> sample_leaf_;    // for each depth that occurs: a leaf of it
  std::vector<uint32_t> depth_of_leaf_;  // place in sample_leaf_
  std::vector<uint64_t> leaf_counts_;
  std::vector<std::vector<uint64_t>> depth_counts_;  // [depth][release]
  std::vector<uint64_t> dropped_;                    // [depth]
};
// `releases`: [column][number]. Requires tallies of all rows.
Measures measure(const std::vector<CellTally>& cells, const std::vector<std::vector<Released>>& releases,
                 const GroupTotals& groups, const MeasureSettings& settings);

// What a search can minimise: prec, rows, dm, c_avg, ncp, gcp, distortion, modification_rate, lm, cm, entropy.
std::vector<std::string> measure_names();
// The measure of that name as a loss: smaller is better (1 - prec, -rows, the others as they are). Throws Error(job)
// when there is no such measure, and for cm when the measures were taken without a target.
double loss(std::string_view measure_name, const Measures& measures);

}  // namespace shoal
