// The scripts of `make reproduce` (bench/reproduce): their own tests, which run no paper.
#include <gtest/gtest.h>

#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

TEST(Reproduce, ItsScriptsPassTheirTests) {
  const testing::Workplace place;
  const auto run = place.shell(
      fmt::format("PYTHONDONTWRITEBYTECODE=1 python3 {}/bench/reproduce/reproduce_test.py", testing::kSourceFolder));
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
