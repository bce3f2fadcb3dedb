// Figure 4 of the paper (utility-local-recoding.txt): two seeds far from each other by three rounds of farthest points,
// all other rows to the side whose penalty grows less, and both sides again. A set's draws come from its own seed, made
// by its parent, so that it does not matter which thread parts it, or when.
#include "shoal/method/local/top_down_parts.h"

#include <algorithm>
#include <numeric>

#include "shoal/run/growing_tasks.h"

namespace shoal {
namespace {

constexpr int kScans = 3;              // for the two seeds: the paper's number of rounds
constexpr size_t kOwn = 2048;          // sets up to this many rows stay with the thread that made them
constexpr size_t kAskEvery = 1 << 15;  // rows between two looks at whether to stop

// Rows begin .. end-1 of the permutation, in input order.
struct Set {
  uint32_t begin, end;
  uint64_t seed;
  size_t size() const { return end - begin; }
};

// One thread's part of the work, and its memory.
class Parter {
 public:
  Parter(const RowCodes& codes, uint64_t k, std::vector<uint32_t>& rows, const Progress& progress)
      : codes_(codes),
        space_(codes.space()),
        k_(k),
        rows_(rows),
        progress_(progress),
        sides_{Side(codes), Side(codes)} {}

  // Parts a set; sets that need no more parting go to `ends`, others to `open`.
  void part(Set set, std::vector<Set>& open) {
    if (set.size() <= k_) return finish(set);
    if (!time_left()) return cut_in_order(set);
    progress_.check();
    const std::span<uint32_t> rows(rows_.data() + set.begin, set.size());
    codes_.measure(rows, sides_[0].box.data());
    if (box_price(space_, sides_[0].box) == 0) return split(set);  // nothing to be told apart
    SeededRandom random(set.seed);
    const size_t left = assign(rows, random);
    if (out_of_time_) return cut_in_order(set);
    if (std::max(left, rows.size() - left) < k_) return finish(set);
    ++parted_;
    move_apart(rows);
    const auto middle = set.begin + static_cast<uint32_t>(left);
    // Seeds of children: two more numbers of the set's own generator.
    open.push_back({middle, set.end, random()});
    open.push_back({set.begin, middle, random()});
  }

  const std::vector<uint32_t>& ends() const { return ends_; }
  uint64_t parted() const { return parted_; }
  bool out_of_time() const { return out_of_time_; }

 private:
  struct Side {
    explicit Side(const RowCodes& codes) : box(codes.width()), cost(codes.width()) {}
    Box box;
    std::vector<double> cost;  // per column
    double price = 0, rows = 0;
  };

  void finish(Set set) { ends_.push_back(set.end); }
  // For large sets in a hurry: sorted once, column by column, rows are near each other in the first columns at least.
  void cut_in_order(Set set) {
    const std::span<uint32_t> rows(rows_.data() + set.begin, set.size());
    const auto before = [&](uint32_t a, uint32_t b) {
      const uint32_t *one = codes_.row(a), *other = codes_.row(b);
      const auto [x, y] = std::mismatch(one, one + codes_.width(), other);
      return x == one + codes_.width() ? a < b : *x < *y;
    };
    // Rows numbered by their contents stand like that already.
    if (!std::is_sorted(rows.begin(), rows.end(), before)) std::sort(rows.begin(), rows.end(), before);
    const size_t parts = rows.size() / k_;
    for (size_t part = 0; part < parts; ++part) {
      const size_t from = rows.size() * part / parts, end = rows.size() * (part + 1) / parts;
      std::sort(rows.begin() + static_cast<ptrdiff_t>(from), rows.begin() + static_cast<ptrdiff_t>(end));
      ends_.push_back(set.begin + static_cast<uint32_t>(end));
    }
  }
  void split(Set set) {
    const std::span<uint32_t> rows(rows_.data() + set.begin, set.size());
    uint32_t from = 0;
    for (uint32_t end : split_evenly(codes_, rows, std::max<size_t>(1, rows.size() / k_))) {
      std::sort(rows.begin() + from, rows.begin() + end);
      ends_.push_back(set.begin + end);
      from = end;
    }
  }

  // The row that costs most together with `row`; of equals the first.
  size_t farthest(std::span<const uint32_t> rows, size_t row) const {
    const uint32_t* const from = codes_.row(rows[row]);
    size_t best = row == 0 ? 1 : 0;
    double best_price = -1;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i % kAskEvery == 0) progress_.check();
      const uint32_t* const to = codes_.row(rows[i]);
      double price = 0;
      for (size_t j = 0; j < codes_.width(); ++j) {
        price += space_.cost(j, std::min(from[j], to[j]), std::max(from[j], to[j]));
      }
      if (price > best_price && i != row) best = i, best_price = price;
    }
    return best;
  }

  void start(Side& side, uint32_t row) {
    codes_.measure(std::span(&row, 1), side.box.data());
    std::fill(side.cost.begin(), side.cost.end(), 0.0);
    side.price = 0;
    side.rows = 1;
  }
  // What the side's penalty grows by with this row.
  double growth(const Side& side, const uint32_t* row) const {
    double price = 0;
    for (size_t j = 0; j < codes_.width(); ++j) {
      const LeafSpan span = side.box[j];
      const bool inside = span.lo <= row[j] && row[j] <= span.hi;
      price += inside ? side.cost[j] : space_.cost(j, std::min(span.lo, row[j]), std::max(span.hi, row[j]));
    }
    return price + side.rows * (price - side.price);
  }
  void add(Side& side, const uint32_t* row) const {
    side.rows += 1;
    bool wider = false;
    for (size_t j = 0; j < codes_.width(); ++j) {
      if (side.box[j].lo <= row[j] && row[j] <= side.box[j].hi) continue;
      grow(side.box[j], {row[j], row[j]});
      side.cost[j] = space_.cost(j, side.box[j].lo, side.box[j].hi);
      wider = true;
    }
    if (!wider) return;
    side.price = 0;
    for (double cost : side.cost) side.price += cost;
  }

  bool time_left() {
    out_of_time_ = out_of_time_ || progress_.out_of_time();
    return !out_of_time_;
  }

  // Says in side_of_ where each row goes; gives how many go left. Stops halfway when no time is left.
  size_t assign(std::span<const uint32_t> rows, SeededRandom& random) {
    size_t u = random.below(rows.size()), v = u;
    for (int scan = 0; scan < kScans; ++scan) {
      if (rows.size() > kAskEvery && !time_left()) return 0;
      u = std::exchange(v, farthest(rows, v));
    }
    order_.resize(rows.size());
    std::iota(order_.begin(), order_.end(), 0u);
    shuffle(order_, random);
    side_of_.resize(rows.size());
    side_of_[u] = 0;
    side_of_[v] = 1;
    start(sides_[0], rows[u]);
    start(sides_[1], rows[v]);
    size_t asked = 0;
    for (uint32_t i : order_) {
      if (++asked % kAskEvery == 0) {
        progress_.check();
        if (!time_left()) return 0;
      }
      if (i == u || i == v) continue;
      const uint32_t* const row = codes_.row(rows[i]);
      const double left = growth(sides_[0], row), right = growth(sides_[1], row);
      const bool to_right = left != right ? right < left : sides_[1].rows < sides_[0].rows;
      side_of_[i] = to_right;
      add(sides_[to_right], row);
    }
    return static_cast<size_t>(sides_[0].rows);
  }

  // Left rows first; both sides stay in input order.
  void move_apart(std::span<uint32_t> rows) {
    order_.clear();
    size_t left = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (side_of_[i]) {
        order_.push_back(rows[i]);
      } else {
        rows[left++] = rows[i];
      }
    }
    std::copy(order_.begin(), order_.end(), rows.begin() + static_cast<ptrdiff_t>(left));
  }

  const RowCodes& codes_;
  const NcpSpace& space_;
  const uint64_t k_;
  std::vector<uint32_t>& rows_;
  const Progress& progress_;
  Side sides_[2];
  std::vector<uint32_t> order_;
  std::vector<char> side_of_;
  std::vector<uint32_t> ends_;
  uint64_t parted_ = 0;
  bool out_of_time_ = false;
};

void part_down(Parter& parter, Set taken, WaitingTasks<Set>& waiting) {
  std::vector<Set> made, own{taken};
  while (!own.empty()) {
    const Set set = own.back();
    own.pop_back();
    made.clear();
    parter.part(set, made);
    for (const Set& child : made) {
      if (child.size() > kOwn) {
        waiting.add(child);
      } else {
        own.push_back(child);
      }
    }
  }
}

}  // namespace

TopDownParts top_down_parts(const RowCodes& codes, uint64_t k, uint64_t seed, int threads, Progress& progress) {
  TopDownParts result;
  std::vector<uint32_t>& rows = result.sets.rows;
  rows.resize(codes.rows());
  std::iota(rows.begin(), rows.end(), 0u);
  const auto workers = rows.size() > kOwn ? static_cast<size_t>(std::max(threads, 1)) : 1;
  std::vector<Parter> parters;
  for (size_t i = 0; i < workers; ++i) parters.emplace_back(codes, k, rows, progress);
  const Set all{0, static_cast<uint32_t>(rows.size()), seed};
  run_growing_tasks(all, workers, [&](size_t worker, Set set, WaitingTasks<Set>& waiting) {
    part_down(parters[worker], set, waiting);
  });
  for (const Parter& parter : parters) {
    result.sets.starts.insert(result.sets.starts.end(), parter.ends().begin(), parter.ends().end());
    result.parted += parter.parted();
    result.out_of_time = result.out_of_time || parter.out_of_time();
  }
  std::sort(result.sets.starts.begin(), result.sets.starts.end());
  return result;
}

}  // namespace shoal
