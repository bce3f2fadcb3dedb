#include <algorithm>
#include <atomic>

#include "shoal/method/mondrian/mondrian_regions.h"
#include "shoal/method/mondrian/mondrian_rules.h"
#include "shoal/run/growing_tasks.h"

namespace shoal::mondrian {
namespace {

class AtLeast final : public Permission {
 public:
  AtLeast(uint64_t k, const Region& region) : k_(k), region_(region) {}
  std::optional<Scope> scope(size_t /*column*/) override { return Scope{{&region_, 1}, k_}; }
  bool allows(const Cut& /*cut*/) override { return false; }

 private:
  const uint64_t k_;
  const Region& region_;
};

// Cuts of different regions do not touch each other, so threads take regions as they come; only where a region ends up
// in the array counts, and that depends on the cuts alone.
class OneRequirement {
 public:
  explicit OneRequirement(const Search& search)
      : search_(search),
        k_(search.requirements.front().k),
        rows_(Rows::pack(search.table, search.quasi, {}, search.threads)),
        threads_(rows_->useful_threads(search.threads)),
        begins_(rows_->size(), 0) {}

  Regions run() {
    std::vector<Worker> workers(threads_);
    for (Worker& worker : workers) worker.rule = search_.make_rule(search_.columns, search_.relaxed);
    run_growing_tasks(Region{0, rows_->size()}, threads_, [&](size_t number, Region region, Waiting& waiting) {
      Worker& worker = workers[number];
      worker.own.push_back(region);
      while (!worker.own.empty()) {
        const Region next = worker.own.back();
        worker.own.pop_back();
        cut_down(next, worker, waiting);
      }
    });
    Regions result;
    for (const Worker& worker : workers) {
      result.cuts_tried += worker.rule->tried();
      result.cuts_made += worker.made;
    }
    result.out_of_time = out_of_time_;
    release(result);
    return result;
  }

 private:
  using Waiting = WaitingTasks<Region>;
  // Smaller regions stay with the thread that made them.
  static constexpr size_t kRowsWorthSharing = 1 << 12;
  // Asking the clock for every small region would cost as much as cutting it.
  static constexpr uint64_t kRowsPerClock = 1 << 12;

  struct Worker {
    std::unique_ptr<CutRule> rule;
    std::vector<Region> own;  // regions this thread has kept for itself
    uint64_t made = 0;
    uint64_t rows_since_clock = kRowsPerClock;
  };

  // Cuts a region and then its left sides until one is final; right sides are left for later.
  void cut_down(Region region, Worker& worker, Waiting& waiting) {
    if (search_.rules.empty()) {
      AtLeast permission(k_, region);
      cut_down(region, permission, worker, waiting);
    } else {
      SidesHold permission(*search_.rules.front(), *rows_, region);
      cut_down(region, permission, worker, waiting);
    }
  }

  // `permission` is about the region that `region` names at the time.
  void cut_down(Region& region, Permission& permission, Worker& worker, Waiting& waiting) {
    for (;;) {
      search_.progress->check();
      std::optional<Cut> cut;
      if (rows_->rows(region) >= 2 * k_ && !out_of_time(region, worker)) {
        cut = worker.rule->choose(*rows_, region, permission);
      }
      if (!cut) {
        settle(region);
        return;
      }
      ++worker.made;
      const size_t middle = rows_->partition(region, *cut);
      const Region right{middle, region.end};
      if (right.size() >= kRowsWorthSharing) {
        waiting.add(right);
      } else {
        worker.own.push_back(right);
      }
      region.end = middle;
    }
  }

  bool out_of_time(Region region, Worker& worker) {
    worker.rows_since_clock += region.size();
    if (worker.rows_since_clock >= kRowsPerClock) {
      worker.rows_since_clock = 0;
      if (search_.progress->out_of_time()) out_of_time_.store(true, std::memory_order_relaxed);
    }
    return out_of_time_.load(std::memory_order_relaxed);
  }

  void settle(Region region) {
    begins_[region.begin] = 1;
    const size_t size = rows_->size(), step = size / 128 + 1;
    const size_t before = settled_.fetch_add(region.size(), std::memory_order_relaxed);
    const size_t after = before + region.size();
    if (before / step == after / step) return;
    search_.update_progress(static_cast<double>(after) / static_cast<double>(size));
  }

  void release(Regions& result) const {
    std::vector<Region> regions;
    for (size_t begin = 0; begin < begins_.size();) {
      const auto next = std::find(begins_.begin() + static_cast<ptrdiff_t>(begin) + 1, begins_.end(), uint8_t{1});
      const auto end = static_cast<size_t>(next - begins_.begin());
      regions.push_back({begin, end});
      begin = end;
    }
    const size_t width = search_.columns.size();
    result.releases.resize(regions.size() * width);
    result.region_of_row.resize(rows_->size());
    run_tasks(threads_, static_cast<int>(threads_), [&](size_t, size_t part) {
      std::vector<uint32_t> least(width), greatest(width);
      const size_t end = regions.size() * (part + 1) / threads_;
      for (size_t i = regions.size() * part / threads_; i < end; ++i) {
        rows_->extents(regions[i], least, greatest);
        for (size_t j = 0; j < width; ++j) {
          result.releases[i * width + j] = released_interval(*search_.columns[j].hierarchy, least[j], greatest[j]);
        }
        for (uint32_t row : rows_->numbers(regions[i])) result.region_of_row[row] = static_cast<uint32_t>(i);
      }
    });
  }

  const Search& search_;
  const uint64_t k_;
  const std::unique_ptr<Rows> rows_;
  const size_t threads_;
  std::vector<uint8_t> begins_;  // 1 where a final region begins; a byte a row, so that threads never share one
  std::atomic<size_t> settled_{0};
  std::atomic<bool> out_of_time_{false};
};

}  // namespace

Regions cut_for_one(const Search& search) { return OneRequirement(search).run(); }

}  // namespace shoal::mondrian
