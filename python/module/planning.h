// Before a release: what a table looks like to somebody who was told nothing, and methods side by side.
#pragma once

#include <nanobind/nanobind.h>

namespace shoal::python {

void bind_planning(nanobind::module_& module);

}  // namespace shoal::python
