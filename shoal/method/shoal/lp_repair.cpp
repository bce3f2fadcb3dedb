// Why one walk is enough. A dual is feasible when for every box the k dearest rows inside carry no more than k times
// its price. Lowering a value never breaks that for any box. So it is enough to look at every box once and to lower
// values there until it holds; boxes that are fine with the values of the beginning stay fine, and the walk leaves out
// no other.
#include "shoal/method/shoal/lp_repair.h"

#include <algorithm>
#include <cmath>

#include "shoal/run/tasks.h"

namespace shoal {
namespace {

// Parts of the walk that start from the same values. Which part learns of which does not depend on the threads.
constexpr size_t kWave = 4;
// Sums of doubles are off by far less than this share of the dearest box; every value is lowered by it in the end.
constexpr double kSumRounding = 1e-10;
constexpr int kAttempts = 12;
// Shares of the values that are tried, where repairing higher ones is too much work.
constexpr double kLowerShares[] = {1, 0.85, 0.7, 0.5};

// Lowers the values in overpaid boxes. `dual` is in ranks.
class Lowering : public BoxVisitor {
 public:
  // slack: how much k rows may overpay, per row; far more than what sums are rounded by.
  Lowering(const BoxCells& cells, const RankedTuples& tuples, uint64_t k, double slack)
      : values_(cells.slid ? &tuples.codes[*cells.slid] : nullptr), tuples_(tuples), k_(k), slack_(slack) {}

  void begin(const std::vector<double>& dual) {
    dual_ = dual;
    lowered_.clear();
  }
  const std::vector<double>& dual() const { return dual_; }
  // Ranks whose values may be lower than at begin(); some twice.
  const std::vector<uint32_t>& lowered() const { return lowered_; }

  // Boxes come by rising first value, then by rising last one: the k dearest rows of the box at hand are kept while it
  // grows, and looked for anew only after values were lowered.
  void cell(std::span<const uint32_t> inside, std::span<const OverpaidBox> boxes) override {
    by_value_.assign(inside.begin(), inside.end());
    if (values_ != nullptr) {
      std::stable_sort(by_value_.begin(), by_value_.end(),
                       [&](uint32_t a, uint32_t b) { return (*values_)[a] < (*values_)[b]; });
    }
    size_t begin = 0, end = 0;
    for (size_t i = 0; i < boxes.size(); ++i) {
      const OverpaidBox& box = boxes[i];
      if (i == 0 || box.first != boxes[i - 1].first) {
        while (begin < by_value_.size() && value(begin) < box.first) ++begin;
        end = begin;
        forget();
      }
      for (; end < by_value_.size() && value(end) <= box.last; ++end) see(by_value_[end]);
      if (seen_rows_ < k_ || carried_by_dearest() <= double(k_) * (box.price + slack_)) continue;
      members_.assign(by_value_.begin() + static_cast<ptrdiff_t>(begin),
                      by_value_.begin() + static_cast<ptrdiff_t>(end));
      lower(box.price);
      forget();
      for (size_t place = begin; place < end; ++place) see(by_value_[place]);
    }
  }
  uint64_t looked_at() const { return looked_at_; }

 private:
  uint32_t value(size_t place) const { return values_ == nullptr ? 0 : (*values_)[by_value_[place]]; }

  void forget() {
    dearest_.clear();
    seen_rows_ = 0;
    sum_ = 0;
  }
  // One more member: dearest_ has the dearest tuples that have k rows together, the cheapest on top.
  void see(uint32_t rank) {
    ++looked_at_;
    if (seen_rows_ >= k_ && dual_[rank] <= dual_[dearest_.front()]) return;
    const auto cheaper_on_top = [&](uint32_t a, uint32_t b) { return dual_[a] > dual_[b]; };
    dearest_.push_back(rank);
    std::push_heap(dearest_.begin(), dearest_.end(), cheaper_on_top);
    seen_rows_ += tuples_.rows[rank];
    sum_ += double(tuples_.rows[rank]) * dual_[rank];
    while (seen_rows_ - tuples_.rows[dearest_.front()] >= k_) {
      const uint32_t cheapest = dearest_.front();
      seen_rows_ -= tuples_.rows[cheapest];
      sum_ -= double(tuples_.rows[cheapest]) * dual_[cheapest];
      std::pop_heap(dearest_.begin(), dearest_.end(), cheaper_on_top);
      dearest_.pop_back();
    }
  }
  // Requires k rows seen.
  double carried_by_dearest() const { return sum_ - double(seen_rows_ - k_) * dual_[dearest_.front()]; }

  // Takes the same from all of the k dearest rows, which leaves more than taking it from the dearest alone, as boxes
  // nearby want the others lowered as well. Where that goes on and on, caps the values.
  void lower(double price) {
    auto dearer = [&](uint32_t a, uint32_t b) { return dual_[a] != dual_[b] ? dual_[a] > dual_[b] : a < b; };
    for (int attempt = 0; attempt <= kAttempts; ++attempt) {
      // The k dearest rows are among the k dearest tuples.
      if (members_.size() > k_) {
        std::nth_element(members_.begin(), members_.begin() + static_cast<ptrdiff_t>(k_), members_.end(), dearer);
      }
      const size_t tops = std::min<size_t>(members_.size(), k_);
      std::sort(members_.begin(), members_.begin() + static_cast<ptrdiff_t>(tops), dearer);
      double carried = 0;
      uint64_t rows = 0;
      size_t used = 0;
      for (; used < tops && rows < k_; ++used) {
        const uint64_t taken = std::min<uint64_t>(tuples_.rows[members_[used]], k_ - rows);
        carried += double(taken) * dual_[members_[used]];
        rows += taken;
      }
      if (rows < k_ || carried <= double(k_) * (price + slack_)) return;
      if (attempt == kAttempts) return cap(price);
      for (size_t i = 0; i < used; ++i) {
        dual_[members_[i]] -= carried / double(k_) - price;
        lowered_.push_back(members_[i]);
      }
    }
  }

  // No member carries more than the price: then no k of them do.
  void cap(double price) {
    for (uint32_t member : members_) {
      if (dual_[member] <= price) continue;
      dual_[member] = price;
      lowered_.push_back(member);
    }
  }

  const std::vector<uint32_t>* values_;  // of the slid column, in ranks
  const RankedTuples& tuples_;
  const uint64_t k_;
  const double slack_;
  std::vector<double> dual_;
  std::vector<uint32_t> lowered_, members_;
  std::vector<uint32_t> by_value_;  // the cell's ranks by value on the slid column
  std::vector<uint32_t> dearest_;   // of the box at hand: a heap
  uint64_t seen_rows_ = 0, looked_at_ = 0;
  double sum_ = 0;  // carried by all rows of dearest_
};

double dearest_box(const NcpSpace& space) {
  double price = 0;
  for (size_t j = 0; j < space.columns(); ++j) price += space.cost(j, 0, space.leaves(j) - 1);
  return price;
}

}  // namespace

std::optional<RepairedDuals> repaired(const NcpSpace& space, const BoxCells& cells, const DistinctTuples& tuples,
                                      const std::vector<double>& dual, const RepairSettings& settings,
                                      Progress& progress) {
  const RankedTuples ranked(space, tuples, tuples.counts, dual);
  const double rounding = kSumRounding * dearest_box(space);
  const size_t parts = BoxWalk::parts(cells), workers = task_workers(kWave, settings.threads);
  std::vector<BoxWalk> walks;
  std::vector<Lowering> lowerings;
  for (size_t i = 0; i < workers; ++i) {
    walks.emplace_back(space, cells, ranked,
                       BoxWalk::Settings{settings.k, rounding / 2, BoxChoice::all, settings.most_looked_at, nullptr},
                       progress);
  }
  for (size_t i = 0; i < kWave; ++i) lowerings.emplace_back(cells, ranked, settings.k, rounding / 2);
  std::vector<double> lowered = ranked.dual;
  RepairedDuals result;
  for (size_t first = 0; first < parts; first += kWave) {
    const size_t wave = std::min(kWave, parts - first);
    run_tasks(wave, settings.threads, [&](size_t worker, size_t task) {
      lowerings[task].begin(lowered);
      walks[worker].walk(first + task, lowerings[task]);
    });
    for (size_t task = 0; task < wave; ++task) {
      for (uint32_t rank : lowerings[task].lowered()) {
        lowered[rank] = std::min(lowered[rank], lowerings[task].dual()[rank]);
      }
    }
    result.looked_at = 0;
    bool gave_up = progress.out_of_time();
    for (const BoxWalk& walk : walks) {
      result.looked_at += walk.looked_at();
      gave_up |= walk.gave_up();
    }
    for (const Lowering& lowering : lowerings) result.looked_at += lowering.looked_at();
    if (gave_up || result.looked_at > settings.most_looked_at) return std::nullopt;
  }
  result.dual.resize(tuples.size());
  for (size_t rank = 0; rank < ranked.size(); ++rank) {
    const double value = lowered[rank] - rounding;
    result.dual[ranked.tuple[rank]] = value;
    result.bound += double(ranked.rows[rank]) * value;
  }
  return result;
}

std::optional<RepairedDuals> repaired_within_work(const NcpSpace& space, const BoxCells& cells,
                                                  const DistinctTuples& tuples, const std::vector<double>& dual,
                                                  const RepairSettings& settings, Progress& progress) {
  uint64_t in_vain = 0;
  for (double share : kLowerShares) {
    if (progress.out_of_time()) break;
    std::vector<double> lower = dual;
    for (double& value : lower) value *= share;
    auto result = repaired(space, cells, tuples, lower, settings, progress);
    if (result) {
      result->looked_at += in_vain;
      return result;
    }
    in_vain += settings.most_looked_at;
  }
  return std::nullopt;
}

}  // namespace shoal
