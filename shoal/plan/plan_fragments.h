// From a problem to the fragments of its table. Three kinds of callers plan: those who have the whole table in memory
// (plan_fragments), those who have it on disk (files/outsized_table.h), and those who have counts of it alone
// (release/table_plan.h). What is wanted, where the tree is cut and which leaves make a fragment is decided here for
// all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/method/space/row_groups.h"
#include "shoal/plan/cut_tree.h"
#include "shoal/plan/fragments.h"
#include "shoal/run/progress.h"

namespace shoal {

// How a table is cut, and in words.
struct FragmentPlan {
  RowGroups fragments;  // every row once; rows of a fragment by their contents
  std::string words;    // for the report
  std::string reason;   // why it is not cut, where it was asked for; else ""
};
// The plan of a table in memory, which run_search follows. One fragment: search in one piece.
FragmentPlan plan_fragments(const Problem& problem, Progress& progress);

struct FragmentWish {
  FragmentSizes sizes = {};  // fewer than two fragments: in one piece
  bool asked = false;        // by the user, who wants several; else by the rule of docs/scale.md
  std::string reason;        // why it is not cut; "" where it is
};
// When `auto` cuts a table whose rows hang together: by several requirements, or by models that compare groups with the
// whole table.
enum class CutTied { never, always };
// What the problem's settings ask for; its table is not looked at: it has so many rows.
FragmentWish wanted_fragments(const Problem& problem, size_t rows, CutTied tied = CutTied::never);

// A pilot's rows, of so many, and the fragments that are wanted. `sample` must outlive what is made from it.
struct DrawnRows {
  const Table& sample;
  size_t rows;
  FragmentSizes sizes;
};

// The tree of cuts that a pilot says, for somebody who counts the rows of its leaves:
//   while (tree.cut_again(count(tree.tree()))) {}
class PilotTree {
 public:
  // Searches the pilot's groups, in a part of the time that is left, and cuts. Nothing: the pilot has no answer. The
  // problem's own table is not looked at.
  static std::optional<PilotTree> grown(const Problem& problem, const DrawnRows& drawn, Progress& progress);

  const CutTree& tree() const { return grower_->tree(); }
  // `rows`: [node], of leaves. Cuts leaves with far more rows than planned, as long as the pilot says where; whether
  // any was cut.
  bool cut_again(const std::vector<uint64_t>& rows);

 private:
  PilotTree(PilotGroups groups, const DrawnRows& drawn);

  std::unique_ptr<const PilotGroups> groups_;  // the grower looks at it
  std::unique_ptr<CutGrower> grower_;
  size_t most_rows_;  // of a leaf
};

// "15, of 42000 to 99000 rows, cut by a pilot of 30000 rows". `rows`: of each fragment, at least one.
std::string fragment_words(const std::vector<uint64_t>& rows, size_t pilot);

}  // namespace shoal
