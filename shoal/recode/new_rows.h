// Rows that a recoding was not found on: the test rows of an evaluation, next month's table. One rule for both.
//
//   levels, cut  by the value map
//   regions      like the region that has the row among its own (between the least and the greatest of its rows in
//                every column); else like the one whose release covers it, of several the one of least loss; else like
//                the nearest (sum over columns of the gap in leaves / all leaves; of equally near ones that of least
//                loss, then the first)
//   groups       not at all: groups belong to the rows they were made of (but see nearest_groups)
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/recode/recoding.h"
#include "shoal/table/missing_texts.h"
#include "shoal/table/table.h"

namespace shoal {

// Leaf positions, both ends included.
struct LeafInterval {
  uint32_t first = 0, last = 0;
  bool operator==(const LeafInterval&) const = default;
};

// How well a region fits a row.
struct RegionMatch {
  double gap = 0;     // how far the row is from what it covers; 0: covered
  bool held = false;  // the row is among its own
  double loss = 0;
  bool better_than(const RegionMatch& other) const {
    if (gap != other.gap) return gap < other.gap;
    return held != other.held ? held : loss < other.loss;
  }
};

// Regions as boxes of leaves.
struct RegionBoxes {
  std::vector<size_t> leaves;        // of each column
  std::vector<LeafInterval> covers;  // [region * columns + i] what its release covers
  std::vector<LeafInterval> holds;   // the same of its own rows, within what is covered; empty: not known
  std::vector<double> losses;        // one per region
  // Of a row that none covers, the nearest has the fewest cells that do not cover the row's (as nearest_groups has it),
  // in place of the smallest gaps: for groups, which lie in each other's way.
  bool count_cells = false;

  // A cell that stands for nothing known: any region will do as far as it goes.
  static constexpr uint32_t kAny = UINT32_MAX;
  // By the rule above; `row`: a leaf, or kAny, per column. Requires at least one region. Cost: regions x columns; see
  // RegionIndex for many rows.
  uint32_t region_of(std::span<const uint32_t> row) const;
  // How far a row is from a box.
  double gap(std::span<const LeafInterval> box, std::span<const uint32_t> row) const;
  RegionMatch match(uint32_t region, std::span<const uint32_t> row) const;
};

// The boxes of a regions recoding. `losses`: what each region loses (see group_losses in measure/cell_loss.h). With the
// table that the recoding was found on also what each region holds.
RegionBoxes region_boxes(const Recoding& recoding, const std::vector<Hierarchy>& hierarchies,
                         std::vector<double> losses, const Table* own_rows = nullptr);

// What the rows of `table` would have been released as, in order of row, over the hierarchies that the recoding was
// found with; under a groups recoding as they are. `losses`: of each region; not used for other shapes. Cost: linear
// for value maps; for regions see RegionIndex.
std::vector<ReleasedColumn> recode_new_rows(const Recoding& recoding, const Table& table,
                                            const std::vector<Hierarchy>& hierarchies, std::vector<double> losses);

// For each row of `table`, the group (or region) of a recoding by groups that fits it best: fewest cells that do not
// cover the row's, then least loss, then the first. `losses`: of each group. Requires at least one group. Cost: the
// different rows x groups x columns at most; groups are tried by loss until one covers the row.
std::vector<uint32_t> nearest_groups(const GroupRecoding& recoding, const Table& table,
                                     const std::vector<Hierarchy>& hierarchies, const std::vector<double>& losses);

// The rows of `table` with the cells of those groups; columns that are not recoded as they are.
std::vector<ReleasedColumn> recode_like_groups(const GroupRecoding& recoding, const Table& table,
                                               const std::vector<Hierarchy>& hierarchies,
                                               std::vector<uint32_t> group_of_row);

// A recoding as it was written down, in texts: what `--recoding` writes and `shoal apply` reads back.
struct WrittenRecoding {
  struct Stretch {
    double low, high;
    uint32_t place;
  };
  // A cell finds its place: in levels and cut one of `releases`, in regions a leaf.
  struct Column {
    std::string name;
    std::unordered_map<std::string, uint32_t> places;  // of the texts that were known
    std::vector<Stretch> stretches;                    // numeric columns: ascending
    std::optional<uint32_t> missing;                   // place of missing cells; none: `*`
    std::vector<std::string> releases;                 // levels and cut: text of each place
  };
  Shape shape = Shape::levels;  // levels, cut or regions
  std::vector<Column> columns;
  RegionBoxes boxes;                         // regions
  std::vector<std::string> region_releases;  // regions: [region * columns + i]
};

// One column of new rows: the texts that occur and which of them each row has.
struct NewColumn {
  std::span<const std::string> texts;
  const Codes* codes;
};
struct RecodedTexts {
  std::vector<std::string> texts;  // distinct
  Codes codes;                     // [row]
  std::vector<bool> known;         // [text of the new column]: missing, or known when the recoding was made
};

// One new column for each of the recoding's, all with the same number of rows. A number not seen before stands for the
// nearest that was (of two equally near ones the lower); an unknown category is released as `*`, and so is a missing
// cell where none was missing. Cost as above.
std::vector<RecodedTexts> recode_new_texts(const WrittenRecoding& recoding, const MissingTexts& missing, size_t rows,
                                           std::span<const NewColumn> columns);

}  // namespace shoal
