#include "shoal/verify/promise_sql.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "shoal/read/duck.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

// Counts by hand what the statements count in DuckDB.
TEST(PromiseSql, CountsGroups) {
  std::mt19937_64 random(1);
  Progress progress;
  DuckDb duck(1, std::nullopt);
  size_t kept = 0, broken = 0;
  for (int round = 0; round < 60; ++round) {
    duck.query("CREATE OR REPLACE TABLE \"release\" (\"a\"\"b\" VARCHAR, \"order\" VARCHAR)", progress);
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> groups;
    const uint64_t rows = random() % 40, values = 1 + random() % 3;
    for (uint64_t i = 0; i < rows; ++i) {
      const uint64_t a = random() % values, b = random() % values;
      ++groups[{a, b}];
      duck.query("INSERT INTO \"release\" VALUES (" + (a ? "'" + std::to_string(a) + "'" : "NULL") + ", '" +
                     std::to_string(b) + "')",
                 progress);
    }
    const PromisedRequirement requirement{{"a\"b", "order"}, 1 + random() % 6};
    uint64_t smallest = UINT64_MAX, small = 0;
    for (const auto& [cells, count] : groups) {
      smallest = std::min(smallest, count);
      small += count < requirement.k;
    }
    const auto counted = duck.query(count_groups_sql(requirement, {}).sql, progress);
    ASSERT_EQ(counted.size(), 1u);
    EXPECT_EQ(counted[0][0], std::to_string(groups.size()));
    EXPECT_EQ(counted[0][1], groups.empty() ? "" : std::to_string(smallest));
    EXPECT_EQ(counted[0][2], std::to_string(small));
    EXPECT_EQ(duck.query(small_groups_sql(requirement, {}).sql, progress).size(), small);
    ++(small == 0 ? kept : broken);
  }
  EXPECT_GT(kept, 5u);
  EXPECT_GT(broken, 5u);
}

TEST(PromiseSql, CommentsStayComments) {
  Promise promise;
  promise.requirements = {{{"a\nDROP TABLE x"}, 2}};
  const std::string script = promise_script(promise, {});
  size_t bare = 0;
  for (size_t at = 0; (at = script.find("\nDROP", at)) != std::string::npos; ++at) ++bare;
  // Only within the quoted name of the column, twice in the one statement and once in the other.
  EXPECT_EQ(bare, 3u) << script;
  EXPECT_EQ(script.find("-- requirement (a\n"), std::string::npos) << script;
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
