// The engine's errors as Python's: a class for each kind, advice in keyword arguments.
#pragma once

#include <nanobind/nanobind.h>

namespace shoal::python {

// Makes ShoalError, JobError, InputError, Unsatisfiable, FindingError, VerificationError and Cancelled, and raises them
// for what the engine throws.
void bind_errors(nanobind::module_& module);

}  // namespace shoal::python
