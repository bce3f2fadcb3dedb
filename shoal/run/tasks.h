// The one place that starts threads for a search: numbered tasks, and tasks that make further ones.
//
// Common to all: what a task throws comes back to the caller, after all threads have ended; one thread (or one task)
// starts none and costs no more than a plain loop; tasks may themselves run tasks. The engine's promise that the answer
// does not depend on the number of threads is kept by the tasks: a task's result must not depend on its worker.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

namespace shoal {

// How many threads this machine runs at once; at least 1.
int hardware_threads();

// How many workers run_tasks uses: what each of them needs can be made beforehand.
inline size_t task_workers(size_t tasks, int threads) {
  return std::clamp<size_t>(tasks, 1, static_cast<size_t>(std::max(threads, 1)));
}

// Calls work(0) on this thread and work(1) .. work(workers - 1) on others, and waits for all. Where the machine gives
// no more threads those that it gave must do: a work that shares something out may not count on all its workers. Of
// several exceptions that of the lowest worker is thrown again.
void run_workers(size_t workers, const std::function<void(size_t worker)>& work);

// Keeps the exception of the lowest task, whichever thread is first.
class FirstFailure {
 public:
  void keep(size_t task, std::exception_ptr failure) {
    const std::scoped_lock lock(mutex_);
    if (!failure_ || task < task_) {
      task_ = task;
      failure_ = std::move(failure);
    }
  }
  // Requires that all threads have ended.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  size_t task_ = 0;
  std::exception_ptr failure_;
};

// Calls run(worker, task) for every task 0 .. tasks-1, worker < task_workers(tasks, threads); idle workers take the
// next task in order. When a task throws, no further ones begin. The exception is the one a plain loop would have
// thrown: tasks begin in order, so that of the lowest task that fails has always begun.
template <typename Run>
void run_tasks(size_t tasks, int threads, const Run& run) {
  const size_t workers = task_workers(tasks, threads);
  if (workers == 1) {
    for (size_t task = 0; task < tasks; ++task) run(size_t{0}, task);
    return;
  }
  std::atomic<size_t> next{0};
  FirstFailure failure;
  run_workers(workers, [&](size_t worker) {
    for (size_t task = next++; task < tasks; task = next++) {
      try {
        run(worker, task);
      } catch (...) {
        failure.keep(task, std::current_exception());
        next = tasks;
      }
    }
  });
  failure.rethrow();
}

// The same for tasks that need memory of their own: run(memory, task), where make_memory() gives a std::unique_ptr to
// it, once for every worker that has something to do, on that worker's thread.
template <typename MakeMemory, typename Run>
void run_tasks_with(size_t tasks, int threads, const MakeMemory& make_memory, const Run& run) {
  std::vector<decltype(make_memory())> memory(task_workers(tasks, threads));
  run_tasks(tasks, threads, [&](size_t worker, size_t task) {
    if (!memory[worker]) memory[worker] = make_memory();
    run(*memory[worker], task);
  });
}

}  // namespace shoal
