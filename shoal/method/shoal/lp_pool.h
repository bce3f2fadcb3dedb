// The sets of k rows that the linear programme knows so far (its columns), and the first-order method that improves the
// dual values for them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "shoal/method/shoal/shoal_boxes.h"
#include "shoal/run/progress.h"

namespace shoal {

// One tuple of a set, and how many of its rows.
struct SetMember {
  uint32_t tuple = 0, rows = 0;
  bool operator==(const SetMember&) const = default;
};

// Every set has k rows of a box of some price per row. x: how much of the set is used, in [0, 1] or so.
class SetPool {
 public:
  SetPool(size_t tuples, uint64_t k) : tuples_(tuples), k_(k) {}

  // False: the set is known already at this price or a lower one that was added the same way. `kept`: never dropped.
  bool add(std::span<const SetMember> members, double price, bool kept, double x);
  size_t size() const { return price_.size(); }
  size_t entries() const { return members_.size(); }
  std::span<const SetMember> members(size_t set) const {
    return {members_.data() + starts_[set], starts_[set + 1] - starts_[set]};
  }
  double price(size_t set) const { return price_[set]; }
  double x(size_t set) const { return x_[set]; }

  struct Settings {
    size_t steps = 300;
    double usual = 1;     // size of a usual dual value, > 0: scales the steps and the margin
    double reach = 1;     // how far a dual value may move at most
    double margin = 0.1;  // sets that carry so much less than their price, in usual values, are looked at now and then
    int threads = 1;
  };
  // Steps towards the best dual values: sum of rows[t] x dual[t] as large as can be while no set carries more than its
  // price. rows, highest: [tuple]. Ends near the optimum, not at it, and the values may overpay a little.
  // The same for any number of threads. Returns how many members were looked at.
  uint64_t improve(const std::vector<uint32_t>& rows, const std::vector<double>& highest, const Settings& settings,
                   std::vector<double>& dual, const Progress& progress);

  // Forgets sets that have not been used for `rounds` calls and carry less than their price by `slack` per row.
  void drop_unused(const std::vector<double>& dual, uint32_t rounds, double slack);
  // Forgets sets for which keep(set) is false.
  template <typename Keep>
  void keep_only(const Keep& keep) {
    size_t to = 0, member_to = 0;
    for (size_t set = 0; set < size(); ++set) {
      const size_t first = starts_[set], last = starts_[set + 1];
      if (!keep(set)) {
        known_.erase(hash(members(set), price_[set]));
        continue;
      }
      price_[to] = price_[set];
      x_[to] = x_[set];
      unused_[to] = unused_[set];
      kept_[to] = kept_[set];
      std::copy(members_.begin() + static_cast<ptrdiff_t>(first), members_.begin() + static_cast<ptrdiff_t>(last),
                members_.begin() + static_cast<ptrdiff_t>(member_to));
      starts_[to] = member_to;
      member_to += last - first;
      ++to;
    }
    starts_.resize(to + 1);
    starts_[to] = member_to;
    members_.resize(member_to);
    price_.resize(to);
    x_.resize(to);
    unused_.resize(to);
    kept_.resize(to);
  }

 private:
  static uint64_t hash(std::span<const SetMember> members, double price);
  double carried(size_t set, const std::vector<double>& dual) const {
    double sum = 0;
    for (const SetMember& member : members(set)) sum += double(member.rows) * dual[member.tuple];
    return sum;
  }
  void wake(const std::vector<double>& dual, double margin);
  uint64_t step_sets(size_t part, double weight, const std::vector<double>& dual, std::vector<double>& covered);

  const size_t tuples_;
  const uint64_t k_;
  std::vector<size_t> starts_{0};
  std::vector<SetMember> members_;
  std::vector<double> price_, x_;
  std::vector<uint32_t> unused_;  // calls of drop_unused() in a row
  std::vector<uint8_t> kept_;
  std::unordered_set<uint64_t> known_;
  std::vector<uint32_t> awake_;     // sets looked at in every step
  std::vector<double> awake_rows_;  // [tuple]: its rows in these
};

}  // namespace shoal
