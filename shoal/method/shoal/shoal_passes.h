// Passes over a whole table: its rows or groups along a line, and all windows of neighbouring groups improved side by
// side. Work is split the same way whatever the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "shoal/method/shoal/keyed_rows.h"
#include "shoal/method/shoal/shoal_order.h"
#include "shoal/method/space/ncp_space.h"
#include "shoal/run/progress.h"
#include "shoal/run/tasks.h"

namespace shoal {

// A number that depends on both and on nothing else.
uint64_t hashed(uint64_t seed, uint64_t number);

// Lines up what a table has. The space and the progress must outlive it.
class TableLines {
 public:
  TableLines(const NcpSpace& space, int threads, const Progress& progress)
      : space_(space), threads_(threads), progress_(progress) {}

  KeyedRows rows_along(const LineOrder& order) const;
  // A group stands where one of its rows, drawn at random, stands.
  KeyedRows groups_along(const RowGroups& partition, const LineOrder& order, uint64_t seed) const;

  const NcpSpace& space() const { return space_; }
  int threads() const { return threads_; }
  const Progress& progress() const { return progress_; }

 private:
  void sort_keys(KeyedRows& keys) const;
  const NcpSpace& space_;
  const int threads_;
  const Progress& progress_;
};

// The groups of a partition along a line, in windows of consecutive ones of about so many rows.
struct WindowPlan {
  WindowPlan(const TableLines& lines, const RowGroups& partition, const LineOrder& order, uint64_t pass_seed,
             size_t window_rows);
  size_t windows() const { return bounds.size() - 1; }
  std::span<const uint32_t> groups(size_t window) const {
    return std::span(sequence).subspan(bounds[window], bounds[window + 1] - bounds[window]);
  }
  std::vector<uint32_t> sequence;  // of groups
  std::vector<size_t> bounds{0};   // of windows, in the sequence
  std::vector<size_t> first_row{0};
  uint64_t seed;
};

// The partition after improve(worker, random) was called for every window. make_worker() gives a std::unique_ptr to
// what a thread needs: it has a ShoalWindow `window`, into which the groups are loaded and from which they are stored.
template <typename MakeWorker, typename Improve>
RowGroups pass_over_windows(const TableLines& lines, const RowGroups& partition, const WindowPlan& plan,
                            const MakeWorker& make_worker, const Improve& improve) {
  RowGroups next;
  next.rows.resize(partition.rows.size());
  std::vector<std::vector<uint32_t>> ends(plan.windows());
  run_tasks_with(plan.windows(), lines.threads(), make_worker, [&](auto& worker, size_t window) {
    lines.progress().check();
    worker.window.load(partition, plan.groups(window));
    SeededRandom random(hashed(plan.seed + 1, window));
    improve(worker, random);
    RowGroups improved;
    worker.window.store(improved);
    std::copy(improved.rows.begin(), improved.rows.end(),
              next.rows.begin() + static_cast<ptrdiff_t>(plan.first_row[window]));
    for (size_t g = 1; g < improved.starts.size(); ++g) {
      ends[window].push_back(static_cast<uint32_t>(plan.first_row[window] + improved.starts[g]));
    }
  });
  for (const auto& window : ends) next.starts.insert(next.starts.end(), window.begin(), window.end());
  return next;
}

}  // namespace shoal
