// Once a set is settled its box stands there, and any row inside may join at the price of the box: that is the most
// such a row is worth from then on (its highest dual value). Rows that are worth no more than that are in no set in the
// end, and join.
#include "shoal/method/shoal/lp_dive.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace shoal {
namespace {

constexpr double kSure = 0.9;     // sets used so much are settled in any case
constexpr double kUnused = 1e-4;  // sets used less are not settled

// The groups so far, in tuples.
struct Settled {
  std::vector<std::vector<SetMember>> groups;
  std::vector<uint32_t> boxes;  // [group][column]: least, greatest
  std::vector<double> prices;   // [group], per row
  std::vector<uint64_t> rows;   // [group]
};

class Dive {
 public:
  Dive(const NcpSpace& space, const DistinctTuples& tuples, LpSolver& solver, const DiveSettings& settings,
       Progress& progress)
      : space_(space), tuples_(tuples), solver_(solver), settings_(settings), progress_(progress) {}

  std::optional<RowGroups> run() {
    uint64_t left = rows_left();
    while (left >= settings_.k) {
      progress_.check();
      if (progress_.out_of_time()) return std::nullopt;
      settle_most_used(left);
      const uint64_t now = rows_left();
      if (now == left) break;
      left = now;
      solver_.forget_sets_that_do_not_fit();
      for (size_t round = 0; round < settings_.rounds && left >= settings_.k; ++round) {
        if (!solver_.round()) break;
      }
    }
    if (settled_.groups.empty()) return std::nullopt;
    join_leftovers();
    return in_rows();
  }

 private:
  uint64_t rows_left() const {
    return std::accumulate(solver_.rows_left().begin(), solver_.rows_left().end(), uint64_t{0});
  }

  bool fits(std::span<const SetMember> members) const {
    return std::all_of(members.begin(), members.end(),
                       [&](const SetMember& member) { return member.rows <= solver_.rows_left()[member.tuple]; });
  }

  void settle_most_used(uint64_t left) {
    const SetPool& pool = solver_.pool();
    std::vector<uint32_t> sets;
    for (uint32_t set = 0; set < pool.size(); ++set) {
      if (pool.x(set) > kUnused) sets.push_back(set);
    }
    std::sort(sets.begin(), sets.end(),
              [&](uint32_t a, uint32_t b) { return pool.x(a) != pool.x(b) ? pool.x(a) > pool.x(b) : a < b; });
    const size_t most = 1 + static_cast<size_t>(settings_.share * double(left) / double(settings_.k));
    const size_t first = settled_.groups.size();
    for (uint32_t set : sets) {
      if (settled_.groups.size() - first >= most && pool.x(set) < kSure) break;
      if (fits(pool.members(set))) settle(pool.members(set));
    }
    offer_boxes(first);
  }

  void settle(std::span<const SetMember> members) {
    solver_.settle(members);
    const size_t width = space_.columns();
    double price = 0;
    for (size_t j = 0; j < width; ++j) {
      uint32_t lo = UINT32_MAX, hi = 0;
      for (const SetMember& member : members) {
        lo = std::min(lo, tuples_.codes[size_t{member.tuple} * width + j]);
        hi = std::max(hi, tuples_.codes[size_t{member.tuple} * width + j]);
      }
      price += space_.cost(j, lo, hi);
      space_.widen(j, lo, hi);
      settled_.boxes.push_back(lo);
      settled_.boxes.push_back(hi);
    }
    settled_.groups.emplace_back(members.begin(), members.end());
    settled_.prices.push_back(price);
    settled_.rows.push_back(settings_.k);
  }

  // Rows inside the groups from `first` on may join them.
  void offer_boxes(size_t first) {
    const size_t width = space_.columns();
    for (uint32_t t = 0; t < tuples_.size(); ++t) {
      if (solver_.rows_left()[t] == 0) continue;
      const uint32_t* const codes = tuples_.codes.data() + size_t{t} * width;
      double least = std::numeric_limits<double>::infinity();
      for (size_t g = first; g < settled_.groups.size(); ++g) {
        if (settled_.prices[g] < least && inside(g, codes)) least = settled_.prices[g];
      }
      solver_.offer(t, least);
    }
  }

  bool inside(size_t group, const uint32_t* codes) const {
    const uint32_t* const box = settled_.boxes.data() + group * 2 * space_.columns();
    for (size_t j = 0; j < space_.columns(); ++j) {
      if (codes[j] < box[2 * j] || codes[j] > box[2 * j + 1]) return false;
    }
    return true;
  }

  // What the group's cost grows by when so many rows of the tuple join.
  double added(size_t group, const uint32_t* codes, double rows, double limit) const {
    const uint32_t* const box = settled_.boxes.data() + group * 2 * space_.columns();
    double price = 0;
    for (size_t j = 0; j < space_.columns(); ++j) {
      price += space_.cost(j, std::min(codes[j], box[2 * j]), std::max(codes[j], box[2 * j + 1]));
      if (rows * price >= limit) return limit;
    }
    return rows * price + double(settled_.rows[group]) * (price - settled_.prices[group]);
  }

  // Every row left goes to the group where it adds least. All rows of a tuple go together.
  void join_leftovers() {
    const size_t width = space_.columns();
    for (uint32_t t = 0; t < tuples_.size(); ++t) {
      const uint32_t rows = solver_.rows_left()[t];
      if (rows == 0) continue;
      progress_.check();
      const uint32_t* const codes = tuples_.codes.data() + size_t{t} * width;
      size_t best = 0;
      double least = std::numeric_limits<double>::infinity();
      for (size_t g = 0; g < settled_.groups.size(); ++g) {
        const double cost = added(g, codes, double(rows), least);
        if (cost >= least) continue;
        least = cost;
        best = g;
      }
      join(best, t, rows);
    }
  }

  void join(size_t group, uint32_t tuple, uint32_t rows) {
    uint32_t* const box = settled_.boxes.data() + group * 2 * space_.columns();
    double price = 0;
    for (size_t j = 0; j < space_.columns(); ++j) {
      const uint32_t code = tuples_.codes[size_t{tuple} * space_.columns() + j];
      box[2 * j] = std::min(box[2 * j], code);
      box[2 * j + 1] = std::max(box[2 * j + 1], code);
      space_.widen(j, box[2 * j], box[2 * j + 1]);
      price += space_.cost(j, box[2 * j], box[2 * j + 1]);
    }
    settled_.prices[group] = price;
    settled_.rows[group] += rows;
    settled_.groups[group].push_back({tuple, rows});
    const SetMember joined{tuple, rows};
    solver_.settle({&joined, 1});
  }

  // The rows of every tuple, in order, to the groups that have some of it.
  RowGroups in_rows() const {
    std::vector<uint32_t> next(tuples_.size() + 1, 0), by_tuple(tuples_.of_row.size());
    for (uint32_t tuple : tuples_.of_row) ++next[tuple + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<uint32_t> place(next.begin(), next.end() - 1);
    for (uint32_t row = 0; row < tuples_.of_row.size(); ++row) by_tuple[place[tuples_.of_row[row]]++] = row;
    RowGroups groups;
    for (const auto& members : settled_.groups) {
      for (const SetMember& member : members) {
        for (uint32_t i = 0; i < member.rows; ++i) groups.rows.push_back(by_tuple[next[member.tuple]++]);
      }
      groups.starts.push_back(static_cast<uint32_t>(groups.rows.size()));
    }
    return groups;
  }

  const NcpSpace& space_;
  const DistinctTuples& tuples_;
  LpSolver& solver_;
  const DiveSettings& settings_;
  Progress& progress_;
  Settled settled_;
};

}  // namespace

std::optional<RowGroups> lp_dive(const NcpSpace& space, const DistinctTuples& tuples, LpSolver& solver,
                                 const DiveSettings& settings, Progress& progress) {
  return Dive(space, tuples, solver, settings, progress).run();
}

}  // namespace shoal
