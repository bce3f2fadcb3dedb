// Methods compared: every run against the release that the engine would make of the same job, the recommendation
// against a plain walk over all runs, samples against their rows.
#include "shoal/examine/compare_methods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "shoal/encode/raw_table.h"
#include "shoal/encode/sampled_table.h"
#include "shoal/error.h"
#include "shoal/release/draft.h"
#include "testing/rows_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RowsTable;
using Rows = std::vector<std::vector<std::string>>;

const std::vector<std::string> kColumns{"age", "work", "illness", "pay", "note"};

Rows random_rows(std::mt19937_64& random, size_t count) {
  Rows rows;
  for (size_t i = 0; i < count; ++i) {
    rows.push_back({std::to_string(20 + random() % 30), std::string(1, char('a' + random() % 6)),
                    std::string(1, char('u' + random() % 3)), random() % 2 ? "high" : "low", std::to_string(i)});
  }
  return rows;
}

Job job_of_columns(bool target) {
  Job job;
  job.column("age").role = Role::quasi;
  job.column("work").role = Role::quasi;
  job.column("illness").role = Role::sensitive;
  if (target) job.column("pay").role = Role::target;
  job.threads = 1;
  return job;
}

TEST(CompareMethods, SaysWhatTheReleaseWouldBe) {
  std::mt19937_64 random(1);
  size_t checked = 0;
  for (int round = 0; round < 60; ++round) {
    RowsTable table(kColumns, random_rows(random, 10 + random() % 40));
    Job job = job_of_columns(true);
    job.params["shoal.effort"] = "fast";
    if (round % 3 == 0) job.models.push_back(parse_model("distinct-l:illness:l=2"));
    const Ranges all_ranges[] = {Ranges::tight, Ranges::snapped, Ranges::nodes};
    job.ranges = all_ranges[random() % 3];
    const CompareSettings settings{{"shoal", "mondrian", "datafly", "kaca", "tdr"}, {2, 3 + random() % 5}, {}};
    Progress progress;
    const MethodComparison comparison = compare_methods(job, settings, table, progress);
    ASSERT_EQ(comparison.runs.size(), 10u);
    ASSERT_FALSE(comparison.interrupted);
    EXPECT_EQ(comparison.rows, table.rows().size());
    for (size_t i = 0; i < comparison.runs.size(); ++i) {
      const ComparedRun& run = comparison.runs[i];
      EXPECT_EQ(run.method, settings.methods[i % 5]);
      EXPECT_EQ(run.k, settings.ks[i / 5]);
      Draft draft = draft_release(job_of(job, run), table, progress);
      ASSERT_EQ(run.done(), draft.satisfied()) << run.method << " " << run.refused;
      if (!run.done()) continue;
      measure_draft(draft);
      EXPECT_EQ(run.measures.gcp, draft.report.measures.gcp) << run.method;
      EXPECT_EQ(run.measures.column_gcp, draft.report.measures.column_gcp);
      EXPECT_EQ(run.risk.prosecutor_max, draft.report.risk.prosecutor_max);
      EXPECT_EQ(run.rows_dropped, draft.report.rows_dropped);
      EXPECT_LE(run.highest_risk(), 1.0 / double(*run.k));
      if (run.bound) {
        EXPECT_LE(*run.bound, run.measures.gcp + 1e-12) << run.method;
        EXPECT_EQ(run.best_possible, run.measures.gcp <= *run.bound * (1 + 1e-9));
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 300u);  // shoal's bound is everybody's
}

TEST(CompareMethods, RefusalsAreLinesWithTheirReason) {
  std::mt19937_64 random(2);
  RowsTable table(kColumns, random_rows(random, 60));
  Job job = job_of_columns(false);
  job.requirements = {{{"age"}, 3}, {{"work"}, 5}};
  Progress progress;
  const CompareSettings settings{{"mondrian", "tdr", "kadet", "mingen"}, {}, {}};
  const MethodComparison comparison = compare_methods(job, settings, table, progress);
  ASSERT_EQ(comparison.runs.size(), 4u);
  EXPECT_TRUE(comparison.runs[0].done());
  EXPECT_FALSE(comparison.runs[0].k);
  EXPECT_NE(comparison.runs[1].refused.find("needs a target"), std::string::npos) << comparison.runs[1].refused;
  EXPECT_FALSE(comparison.runs[2].done());
  EXPECT_NE(comparison.runs[3].refused.find("takes one requirement"), std::string::npos) << comparison.runs[3].refused;
  EXPECT_EQ(recommend(comparison)->run, 0u);
  // More than there are rows: nobody can.
  const MethodComparison none = compare_methods(job_of_columns(false), {{"mondrian"}, {61}, {}}, table, progress);
  EXPECT_NE(none.runs[0].refused.find("cannot be met by 60 rows"), std::string::npos) << none.runs[0].refused;
  EXPECT_FALSE(recommend(none));
}

TEST(CompareMethods, MistakesOfTheJobAreErrors) {
  std::mt19937_64 random(3);
  RowsTable table(kColumns, random_rows(random, 20));
  Progress progress;
  const auto message = [&](const Job& job, const CompareSettings& settings) -> std::string {
    try {
      compare_methods(job, settings, table, progress);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  Job job = job_of_columns(false);
  EXPECT_NE(message(job, {{"mondrain"}, {2}, {}}).find("did you mean 'mondrian'"), std::string::npos);
  EXPECT_NE(message(job, {{"mondrian"}, {0}, {}}).find("k is 0"), std::string::npos);
  EXPECT_NE(message(job, {{"mondrian"}, {2}, 1}).find("at least 2"), std::string::npos);
  EXPECT_NE(message(Job{}, {{"mondrian"}, {2}, {}}).find("no quasi column"), std::string::npos);
  job.params["effort"] = "best";
  EXPECT_NE(message(job, {{"mondrian"}, {2}, {}}).find("belongs to none"), std::string::npos);
  EXPECT_EQ(message(job, {{"mondrian", "shoal"}, {2}, {}}), "nothing");
  job.params["effort"] = "greatest";
  EXPECT_NE(message(job, {{"mondrian", "shoal"}, {2}, {}}).find("cannot be 'greatest'"), std::string::npos);
  job.params.clear();
  job.suppress_rows = 2;
  EXPECT_NE(message(job, {{"datafly"}, {2}, {}}).find("suppress_rows is 2"), std::string::npos);
}

TEST(CompareMethods, InterruptedItTellsWhatIsDone) {
  std::mt19937_64 random(4);
  RowsTable table(kColumns, random_rows(random, 50));
  Progress progress;
  std::vector<std::string> told;
  const CompareSettings settings{{"mondrian", "datafly", "top-down"}, {2, 5}, {}};
  const MethodComparison comparison =
      compare_methods(job_of_columns(false), settings, table, progress, [&](const ComparedRun& run) {
        told.push_back(run.method);
        if (told.size() == 2) progress.cancel();
      });
  EXPECT_TRUE(comparison.interrupted);
  EXPECT_EQ(told, (std::vector<std::string>{"mondrian", "datafly"}));
  EXPECT_EQ(comparison.runs.size(), 2u);
  EXPECT_EQ(comparison.planned, 6u);
  EXPECT_TRUE(recommend(comparison));
  try {
    const MethodComparison nothing = compare_methods(job_of_columns(false), settings, table, progress);
    EXPECT_TRUE(nothing.interrupted && nothing.runs.empty());  // the table was read before anybody looked
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

TEST(CompareMethods, DefaultsFitTheJob) {
  Job job = job_of_columns(false);
  EXPECT_EQ(default_ks(job), (std::vector<uint64_t>{2, 5, 10}));
  EXPECT_EQ(default_methods(job).size(), 4u);
  job.k = 7;
  EXPECT_EQ(default_ks(job), std::vector<uint64_t>{7});
  job.k.reset();
  job.requirements = {{{"age"}, 3}};
  EXPECT_TRUE(default_ks(job).empty());
  job.method = "kaca";
  EXPECT_EQ(default_methods(job).front(), "kaca");
  EXPECT_EQ(default_methods(job_of_columns(true)).size(), 6u);
}

// ---- samples ----

TEST(SampledRows, EverySetIsAsLikely) {
  std::map<std::vector<uint32_t>, int> seen;
  constexpr int kDraws = 20000;
  for (uint64_t seed = 0; seed < kDraws; ++seed) {
    const std::vector<uint32_t> rows = sampled_rows(6, 3, seed);
    ASSERT_EQ(rows.size(), 3u);
    ASSERT_TRUE(rows[0] < rows[1] && rows[1] < rows[2] && rows[2] < 6);
    ++seen[rows];
  }
  ASSERT_EQ(seen.size(), 20u);
  double chi_squared = 0;
  for (const auto& [rows, count] : seen) chi_squared += (count - 1000.0) * (count - 1000.0) / 1000.0;
  EXPECT_LT(chi_squared, 45);  // 19 degrees of freedom: 1 in 1000 would be above 43.8
  EXPECT_EQ(sampled_rows(4, 9, 1), (std::vector<uint32_t>{0, 1, 2, 3}));
}

TEST(SampledTable, HasTheRowsThatWereDrawn) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    RowsTable table(kColumns, random_rows(random, 1 + random() % 60));
    const std::vector<uint32_t> rows = sampled_rows(table.rows().size(), 1 + random() % 20, random());
    SampledTable sampled(table, rows);
    const RawTable read = read_columns(sampled, {4, 0}, {}, Progress());
    ASSERT_EQ(read.rows, rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(read.columns[0].texts[read.columns[0].codes[i]], table.rows()[rows[i]][4]);
      EXPECT_EQ(read.columns[1].texts[read.columns[1].codes[i]], table.rows()[rows[i]][0]);
      EXPECT_EQ(sampled.place(i), table.place(rows[i]));
    }
  }
}

TEST(CompareMethods, ASampleTellsAboutTheWhole) {
  std::mt19937_64 random(6);
  RowsTable table(kColumns, random_rows(random, 3000));
  Progress progress;
  const CompareSettings sampled{{"mondrian", "shoal"}, {5}, 600}, whole{{"mondrian", "shoal"}, {5}, {}};
  const MethodComparison part = compare_methods(job_of_columns(false), sampled, table, progress);
  EXPECT_EQ(part.rows, 3000u);
  EXPECT_EQ(part.compared_rows, 600u);
  EXPECT_EQ(part.sample.size(), 600u);
  const MethodComparison all = compare_methods(job_of_columns(false), whole, table, progress);
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(part.runs[i].whole);
    EXPECT_LT(part.runs[i].whole->gcp, part.runs[i].measures.gcp);  // more rows lose less
    EXPECT_GT(part.runs[i].whole->margin, 0);
    // The line through three sizes comes closer than the sample itself.
    EXPECT_LT(std::abs(part.runs[i].whole->gcp - all.runs[i].measures.gcp),
              std::abs(part.runs[i].measures.gcp - all.runs[i].measures.gcp));
    EXPECT_FALSE(all.runs[i].whole);
  }
  const MethodComparison again = compare_methods(job_of_columns(false), sampled, table, progress);
  EXPECT_EQ(again.sample, part.sample);
  EXPECT_EQ(again.runs[0].measures.gcp, part.runs[0].measures.gcp);
}

// ---- the recommendation ----

// The rule once more, as a walk over all runs for each question.
std::optional<size_t> plain_rule(const MethodComparison& comparison, const std::vector<MethodError>& errors) {
  const auto& runs = comparison.runs;
  const auto able = [&](size_t i) { return runs[i].refused.empty() && runs[i].shape != Shape::model; };
  uint64_t k = 0;
  for (uint64_t tried = 1; tried <= 20 && k == 0; ++tried) {
    bool any = false, all = true;
    for (size_t i = 0; i < runs.size(); ++i) {
      if (!able(i) || runs[i].k != tried) continue;
      any = true;
      all = all && runs[i].risk.prosecutor_max <= 0.2;
    }
    if (any && all) k = tried;
  }
  for (uint64_t tried = 20; tried >= 1 && k == 0; --tried) {
    for (size_t i = 0; i < runs.size(); ++i) {
      if (able(i) && runs[i].k == tried) k = tried;
    }
  }
  const auto error_of = [&](size_t i) -> const MethodError* {
    for (const MethodError& error : errors) {
      if (error.method == runs[i].method && error.k == k) return &error;
    }
    return nullptr;
  };
  const MethodError* least = nullptr;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (!able(i) || runs[i].k != k || !error_of(i)) continue;
    if (!least || error_of(i)->error < least->error) least = error_of(i);
  }
  std::optional<size_t> best;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (!able(i) || runs[i].k != k) continue;
    if (least && (!error_of(i) || error_of(i)->error > least->error + least->margin)) continue;
    if (!best || runs[i].measures.gcp < runs[*best].measures.gcp) best = i;
  }
  return best;
}

TEST(Recommend, FollowsItsRule) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 5000; ++round) {
    MethodComparison comparison;
    std::vector<MethodError> errors;
    const size_t methods = 1 + random() % 4;
    const bool learners = random() % 2;
    for (uint64_t k = 1 + random() % 3; k < 13; k += 1 + random() % 5) {
      for (size_t m = 0; m < methods; ++m) {
        ComparedRun run;
        run.method = std::string(1, char('a' + m));
        run.shape = random() % 6 == 0 ? Shape::model : Shape::groups;
        run.k = k;
        if (random() % 5 == 0) run.refused = "cannot";
        run.measures.gcp = double(random() % 4) / 4;
        run.risk.prosecutor_max = 1.0 / double(k + random() % 2);
        comparison.runs.push_back(run);
        if (learners && random() % 5) errors.push_back({run.method, k, double(random() % 5) / 10, 0.1});
      }
    }
    const auto recommended = recommend(comparison, errors);
    const auto expected = plain_rule(comparison, errors);
    ASSERT_EQ(recommended.has_value(), expected.has_value());
    if (!expected) continue;
    ASSERT_EQ(recommended->run, *expected) << recommended->reason;
    EXPECT_NE(recommended->reason.find(comparison.runs[*expected].method), std::string::npos);
  }
}

TEST(Recommend, SaysWhy) {
  MethodComparison comparison;
  for (const uint64_t k : {2, 5, 10}) {
    for (const char* method : {"near", "far"}) {
      ComparedRun run;
      run.method = method;
      run.k = k;
      run.measures.gcp = (method == std::string("near") ? 0.01 : 0.02) * double(k);
      run.risk.prosecutor_max = 1.0 / double(k);
      comparison.runs.push_back(run);
    }
  }
  EXPECT_EQ(recommend(comparison)->reason,
            "k=5 is the smallest k compared with which all methods keep the highest risk at 20 % or below; near loses "
            "least (GCP 5.00 %), "
            "next is far (10.00 %)");
  EXPECT_EQ(recommend(comparison, {{"near", 5, 0.3, 0.01}, {"far", 5, 0.2, 0.01}})->reason,
            "k=5 is the smallest k compared with which all methods keep the highest risk at 20 % or below; learners "
            "err least with far (20.00 "
            "%, ± 1.00 %), and 1 of 2 methods within that margin remain; far is the only method left (GCP 10.00 %)");
  EXPECT_EQ(recommend(comparison, {}, 0.01)->reason,
            "with no k compared all methods keep the highest risk at 1 % or below, and k=10 is the largest; near loses "
            "least (GCP 10.00 %), "
            "next is far (20.00 %)");
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
