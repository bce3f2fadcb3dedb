// Small tables where the errors are known, and what must be equal whatever the data.
#include "shoal/evaluate/evaluate.h"
#include "shoal/files/evaluate_files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "shoal/learn/learner.h"
#include "shoal/read/read_evaluation.h"
#include "shoal/read/temporary_file.h"
#include "shoal/recode/apply.h"
#include "shoal/report/evaluation_document.h"
#include "shoal/report/render.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

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
  FileJob job() const {
    FileJob job;
    job.files.input = file_.path();
    for (const char* name : {"age", "job", "zip"}) job.column(name).role = Role::quasi;
    job.column("class").role = Role::target;
    job.threads = 2;
    return job;
  }
  static Evaluation run(const FileJob& job, const EvaluateSettings& settings) {
    Progress progress;
    return evaluate_files(job, settings, progress);
  }
  TemporaryFile file_{".csv"};
};

// Requirements over some of the columns, and none over all: what is asked of the release is those alone.
TEST_F(Evaluate, RequirementsAlone) {
  FileJob several = job();
  several.requirements = {{{"age", "job"}, 5}, {{"zip"}, 20}};
  EvaluateSettings settings{.methods = {"tdr"}, .learners = {"c45"}, .ks = {}};
  const Evaluation apart = run(several, settings);
  ASSERT_EQ(apart.cells.size(), 1u);
  EXPECT_EQ(apart.cells[0].k, 20u);  // the largest names the set
  // k = 200 over all three columns leaves next to nothing of them.
  settings.ks = {200};
  const Evaluation together = run(job(), settings);
  EXPECT_LT(apart.cells[0].anonymized.error, together.cells[0].anonymized.error);
  EXPECT_THROW(run(job(), {.methods = {"tdr"}, .learners = {"c45"}, .ks = {}}), Error);  // nothing is asked
}

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
  FileJob one = job();
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
  const auto message = [&](const FileJob& job, const EvaluateSettings& settings) -> std::string {
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
  FileJob no_target = job();
  no_target.column("class").role = Role::plain;
  EXPECT_NE(message(no_target, good).find("target"), std::string::npos);
  FileJob other_param = job();
  other_param.params["mondrian.cuts"] = "relaxed";
  EXPECT_NE(message(other_param, good).find("mondrian.cuts"), std::string::npos);
}

TEST_F(Evaluate, StopsWhenAsked) {
  Progress progress;
  progress.cancel();
  try {
    evaluate_files(job(), {.methods = {"kactus"}, .learners = {"c45"}, .ks = {5}}, progress);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

TEST_F(Evaluate, JsonComesBackAndComparisonsJoin) {
  const Evaluation result = run(job(), {.methods = {"kactus", "mondrian"}, .learners = {"c45", "nb"}, .ks = {10, 40}});
  const auto written = [](const Evaluation& evaluation) {
    return json_text(evaluation_document({evaluation}, compare({evaluation}), true));
  };
  const std::vector<Evaluation> read = read_evaluations(written(result), "x.json");
  ASSERT_EQ(read.size(), 1u);
  const Evaluation& back = read[0];
  EXPECT_EQ(written(back), written(result));
  const auto one = compare({result}), two = compare({result, back});
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->sets, 4u);
  EXPECT_EQ(two->sets, 8u);
  EXPECT_EQ(two->tables, 1u);  // the same table twice is no further evidence
  EXPECT_FALSE(two->lines[0].friedman);
  for (size_t m = 0; m < 2; ++m) EXPECT_NEAR(one->lines[0].mean_errors[m], two->lines[0].mean_errors[m], 1e-12);
  ASSERT_EQ(one->lines.size(), 3u);
  EXPECT_EQ(one->lines[1].learner, "c45");
  EXPECT_NE(evaluation_csv({result}).find("mondrian"), std::string::npos);
  const std::string text = terminal_text(evaluation_document({result}, std::nullopt, true));
  for (const char* words : {"kactus", "BE", "UE", "c45", "±", "5x2"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  EXPECT_THROW(read_evaluations("{}", "x.json"), Error);
  EXPECT_THROW(read_evaluations("no JSON", "x.json"), Error);
}

// Levels and cuts: `*` beside values is a category (default), or says nothing. Here rare jobs are suppressed and tell
// the class, so that only the first reading can use them.
TEST(EvaluateReadings, AStarOfACutIsAValueUnlessReadAsRange) {
  TemporaryFile file(".csv");
  {
    std::ofstream out(file.path());
    out << "job,class\n";
    for (int i = 0; i < 300; ++i) out << "cook,n\n";
    for (int i = 0; i < 60; ++i) out << "rare" << i << ",y\n";
  }
  FileJob job;
  job.files.input = file.path();
  job.column("job").role = Role::quasi;
  job.column("class").role = Role::target;
  EvaluateSettings settings{.methods = {"tdr"}, .learners = {"c45", "nb"}, .ks = {20}};
  settings.protocol = Protocol::joint;
  settings.readings = {Reading::values, Reading::ranges, Reading::mapped};
  Progress progress;
  const Evaluation result = evaluate_files(job, settings, progress);
  ASSERT_EQ(result.cells.size(), 4u);  // mapped comes to values for a cut
  EXPECT_EQ(column_name(result, result.cells[0]), "tdr");
  EXPECT_EQ(column_name(result, result.cells[1]), "tdr ranges");
  for (size_t i : {0, 2}) {
    EXPECT_EQ(result.cells[i].anonymized.error, 0) << i;
    EXPECT_NEAR(result.cells[i + 1].anonymized.error, 60.0 / 360, 1e-9) << i;
  }
}

// What the marks mean, row by row: naive Bayes on means of groups gets things wrong that no column at all gets right.
TEST_F(Evaluate, MappedRowsGroupsAndMarks) {
  EvaluateSettings settings{.methods = {"kactus", "mondrian", "tdr"}, .learners = {"c45", "nb"}, .ks = {20}};
  settings.readings = {Reading::values, Reading::mapped};
  const Evaluation result = run(job(), settings);
  // kactus twice, mondrian (mapped anyway) and tdr once; then the groups of kactus and mondrian.
  ASSERT_EQ(result.cells.size(), 2 * 4 + 2u);
  EXPECT_EQ(column_name(result, result.cells[1]), "kactus mapped");
  EXPECT_EQ(result.cells[8].learner, kGroupMajority);
  EXPECT_LT(result.cells[8].anonymized.error, 0.2);  // a kactus group is a leaf for the class
  EXPECT_FALSE(result.cells[8].above_raw);
  EXPECT_GT(result.majority.error, 0.35);
  for (const EvaluationCell& cell : result.cells) {
    if (cell.above_raw) {
      const auto base = cell.learner == "c45" ? result.baselines[0] : result.baselines[1];
      EXPECT_NEAR(cell.above_raw->difference, cell.anonymized.error - base.raw.error, 1e-9);
      EXPECT_NEAR(cell.above_without->difference, cell.anonymized.error - base.without_quasi.error, 1e-9);
    }
    EXPECT_NEAR(cell.above_majority.difference, cell.anonymized.error - result.majority.error, 1e-9);
    EXPECT_LE(cell.above_majority.low, cell.above_majority.difference);
    EXPECT_FALSE(worse_than_majority(cell));
  }
  EvaluationCell bad;
  bad.above_without = ErrorDifference{0.1, 0.05, 0.15};
  bad.above_majority = {0.02, -0.01, 0.05};
  EXPECT_TRUE(worse_than_without(bad));
  EXPECT_FALSE(worse_than_majority(bad));
  Evaluation marked = result;
  marked.cells[0].above_without = bad.above_without;
  marked.cells[0].above_majority = {0.1, 0.05, 0.15};
  const std::string text = terminal_text(evaluation_document({marked}, std::nullopt, true));
  EXPECT_NE(text.find("um"), std::string::npos) << text;
  for (const char* words : {"kactus mapped", "group", "most frequent class", "Above raw"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  EXPECT_THROW(reading_named("maped"), Error);
}

// Tables are blocks: five of them, each with two k; the means are over tables, whatever the number of sets of each.
TEST(EvaluateComparison, TablesAreBlocks) {
  std::vector<Evaluation> all;
  for (int table = 0; table < 5; ++table) {
    Evaluation evaluation;
    evaluation.input = "table" + std::to_string(table);
    for (uint64_t k = 1; k <= (table == 0 ? 6u : 2u); ++k) {
      for (const char* method : {"a", "b", "c"}) {
        EvaluationCell cell{.k = k, .learner = "c45", .method = method};
        const double extra = method[0] == 'a' ? 0 : method[0] == 'b' ? 0.1 : 0.05;
        cell.anonymized.error = 0.1 * table + extra;
        cell.above_raw = ErrorDifference{extra, extra, extra};
        cell.above_without = ErrorDifference{extra - 0.08, extra - 0.09, extra - 0.07};
        evaluation.cells.push_back(cell);
      }
    }
    all.push_back(evaluation);
  }
  const auto comparison = compare(all);
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->tables, 5u);
  EXPECT_EQ(comparison->sets, 14u);
  ASSERT_EQ(comparison->lines.size(), 1u);  // one learner: no lines of its own
  const Comparison::Line& line = comparison->lines[0];
  EXPECT_NEAR(line.mean_errors[0], 0.2, 1e-12);
  EXPECT_NEAR(line.above_raw[1].mean, 0.1, 1e-12);
  EXPECT_EQ(line.worse_than_without, (std::vector<size_t>{0, 14, 0}));
  ASSERT_TRUE(line.friedman);
  EXPECT_EQ(line.friedman->mean_ranks, (std::vector<double>{1, 3, 2}));
  EXPECT_NEAR(line.friedman->chi_squared, 10, 1e-9);  // 5 blocks in full agreement: N (m - 1)
  all.pop_back();
  EXPECT_FALSE(compare(all)->lines[0].friedman);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
