#include "shoal/files/verify_files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "shoal/read/temporary_file.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

struct VerifyRelease : ::testing::Test {
  bool holds(const std::string& original, const std::string& release, const std::vector<uint32_t>* row_of_release) {
    std::ofstream(original_.path()) << original;
    std::ofstream(release_.path()) << release;
    FileJob job;
    job.k = 1;
    job.suppress_rows = 1;
    job.column("age").role = Role::quasi;
    Progress progress;
    return verify_release(job, release_.path(), original_.path(), progress, row_of_release).ok();
  }
  TemporaryFile original_{".csv"}, release_{".csv"};
};

// A row that fits a dropped one passes where nobody knows who was dropped, and only there.
TEST_F(VerifyRelease, KnownRowsArePairedExactly) {
  const std::string original = "age\n30\n40\n50\n";
  const std::vector<uint32_t> second{1}, first_and_third{0, 2};
  EXPECT_TRUE(holds(original, "age\n40\n", &second));
  EXPECT_TRUE(holds(original, "age\n30\n", nullptr));
  EXPECT_FALSE(holds(original, "age\n30\n", &second));
  EXPECT_TRUE(holds(original, "age\n30\n\"[40,50]\"\n", &first_and_third));
  EXPECT_TRUE(holds(original, "age\n30\n40\n", nullptr));
  EXPECT_FALSE(holds(original, "age\n30\n40\n", &first_and_third));
  EXPECT_FALSE(holds(original, "age\n30\n50\n50\n", &first_and_third)) << "a row too many";
  EXPECT_FALSE(holds(original, "age\n30\n", &first_and_third)) << "a row too few";
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
