#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "shoal/method/mondrian_regions.h"

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

// Regions that wait for a thread. Ends when none waits and no thread could add one.
class WaitingRegions {
 public:
  void add(Region region) {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(region);
    changed_.notify_one();
  }
  // Waits for a region; nothing when there will be none. The taker must call done() when it will add no more.
  std::optional<Region> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || !waiting_.empty() || busy_ == 0; });
    if (stopped_ || waiting_.empty()) return std::nullopt;
    const Region region = waiting_.back();
    waiting_.pop_back();
    ++busy_;
    return region;
  }
  void done() {
    const std::scoped_lock lock(mutex_);
    if (--busy_ == 0) changed_.notify_all();
  }
  void stop() {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Region> waiting_;
  size_t busy_ = 0;
  bool stopped_ = false;
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
    waiting_.add({0, rows_->size()});
    on_threads(threads_, [&](size_t) { work(); });
    Regions result;
    result.cuts_tried = tried_;
    result.cuts_made = made_;
    result.out_of_time = out_of_time_;
    release(result);
    return result;
  }

 private:
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

  void work() {
    Worker worker;
    worker.rule = search_.make_rule(search_.columns, search_.relaxed);
    try {
      while (const std::optional<Region> taken = waiting_.take()) {
        worker.own.push_back(*taken);
        while (!worker.own.empty()) {
          const Region region = worker.own.back();
          worker.own.pop_back();
          cut_down(region, worker);
        }
        waiting_.done();
      }
    } catch (...) {
      waiting_.stop();
      throw;
    }
    tried_ += worker.rule->tried();
    made_ += worker.made;
  }

  // Cuts a region and then its left sides until one is final; right sides are left for later.
  void cut_down(Region region, Worker& worker) {
    AtLeast permission(k_, region);
    for (;;) {
      search_.progress->check();
      std::optional<Cut> cut;
      if (region.rows() >= 2 * k_ && !out_of_time(region, worker)) {
        cut = worker.rule->choose(*rows_, region, permission);
      }
      if (!cut) {
        settle(region);
        return;
      }
      ++worker.made;
      const size_t middle = rows_->partition(region, *cut);
      const Region right{middle, region.end};
      if (right.rows() >= kRowsWorthSharing) {
        waiting_.add(right);
      } else {
        worker.own.push_back(right);
      }
      region.end = middle;
    }
  }

  bool out_of_time(Region region, Worker& worker) {
    worker.rows_since_clock += region.rows();
    if (worker.rows_since_clock >= kRowsPerClock) {
      worker.rows_since_clock = 0;
      if (search_.progress->out_of_time()) out_of_time_.store(true, std::memory_order_relaxed);
    }
    return out_of_time_.load(std::memory_order_relaxed);
  }

  void settle(Region region) {
    begins_[region.begin] = 1;
    const size_t size = rows_->size(), step = size / 128 + 1;
    const size_t before = settled_.fetch_add(region.rows(), std::memory_order_relaxed);
    const size_t after = before + region.rows();
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
    on_threads(threads_, [&](size_t worker) {
      std::vector<uint32_t> least(width), greatest(width);
      const size_t end = regions.size() * (worker + 1) / threads_;
      for (size_t i = regions.size() * worker / threads_; i < end; ++i) {
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
  WaitingRegions waiting_;
  std::vector<uint8_t> begins_;  // 1 where a final region begins; a byte a row, so that threads never share one
  std::atomic<uint64_t> tried_{0}, made_{0};
  std::atomic<size_t> settled_{0};
  std::atomic<bool> out_of_time_{false};
};

}  // namespace

Regions cut_for_one(const Search& search) { return OneRequirement(search).run(); }

}  // namespace shoal::mondrian
