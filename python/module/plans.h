// Tables that no process holds as a whole: plans as bytes, and what each process does with its own rows.
#pragma once

#include <nanobind/nanobind.h>

namespace shoal::python {

void bind_plans(nanobind::module_& module);

}  // namespace shoal::python
