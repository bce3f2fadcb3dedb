#include "running.h"

#include <condition_variable>
#include <mutex>

namespace shoal::python {
namespace {

constexpr auto kLook = std::chrono::milliseconds(50);

}  // namespace

void WatchedProgress::stage(std::string_view name) {
  const std::scoped_lock lock(mutex_);
  stage_ = name;
  fraction_ = 0;
}

std::string WatchedProgress::stage_name() const {
  const std::scoped_lock lock(mutex_);
  return stage_;
}

void run_watched(const nb::object& show, const nb::object& handle, const std::function<void(Progress&)>& work) {
  const auto progress =
      handle.is_none() ? std::make_shared<WatchedProgress>() : nb::cast<CancelHandle&>(handle).progress;
  std::mutex mutex;
  std::condition_variable done_changed;
  bool done = false;
  std::exception_ptr failure;
  std::thread worker([&] {
    try {
      work(*progress);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::scoped_lock lock(mutex);
    done = true;
    done_changed.notify_all();
  });
  bool interrupted = false;
  nb::object type, value, trace;  // what a signal handler, or show, raised
  while (true) {
    {
      nb::gil_scoped_release released;
      std::unique_lock lock(mutex);
      if (done_changed.wait_for(lock, kLook, [&] { return done; })) break;
    }
    if (interrupted) continue;
    bool raised = PyErr_CheckSignals() != 0;
    if (!raised && !show.is_none()) {
      raised = PyObject_CallFunction(show.ptr(), "sd", progress->stage_name().c_str(), progress->fraction()) == nullptr;
    }
    if (raised) {
      PyObject *t = nullptr, *v = nullptr, *b = nullptr;
      PyErr_Fetch(&t, &v, &b);
      type = nb::steal(t);
      value = nb::steal(v);
      trace = nb::steal(b);
      interrupted = true;
      progress->cancel();
    }
  }
  {
    nb::gil_scoped_release released;
    worker.join();
  }
  if (interrupted) {
    PyErr_Restore(type.release().ptr(), value.release().ptr(), trace.release().ptr());
    throw nb::python_error();
  }
  if (failure) std::rethrow_exception(failure);
  if (!show.is_none()) show("done", 1.0);
}

void bind_running(nb::module_& module) {
  nb::class_<CancelHandle>(module, "Cancel", "Stops a run from another thread: pass it as `cancel=` and call cancel().")
      .def(nb::init<>())
      .def(
          "cancel", [](CancelHandle& self) { self.progress->cancel(); }, "Asks the run to stop; it raises Cancelled.")
      .def_prop_ro("cancelled", [](const CancelHandle& self) { return self.progress->cancelled(); });
}

}  // namespace shoal::python
