#include <gtest/gtest.h>

#include <cstdlib>

#include "testing/data_folder.h"
#include "testing/learn_references.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

class ReferenceErrors : public ::testing::TestWithParam<testing::LearnReference> {};

TEST_P(ReferenceErrors, AreMatched) {
  const auto data = testing::data_folder();
  if (!data) GTEST_SKIP() << "the data sets are not there";
  const auto& reference = GetParam();
  if (!reference.quick && !std::getenv("SHOAL_LONG")) GTEST_SKIP() << "takes long: set SHOAL_LONG=1";
  EXPECT_NEAR(testing::measured_error(reference, *data, 1), reference.error, reference.margin + 1e-9);
}

std::string name_of(const ::testing::TestParamInfo<testing::LearnReference>& info) {
  const auto& reference = info.param;
  std::string name = reference.set + "_" + reference.learner;
  for (const auto& [key, value] : reference.params) name += "_" + value;
  if (reference.without_top7) name += "_without_top7";
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Sets, ReferenceErrors, ::testing::ValuesIn(testing::learn_references()), name_of);

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
