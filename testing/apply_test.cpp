// shoal apply: a recoding that was written down does the same again, and new values follow the stated rule.
#include <gtest/gtest.h>

#include "shoal/method/method.h"
#include "testing/run_program.h"

namespace shoal {
namespace {

using testing::Workplace;

std::string people(size_t rows) {
  std::string text = "id,age,zip,edu,note,class\n";
  const char* const schools[] = {"9th", "10th", "Bachelors", "Masters", ""};
  for (size_t i = 0; i < rows; ++i) {
    text += fmt::format("p{},{},{},{},n{},{}\n", i, 20 + i * 7 % 31, 1000 + i * 13 % 40, schools[i * i % 5], i,
                        i * 7 % 31 > 15 ? "Y" : "N");
  }
  return text;
}
const char* const kFlags =
    "--identifier id --quasi age,zip,edu --target class --numeric age --hierarchy zip=build:mask --hierarchy "
    "edu=edu.txt";

TEST(Apply, DoesTheSameAgainForEveryMethodThatCan) {
  Workplace place;
  place.write("edu.txt", "Any\n  School\n    9th\n    10th\n  University\n    Bachelors\n    Masters\n");
  for (const MethodEntry& method : methods()) {
    if (method.releases_model) continue;  // no table is released
    place.write("people.csv", people(method.refuses_large_tables ? 12 : 200));
    const auto run =
        place.shoal(fmt::format("anonymize people.csv -o out.csv {} --k 5 --method {} --recoding recoding.json "
                                "--quiet --time-budget 20",
                                kFlags, method.name));
    ASSERT_EQ(run.exit_code, 0) << method.name << ": " << run.err;
    const auto applied = place.shoal("apply recoding.json people.csv -o again.csv");
    if (method.shape == Shape::regions || method.shape == Shape::groups) {
      EXPECT_EQ(applied.exit_code, 2) << method.name;
      EXPECT_NE(applied.err.find("levels or cut"), std::string::npos) << applied.err;
      continue;
    }
    ASSERT_EQ(applied.exit_code, 0) << method.name << ": " << applied.err;
    EXPECT_NE(applied.out.find("not promised"), std::string::npos) << applied.out;
    if (place.read("recoding.json").find("\"rows_dropped\": 0") != std::string::npos) {
      EXPECT_EQ(place.read("again.csv"), place.read("out.csv")) << method.name;
    }
  }
}

TEST(Apply, NewValuesFollowTheRule) {
  Workplace place;
  place.write("recoding.json", R"({"shape": "cut", "identifiers": ["id"], "missing": ["?"], "columns": [
    {"name": "age", "type": "numeric", "missing": "*", "values": {"20": "[20,29]", "29": "[20,29]", "40": "40"},
     "intervals": [{"low": 20, "high": 29, "released": "[20,29]"}, {"low": 40, "high": 40, "released": "40"}]},
    {"name": "edu", "type": "categorical", "missing": "", "values": {"9th": "School"}}], "rows_dropped": 0})");
  place.write("new.csv", "edu,id,age,note\n9th,a,29,x\nPhD,b,33,y\n?,c,36,z\n9th,d,5,\n9th,e,?,w\n");
  const auto run = place.shoal("apply recoding.json new.csv -o out.csv");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(place.read("out.csv"),
            "edu,age,note\nSchool,\"[20,29]\",x\n*,\"[20,29]\",y\n,40,z\nSchool,\"[20,29]\",\nSchool,*,w\n");
  EXPECT_NE(run.out.find("age: 3 values in 3 rows"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("edu: 1 values in 1 rows"), std::string::npos) << run.out;
}

TEST(Apply, MistakesAreNamed) {
  Workplace place;
  place.write("new.csv", "age\n1\n");
  place.write("broken.json", "{\"shape\": \"cut\"");
  place.write("other.json", "{\"hello\": 1}");
  place.write("recoding.json",
              "{\"shape\":\"cut\",\"identifiers\":[],\"missing\":[],\"columns\":[{\"name\":\"agee\",\"missing\":\"*\","
              "\"values\":{}}]}");
  EXPECT_EQ(place.shoal("apply nowhere.json new.csv -o out.csv").exit_code, 2);
  EXPECT_EQ(place.shoal("apply broken.json new.csv -o out.csv").exit_code, 2);
  EXPECT_EQ(place.shoal("apply other.json new.csv -o out.csv").exit_code, 2);
  EXPECT_EQ(place.shoal("apply recoding.json new.csv -o recoding.json").exit_code, 2);
  const auto run = place.shoal("apply recoding.json new.csv -o out.csv");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_NE(run.err.find("did you mean 'age'"), std::string::npos) << run.err;
  EXPECT_FALSE(place.exists("out.csv"));
}

}  // namespace
}  // namespace shoal
