// Small tables where the errors are known, and what must be equal whatever the data.
#include "shoal/evaluate/evaluate.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "shoal/evaluate/evaluation_report.h"
#include "shoal/evaluate/map_rows.h"
#include "shoal/learn/learner.h"
#include "shoal/read/temporary_file.h"
#include "shoal/recode/apply.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"

namespace shoal {
namespace {

// 400 rows: the class follows age and job; zip is noise.
class Evaluate : public ::testing::Test {
 protected:
  Evaluate() { write(file_.path(), 400, 1); }
  static void write(const std::string& path, int rows, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::ofstream file(path);
    file << "age,job,zip,plan,class\n";
    for (int i = 0; i < rows; ++i) {
      const uint64_t age = 20 + random() % 50, job = random() % 3;
      const bool yes = (age > 45) != (random() % 20 == 0);
      file << age << ','
           << (job == 0   ? "cook"
               : job == 1 ? "clerk"
                          : "judge")
           << ',' << 1000 + random() % 30 << ',' << (yes == (random() % 3 > 0) ? "a" : "b") << ',' << (yes ? "y" : "n")
           << '\n';
    }
  }
  Job job() const {
    Job job;
    job.input = file_.path();
    for (const char* name : {"age", "job", "zip"}) job.column(name).role = Role::quasi;
    job.column("class").role = Role::target;
    job.threads = 2;
    return job;
  }
  static Evaluation run(const Job& job, const EvaluateSettings& settings) {
    Progress progress;
    return evaluate(job, settings, progress);
  }
  TemporaryFile file_{".csv"};
};

TEST_F(Evaluate, BaselinesAndOrder) {
  const Evaluation result = run(job(), {.methods = {"kactus", "mondrian"}, .learners = {"c45", "nb"}, .ks = {5, 20}});
  EXPECT_EQ(result.rows, 400u);
  ASSERT_EQ(result.baselines.size(), 2u);
  EXPECT_LT(result.baselines[0].raw.error, 0.12);            // one in twenty is turned round
  EXPECT_GT(result.baselines[0].without_quasi.error, 0.25);  // plan alone knows two in three
  EXPECT_LT(result.baselines[0].without_quasi.error, 0.42);
  ASSERT_EQ(result.cells.size(), 8u);
  for (const EvaluationCell& cell : result.cells) {
    EXPECT_EQ(cell.anonymized.folds.size(), 10u);
    EXPECT_LE(cell.anonymized.interval.low, cell.anonymized.error);
    EXPECT_GE(cell.anonymized.interval.high, cell.anonymized.error);
    EXPECT_TRUE(cell.against_raw);
    EXPECT_EQ(cell.against_first.has_value(), cell.method == "mondrian");
  }
  EXPECT_EQ(result.cells[0].k, 5u);
  EXPECT_EQ(result.cells[0].learner, "c45");
  EXPECT_EQ(result.cells[0].method, "kactus");
  EXPECT_LT(result.cells[0].anonymized.error, 0.15);  // age is what the tree keeps
}

// With k = 1 nothing need be recoded by a method of levels: AE is BE, fold by fold, in both protocols.
TEST_F(Evaluate, NothingRecodedNothingLost) {
  for (Protocol protocol : {Protocol::joint, Protocol::train_only}) {
    EvaluateSettings settings{.methods = {"incognito"}, .learners = {"c45", "nb", "logistic", "part"}, .ks = {1}};
    settings.protocol = protocol;
    const Evaluation result = run(job(), settings);
    for (size_t i = 0; i < 4; ++i) EXPECT_EQ(result.cells[i].anonymized.folds, result.baselines[i].raw.folds);
    for (const EvaluationCell& cell : result.cells) EXPECT_EQ(cell.against_raw->p, 1);
  }
}

// Everything suppressed: what is left to learn from is what UE has.
TEST_F(Evaluate, AllSuppressedIsLikeQuasiRemoved) {
  const Evaluation result = run(job(), {.methods = {"incognito"}, .learners = {"nb"}, .ks = {200}, .folds = 2});
  EXPECT_EQ(result.cells[0].anonymized.folds, result.baselines[0].without_quasi.folds);
}

TEST_F(Evaluate, SameWhateverTheThreads) {
  const EvaluateSettings settings{.methods = {"kactus", "tdr", "kadet"}, .learners = {"c45"}, .ks = {10}};
  Job one = job();
  one.threads = 1;
  const Evaluation a = run(job(), settings), b = run(one, settings);
  for (size_t i = 0; i < a.cells.size(); ++i) EXPECT_EQ(a.cells[i].anonymized.folds, b.cells[i].anonymized.folds);
}

TEST_F(Evaluate, Presplit) {
  TemporaryFile test(".csv");
  write(test.path(), 100, 9);
  const Evaluation result =
      run(job(), {.methods = {"kactus", "mondrian-infogain"}, .learners = {"c45"}, .ks = {10}, .test = test.path()});
  EXPECT_EQ(result.rows, 500u);
  EXPECT_EQ(result.folds, 0u);
  EXPECT_EQ(result.cells[0].anonymized.folds.size(), 1u);
  EXPECT_FALSE(result.cells[0].against_raw);
}

TEST_F(Evaluate, TellsWhatIsWrong) {
  const auto message = [&](const Job& job, const EvaluateSettings& settings) -> std::string {
    try {
      run(job, settings);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EvaluateSettings good{.methods = {"kactus"}, .learners = {"c45"}, .ks = {5}};
  EvaluateSettings settings = good;
  settings.methods = {"kactuz"};
  EXPECT_NE(message(job(), settings).find("did you mean 'kactus'"), std::string::npos);
  settings = good;
  settings.learners = {"c54"};
  EXPECT_NE(message(job(), settings).find("c45"), std::string::npos);
  settings = good;
  settings.ks = {300};
  EXPECT_NE(message(job(), settings).find("only 200 rows"), std::string::npos);
  settings.ks = {};
  EXPECT_NE(message(job(), settings).find("no k"), std::string::npos);
  Job no_target = job();
  no_target.column("class").role = Role::plain;
  EXPECT_NE(message(no_target, good).find("target"), std::string::npos);
  Job other_param = job();
  other_param.params["mondrian.cuts"] = "relaxed";
  EXPECT_NE(message(other_param, good).find("mondrian.cuts"), std::string::npos);
}

TEST_F(Evaluate, StopsWhenAsked) {
  Progress progress;
  progress.cancel();
  try {
    evaluate(job(), {.methods = {"kactus"}, .learners = {"c45"}, .ks = {5}}, progress);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

TEST_F(Evaluate, JsonComesBackAndComparisonsJoin) {
  const Evaluation result = run(job(), {.methods = {"kactus", "mondrian"}, .learners = {"c45", "nb"}, .ks = {10, 40}});
  const Evaluation back = evaluation_from_json(to_json(result).dump(), "x.json");
  EXPECT_EQ(to_json(back), to_json(result));
  const auto one = compare({result}), two = compare({result, back});
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->sets, 4u);
  EXPECT_EQ(two->sets, 8u);
  EXPECT_EQ(one->friedman.mean_ranks, two->friedman.mean_ranks);
  EXPECT_LT(two->distance, one->distance);
  EXPECT_NE(to_csv({result}).find("mondrian"), std::string::npos);
  EXPECT_NE(to_text(result).find("kactus"), std::string::npos);
  EXPECT_THROW(evaluation_from_json("{}", "x.json"), Error);
}

// ---- test rows through a recoding

TEST(MapRows, ByValueIsWhatApplyDoes) {
  testing::RandomTables random(71);
  for (int round = 0; round < 200; ++round) {
    const auto drawn = random.table({.rows = 30, .columns = 3});
    Recoding recoding;
    recoding.shape = Shape::levels;
    std::vector<int> levels;
    for (const Hierarchy& hierarchy : drawn.hierarchies) {
      levels.push_back(int(random.draw(0, size_t(hierarchy.height()))));
    }
    recoding = levels_recoding(drawn.hierarchies, levels);
    const auto mapped = map_rows(recoding, drawn.table, drawn.hierarchies);
    for (size_t j = 0; j < 3; ++j) {
      for (size_t row = 0; row < 30; ++row) {
        EXPECT_EQ(mapped[j].values[mapped[j].codes[row]], recoding.value_map[j][drawn.table.quasi[j].codes[row]]);
      }
    }
  }
}

// Rows that the regions were made of come back to a region that covers them, and at least as tight as their own.
TEST(MapRows, RegionsCoverTheirOwnRows) {
  testing::RandomTables random(72);
  for (int round = 0; round < 200; ++round) {
    const auto drawn = random.table({.rows = 40, .columns = 3, .max_values = 8});
    const Problem problem = drawn.problem({{{0, 1, 2}, 4}});
    const SearchResult found = testing::run_method("mondrian-infogain", problem);
    const auto mapped = map_rows(*found.recoding, drawn.table, drawn.hierarchies);
    for (size_t j = 0; j < 3; ++j) {
      for (size_t row = 0; row < 40; ++row) {
        const Released& cell = mapped[j].values[mapped[j].codes[row]];
        const uint32_t leaf = drawn.table.quasi[j].codes[row];
        EXPECT_TRUE(cell.first <= leaf && leaf <= cell.last) << "round " << round;
      }
    }
  }
}

TEST(MapRows, GroupsLeaveRowsAsTheyAre) {
  testing::RandomTables random(73);
  const auto drawn = random.table({.rows = 40, .columns = 2});
  Recoding recoding;
  recoding.shape = Shape::groups;
  recoding.recoded_columns = {0, 1};
  const auto mapped = map_rows(recoding, drawn.table, drawn.hierarchies);
  for (size_t row = 0; row < 40; ++row) {
    const Released& cell = mapped[1].values[mapped[1].codes[row]];
    EXPECT_EQ(cell, released_leaf(drawn.hierarchies[1], drawn.table.quasi[1].codes[row]));
  }
}

}  // namespace
}  // namespace shoal
