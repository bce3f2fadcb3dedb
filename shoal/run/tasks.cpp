#include "shoal/run/tasks.h"

#include <system_error>
#include <thread>

namespace shoal {

int hardware_threads() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

void run_workers(size_t workers, const std::function<void(size_t worker)>& work) {
  if (workers <= 1) return work(0);
  std::vector<std::exception_ptr> failures(workers);
  auto guarded = [&](size_t worker) {
    try {
      work(worker);
    } catch (...) {
      failures[worker] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    others.reserve(workers - 1);
    try {
      for (size_t worker = 1; worker < workers; ++worker) others.emplace_back(guarded, worker);
    } catch (const std::system_error&) {
      // No more threads to be had: those that run, and this one, do the work.
    }
    guarded(0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace shoal
