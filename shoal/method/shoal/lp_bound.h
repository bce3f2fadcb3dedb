// A lower bound on the NCP of any release by linear programming: the dual of covering all rows by groups of k.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shoal/method/shoal/lp_pool.h"
#include "shoal/method/shoal/lp_repair.h"

namespace shoal {

// The price per row of every group.
std::vector<double> group_prices(const NcpSpace& space, const DistinctTuples& tuples, const RowGroups& partition);

// Small tables may always have so much work.
constexpr uint64_t kLeastLpWork = 5'000'000;

struct LpSettings {
  uint64_t k = 1;
  int threads = 1;
  // How much to look at, about: tuples in boxes and members of sets. What comes out depends on it, but not on time or
  // threads.
  uint64_t work = 0;
  size_t rounds = 40;           // of finding sets and improving the dual values, at most
  size_t repair_every = 6;      // rounds
  double close_enough = 0.002;  // stops when the repair, and the rounds since the last, change no more than this share
  size_t most_members = 12'000'000;  // of all sets together: 8 bytes each
};

// The linear programme in work.
class LpSolver {
 public:
  // `partition`: a solution, from which it starts. space, tuples and progress must outlive it. Requires k <= rows.
  LpSolver(const NcpSpace& space, const DistinctTuples& tuples, const RowGroups& partition, const LpSettings& settings,
           Progress& progress);

  // Finds sets that overpay and improves the dual values, round by round, until the bound is as good as it gets, the
  // work is spent or the time is out.
  void solve();
  // One round. False: no set overpays by more than the finest tolerance, or looking for some takes too much work.
  bool round();

  // The best bound so far; nothing when no repair came to its end.
  const std::optional<RepairedDuals>& best() const { return best_; }
  size_t rounds() const { return rounds_; }
  uint64_t work_done() const { return work_; }
  // Tuples looked at when sets were last looked for.
  uint64_t last_walk() const { return last_walk_; }
  const SetPool& pool() const { return pool_; }
  // Every box is charged what it costs; else the bound is weaker than the linear programme's.
  bool exact() const { return cells_.exact; }

  // For rounding to a solution (lp_dive.h): these rows are settled and need no set any more; a row of this tuple can be
  // had for so much, so that it is worth no more; sets without rows enough are forgotten. The bound then stays as it
  // is.
  void settle(std::span<const SetMember> members);
  void offer(uint32_t tuple, double price) { highest_[tuple] = std::min(highest_[tuple], price); }
  void forget_sets_that_do_not_fit();
  const std::vector<uint32_t>& rows_left() const { return rows_; }
  const std::vector<double>& dual() const { return dual_; }
  const std::vector<double>& highest() const { return highest_; }

 private:
  struct Found;
  class Collector;
  void start(const RowGroups& partition);
  std::optional<std::vector<Found>> overpaid_sets();
  std::optional<size_t> take_overpaid_sets();
  bool repair();
  double carried() const;

  const NcpSpace& space_;
  const DistinctTuples& tuples_;
  const LpSettings settings_;
  Progress& progress_;
  CellFineness fineness_;
  BoxCells cells_;
  SetPool pool_;
  std::vector<uint32_t> rows_;                 // [tuple]: not settled
  std::vector<double> highest_, dual_;         // [tuple]
  double mean_price_ = 0, typical_price_ = 0;  // per row, of the start; the latter the root of the mean square
  double reach_ = 1;                           // how far a dual value may move in a round, in typical prices
  double carried_before_ = 0;                  // by all rows, at the last repair
  size_t tolerance_ = 0;                       // place in the list of tolerances
  size_t rounds_ = 0, idle_rounds_ = 0;
  uint64_t work_ = 0, last_walk_ = 0;  // tuples looked at, members looked at; those of the last walk
  std::optional<RepairedDuals> best_;
};

}  // namespace shoal
