// Tasks that make further tasks while they run: a set of rows that is parted, a region that is cut.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "shoal/run/tasks.h"

namespace shoal {

// Tasks that wait for a worker. Ends when none waits and no worker could add one.
template <typename Task>
class WaitingTasks {
 public:
  void add(Task task) {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(std::move(task));
    changed_.notify_one();
  }
  // Waits for a task; nothing when there will be none. The taker must call done() when it will add no more.
  std::optional<Task> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || !waiting_.empty() || busy_ == 0; });
    if (stopped_ || waiting_.empty()) return std::nullopt;
    Task task = std::move(waiting_.back());
    waiting_.pop_back();
    ++busy_;
    return task;
  }
  void done() {
    const std::scoped_lock lock(mutex_);
    if (--busy_ == 0) changed_.notify_all();
  }
  // Nobody gets another task.
  void stop() {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Task> waiting_;
  size_t busy_ = 0;
  bool stopped_ = false;
};

// Calls run(worker, task, waiting) for `first` and for every task that run adds to `waiting`, on up to `workers`
// threads, the latest added first. Which worker gets which task, and when, is left to chance: results must not depend
// on it. Small tasks are better kept by the worker that made them than added. When one throws, no further ones begin.
template <typename Task, typename Run>
void run_growing_tasks(Task first, size_t workers, const Run& run) {
  WaitingTasks<Task> waiting;
  waiting.add(std::move(first));
  run_workers(workers, [&](size_t worker) {
    try {
      while (std::optional<Task> task = waiting.take()) {
        run(worker, std::move(*task), waiting);
        waiting.done();
      }
    } catch (...) {
      waiting.stop();
      throw;
    }
  });
}

}  // namespace shoal
