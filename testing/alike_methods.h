// Methods that take rows which stand for several, as parameters of tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "shoal/method/method.h"

namespace shoal::testing {

inline std::vector<const MethodEntry*> alike_methods() {
  std::vector<const MethodEntry*> result;
  for (const MethodEntry& method : methods()) {
    if (method.alike_rows != nullptr) result.push_back(&method);
  }
  return result;
}

// A method's name as a part of a test's.
inline std::string test_name(const ::testing::TestParamInfo<const MethodEntry*>& tested) {
  std::string name = tested.param->name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace shoal::testing
