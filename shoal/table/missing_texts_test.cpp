#include "shoal/table/missing_texts.h"

#include <gtest/gtest.h>

namespace shoal {
namespace SHOAL_THIS_FILE {

TEST(MissingTexts, AreTheEmptyCellAndThoseListedAsTheyStand) {
  const std::vector<std::string> listed{"?", "NA"};
  const MissingTexts missing(listed);
  for (const char* text : {"", "?", "NA"}) EXPECT_TRUE(missing(text)) << text;
  for (const char* text : {"na", " ", "? ", "N", "*", "0"}) EXPECT_FALSE(missing(text)) << text;
  EXPECT_EQ(missing.listed(), listed);
  EXPECT_TRUE(MissingTexts()(""));
  EXPECT_FALSE(MissingTexts()("?"));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
