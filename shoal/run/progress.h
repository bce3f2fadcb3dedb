// How a long run tells where it is, and how it learns that it should stop. Safe to share between threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <string_view>

#include "shoal/error.h"
#include "shoal/run/clock.h"

namespace shoal {

// When a search should end with its best answer so far; nothing: when it is done.
using Deadline = std::optional<Clock::time_point>;

class Progress {
 public:
  Progress() = default;
  // For a run inside another: stops when that one is asked to, and shows nothing. `outer` must outlive it.
  explicit Progress(const Progress* outer) : outer_(outer) {}
  virtual ~Progress() = default;

  // A new stage of the journey begins: "read", "search", ... Does nothing unless a door overrides it.
  virtual void stage(std::string_view /*name*/) {}
  // fraction in [0,1] of the current stage; may be called from any thread, often.
  virtual void update(double /*fraction*/) {}

  // Asks the run to stop; callable from a signal handler.
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed) || (outer_ && outer_->cancelled()); }
  // Throws Error(cancelled) when the user has asked to stop. Call it at least every few milliseconds.
  void check() const {
    if (cancelled()) throw Error(ErrorKind::cancelled, "interrupted");
  }

  void set_deadline(Deadline deadline) { deadline_ = deadline; }
  Deadline deadline() const { return deadline_; }
  bool out_of_time() const { return deadline_ && Clock::now() >= *deadline_; }

 private:
  std::atomic<bool> cancelled_{false};
  const Progress* outer_ = nullptr;
  Deadline deadline_;
};

// One of `count` works that follow each other: its part of the bar, and of the time that is left.
class PartOfProgress final : public Progress {
 public:
  PartOfProgress(Progress& outer, size_t number, size_t count)
      : Progress(&outer), outer_(outer), number_(double(number)), count_(double(count)) {
    if (!outer.deadline()) return;
    const auto now = Clock::now();
    set_deadline(now + std::max(*outer.deadline() - now, Clock::duration::zero()) / static_cast<int>(count - number));
  }
  void update(double fraction) override { outer_.update((number_ + fraction) / count_); }

 private:
  Progress& outer_;
  const double number_, count_;
};

// While it lives, a search that began at `start` has so many seconds; without a number as many as it needs.
class TimeBudget {
 public:
  TimeBudget(Progress& progress, std::optional<double> seconds, Clock::time_point start) : progress_(progress) {
    if (seconds) progress_.set_deadline(seconds_after(start, *seconds));
  }
  ~TimeBudget() { progress_.set_deadline(std::nullopt); }
  TimeBudget(const TimeBudget&) = delete;
  TimeBudget& operator=(const TimeBudget&) = delete;

 private:
  Progress& progress_;
};

}  // namespace shoal
