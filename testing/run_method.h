// One search by a registered method, as the engine asks for it: settings that the problem does not give are the
// method's defaults.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "shoal/method/method.h"

namespace shoal::testing {

inline SearchResult run_method(const std::string& name, Problem problem, Progress& progress) {
  const MethodEntry* method = find_method(name);
  if (!method) throw std::invalid_argument("no method " + name);
  problem.params = complete(std::move(problem.params), method->parameters);
  return method->make()->search(problem, progress);
}

inline SearchResult run_method(const std::string& name, Problem problem) {
  Progress progress;
  return run_method(name, std::move(problem), progress);
}

}  // namespace shoal::testing
