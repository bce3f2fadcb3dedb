// The thread runner against a plain loop: every task once, the same exception, whatever the number of threads.
#include "shoal/run/tasks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "shoal/run/growing_tasks.h"
#include "shoal/run/progress.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

constexpr int kThreads[] = {-1, 0, 1, 2, 3, 8};

TEST(Tasks, EveryTaskRunsOnceByAWorkerThatExists) {
  for (int threads : kThreads) {
    for (size_t tasks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> runs(tasks);
      const size_t workers = task_workers(tasks, threads);
      EXPECT_GE(workers, 1u);
      EXPECT_LE(workers, std::max<size_t>(1, tasks));
      run_tasks(tasks, threads, [&](size_t worker, size_t task) {
        EXPECT_LT(worker, workers);
        ++runs[task];
      });
      for (const auto& count : runs) EXPECT_EQ(count, 1);
    }
  }
}

TEST(Tasks, OneThreadIsThisThread) {
  const auto here = std::this_thread::get_id();
  std::vector<size_t> order;
  run_tasks(5, 1, [&](size_t, size_t task) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    order.push_back(task);
  });
  EXPECT_EQ(order, (std::vector<size_t>{0, 1, 2, 3, 4}));
  run_workers(1, [&](size_t) { EXPECT_EQ(std::this_thread::get_id(), here); });
}

// What a plain loop throws is what comes back, even where later tasks fail sooner.
TEST(Tasks, TheExceptionIsThatOfTheFirstTaskThatFails) {
  for (int threads : kThreads) {
    for (size_t first : {0, 1, 17, 63}) {
      std::string caught;
      std::atomic<size_t> ran{0};
      try {
        run_tasks(64, threads, [&](size_t, size_t task) {
          ++ran;
          if (task == first) std::this_thread::sleep_for(std::chrono::milliseconds(2));
          if (task >= first) throw std::runtime_error("task " + std::to_string(task));
        });
      } catch (const std::runtime_error& error) {
        caught = error.what();
      }
      EXPECT_EQ(caught, "task " + std::to_string(first)) << threads;
      EXPECT_GE(ran, first + 1);
      if (threads <= 1) {
        EXPECT_EQ(ran, first + 1);
      }
    }
  }
}

TEST(Tasks, AnyWorkerMayFailAndAllHaveEndedThen) {
  for (size_t failing = 0; failing < 4; ++failing) {
    std::atomic<int> running{0};
    EXPECT_THROW(run_workers(4,
                             [&](size_t worker) {
                               ++running;
                               std::this_thread::sleep_for(std::chrono::milliseconds(worker == failing ? 0 : 5));
                               --running;
                               if (worker == failing) throw std::logic_error("worker");
                             }),
                 std::logic_error);
    EXPECT_EQ(running, 0);
  }
}

TEST(Tasks, TasksMayRunTasks) {
  for (int threads : kThreads) {
    std::vector<std::vector<uint64_t>> cells(6, std::vector<uint64_t>(50));
    run_tasks(cells.size(), threads, [&](size_t, size_t i) {
      run_tasks(cells[i].size(), threads, [&](size_t, size_t j) { cells[i][j] = i * 100 + j; });
    });
    for (size_t i = 0; i < cells.size(); ++i) {
      for (size_t j = 0; j < cells[i].size(); ++j) EXPECT_EQ(cells[i][j], i * 100 + j);
    }
    EXPECT_THROW(run_tasks(4, threads,
                           [&](size_t, size_t i) {
                             run_tasks(4, threads, [&](size_t, size_t j) {
                               if (i == 2 && j == 3) throw std::out_of_range("inner");
                             });
                           }),
                 std::out_of_range);
  }
}

TEST(Tasks, AskedToStopTheRunEndsEarlyWithThatError) {
  for (int threads : kThreads) {
    Progress progress;
    std::atomic<size_t> ran{0};
    try {
      run_tasks(1'000'000, threads, [&](size_t, size_t task) {
        progress.check();
        ++ran;
        if (task == 10) progress.cancel();
      });
      ADD_FAILURE() << "not stopped";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
    EXPECT_LT(ran, 1'000'000u);
  }
}

TEST(Tasks, MemoryIsMadeOncePerWorkerAtMost) {
  for (int threads : kThreads) {
    std::atomic<size_t> made{0}, total{0};
    auto make = [&] {
      ++made;
      return std::make_unique<size_t>(0);
    };
    run_tasks_with(100, threads, make, [&](size_t& mine, size_t task) { total += (mine = task); });
    EXPECT_EQ(total, 4950u);
    EXPECT_GE(made, 1u);
    EXPECT_LE(made, task_workers(100, threads));
    made = 0;
    run_tasks_with(0, threads, make, [&](size_t&, size_t) { ADD_FAILURE(); });
    EXPECT_EQ(made, 0u);
  }
}

// A range is halved until it is short; every number must come up once.
TEST(GrowingTasks, EverythingAddedIsDoneOnce) {
  using Range = std::pair<size_t, size_t>;
  for (size_t workers : {1, 2, 8}) {
    for (size_t size : {1, 2, 1000}) {
      std::vector<std::atomic<int>> seen(size);
      run_growing_tasks(Range{0, size}, workers, [&](size_t worker, Range range, WaitingTasks<Range>& waiting) {
        EXPECT_LT(worker, workers);
        if (range.second - range.first <= 3) {
          for (size_t i = range.first; i < range.second; ++i) ++seen[i];
          return;
        }
        const size_t middle = (range.first + range.second) / 2;
        waiting.add({range.first, middle});
        waiting.add({middle, range.second});
      });
      for (const auto& count : seen) EXPECT_EQ(count, 1);
    }
  }
}

TEST(GrowingTasks, AFailureEndsAllWorkers) {
  for (size_t workers : {1, 2, 8}) {
    std::atomic<size_t> ran{0};
    EXPECT_THROW(run_growing_tasks(size_t{0}, workers,
                                   [&](size_t, size_t depth, WaitingTasks<size_t>& waiting) {
                                     ++ran;
                                     if (depth == 12) throw std::runtime_error("deep");
                                     waiting.add(depth + 1);
                                     waiting.add(depth + 1);
                                   }),
                 std::runtime_error);
    EXPECT_LT(ran, 8192u);
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
