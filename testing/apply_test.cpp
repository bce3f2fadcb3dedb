// shoal apply: a recoding that was written down does the same again, and new values follow the stated rule.
#include <gtest/gtest.h>

#include "shoal/method/method.h"
#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

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
    "--identifier id --quasi age,zip,edu --target class --plain note --accept near-unique --order input --numeric age "
    "--hierarchy zip=build:mask --hierarchy "
    "edu=edu.txt";

TEST(Apply, DoesTheSameAgainForEveryMethodThatCan) {
  Workplace place;
  place.write("edu.txt", "Any\n  School\n    9th\n    10th\n  University\n    Bachelors\n    Masters\n");
  for (const MethodEntry& method : methods()) {
    if (method.releases_model()) continue;  // no table is released
    place.write("people.csv", people(method.refuses_large_tables ? 12 : 200));
    const auto run =
        place.shoal(fmt::format("anonymize people.csv -o out.csv {} --k 5 --method {} --recoding recoding.json "
                                "--quiet --time-budget 20",
                                kFlags, method.name));
    ASSERT_EQ(run.exit_code, 0) << method.name << ": " << run.err;
    const auto applied = place.shoal("apply recoding.json people.csv -o again.csv");
    if (method.shape == Shape::groups) {
      EXPECT_EQ(applied.exit_code, 2) << method.name;
      EXPECT_NE(applied.err.find("belongs to the rows it was made for"), std::string::npos) << applied.err;
      EXPECT_NE(applied.err.find("levels, cut or regions"), std::string::npos) << applied.err;
      EXPECT_FALSE(place.exists("again.csv"));
      continue;
    }
    ASSERT_EQ(applied.exit_code, 0) << method.name << ": " << applied.err;
    EXPECT_NE(applied.out.find("not promised"), std::string::npos) << applied.out;
    if (place.read("recoding.json").find("\"rows_dropped\": 0") != std::string::npos) {
      EXPECT_EQ(place.read("again.csv"), place.read("out.csv")) << method.name;
    }
    EXPECT_EQ(applied.out.find("values in"), std::string::npos) << "all values are known: " << applied.out;
    std::filesystem::remove(place.folder() / "again.csv");
  }
}

// Relaxed cuts may part equal rows: groups, which do not apply to others.
TEST(Apply, RelaxedCutsBelongToTheirRows) {
  Workplace place;
  place.write("people.csv", people(60));
  ASSERT_EQ(place
                .shoal("anonymize people.csv -o out.csv --identifier id --quasi age,zip,edu --numeric age --k 5 "
                       "--method mondrian --param cuts=relaxed --recoding recoding.json --quiet")
                .exit_code,
            0);
  const auto applied = place.shoal("apply recoding.json people.csv -o again.csv");
  EXPECT_EQ(applied.exit_code, 2);
  EXPECT_NE(applied.err.find("shape groups"), std::string::npos) << applied.err;
}

TEST(Apply, NewRowsFindTheirRegion) {
  Workplace place;
  place.write("recoding.json", R"({"shape": "regions", "plain": ["note"], "missing": ["?"],
    "columns": ["age", "edu"], "groups": [
      {"rows": 4, "released": ["[20,29]", "School"], "loss": 0.5, "covers": [["20", "29"], ["9th", "10th"]]},
      {"rows": 3, "released": ["40", "*"], "loss": 1, "covers": [["40", "40"], ["9th", "PhD"]],
       "holds": [["40", "40"], ["10th", "PhD"]]},
      {"rows": 3, "released": ["*", "PhD"], "loss": 1, "covers": [["20", null], ["PhD", "PhD"]],
       "holds": [[null, null], ["PhD", "PhD"]]}],
    "rows_dropped": 0, "domains": [
      {"name": "age", "type": "numeric", "missing": true, "values": ["20", "29", "40"]},
      {"name": "edu", "type": "categorical", "missing": false, "values": ["9th", "10th", "PhD"]}]})");
  place.write("new.csv",
              "edu,id,age,note\n9th,a,29,x\nPhD,b,40,y\nPhD,c,?,z\n10th,d,5,\nMsc,e,38,w\nPhD,f,20,v\n,g,20,u\n");
  const auto run = place.shoal("apply recoding.json new.csv -o out.csv");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(place.read("out.csv"),
            "edu,age,note\nSchool,\"[20,29]\",x\n*,40,y\nPhD,*,z\nSchool,\"[20,29]\",\n*,40,w\nPhD,*,v\n"
            "*,\"[20,29]\",u\n");
  EXPECT_NE(run.out.find("left out, for the recoding releases no such column: id"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("  age                                    2        2"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("  edu                                    1        1"), std::string::npos) << run.out;
}

// Each file is refused with a message that says what is wrong with it.
TEST(Apply, BrokenRegionsAreNamed) {
  Workplace place;
  place.write("new.csv", "age\n1\n");
  const std::string head = R"({"shape": "regions", "plain": [], "missing": [], "columns": ["age"], "groups": [)";
  const std::string domain = R"(], "domains": [{"name": "age", "type": "numeric", "missing": false, "values": )";
  const std::pair<std::string, std::string> cases[] = {
      {head + "]}", "anonymize again"},
      {head + domain + R"(["1", "1"]}]})", "stands there twice"},
      {head + domain + R"(["one"]}]})", "is no number"},
      {head + R"({"rows": 1, "released": ["1"], "loss": 0, "covers": [["1", "7"]]})" + domain + R"(["1", "2"]}]})",
       "no value of column 'age'"},
      {head + R"({"rows": 1, "released": ["1"], "loss": 0, "covers": [["1", null]]})" + domain + R"(["1", "2"]}]})",
       "no value of column 'age'"},
      {head + R"({"rows": 1, "released": ["1"], "loss": 0, "covers": [["2", "1"]]})" + domain + R"(["1", "2"]}]})",
       "backwards"},
      {head + R"({"rows": 1, "released": ["1"], "loss": 0, "covers": []})" + domain + R"(["1", "2"]}]})",
       "not as many intervals"},
      {head + R"({"rows": 1, "released": [], "loss": 0, "covers": [["1", "2"]]})" + domain + R"(["1", "2"]}]})",
       "not as many releases"},
      {R"({"shape": "spiral", "plain": [], "missing": []})", "no shape"},
  };
  for (const auto& [text, message] : cases) {
    place.write("recoding.json", text);
    const auto run = place.shoal("apply recoding.json new.csv -o out.csv");
    EXPECT_EQ(run.exit_code, 2) << text;
    EXPECT_NE(run.err.find(message), std::string::npos) << message << ": " << run.err;
    EXPECT_FALSE(place.exists("out.csv"));
  }
}

TEST(Apply, NewValuesFollowTheRule) {
  Workplace place;
  place.write("recoding.json", R"({"shape": "cut", "plain": ["note"], "missing": ["?"], "columns": [
    {"name": "age", "type": "numeric", "missing": "*", "values": {"20": "[20,29]", "29": "[20,29]", "40": "40"},
     "intervals": [{"low": 20, "high": 29, "released": "[20,29]"}, {"low": 40, "high": 40, "released": "40"}]},
    {"name": "edu", "type": "categorical", "missing": "", "values": {"9th": "School"}}], "rows_dropped": 0})");
  place.write("new.csv", "edu,id,age,note\n9th,a,29,x\nPhD,b,33,y\n?,c,36,z\n9th,d,5,\n9th,e,?,w\n");
  const auto run = place.shoal("apply recoding.json new.csv -o out.csv");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(place.read("out.csv"),
            "edu,age,note\nSchool,\"[20,29]\",x\n*,\"[20,29]\",y\n,40,z\nSchool,\"[20,29]\",\nSchool,*,w\n");
  EXPECT_NE(run.out.find("age                                    3        3"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("edu                                    1        1"), std::string::npos) << run.out;
}

TEST(Apply, MistakesAreNamed) {
  Workplace place;
  place.write("new.csv", "age\n1\n");
  place.write("broken.json", "{\"shape\": \"cut\"");
  place.write("other.json", "{\"hello\": 1}");
  place.write("recoding.json",
              "{\"shape\":\"cut\",\"plain\":[],\"missing\":[],\"columns\":[{\"name\":\"agee\",\"missing\":\"*\","
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

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
