// From one region of all rows to regions that no allowable cut is left in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/method/mondrian/mondrian_boxes.h"
#include "shoal/method/mondrian/mondrian_cut.h"
#include "shoal/recode/recoding.h"
#include "shoal/run/progress.h"
#include "shoal/table/table.h"

namespace shoal::mondrian {

// Columns are named by their position in `columns`, here and in requirements.
struct Search {
  const Table& table;                     // at least one row
  std::span<const size_t> quasi;          // the table's quasi column of each
  std::span<const CutColumn> columns;     // at least one
  std::vector<Requirement> requirements;  // at least one, each with k <= rows and columns in ascending order
  // One per requirement where one of them asks for more than k rows, which all rows as one group have; else empty.
  std::vector<std::shared_ptr<const GroupRule>> rules{};
  bool relaxed = false;
  // A rule for rows packed from `columns` (those of the search or some of them); the span outlives it.
  std::function<std::unique_ptr<CutRule>(std::span<const CutColumn> columns, bool relaxed)> make_rule;
  int threads = 1;
  Progress* progress = nullptr;
  double progress_begin = 0, progress_share = 1;  // which stretch of the stage this search is

  void update_progress(double share) const { progress->update(progress_begin + progress_share * share); }
};

struct Regions {
  std::vector<uint32_t> region_of_row;  // [row]; left sides of cuts before right ones
  std::vector<Released> releases;       // [region * columns + column]
  uint64_t cuts_tried = 0, cuts_made = 0;
  bool out_of_time = false;  // the deadline passed before no allowable cut was left
  // Several requirements only: [region * columns + column], what the cuts left of each column, before boxes shrank.
  std::vector<Interval> boxes;
};

// Every region keeps at least k rows, and what the rule asks. The same regions whatever the number of threads. Requires
// one requirement, of all columns.
Regions cut_for_one(const Search& search);

// Every requirement holds; loses no more NCP than cut_for_one with all columns and the largest k. Uses up to two
// threads for most of the work. See mondrian_several.h.
Regions cut_for_several(const Search& search);

}  // namespace shoal::mondrian
