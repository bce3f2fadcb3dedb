// Releases: made, looked at, and used on rows that come later.
#pragma once

#include <nanobind/nanobind.h>

namespace shoal::python {

void bind_releases(nanobind::module_& module);

}  // namespace shoal::python
