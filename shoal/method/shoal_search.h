// The whole search of method `shoal`: a first partition from one good line, then passes over windows of neighbouring
// groups, always along another line. Work is split the same way whatever the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "shoal/method/ncp_space.h"
#include "shoal/method/shoal_order.h"
#include "shoal/method/shoal_refine.h"
#include "shoal/progress.h"

namespace shoal {

// Runs body(worker, block) for every block in 0 .. blocks-1, each once, on up to `threads` threads; `worker` comes
// from make_worker(), one per thread. The first exception is thrown again here, after all threads have stopped.
template <typename MakeWorker, typename Body>
void run_blocks(int threads, size_t blocks, MakeWorker&& make_worker, Body&& body) {
  std::atomic<size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  auto work = [&] {
    try {
      auto worker = make_worker();
      for (size_t block = next++; block < blocks; block = next++) body(*worker, block);
    } catch (...) {
      next = blocks;
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (size_t i = 1; i < static_cast<size_t>(std::max(threads, 1)) && i < blocks; ++i) helpers.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

struct ShoalPlan {
  size_t orders = 8;     // orders of digits tried at a time for the first line
  size_t climbs = 4;     // how often, after the first time, by varying the best so far
  size_t passes = 10;    // over all windows
  size_t window = 1000;  // rows per window, about
  RefinePlan refine;
};
// effort: 0 fast, 1 normal, 2 best. Many rows, many columns: fewer passes, so that time per row stays about the same.
ShoalPlan shoal_plan(int effort, size_t rows, size_t columns, uint64_t k);

class ShoalSearch {
 public:
  // space and progress must outlive the search. Requires 1 <= k <= space.rows().
  ShoalSearch(const NcpSpace& space, uint64_t k, const ShoalPlan& plan, uint64_t seed, int threads, Progress& progress);

  // Lines up all rows along the most promising of several orders of digits (large tables: the worthiest one) and cuts
  // the line.
  void start();
  // One pass over all groups. Never makes the partition dearer.
  void pass();

  const RowGroups& partition() const { return partition_; }
  size_t passes_done() const { return passes_done_; }
  const RefineCounts& counts() const { return counts_; }

 private:
  using KeyedRows = std::vector<std::pair<uint64_t, uint32_t>>;
  struct Worker;
  std::vector<double> sample_costs(const std::vector<LineOrder>& orders);
  LineOrder promising_order();
  void sort_keys(KeyedRows& keys);
  KeyedRows row_keys(const LineOrder& order);
  KeyedRows group_keys(const LineOrder& order, uint64_t pass_seed);

  const NcpSpace& space_;
  const uint64_t k_;
  const ShoalPlan plan_;
  SeededRandom random_;
  const int threads_;
  Progress& progress_;
  RowGroups partition_;
  size_t passes_done_ = 0;
  RefineCounts counts_;
};

}  // namespace shoal
