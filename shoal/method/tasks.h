// Runs numbered tasks on a few threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace shoal {

// How many workers run_tasks uses: what each of them needs can be made beforehand.
inline size_t task_workers(size_t tasks, int threads) {
  return std::clamp<size_t>(tasks, 1, static_cast<size_t>(std::max(threads, 1)));
}

// Calls run(worker, task) for every task 0 .. tasks-1, worker < task_workers(tasks, threads); idle workers take the
// next task in order. A task's result must not depend on its worker. When a task throws, no further ones begin and
// the exception of the first worker that has one is thrown here, after all have ended.
template <typename Run>
void run_tasks(size_t tasks, int threads, const Run& run) {
  const size_t workers = task_workers(tasks, threads);
  std::atomic<size_t> next{0};
  std::vector<std::exception_ptr> failures(workers);
  auto work = [&](size_t worker) {
    try {
      for (size_t task = next++; task < tasks; task = next++) run(worker, task);
    } catch (...) {
      failures[worker] = std::current_exception();
      next = tasks;
    }
  };
  {
    std::vector<std::jthread> others;
    for (size_t worker = 1; worker < workers; ++worker) others.emplace_back(work, worker);
    work(0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace shoal
