// Looking at tables without releasing anything: risks, measures, learners; and what there is to choose from.
#pragma once

#include <nanobind/nanobind.h>

namespace shoal::python {

void bind_looking(nanobind::module_& module);

}  // namespace shoal::python
