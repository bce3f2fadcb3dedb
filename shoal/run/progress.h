// How a long run tells where it is, and how it learns that it should stop. Safe to share between threads.
#pragma once

#include <atomic>
#include <optional>
#include <string_view>

#include "shoal/error.h"
#include "shoal/run/clock.h"

namespace shoal {

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

  // The search should end with its best answer so far once this moment has passed.
  void set_deadline(std::optional<Clock::time_point> deadline) { deadline_ = deadline; }
  bool out_of_time() const { return deadline_ && Clock::now() >= *deadline_; }

 private:
  std::atomic<bool> cancelled_{false};
  const Progress* outer_ = nullptr;
  std::optional<Clock::time_point> deadline_;
};

}  // namespace shoal
