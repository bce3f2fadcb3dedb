// Models and persons of a release on disk: what the verification's SQL says, against plain counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "shoal/shoal.h"
#include "testing/run_program.h"
#include "testing/text_file.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

struct Row {
  std::string quasi, released, value, person;
};

std::vector<Row> random_rows(std::mt19937_64& random) {
  const char* values[] = {"flu", "1", "1.0", "", "?", "it's"};
  std::vector<Row> rows;
  const size_t groups = 1 + random() % 3, kinds = 1 + random() % 6, persons = 1 + random() % 20;
  for (size_t i = 0, count = 4 + random() % 30; i < count; ++i) {
    const std::string quasi = std::to_string(random() % groups);
    rows.push_back(
        {quasi, random() % 4 == 0 ? "*" : quasi, values[random() % kinds], std::to_string(random() % persons)});
  }
  return rows;
}

// All spellings of missing are one value, and texts are what they are: the column has a name in it or is categorical.
std::string read_as(const std::string& value) { return value == "?" ? "" : value; }

std::map<std::string, std::map<std::string, double>> counts_of(const std::vector<Row>& rows) {
  std::map<std::string, std::map<std::string, double>> groups;
  for (const Row& row : rows) ++groups[row.released][read_as(row.value)];
  return groups;
}

double rows_of(const std::map<std::string, double>& counts) {
  double sum = 0;
  for (const auto& [value, count] : counts) sum += count;
  return sum;
}

// By definition, in floating point: random tables this small have no ties but exact ones.
bool group_keeps(const std::string& model, const std::map<std::string, double>& group,
                 const std::map<std::string, double>& whole) {
  const double n = rows_of(group), all = rows_of(whole);
  std::vector<double> sorted;
  double entropy = 0, distance = 0, gain = 0;
  for (const auto& [value, count] : group) {
    sorted.push_back(count);
    entropy -= count / n * std::log(count / n);
    gain = std::max(gain, (count / n - whole.at(value) / all) / (whole.at(value) / all));
  }
  for (const auto& [value, count] : whole) {
    const auto found = group.find(value);
    distance += std::abs((found == group.end() ? 0 : found->second) / n - count / all) / 2;
  }
  std::sort(sorted.rbegin(), sorted.rend());
  if (model == "distinct-l:sick:l=2") return sorted.size() >= 2;
  if (model == "entropy-l:sick:l=1.7") return entropy >= std::log(1.7);
  if (model == "recursive-l:sick:c=2,l=2") return sorted[0] < 2 * (n - sorted[0]);
  if (model == "confidence:sick:alpha=0.6") return sorted[0] / n <= 0.6 + 1e-12;
  if (model == "t-closeness:sick:t=0.3") return distance <= 0.3 + 1e-12;
  if (model == "beta-likeness:sick:beta=1,form=basic") return gain <= 1 + 1e-12;
  ADD_FAILURE() << model;
  return false;
}

const char* const kModels[] = {"distinct-l:sick:l=2",      "entropy-l:sick:l=1.7",
                               "recursive-l:sick:c=2,l=2", "confidence:sick:alpha=0.6",
                               "t-closeness:sick:t=0.3",   "beta-likeness:sick:beta=1,form=basic"};

FileJob job_of(const std::string& input) {
  FileJob job;
  job.files.input = input;
  job.column("who").role = Role::person;
  job.column("quasi").role = Role::quasi;
  job.column("quasi").type = ColumnType::categorical;
  job.column("sick").role = Role::sensitive;
  job.column("sick").type = ColumnType::categorical;
  job.k = 1;
  job.missing = {"?"};
  job.threads = 1;
  for (const char* model : kModels) job.models.push_back(parse_model(model));
  return job;
}

const VerificationCheck& check_of(const Verification& verification, const std::string& about) {
  for (const VerificationCheck& check : verification.checks) {
    if (check.name.find(about) != std::string::npos) return check;
  }
  throw std::runtime_error("no check of " + about);
}

std::string original_csv(const std::vector<Row>& rows) {
  std::string text = "who,quasi,sick\n";
  for (const Row& row : rows) text += row.person + "," + row.quasi + "," + row.value + "\n";
  return text;
}
std::string release_csv(const std::vector<Row>& rows) {
  std::string text = "quasi,sick\n";
  for (const Row& row : rows) text += row.released + "," + row.value + "\n";
  return text;
}

TEST(VerifyModels, SqlAgreesWithPlainCounts) {
  std::mt19937_64 random(3);
  Progress progress;
  std::map<std::string, std::set<bool>> answers;
  for (int round = 0; round < 80; ++round) {
    std::vector<Row> rows = random_rows(random);
    const testing::TextFile original("original.csv", original_csv(rows)), release("release.csv", release_csv(rows));
    FileJob job = job_of(original.path());
    job.k = 1 + random() % 4;
    const Verification found = verify_release(job, release.path(), original.path(), progress);
    const auto groups = counts_of(rows);
    std::map<std::string, double> whole;
    std::map<std::string, std::set<std::string>> persons;
    for (const Row& row : rows) {
      ++whole[read_as(row.value)];
      persons[row.released].insert(row.person);
    }
    for (const char* model : kModels) {
      const bool keeps = std::all_of(groups.begin(), groups.end(),
                                     [&](const auto& group) { return group_keeps(model, group.second, whole); });
      EXPECT_EQ(check_of(found, model).ok(), keeps) << model << "\n" << release_csv(rows);
      answers[model].insert(keeps);
    }
    const bool enough =
        std::all_of(persons.begin(), persons.end(), [&](const auto& group) { return group.second.size() >= *job.k; });
    EXPECT_EQ(check_of(found, ": persons").ok(), enough) << original_csv(rows);
    answers["persons"].insert(enough);
  }
  for (const auto& [model, seen] : answers) EXPECT_EQ(seen.size(), 2U) << model;
}

// In another order than the original persons are counted where the cells tell which group each row went to; elsewhere a
// way to pair the rows is looked for in which there are enough, and it is said where none was found.
TEST(VerifyModels, PersonsInAnyOrderAreCountedOrSaidNotToBe) {
  std::mt19937_64 random(4);
  Progress progress;
  std::set<CheckResult> seen;
  int found_a_way = 0, missed = 0;
  for (int round = 0; round < 120; ++round) {
    std::vector<Row> rows = random_rows(random), turned;
    const bool vague = random() % 3 == 0;
    for (Row& row : rows) row.released = vague ? row.released : row.quasi;
    turned = rows;
    std::shuffle(turned.begin(), turned.end(), random);
    const auto fits = [](const Row& released, const Row& row) {
      return released.value == row.value && (released.released == "*" || released.released == row.quasi);
    };
    bool told = true, in_order = true;
    std::map<std::string, std::set<std::string>> persons, at_most;  // of each group: as it was made, and in any way
    for (size_t i = 0; i < rows.size(); ++i) {
      std::set<std::string> looks;
      for (const Row& other : rows) {
        if (fits(other, rows[i])) looks.insert(other.released);
      }
      for (const std::string& look : looks) at_most[look].insert(rows[i].person);
      told = told && looks.size() == 1;
      in_order = in_order && fits(turned[i], rows[i]);
      persons[rows[i].released].insert(rows[i].person);
    }
    const testing::TextFile original("original.csv", original_csv(rows)), release("release.csv", release_csv(turned));
    FileJob job = job_of(original.path());
    job.models.clear();
    job.k = 1 + random() % 4;
    const CheckResult found =
        check_of(verify_release(job, release.path(), original.path(), progress), ": persons").result;
    seen.insert(found);
    const auto enough = [&](const auto& groups) {
      return std::all_of(groups.begin(), groups.end(),
                         [&](const auto& group) { return group.second.size() >= *job.k; });
    };
    SCOPED_TRACE(original_csv(rows) + release_csv(turned));
    if (told) {
      EXPECT_EQ(found, enough(persons) ? CheckResult::passed : CheckResult::failed);
    } else if (!in_order) {
      EXPECT_NE(found, CheckResult::failed);
      if (!enough(at_most)) {
        EXPECT_EQ(found, CheckResult::not_checked);
      }
      found_a_way += found == CheckResult::passed;
      missed += enough(persons) && found != CheckResult::passed;
    }
  }
  EXPECT_EQ(seen.size(), 3U);
  EXPECT_GT(found_a_way, 5);
  EXPECT_LT(missed * 10, found_a_way) << missed << " of " << found_a_way;
}

TEST(VerifyModels, PersonsFollowTheRowsOfTheRelease) {
  Progress progress;
  const testing::TextFile original("original.csv", "who,quasi,sick\n1,a,x\n1,b,y\n2,a,x\n2,b,y\n");
  const testing::TextFile release("release.csv", "quasi,sick\nb,y\na,x\na,x\nb,y\n");
  FileJob job = job_of(original.path());
  job.models.clear();
  job.k = 2;
  const std::vector<uint32_t> two_each{1, 0, 2, 3};
  EXPECT_TRUE(check_of(verify_release(job, release.path(), original.path(), progress, &two_each), ": persons").ok());
  // Here the cells tell which group each row went to.
  EXPECT_TRUE(check_of(verify_release(job, release.path(), original.path(), progress), ": persons").ok());
  // Nobody who did not make the release can say which a became *.
  const testing::TextFile vague("vague.csv", "quasi,sick\nb,y\n*,x\na,x\nb,y\n");
  const VerificationCheck unknown = check_of(verify_release(job, vague.path(), original.path(), progress), ": persons");
  EXPECT_EQ(unknown.result, CheckResult::not_checked);
  EXPECT_EQ(check_of(verify_release(job, release.path(), std::nullopt, progress), ": persons").result,
            CheckResult::not_checked);
  // Two rows of the same person are one person.
  const testing::TextFile same("same.csv", "who,quasi,sick\n1,a,x\n1,b,y\n1,a,x\n2,b,y\n");
  const VerificationCheck one =
      check_of(verify_release(job, release.path(), same.path(), progress, &two_each), ": persons");
  EXPECT_EQ(one.result, CheckResult::failed);
  EXPECT_NE(one.detail.find("1 of 2 groups has fewer than 2 persons"), std::string::npos) << one.detail;
}

TEST(VerifyModels, WithoutTheOriginalModelsThatCompareAreNotChecked) {
  Progress progress;
  const testing::TextFile release("release.csv", "quasi,sick\na,x\na,y\n");
  const Verification found = verify_release(job_of(""), release.path(), std::nullopt, progress);
  EXPECT_EQ(check_of(found, "distinct-l").result, CheckResult::passed);
  EXPECT_EQ(check_of(found, "t-closeness").result, CheckResult::not_checked);
  EXPECT_FALSE(found.ok());
  FileJob mapped = job_of("");
  mapped.models = {parse_model("k-map:k=2")};
  EXPECT_EQ(check_of(verify_release(mapped, release.path(), std::nullopt, progress), "k-map").result,
            CheckResult::not_checked);
}

TEST(VerifyModels, NumbersAndOrdersAndTreesAndJointModels) {
  Progress progress;
  const testing::TextFile original("original.csv", "q,pay,town\na,1,x\na,1.0,y\nb,2,x\nb,3,y\na,2,x\nb,1,y\n");
  const testing::TextFile release("release.csv", "q,pay,town\na,1,x\na,1.0,y\nb,2,x\nb,3,y\na,2,x\nb,1,y\n");
  FileJob job;
  job.column("q").role = Role::quasi;
  job.column("pay").role = Role::sensitive;
  job.column("town").role = Role::sensitive;
  job.column("town").order = {"x", "y"};
  job.column("pay").hierarchy = HierarchySpec{"", BuilderSpec{"intervals", {{"width", "2"}}}, {}};
  job.column("pay").type = ColumnType::numeric;
  job.k = 1;
  job.threads = 1;
  const auto answer = [&](const std::string& model) {
    job.models = {parse_model(model)};
    const auto checks = verify_release(job, release.path(), original.path(), progress);
    return to_string(check_of(checks, model).result);
  };
  // Group a has pay (1, 1, 2), b has (1, 2, 3), all have 1 three times, 2 twice, 3 once; towns a (x, y, x), b (x, y,
  // y).
  EXPECT_EQ(answer("distinct-l:pay:l=2"), "passed");
  EXPECT_EQ(answer("distinct-l:pay:l=3"), "failed");  // 1 and 1.0 are one number
  EXPECT_EQ(answer("t-closeness:pay:t=1/6"), "passed");
  EXPECT_EQ(answer("t-closeness:pay:t=0.16"), "failed");
  EXPECT_EQ(answer("t-closeness:pay:t=1/6,distance=ordered"), "passed");  // steps 1/6 and 1/6, of 2 steps
  EXPECT_EQ(answer("t-closeness:pay:t=0.16,distance=ordered"), "failed");
  EXPECT_EQ(answer("t-closeness:town:t=1/6,distance=ordered"), "passed");
  EXPECT_EQ(answer("t-closeness:town:t=0.1,distance=ordered"), "failed");
  EXPECT_EQ(answer("t-closeness:pay:t=1/6,distance=hierarchical"), "passed");
  EXPECT_EQ(answer("t-closeness:pay:t=0.05,distance=hierarchical"), "failed");
  EXPECT_EQ(answer("distinct-l:pay:l=1,joint=true"), "passed");
  EXPECT_EQ(answer("distinct-l:pay:l=2,joint=true"), "failed");  // a, y has one row
}

TEST(VerifyModels, TheSqlIsPrinted) {
  const testing::Workplace place;
  const auto run = place.shoal(
      "verify --print-sql --quasi age,zip --sensitive illness --person patient --k 3 "
      "--model distinct-l:illness:l=3 --model t-closeness:illness:t=0.2 --model average-risk:risk=0.1");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const char* words : {"distinct-l:illness:l=3: no rows", "HAVING COUNT(*) < 3",
                            "t-closeness:illness:t=0.2: it compares groups with the whole table that was released",
                            "count(DISTINCT \"patient\")", "\"release_persons\"", "average-risk:risk=0.1: no rows"}) {
    EXPECT_NE(run.out.find(words), std::string::npos) << words << "\n" << run.out;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
