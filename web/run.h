// Long work in the background: started, watched, cancelled. One person has few of these, each of a kind of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "shoal/shoal.h"

namespace shoal::web {

enum class RunState { idle, running, done, failed, cancelled };

// Where a run is, for people.
struct RunStatus {
  RunState state = RunState::idle;
  uint64_t number = 0;  // counts the runs of this kind: another number is another run
  std::string stage{};
  double fraction = 0;   // of the stage; 0 where nobody knows
  uint64_t seconds = 0;  // since the stage began
  std::string error{};   // of a failed run
};

class RunProgress : public Progress {
 public:
  void stage(std::string_view name) override {
    const std::lock_guard lock(mutex_);
    stage_ = name;
    began_ = Clock::now();
    fraction_ = 0;
  }
  void update(double fraction) override { fraction_.store(fraction, std::memory_order_relaxed); }
  void tell(RunStatus& status) const {
    const std::lock_guard lock(mutex_);
    status.stage = stage_;
    status.fraction = fraction_;
    status.seconds =
        static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began_).count());
  }

 private:
  mutable std::mutex mutex_;  // guards stage_ and began_
  std::string stage_ = "waiting";
  Clock::time_point began_ = Clock::now();
  std::atomic<double> fraction_{0};
};

// Against memory that creeps up from run to run: threads come and go, and the allocator keeps what they freed, in pools
// of which there may be eight for each core. Once at the start: not more pools than cores.
void limit_memory_pools();
// After each run: gives back to the system what was freed.
void give_back_memory();

// Work of one kind, the latest only: starting it again cancels what was running. Used by several threads, each call
// under the session's lock, except that the work itself runs outside of it.
template <typename Result>
class Run {
 public:
  Run() = default;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    cancel();
    if (current_) current_->thread.join();
  }

  // `work` must hold all it needs by value. The new run waits for the one before to notice that it was cancelled.
  void start(std::function<Result(Progress&)> work) {
    cancel();
    auto run = std::make_shared<Shared>();
    run->number = ++count_;
    run->thread = std::thread([run, before = std::exchange(current_, run), work = std::move(work)] {
      if (before) before->thread.join();
      finish(*run, work);
    });
  }
  void cancel() {
    if (current_) current_->progress.cancel();
  }
  // Cancels and is idle; does not wait.
  void reset() {
    if (!current_) return;
    cancel();
    auto run = std::make_shared<Shared>();
    run->state = RunState::idle;
    run->number = ++count_;
    run->thread = std::thread([before = std::exchange(current_, run)] { before->thread.join(); });
  }
  RunStatus status() const {
    RunStatus status;
    if (!current_) return status;
    current_->progress.tell(status);
    const std::lock_guard lock(current_->mutex);
    status.state = current_->state;
    status.number = current_->number;
    status.error = current_->error;
    return status;
  }
  // What the last run found; nullptr unless it is done. Never changes afterwards.
  std::shared_ptr<const Result> result() const {
    if (!current_) return nullptr;
    const std::lock_guard lock(current_->mutex);
    return current_->result;
  }
  bool running() const { return status().state == RunState::running; }

 private:
  struct Shared {
    RunProgress progress;
    std::thread thread;
    uint64_t number = 0;
    mutable std::mutex mutex;  // guards what follows
    RunState state = RunState::running;
    std::shared_ptr<const Result> result;
    std::string error;
  };

  static void finish(Shared& run, const std::function<Result(Progress&)>& work) {
    std::shared_ptr<const Result> result;
    RunState state = RunState::failed;
    std::string error;
    try {
      run.progress.check();
      result = std::make_shared<const Result>(work(run.progress));
      state = RunState::done;
    } catch (const Error& refused) {
      if (run.progress.cancelled()) state = RunState::cancelled;
      error = refused.what();
    } catch (const std::bad_alloc&) {
      error = "out of memory";
    } catch (const std::exception& broken) {
      error = std::string("internal error: ") + broken.what();
    }
    give_back_memory();
    const std::lock_guard lock(run.mutex);
    run.result = std::move(result);
    run.state = state;
    run.error = std::move(error);
  }

  std::shared_ptr<Shared> current_;
  uint64_t count_ = 0;
};

}  // namespace shoal::web
