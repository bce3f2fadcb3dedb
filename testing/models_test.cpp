// Jobs with privacy models and persons, from the command line to the written file, by every method that obeys them.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "shoal/shoal.h"
#include "testing/run_program.h"
#include "testing/text_file.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

// Patients with one to three visits each.
std::string visits_csv(uint64_t seed, size_t patients) {
  std::mt19937_64 random(seed);
  std::string text = "patient,age,zip,illness,pay,class\n";
  for (size_t patient = 0; patient < patients; ++patient) {
    const auto age = 20 + random() % 12, zip = 1000 + random() % 4 * 100;
    for (size_t visit = 0; visit <= random() % 3; ++visit) {
      const char* illness[] = {"flu", "cold", "HIV", "", "asthma"};
      text += fmt::format("p{},{},{},{},{},{}\n", patient, age, zip, illness[random() % 5], 1000 * (1 + random() % 4),
                          random() % 2 ? "yes" : "no");
    }
  }
  return text;
}

FileJob job_of(const std::string& input, const MethodEntry& method) {
  FileJob job;
  job.files.input = input;
  job.files.output = input + ".release.csv";
  job.column("patient").role = Role::person;
  job.column("age").role = Role::quasi;
  job.column("zip").role = Role::quasi;
  job.column("zip").hierarchy = HierarchySpec{"", BuilderSpec{"mask", {}}, {}};
  job.column("illness").role = Role::sensitive;
  job.column("illness").order = {"cold", "flu", "asthma", "HIV"};
  job.column("pay").role = Role::sensitive;
  job.column("class").role = Role::target;
  job.k = 3;
  job.method = method.name;
  job.threads = 2;
  job.order = Order::input;
  job.accept = {std::begin(kFindingCodes), std::end(kFindingCodes)};
  return job;
}

std::vector<std::vector<std::string>> cells_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    auto& row = rows.emplace_back(1);
    bool quoted = false;
    for (char c : line) {
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        row.emplace_back();
      } else {
        row.back() += c;
      }
    }
  }
  return rows;
}

class ModelsOfMethod : public ::testing::TestWithParam<const MethodEntry*> {};

TEST_P(ModelsOfMethod, HoldInTheWrittenFile) {
  const MethodEntry& method = *GetParam();
  const testing::TextFile input("visits.csv", visits_csv(3, 60));
  Progress progress;
  for (const char* text :
       {"distinct-l:illness:l=3", "entropy-l:illness:l=2.5", "recursive-l:illness:c=3,l=2",
        "confidence:illness:alpha=0.6", "t-closeness:pay:t=0.4,distance=ordered",
        "t-closeness:illness:t=0.45,distance=ordered", "beta-likeness:illness:beta=2",
        "distinct-l:illness:l=2,joint=true", "average-risk:risk=0.1", "confidence:illness:alpha=0.4,values=HIV"}) {
    FileJob job = job_of(input.path(), method);
    job.models = {parse_model(text)};
    if (!method.obeys_models) {
      try {
        anonymize_files(job, progress);
        FAIL() << method.name << " ran with " << text;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::job);
        EXPECT_NE(std::string(error.what()).find("method " + method.name + " cannot"), std::string::npos)
            << error.what();
      }
      continue;
    }
    const Report report = anonymize_files(job, progress);
    ASSERT_EQ(report.status, Status::released) << text << ": " << report.reason;
    ASSERT_EQ(report.requirements.size(), 1U);
    ASSERT_EQ(report.requirements[0].models.size(), 2U);  // and persons
    for (const ModelValues& model : report.requirements[0].models) EXPECT_EQ(model.groups_broken, 0U) << text;
    EXPECT_FALSE(report.distributions.empty() && parse_model(text).kind != ModelKind::average_risk);
    // Three different persons in every group, by the written file and its input, whose rows are in the same order.
    const auto released = cells_of(job.files.output), original = cells_of(input.path());
    ASSERT_EQ(released[0], (std::vector<std::string>{"age", "zip", "illness", "pay", "class"}));
    if (released.size() == original.size()) {
      std::map<std::string, std::set<std::string>> persons, values;
      for (size_t row = 1; row < released.size(); ++row) {
        persons[released[row][0] + ";" + released[row][1]].insert(original[row][0]);
        values[released[row][0] + ";" + released[row][1]].insert(released[row][2]);
      }
      for (const auto& [group, who] : persons) {
        EXPECT_GE(who.size(), 3U) << text << " " << group;
        if (std::string(text) == "distinct-l:illness:l=3") {
          EXPECT_GE(values[group].size(), 3U) << group;
        }
      }
    }
    std::filesystem::remove(job.files.output);
  }
}

std::vector<const MethodEntry*> every_method() {
  std::vector<const MethodEntry*> all;
  for (const MethodEntry& method : methods()) all.push_back(&method);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Methods, ModelsOfMethod, ::testing::ValuesIn(every_method()), [](const auto& method) {
  std::string name = method.param->name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// A method that obeys and needs no target; nothing while there is none.
const MethodEntry* some_method() {
  for (const MethodEntry& method : methods()) {
    if (method.obeys_models && !method.needs_target) return &method;
  }
  return nullptr;
}

struct Mistake {
  const char* name;
  const char* flags;
  int exit_code;
  const char* said;
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class ModelMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(ModelMistakes, AreNamedAndLeaveNothingBehind) {
  const Mistake& mistake = GetParam();
  if (some_method() == nullptr) GTEST_SKIP() << "no method obeys models";
  const Workplace place;
  place.write("visits.csv", visits_csv(3, 40));
  place.write("gap.csv", "patient,age,zip,illness,pay\np1,20,1000,flu,1\n,21,1000,cold,2\n");
  place.write("same.csv", "patient,age,zip,illness,pay\np1,20,1000,flu,1\np1,21,1000,cold,2\n");
  const auto before = place.files();
  const std::string flags = mistake.flags;
  const bool own_input = flags.find(".csv") != std::string::npos;
  const auto run = place.shoal(fmt::format("anonymize {} {} -o out.csv --quasi age,zip --k 2 --method {}",
                                           own_input ? "" : "visits.csv", flags, some_method()->name));
  EXPECT_EQ(run.exit_code, mistake.exit_code) << run.err << run.out;
  EXPECT_NE(run.err.find(mistake.said), std::string::npos) << run.err;
  EXPECT_EQ(place.files(), before);
}

INSTANTIATE_TEST_SUITE_P(
    BadInput, ModelMistakes,
    ::testing::Values(
        Mistake{"NotSensitive", "--model distinct-l:illness:l=3", 2,
                "the role of column 'illness' is none, and the model is about sensitive columns"},
        Mistake{"TooManyValues", "--sensitive illness --model distinct-l:illness:l=6", 4,
                "the largest l possible is 5"},
        Mistake{"EntropyAboveTheTables", "--sensitive illness --model entropy-l:illness:l=5", 4,
                "the largest l possible is 4."},
        Mistake{"AlphaBelowTheTables", "--sensitive illness --model confidence:illness:alpha=0.1", 4,
                "the smallest alpha possible is 0."},
        Mistake{"JointClosenessOfTheTable", "--sensitive illness,pay --model t-closeness:pay:t=0,joint=true", 4,
                "the smallest t possible is"},
        Mistake{"OrderedWithoutOrder", "--sensitive illness --model t-closeness:illness:t=0.2,distance=ordered", 2,
                "column 'illness' has no order"},
        Mistake{"HierarchicalWithoutTree",
                "--sensitive illness --model t-closeness:illness:t=0.2,distance=hierarchical", 2,
                "column 'illness' has no hierarchy"},
        Mistake{"ValueOutsideTheOrder", "--sensitive illness --value-order illness=flu,cold,HIV", 3,
                "'asthma' in the column 'illness' is not in its stated order"},
        Mistake{"UnknownValue", "--sensitive illness --model \"confidence:illness:alpha=0.5,values=plague\"", 2,
                "plague"},
        Mistake{"MissingPerson", "gap.csv --person patient", 3,
                "line 3: the cell of the person column 'patient' is missing"},
        Mistake{"FewerPersons", "same.csv --person patient", 4, "the largest k possible is 1"},
        Mistake{"NoPopulation", "--model k-map:k=5", 2,
                "model k-map:k=5 needs a table of the population, and none is named"},
        Mistake{"UnknownModel", "--model distnct-l:illness:l=2", 2,
                "--model: there is no model 'distnct-l'; did you mean"},
        Mistake{"RiskBelowOneGroup", "--model average-risk:risk=0.001", 4, "the smallest risk possible"}),
    [](const auto& mistake) { return std::string(mistake.param.name); });

TEST(Models, MethodsThatCannotAreNamed) {
  const Workplace place;
  place.write("visits.csv", visits_csv(3, 10));
  const std::string job = "anonymize visits.csv -o out.csv --quasi age,zip --k 2 --sensitive illness ";
  const auto mingen = place.shoal(job + "--model distinct-l:illness:l=2 --method mingen");
  EXPECT_EQ(mingen.exit_code, 2);
  EXPECT_NE(
      mingen.err.find("method mingen cannot obey the model distinct-l:illness:l=2: it proves its answer by bounds"),
      std::string::npos)
      << mingen.err;
  const auto kadet = place.shoal(job + "--person patient --target class --method kadet");
  EXPECT_EQ(kadet.exit_code, 2);
  EXPECT_NE(kadet.err.find("method kadet cannot count persons"), std::string::npos) << kadet.err;
}

TEST(Models, RiskPrintsEveryModelBeforeAnythingIsDone) {
  const Workplace place;
  place.write("visits.csv", "patient,age,illness\np1,20,flu\np1,20,flu\np2,20,cold\np3,30,flu\np3,30,flu\np3,30,flu\n");
  const auto run = place.shoal(
      "risk visits.csv --quasi age --sensitive illness --person patient --k 2 --model distinct-l:illness:l=2 --json "
      "risk.json");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const char* words : {"Sensitive column illness", "rows in groups of one value", "Persons",
                            "fewest persons of a group", "distinct-l:illness:l=2", "1 different value"}) {
    EXPECT_NE(run.out.find(words), std::string::npos) << words << "\n" << run.out;
  }
  const std::string json = place.read("risk.json");
  for (const char* words : {"\"rows_in_one_value_groups\": 3", "\"groups_of_one\": 1", "\"groups_broken\": 1"}) {
    EXPECT_NE(json.find(words), std::string::npos) << words << "\n" << json;
  }
}

TEST(Models, MeasureComparesWithTheOriginal) {
  const Workplace place;
  place.write("visits.csv", "patient,age,illness\np1,20,flu\np2,20,cold\np3,30,flu\np4,30,flu\n");
  place.write("release.csv", "age,illness\n*,flu\n*,cold\n*,flu\n*,flu\n");  // of whatever tool
  const auto run = place.shoal(
      "measure release.csv --original visits.csv --quasi age --sensitive illness --person patient --k 2 --model "
      "distinct-l:illness:l=2 --json measures.json");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("2 different values"), std::string::npos) << run.out;
  const std::string json = place.read("measures.json");
  EXPECT_NE(json.find("\"rows_in_one_value_groups\": 2"), std::string::npos) << json;
  EXPECT_NE(json.find("\"rows_in_one_value_groups\": 0"), std::string::npos) << json;
}

TEST(Models, RiskOfASample) {
  const Workplace place;
  place.write("visits.csv", "age,zip,weight\n20,1,10\n21,1,10\n21,1,10\n22,2,50\n22,2,25\n");
  const auto by_size = place.shoal("risk visits.csv --quasi age,zip --population-size 50 --suda --json size.json");
  ASSERT_EQ(by_size.exit_code, 0) << by_size.err;
  EXPECT_NE(place.read("size.json").find("\"risk_max\": 0.2558"), std::string::npos) << place.read("size.json");
  EXPECT_NE(by_size.out.find("SUDA2"), std::string::npos) << by_size.out;
  const auto by_weight = place.shoal("risk visits.csv --quasi age,zip --weight-column weight --json weight.json");
  ASSERT_EQ(by_weight.exit_code, 0) << by_weight.err;
  EXPECT_NE(place.read("weight.json").find("\"people\": 105"), std::string::npos) << place.read("weight.json");
  const auto small = place.shoal("risk visits.csv --quasi age,zip --population-size 3");
  EXPECT_EQ(small.exit_code, 2);
  EXPECT_NE(small.err.find("smaller than the table, which has 5 rows"), std::string::npos) << small.err;
  const auto both = place.shoal("risk visits.csv --quasi age --population-size 30 --weight-column weight");
  EXPECT_EQ(both.exit_code, 2);
  const auto none = place.shoal("risk visits.csv --quasi age --weight-column wieght");
  EXPECT_NE(none.err.find("did you mean 'weight'"), std::string::npos) << none.err;
  place.write("bad.csv", "age,weight\n20,10\n21,0\n");
  const auto bad = place.shoal("risk bad.csv --quasi age --weight-column weight");
  EXPECT_EQ(bad.exit_code, 3);
  EXPECT_NE(bad.err.find("line 3: '0' in the column 'weight' is not a weight"), std::string::npos) << bad.err;
}

// Example of spec: people of the population that the groups of a release fit, 6 and 3, with 3 and 2 rows in the table.
TEST(Models, KMapAndDeltaPresenceOfARelease) {
  const Workplace place;
  place.write("people.csv", "age,town\n20,a\n21,a\n22,b\n23,b\n24,a\n25,b\n30,a\n31,a\n32,b\n");
  place.write("release.csv", "age,town\n\"[20,25]\",*\n\"[20,25]\",*\n\"[20,25]\",*\n\"[30,32]\",*\n\"[30,32]\",*\n");
  const std::string command = "risk release.csv --quasi age,town --numeric age --k 2 ";
  const auto run = place.shoal(
      command + "--population people.csv --model k-map:k=4 --model delta-presence:min=0,max=0.5 --json risk.json");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string json = place.read("risk.json");
  for (const char* words : {"\"people\": 9", "\"fewest\": 3", "\"smallest_share\": 0.5", "\"largest_share\": 0.666"}) {
    EXPECT_NE(json.find(words), std::string::npos) << words << json;
  }
  EXPECT_NE(run.out.find("k-map:k=4"), std::string::npos) << run.out;
  const auto none = place.shoal(command + "--model k-map:k=4");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("model k-map:k=4 needs a table of the population, and none is named"), std::string::npos)
      << none.err;
  place.write("others.csv", "age,town\n20,a\n25,b\n30,b\n");
  const auto other = place.shoal(command + "--population others.csv");
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_NE(other.err.find("'[30,32]' in the column 'age' of 'release.csv' is no value, range or hierarchy node of the "
                           "population; the table must be a sample of it"),
            std::string::npos)
      << other.err;
  place.write("narrow.csv", "age\n20\n");
  const auto narrow = place.shoal(command + "--population narrow.csv");
  EXPECT_EQ(narrow.exit_code, 3);
  EXPECT_NE(narrow.err.find("has no column 'town'; it needs all quasi columns"), std::string::npos) << narrow.err;
}

// The release does not say who its rows are about, and groups overlap.
TEST(Models, VerifyFindsThePersonsOfReleasedGroups) {
  const Workplace place;
  place.write("visits.csv", visits_csv(5, 200));
  for (const char* method : {"shoal", "shoal --require age:6", "kaca", "bottom-up", "top-down", "mondrian",
                             "datafly --suppress-rows 0.05", "incognito --suppress-rows 0.05"}) {
    const std::string job =
        fmt::format("--quasi age,zip --person patient --sensitive illness --plain class --k 4 --method {}", method);
    ASSERT_EQ(place.shoal("anonymize visits.csv -o release.csv --quiet " + job).exit_code, 0) << job;
    const auto verified = place.shoal("verify release.csv --original visits.csv " + job);
    EXPECT_EQ(verified.exit_code, 0) << job << verified.out;
    EXPECT_NE(verified.out.find("the one with fewest persons has"), std::string::npos) << verified.out;
  }
}

// Two rows of one person stand for two persons in no way to pair them.
TEST(Models, VerifyDoesNotPassGroupsOfOnePerson) {
  const Workplace place;
  place.write("visits.csv", "patient,age\np1,20\np1,21\np2,30\np3,31\np4,32\n");
  const std::string verify = "verify release.csv --original visits.csv --quasi age --person patient --k 2";
  place.write("release.csv", R"(age
"[20,21]"
"[20,21]"
"[30,32]"
"[30,32]"
"[30,32]"
)");
  const auto in_order = place.shoal(verify);
  EXPECT_EQ(in_order.exit_code, 5) << in_order.out;
  EXPECT_NE(in_order.out.find("1 of 2 groups has fewer than 2 persons; one has 1"), std::string::npos) << in_order.out;
  place.write("release.csv", R"(age
"[20,32]"
"[20,32]"
"[20,32]"
"[20,21]"
"[20,21]"
)");
  const auto overlapping = place.shoal(verify);
  EXPECT_EQ(overlapping.exit_code, 5) << overlapping.out;
  EXPECT_NE(overlapping.out.find("NOT CHECKED"), std::string::npos) << overlapping.out;
  EXPECT_NE(overlapping.out.find("no way to pair them was found"), std::string::npos) << overlapping.out;
}

TEST(Models, TheSqlIsCompleteWithTheOriginal) {
  const Workplace place;
  place.write("visits.csv", "age,illness\n20,flu\n21,cold\n22,it's\n");
  const auto run = place.shoal(
      "verify --print-sql --original visits.csv --quasi age --sensitive illness --k 1 --model "
      "t-closeness:illness:t=0.9");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("('it''s', 1, "), std::string::npos) << run.out;
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
