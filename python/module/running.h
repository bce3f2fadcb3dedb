// Long work of the engine under Python: the interpreter stays free, Ctrl-C stops the work, progress is shown.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <thread>

#include "shoal/shoal.h"

namespace shoal::python {

namespace nb = nanobind;

// What a run tells; read by the thread that waits for it.
class WatchedProgress : public Progress {
 public:
  void stage(std::string_view name) override;
  void update(double fraction) override { fraction_.store(fraction, std::memory_order_relaxed); }
  std::string stage_name() const;
  double fraction() const { return fraction_.load(std::memory_order_relaxed); }

 private:
  mutable std::mutex mutex_;
  std::string stage_;
  std::atomic<double> fraction_{0};
};

// Stops a run from another thread.
struct CancelHandle {
  std::shared_ptr<WatchedProgress> progress = std::make_shared<WatchedProgress>();
};

// Calls work(progress) on a thread of its own and waits, without holding the interpreter. About twenty times a second
// looks for signals (what their handlers raise ends the run and is raised here) and calls show(stage, fraction) unless
// it is None. `handle`: a CancelHandle or None. Must be called with the interpreter held; throws what the work threw.
void run_watched(const nb::object& show, const nb::object& handle, const std::function<void(Progress&)>& work);

void bind_running(nb::module_& module);

}  // namespace shoal::python
