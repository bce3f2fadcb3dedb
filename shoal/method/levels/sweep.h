// The one evaluator of level vectors: which rows would be dropped under a vector, and what groups remain.
//
// The columns of a LatticeTuples are raised one after the other, each step rolling up the group counts of the step
// before; the steps stay on a stack, so that vectors which share their first levels (in the table's column order)
// share that work. After i columns the rows are grouped by those i columns alone. A group that is too small there is
// too small under every choice of the other levels, so its rows are dropped for the whole branch and their tuples are
// not carried further; once more rows are dropped than the limit allows, the whole branch fails.
//
// Rows are dropped until every requirement holds on what is left. This leaves the greatest satisfying set of rows: a
// satisfying set never loses a row (its groups are large enough by themselves), and unions of satisfying sets satisfy.
// A set that satisfies under a vector also does under every coarser one (groups only merge) and for fewer columns, so
// dropped rows never increase upwards, and giving up small groups early drops no row that could have stayed.
//
// Rules that ask for more than k rows are asked about the groups of all columns, on the table's tail, when small groups
// are gone. A group that breaks its rule goes as a whole, all such groups of all requirements at once, then what has
// become too small by that, and so on until nothing breaks a rule. (The rows that make the rest of a group hold are
// never picked out: who is absent would tell on them.) While no row may be dropped, one breaking group is the end, and
// verdicts are inherited as without rules (rules.h). With dropped rows, rules of closure A keep all of the above too.
// Those of closure U do not: a compliant group may break when another requirement takes rows out of it, so what is left
// need not be the greatest satisfying set, and a breaking group that was dropped can spoil a compliant one that it
// joins further up: every vector must be counted. The same for an average risk, which is tested on what is left in the
// end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/method/levels/lattice_tuples.h"
#include "shoal/model/group_rule.h"

namespace shoal {

// A requirement in terms of lattice columns.
struct SweepRequirement {
  std::vector<size_t> columns;
  uint64_t k = 1;
  // What else its groups must have, and all of them together; null: nothing. Asked only where the table's tail tells
  // it.
  std::shared_ptr<const GroupRule> rule = nullptr;
};

// What a kept row gains over a fully suppressed one, column by column: gains[lattice column][level][digit], added up
// per group into component component_of[lattice column]. Lets a measure be summed over groups without their tuples.
struct SweepGains {
  size_t components = 0;
  std::vector<size_t> component_of;
  std::vector<std::vector<std::vector<double>>> gains;
};

// The groups of all table columns that remain under a vector; valid until the next evaluation.
struct GroupsView {
  uint64_t dropped = 0;             // rows in no group
  std::span<const uint32_t> sizes;  // rows per group
  std::span<const double> gains;    // [group * components + component]
  // With a tail: the group's entries are first[group] .. first[group + 1] - 1, ascending by tail.
  std::span<const uint32_t> first, tails, tail_counts;
};

class Sweep {
 public:
  // Keeps references to all arguments. `limit`: most rows that may be dropped. `gains` may be null. Columns of a
  // requirement that the table does not have count as being at the top.
  Sweep(const LatticeTuples& table, std::span<const LevelColumn> columns,
        std::span<const SweepRequirement> requirements, uint64_t limit, const SweepGains* gains = nullptr);

  enum class Outcome {
    satisfies,          // at most `limit` rows dropped; groups() has what remains
    fails,              // counted, and too many rows dropped
    fails_with_branch,  // as an earlier vector with the same first levels did; nothing was counted
  };
  // `levels`: one per position of the table, not below its floor. Fast when called in lexicographic order of these,
  // right in any. Memory: at most one rolled-up table per column.
  Outcome evaluate(std::span<const int> levels);

  // The next evaluation counts, whatever failed before: what is counted in a batch then does not depend on the batch
  // before it.
  void forget_failure();

  // Requires: the last evaluation said `satisfies`.
  GroupsView groups() const;

 private:
  // The rows that are left, grouped by the columns raised so far. Each group has its entries: the distinct ids of the
  // columns still to come. After the last column there are none, unless the table has a tail.
  struct Step {
    uint64_t dropped = 0;
    std::vector<uint32_t> first;  // [group]: where its entries begin; one more at the end
    std::vector<uint32_t> sizes;
    std::vector<uint32_t> ids, counts;  // buffers that only grow: first.back() entries are in use
    std::vector<double> gains;
    // For each partial requirement: the group's number among the projections on its columns, and how many there are.
    std::vector<std::vector<uint32_t>> part_of;
    std::vector<uint32_t> parts;
  };
  struct Entries {
    std::span<const uint32_t> ids, counts;
  };
  // Entries of a group with the same digit of the next column to raise. Every level is made from these.
  struct Slice {
    uint32_t group, digit, begin, end, size;
  };
  // Slices first .. last that a level releases alike: a group of the next step.
  struct Run {
    uint32_t first, last, group, digit, size;
  };
  struct Partial {  // a requirement on some of the table's columns only
    std::vector<bool> has_position;
    uint64_t k;
    const GroupRule* rule;  // null: none
  };

  Entries entries(size_t step) const;
  const std::vector<uint32_t>& digits_at(size_t position, int level);
  bool raise(size_t position, int level);
  void slice(size_t position);
  bool find_runs(size_t position, const std::vector<uint32_t>& digits);
  void number_parts(size_t position, uint32_t digits);
  bool drop_small_parts(Step& to);
  void carry_entries(size_t position);
  uint32_t join_by_counting(size_t position, const Run& run, uint32_t used);
  uint32_t join_by_sorting(size_t position, const Run& run, uint32_t used);
  void add_gains(size_t position, int level);

  // sweep_rules.cpp, about the last step.
  bool obey_rules();
  bool mark_breaking(const GroupRule& rule, std::span<const uint32_t> part_of, uint32_t parts);
  void drop_marked(Step& last);
  bool average_risks_hold() const;
  void forget_dropped(Step& last);

  const LatticeTuples& table_;
  std::span<const LevelColumn> columns_;
  uint64_t limit_;
  const SweepGains* gains_;
  uint64_t full_k_ = 1;  // groups of all columns need this many rows
  std::vector<const GroupRule*> full_rules_;
  bool has_rules_ = false;
  std::vector<Partial> partial_;

  std::vector<Step> steps_;                 // [columns raised]
  std::vector<std::vector<Slice>> slices_;  // [position] of steps_[position]; empty until needed
  std::vector<int> levels_;                 // of the steps that stand
  bool dead_ = false;                       // the last of them dropped too many rows
  // [position][level][digit at the floor]: digit; made when first needed
  std::vector<std::vector<std::vector<uint32_t>>> digits_;

  // Scratch of one raise.
  std::vector<Run> runs_;
  std::vector<uint32_t> counters_;
  std::vector<uint64_t> touched_, words_;
  enum class Fate : uint8_t { stays, goes, gone };
  std::vector<Fate> fate_;  // of the last step's groups, while rules are asked
};

}  // namespace shoal
