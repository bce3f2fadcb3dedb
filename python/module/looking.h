// Looking at tables without releasing anything: risks, measures, learners; and what there is to choose from.
#pragma once

#include <nanobind/nanobind.h>

#include "shoal/shoal.h"

namespace shoal::python {

// A document in the three forms in which Python shows one.
struct DocumentHandle {
  Document document;
};

void bind_looking(nanobind::module_& module);

}  // namespace shoal::python
