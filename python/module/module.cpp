// shoal._shoal: what the Python package shoal is made from. Nothing here is for users.
#include <nanobind/nanobind.h>

#include "jobs.h"
#include "looking.h"
#include "planning.h"
#include "plans.h"
#include "releases.h"
#include "running.h"
#include "shoal/shoal.h"
#include "tables.h"
#include "words.h"

NB_MODULE(_shoal, module) {
  using namespace shoal::python;
  bind_errors(module);
  bind_tables(module);
  bind_running(module);
  bind_jobs(module);
  bind_releases(module);
  bind_looking(module);
  bind_plans(module);
  bind_planning(module);
  const std::string_view version = shoal::version();
  module.attr("__version__") = nanobind::str(version.data(), version.size());
}
