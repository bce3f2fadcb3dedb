#include "shoal/run/counted.h"

#include <gtest/gtest.h>

namespace shoal {
namespace SHOAL_THIS_FILE {

TEST(Counted, NumbersAndNouns) {
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(2, "row"), "2 rows");
  EXPECT_EQ(counted(999, "row"), "999 rows");
  EXPECT_EQ(counted(30162, "row"), "30,162 rows");
  EXPECT_EQ(counted(UINT64_MAX, "leaf", "leaves"), "18,446,744,073,709,551,615 leaves");
  EXPECT_EQ(counted(1, "leaf", "leaves"), "1 leaf");
  EXPECT_EQ(noun_after(1001, "person"), "persons");
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
