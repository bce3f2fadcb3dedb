// Why one walk is enough. A dual is feasible when for every box the k dearest rows inside carry no more than k times
// its price. Lowering a value never breaks that for any box. So it is enough to look at every box once and to lower
// values there until it holds; boxes that are fine with the values of the beginning stay fine, and the walk leaves out
// no other.
#include "shoal/method/shoal/lp_repair.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "shoal/run/tasks.h"

namespace shoal {
namespace {

// Parts of the walk that start from the same values. Which part learns of which does not depend on the threads.
constexpr size_t kWave = 4;
// Sums of doubles are off by far less than this share of the dearest box; every value is lowered by it in the end.
constexpr double kSumRounding = 1e-10;
constexpr int kAttempts = 12;

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

  void cell(std::span<const uint32_t> inside, std::span<const OverpaidBox> boxes) override {
    for (const OverpaidBox& box : boxes) {
      members_.clear();
      for (uint32_t rank : inside) {
        if (values_ == nullptr || (box.first <= (*values_)[rank] && (*values_)[rank] <= box.last)) {
          members_.push_back(rank);
        }
      }
      lower(box.price);
    }
  }

 private:
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
                       BoxWalk::Settings{settings.k, rounding / 2, BoxChoice::all, settings.most_looked_at}, progress);
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

}  // namespace shoal
