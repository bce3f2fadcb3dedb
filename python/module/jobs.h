// Jobs as Python gives them: the text of a job file (JSON is YAML too) and trees that are at hand.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "shoal/shoal.h"

namespace shoal::python {

// A job with its hierarchies read.
struct JobHandle {
  FileJob job;
  std::vector<std::string> notices;  // about hierarchy files
  std::vector<std::string> weaker;   // what it asks less than the job that it was made from
};

void bind_jobs(nanobind::module_& module);

}  // namespace shoal::python
