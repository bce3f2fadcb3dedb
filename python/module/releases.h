// Releases: made, looked at, and used on rows that come later.
#pragma once

#include <nanobind/nanobind.h>

#include "shoal/shoal.h"

namespace shoal::python {

struct ReleaseHandle {
  Release release;
  FileJob job;

  const ColumnEncoding& quasi(size_t j) const { return release.encoding.columns[j]; }
};

void bind_releases(nanobind::module_& module);

}  // namespace shoal::python
