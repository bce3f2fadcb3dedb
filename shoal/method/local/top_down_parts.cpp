// Figure 4 of the paper (utility-local-recoding.txt): two seeds far from each other by three rounds of farthest points,
// all other rows to the side whose penalty grows less, and both sides again. A set's draws come from its own seed, made
// by its parent, so that it does not matter which thread parts it, or when.
#include "shoal/method/local/top_down_parts.h"

#include <algorithm>
#include <numeric>

#include "shoal/method/space/leaf_prices.h"
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

// The rows of all sets, and their leaf positions in the same order: a set is one stretch of memory.
template <typename Prices>
struct SetRows {
  using Leaf = typename Prices::Leaf;
  SetRows(const RowCodes& codes, const Prices& prices, std::vector<uint32_t>& all_rows)
      : rows(all_rows), stride(prices.stride()), leaves(all_rows.size() * prices.stride()) {
    for (size_t i = 0; i < rows.size(); ++i) prices.pack(codes.row(rows[i]), leaves.data() + i * stride);
  }
  std::vector<uint32_t>& rows;
  const size_t stride;
  std::vector<Leaf> leaves;  // [place * stride + column]
};

// One thread's part of the work, and its memory.
template <typename Prices>
class Parter {
 public:
  using Leaf = typename Prices::Leaf;
  Parter(const RowCodes& codes, const Prices& prices, uint64_t k, SetRows<Prices>& all, const Progress& progress)
      : codes_(codes), k_(k), all_(all), progress_(progress), from_(prices), sides_{Side(prices), Side(prices)} {}

  // Parts a set; sets that need no more parting go to `ends`, others to `open`.
  void part(Set set, std::vector<Set>& open) {
    if (set.size() <= k_) return finish(set);
    if (!time_left()) return cut_in_order(set);
    progress_.check();
    if (all_alike(set)) return split(set);
    SeededRandom random(set.seed);
    const size_t left = assign(set, random);
    if (out_of_time_) return cut_in_order(set);
    if (std::max(left, set.size() - left) < k_) return finish(set);
    ++parted_;
    move_apart(set);
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
    explicit Side(const Prices& prices) : box(prices) {}
    typename Prices::GrowingBox box;
    double price = 0, rows = 0;
  };

  void finish(Set set) { ends_.push_back(set.end); }
  std::span<uint32_t> rows_of(Set set) const { return {all_.rows.data() + set.begin, set.size()}; }
  Leaf* leaves_of(Set set) const { return all_.leaves.data() + size_t{set.begin} * all_.stride; }

  // For large sets in a hurry: sorted once, column by column, rows are near each other in the first columns at least.
  void cut_in_order(Set set) {
    const std::span<uint32_t> rows = rows_of(set);
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
    const std::span<uint32_t> rows = rows_of(set);
    uint32_t from = 0;
    for (uint32_t end : split_evenly(codes_, rows, std::max<size_t>(1, rows.size() / k_))) {
      std::sort(rows.begin() + from, rows.begin() + end);
      ends_.push_back(set.begin + end);
      from = end;
    }
  }

  // Nothing to be told apart? Most sets show that they are not alike in their first two rows.
  bool all_alike(Set set) {
    const Leaf* const leaves = leaves_of(set);
    from_.set(leaves);
    for (size_t i = 1; i < set.size(); ++i) {
      if (from_.price_with(leaves + i * all_.stride) > 0) return false;
    }
    return box_price(codes_.space(), codes_.box(rows_of(set))) == 0;
  }

  // The row that costs most together with `row`; of equals the first.
  size_t farthest(Set set, size_t row) {
    const Leaf* const leaves = leaves_of(set);
    from_.set(leaves + row * all_.stride);
    size_t best = row == 0 ? 1 : 0;
    double best_price = -1;
    for (size_t first = 0; first < set.size(); first += kAskEvery) {
      progress_.check();
      const size_t last = std::min(set.size(), first + kAskEvery);
      for (size_t i = first; i < last; ++i) {
        const double price = from_.price_with(leaves + i * all_.stride);
        if (price > best_price && i != row) best = i, best_price = price;
      }
    }
    return best;
  }

  static void start(Side& side, const Leaf* row) {
    side.box.start(row);
    side.price = 0;
    side.rows = 1;
  }
  // What the side's penalty grows by when its price becomes `price` with one more row.
  static double growth(const Side& side, double price) { return price + side.rows * (price - side.price); }
  static void add(Side& side, const Leaf* row, double price) {
    side.rows += 1;
    side.box.add(row);
    side.price = price;
  }

  bool time_left() {
    out_of_time_ = out_of_time_ || progress_.out_of_time();
    return !out_of_time_;
  }

  // Says in side_of_ where each row goes; gives how many go left. Stops halfway when no time is left.
  size_t assign(Set set, SeededRandom& random) {
    size_t u = random.below(set.size()), v = u;
    for (int scan = 0; scan < kScans; ++scan) {
      if (set.size() > kAskEvery && !time_left()) return 0;
      u = std::exchange(v, farthest(set, v));
    }
    order_.resize(set.size());
    std::iota(order_.begin(), order_.end(), 0u);
    shuffle(order_, random);
    side_of_.resize(set.size());
    side_of_[u] = 0;
    side_of_[v] = 1;
    const Leaf* const leaves = leaves_of(set);
    start(sides_[0], leaves + u * all_.stride);
    start(sides_[1], leaves + v * all_.stride);
    size_t asked = 0;
    for (uint32_t i : order_) {
      if (++asked % kAskEvery == 0) {
        progress_.check();
        if (!time_left()) return 0;
      }
      if (i == u || i == v) continue;
      const Leaf* const row = leaves + i * all_.stride;
      const double prices[] = {sides_[0].box.price_with(row), sides_[1].box.price_with(row)};
      const double left = growth(sides_[0], prices[0]), right = growth(sides_[1], prices[1]);
      const bool to_right = left != right ? right < left : sides_[1].rows < sides_[0].rows;
      side_of_[i] = to_right;
      add(sides_[to_right], row, prices[to_right]);
    }
    return static_cast<size_t>(sides_[0].rows);
  }

  // Left rows first; both sides stay in input order.
  void move_apart(Set set) {
    const std::span<uint32_t> rows = rows_of(set);
    Leaf* const leaves = leaves_of(set);
    const size_t stride = all_.stride;
    right_rows_.clear();
    right_leaves_.resize(rows.size() * stride);
    size_t left = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      const bool right = side_of_[i] != 0;
      std::copy_n(leaves + i * stride, stride,
                  right ? right_leaves_.data() + right_rows_.size() * stride : leaves + left * stride);
      if (right) {
        right_rows_.push_back(rows[i]);
      } else {
        rows[left++] = rows[i];
      }
    }
    std::copy(right_rows_.begin(), right_rows_.end(), rows.begin() + static_cast<ptrdiff_t>(left));
    std::copy_n(right_leaves_.data(), right_rows_.size() * stride, leaves + left * stride);
  }

  const RowCodes& codes_;
  const uint64_t k_;
  SetRows<Prices>& all_;
  const Progress& progress_;
  typename Prices::FromRow from_;
  Side sides_[2];
  std::vector<uint32_t> order_, right_rows_;
  std::vector<Leaf> right_leaves_;
  std::vector<char> side_of_;
  std::vector<uint32_t> ends_;
  uint64_t parted_ = 0;
  bool out_of_time_ = false;
};

template <typename Prices>
void part_down(Parter<Prices>& parter, Set taken, WaitingTasks<Set>& waiting) {
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

template <typename Prices>
TopDownParts parts_by(const Prices& prices, const RowCodes& codes, uint64_t k, uint64_t seed, int threads,
                      Progress& progress) {
  TopDownParts result;
  std::vector<uint32_t>& rows = result.sets.rows;
  rows.resize(codes.rows());
  std::iota(rows.begin(), rows.end(), 0u);
  SetRows<Prices> all(codes, prices, rows);
  const auto workers = rows.size() > kOwn ? static_cast<size_t>(std::max(threads, 1)) : 1;
  std::vector<Parter<Prices>> parters;
  for (size_t i = 0; i < workers; ++i) parters.emplace_back(codes, prices, k, all, progress);
  const Set whole{0, static_cast<uint32_t>(rows.size()), seed};
  run_growing_tasks(whole, workers, [&](size_t worker, Set set, WaitingTasks<Set>& waiting) {
    part_down(parters[worker], set, waiting);
  });
  for (const Parter<Prices>& parter : parters) {
    result.sets.starts.insert(result.sets.starts.end(), parter.ends().begin(), parter.ends().end());
    result.parted += parter.parted();
    result.out_of_time = result.out_of_time || parter.out_of_time();
  }
  std::sort(result.sets.starts.begin(), result.sets.starts.end());
  return result;
}

}  // namespace

TopDownParts top_down_parts(const RowCodes& codes, uint64_t k, uint64_t seed, int threads, Progress& progress) {
  const NcpSpace& space = codes.space();
  if (TabledPrices::fits(space)) return parts_by(TabledPrices(space), codes, k, seed, threads, progress);
  return parts_by(SpacePrices(space), codes, k, seed, threads, progress);
}

}  // namespace shoal
