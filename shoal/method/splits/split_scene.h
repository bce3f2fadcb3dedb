// A problem as genetic and k-optimize see it: what a set of splits costs, and which rows it drops.
//
// Rows that cannot be released under a set (those of groups that are too small, again and again until every requirement
// holds on the rest, as in levels/sweep.h) are dropped, as far as the job allows, and paid for. Where a requirement
// asks for a model or an average risk no row is dropped: a group that breaks a model may hold as part of a larger one,
// and then a finer release need not drop what a coarser one does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/method/cuts/tuple_table.h"
#include "shoal/method/method.h"
#include "shoal/method/splits/split_space.h"

namespace shoal {

// dm: sum of squared group sizes, a dropped row counts all rows. cm: rows outside their group's majority class, and
// dropped rows. lm: Iyengar's loss, a dropped row loses all its cells. As in docs/measures.md, before any division.
enum class SplitCost { dm, cm, lm };

// Throws Error(job) for cm without a target.
SplitCost split_cost(const std::string& name, const Problem& problem);

// What one judgement needs and leaves behind. One per thread.
struct SplitMemory {
  KeyIndex index;
  std::vector<std::vector<uint32_t>> groups;  // [requirement][tuple]
  std::vector<uint8_t> dropped;               // [tuple]
  std::vector<uint32_t> sizes, rows_of_group, class_rows;
  std::vector<uint64_t> key;
  uint64_t dropped_rows = 0;  // of the last judgement, also where they were too many; all rows where a rule is broken
};

// Immutable; safe to share between threads.
class SplitScene {
 public:
  // `problem` must outlive this. Cost: linear in rows.
  SplitScene(const Problem& problem, SplitCost cost);

  const Problem& problem() const { return problem_; }
  const SplitSpace& space() const { return space_; }
  SplitCost cost() const { return cost_; }
  uint64_t rows() const { return input_rows_; }  // of the input
  uint64_t limit() const { return limit_; }      // most rows that may be dropped
  bool by_models() const { return by_models_; }
  // The requirements that no other one implies, and the least size of a group over all quasi columns.
  const std::vector<Requirement>& requirements() const { return requirements_; }
  uint64_t least_group() const { return least_group_; }
  // One requirement over all quasi columns, k rows and nothing else.
  bool plain() const { return plain_; }

  // The distinct tuples over all quasi columns (with classes where cm is the cost), as they are in the input; and those
  // that rules are asked on, nullptr without models.
  const TupleTable& tuples() const { return tuples_; }
  const TupleTable* ruled() const { return ruled_ ? &*ruled_ : nullptr; }

  // Marks in memory.dropped which tuples of `tuples` are dropped when they are released as the maps say, and says how
  // many rows that is. Requires: no models.
  uint64_t drop(const TupleTable& tuples, const std::vector<TupleTable::NodeMap>& maps, SplitMemory& memory) const;
  // Whether all rules hold when no row is dropped. `ruled`: ruled() or what is rolled from it.
  bool rules_hold(const TupleTable& ruled, const std::vector<TupleTable::NodeMap>& maps, SplitMemory& memory) const;

  // What a set costs; nothing when it drops more rows than allowed, or breaks a rule. dm and cm are whole numbers below
  // 2^53 for tables of up to 94 million rows, and exact.
  struct Judged {
    double cost = 0;
    uint64_t dropped = 0;
  };
  std::optional<Judged> judge(const SplitSet& set, SplitMemory& memory) const;

  // The set as an answer, with the rows that it drops.
  Recoding recoding(const SplitSet& set) const;
  // The cost in the units of its measure.
  double shown(double cost) const;

  // id[tuple]: tuples released alike on `columns` have the same, numbered as they appear. Returns how many there are.
  uint32_t group(const TupleTable& tuples, const std::vector<TupleTable::NodeMap>& maps,
                 const std::vector<size_t>& columns, SplitMemory& memory, std::vector<uint32_t>& id) const;

 private:
  double grouped_cost(const std::vector<TupleTable::NodeMap>& maps, SplitMemory& memory) const;
  double cell_cost(const SplitSet& set, const SplitMemory& memory) const;

  const Problem& problem_;
  const uint64_t input_rows_;
  SplitCost cost_;
  SplitSpace space_;
  std::vector<Requirement> requirements_;
  std::vector<std::shared_ptr<const GroupRule>> rules_;  // one per requirement
  std::vector<size_t> all_columns_;
  bool by_models_ = false, plain_ = false;
  uint64_t limit_ = 0, least_group_ = 1;
  TupleTable tuples_;
  std::optional<TupleTable> ruled_;
  std::vector<std::vector<double>> leaf_rows_;  // [column][leaf], for lm
};

}  // namespace shoal
