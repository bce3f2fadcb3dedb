#include "shoal/model/requirement.h"

#include <gtest/gtest.h>

namespace shoal {
namespace SHOAL_THIS_FILE {

const ModelSpec kThree = parse_model("distinct-l:illness:l=3");
const ModelSpec kFivePersons = parse_model("persons:patient:k=5");
const ModelSpec kTenPersons = parse_model("persons:patient:k=10");

TEST(Requirement, AnotherWithoutTheModelDoesNotImplyIt) {
  EXPECT_EQ(without_implied({{{0, 1}, 5}, {{0}, 5, {kThree}}}).size(), 2U);
  const auto kept = without_implied({{{0, 1}, 5, {kThree}}, {{0}, 5, {kThree}}, {{1}, 2}});
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].columns, (std::vector<size_t>{0, 1}));
}

TEST(Requirement, MorePersonsImplyFewer) {
  EXPECT_EQ(without_implied({{{0}, 5, {kFivePersons}}, {{0, 1}, 10, {kTenPersons}}}).size(), 1U);
  EXPECT_EQ(without_implied({{{0}, 10, {kTenPersons}}, {{0, 1}, 10, {kFivePersons}}}).size(), 2U);
}

TEST(Requirement, TheUnionHasAllModelsOnce) {
  const Requirement all =
      united({{{0}, 5, {kFivePersons, kThree}}, {{1}, 10, {kTenPersons}}, {{2}, 5, {kThree, kFivePersons}}});
  EXPECT_EQ(all.columns, (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(all.k, 10U);
  EXPECT_EQ(all.models, (std::vector<ModelSpec>{kThree, kTenPersons}));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
