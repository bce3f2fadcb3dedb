#include "shoal/examine/inspect.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "shoal/error.h"
#include "shoal/examine/column_profile.h"
#include "shoal/examine/role_words.h"
#include "shoal/release/anonymize.h"
#include "testing/rows_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using Texts = std::vector<std::string>;
using Rows = std::vector<Texts>;

Inspection look(const Texts& columns, const Rows& rows, int threads = 1) {
  testing::RowsTable table(columns, rows);
  Progress progress;
  return inspect(table, {.threads = threads}, progress);
}

const ColumnInspection& column(const Inspection& inspection, const std::string& name) {
  const auto found = std::find_if(inspection.columns.begin(), inspection.columns.end(),
                                  [&](const ColumnInspection& entry) { return entry.name == name; });
  EXPECT_NE(found, inspection.columns.end()) << name;
  return *found;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A table with one column of every kind that a rule is about.
struct Clinic {
  Texts columns{"case",    "patient_nbr",       "name",      "email",   "birthdate", "sex",   "zip",   "education",
                "edu_num", "admission_type_id", "diagnosis", "glucose", "note",      "group", "empty", "site",
                "class"};
  Rows rows;
  explicit Clinic(size_t count = 2000) {
    std::mt19937_64 random(3);
    const auto below = [&](uint64_t bound) { return random() % bound; };
    Texts person;
    for (size_t i = 0; i < count; ++i) {
      if (i % 3 != 1) {  // each second patient comes twice
        const uint64_t school = below(5);
        person = {std::to_string(100000 + i * 7),
                  fmt::format("{} {}", std::string(4, static_cast<char>('A' + below(26))), below(50)),
                  fmt::format("p{}@mail.org", i),
                  fmt::format("{:02}.{:02}.{}", 1 + below(28), 1 + below(12), 1930 + below(70)),
                  below(2) == 0 ? "m" : "f",
                  fmt::format("{:05}", 10000 + 7 * below(300)),
                  fmt::format("school {}", static_cast<char>('a' + (school * 7) % 5)),
                  std::to_string(school)};
      }
      rows.push_back({std::to_string(5000000 + i), person[0], person[1], person[2], person[3], person[4], person[5],
                      person[6], person[7], std::to_string(1 + below(8)),
                      fmt::format("{}{:02}.{}", static_cast<char>('A' + below(8)), below(60), below(10)),
                      fmt::format("{}.{}", 60 + below(150), below(10)),
                      fmt::format("the patient number {} came for a visit and was seen {}", i, below(90)),
                      below(40) == 0 ? "?" : fmt::format("g{}", static_cast<char>('a' + below(4))), "", "north",
                      below(4) == 0 ? "yes" : "no"});
    }
  }
};

TEST(Inspect, RolesAndReasons) {
  const Clinic clinic;
  const Inspection found = look(clinic.columns, clinic.rows);
  const std::map<std::string, Role> expected{{"case", Role::identifier},     {"patient_nbr", Role::person},
                                             {"name", Role::identifier},     {"email", Role::identifier},
                                             {"birthdate", Role::quasi},     {"sex", Role::quasi},
                                             {"zip", Role::quasi},           {"education", Role::quasi},
                                             {"edu_num", Role::quasi},       {"admission_type_id", Role::quasi},
                                             {"diagnosis", Role::sensitive}, {"glucose", Role::sensitive},
                                             {"note", Role::identifier},     {"group", Role::quasi},
                                             {"empty", Role::none},          {"site", Role::plain},
                                             {"class", Role::target}};
  for (const auto& [name, role] : expected) {
    EXPECT_EQ(to_string(column(found, name).role), to_string(role)) << name << ": " << column(found, name).reason;
  }
  EXPECT_EQ(column(found, "case").reason, "2,000 distinct of 2,000: identifier");
  EXPECT_TRUE(holds(column(found, "patient_nbr").reason, "repeats 1.5 times")) << column(found, "patient_nbr").reason;
  EXPECT_TRUE(holds(column(found, "edu_num").reason, "edu_num tells education: same role"));
  EXPECT_TRUE(holds(column(found, "note").reason, "free text"));
  EXPECT_TRUE(column(found, "group").careful);
  EXPECT_EQ(column(found, "birthdate").type, "date DD.MM.YYYY");
  EXPECT_EQ(column(found, "admission_type_id").type, "code (by its name)");
  EXPECT_EQ(column(found, "zip").type, "code (same digits)");
  EXPECT_EQ(found.missing, Texts{"?"});
  EXPECT_EQ(column(found, "empty").missing, 2000U);
}

TEST(Inspect, TheSuggestedJobRuns) {
  const Clinic clinic(900);
  const Inspection found = look(clinic.columns, clinic.rows);
  ASSERT_TRUE(found.job);
  EXPECT_EQ(found.job->k, 5U);
  EXPECT_EQ(found.job->find_column("zip")->type, ColumnType::categorical);
  EXPECT_EQ(found.job->find_column("birthdate")->type, ColumnType::date);
  EXPECT_EQ(found.job->find_column("zip")->hierarchy->builder->kind, "codes");
  EXPECT_EQ(found.job->find_column("birthdate")->hierarchy->builder->settings.at("format"), "DD.MM.YYYY");
  EXPECT_NO_THROW(check_job(*found.job));
}

TEST(Inspect, TheSameForAnyNumberOfThreads) {
  const Clinic clinic(700);
  const Inspection one = look(clinic.columns, clinic.rows, 1);
  for (const int threads : {2, 8}) {
    const Inspection other = look(clinic.columns, clinic.rows, threads);
    for (size_t j = 0; j < one.columns.size(); ++j) {
      EXPECT_EQ(one.columns[j].reason, other.columns[j].reason);
      EXPECT_EQ(one.columns[j].separation, other.columns[j].separation);
    }
    ASSERT_EQ(one.sets.size(), other.sets.size());
    for (size_t i = 0; i < one.sets.size(); ++i) EXPECT_EQ(one.sets[i].columns, other.sets[i].columns);
  }
}

TEST(Inspect, DatesWithTwoReadingsAreLeftOut) {
  Rows rows;
  for (int i = 0; i < 200; ++i) rows.push_back({fmt::format("{:02}/{:02}/2020", 1 + i % 12, 1 + i / 12 % 12), "f"});
  const Inspection found = look({"visit", "sex"}, rows);
  EXPECT_EQ(column(found, "visit").role, Role::none);
  EXPECT_EQ(column(found, "visit").type, "date, DD/MM/YYYY or MM/DD/YYYY");
}

TEST(Inspect, DecimalCommasAreFound) {
  Rows rows;
  for (int i = 0; i < 300; ++i) rows.push_back({fmt::format("1.{:03},{}", i, i % 10), fmt::format("1,{:03}", i), "x"});
  const Inspection found = look({"cost", "unclear", "town"}, rows);
  EXPECT_EQ(found.comma_columns, Texts{"cost"});  // 1,234 may be a thousand
  EXPECT_TRUE(found.point_thousands);
}

// Counts, separation and unique rows against the plainest possible ones.
TEST(Inspect, CountsAreThoseOfAPlainLoop) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    const size_t count = 2 + random() % 60;
    Rows rows;
    for (size_t i = 0; i < count; ++i) {
      rows.push_back({std::to_string(random() % 9),
                      random() % 5 == 0 ? "" : std::string(1, static_cast<char>('a' + random() % 20)),
                      std::to_string(random() % 1000)});
    }
    testing::RowsTable table({"a", "b", "c"}, rows);
    const TableProfile profile = profile_table(table, {.sample_rows = 20}, 1 + static_cast<int>(round % 3), Progress());
    ASSERT_EQ(profile.rows, count);
    for (size_t j = 0; j < 3; ++j) {
      std::map<std::string, uint64_t> counts;
      for (const Texts& row : rows) ++counts[row[j]];
      uint64_t differ = 0;
      for (size_t a = 0; a < count; ++a) {
        for (size_t b = 0; b < count; ++b) differ += rows[a][j] != rows[b][j] ? 1 : 0;
      }
      const ColumnProfile& found = profile.columns[j];
      EXPECT_EQ(found.missing, counts.contains("") ? counts[""] : 0);
      EXPECT_EQ(found.distinct, counts.size() - (counts.contains("") ? 1 : 0));
      EXPECT_NEAR(found.separation, static_cast<double>(differ) / static_cast<double>(count * (count - 1)), 1e-12);
      EXPECT_EQ(found.sample.size(), std::min<size_t>(count, 20));
    }
    const std::vector<size_t> all{0, 1, 2};
    for (const SinglingSet& set : singling_sets(profile, all, table, Progress())) {
      std::map<Texts, uint64_t> groups;
      for (const Texts& row : rows) {
        Texts key;
        for (const std::string& name : set.columns) key.push_back(row[static_cast<size_t>(name[0] - 'a')]);
        ++groups[key];
      }
      const auto unique =
          std::count_if(groups.begin(), groups.end(), [](const auto& group) { return group.second == 1; });
      EXPECT_EQ(set.unique_rows, static_cast<uint64_t>(unique));
      if (count <= 20) {
        EXPECT_DOUBLE_EQ(set.at_most, set.share);
      }
    }
  }
}

// The one best set of each size, by trying all of them.
TEST(Inspect, SmallSetsAreTheBestOnes) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 30; ++round) {
    const size_t columns = 5, count = 80;
    Rows rows;
    for (size_t i = 0; i < count; ++i) {
      Texts row;
      for (size_t j = 0; j < columns; ++j) row.push_back(std::to_string(random() % (2 + 2 * j)));
      rows.push_back(row);
    }
    testing::RowsTable table({"a", "b", "c", "d", "e"}, rows);
    const TableProfile profile = profile_table(table, {}, 1, Progress());
    std::vector<uint64_t> best(columns + 1, 0), given(columns + 1, 0);
    for (unsigned mask = 1; mask < 1U << columns; ++mask) {
      std::map<Texts, uint64_t> groups;
      size_t size = 0;
      for (size_t j = 0; j < columns; ++j) size += mask >> j & 1U;
      for (const Texts& row : rows) {
        Texts key;
        for (size_t j = 0; j < columns; ++j) {
          if (mask >> j & 1U) key.push_back(row[j]);
        }
        ++groups[key];
      }
      uint64_t unique = 0;
      for (const auto& [key, rows_of] : groups) unique += rows_of == 1 ? 1 : 0;
      best[size] = std::max(best[size], unique);
    }
    const std::vector<size_t> all{0, 1, 2, 3, 4};
    for (const SinglingSet& set : singling_sets(profile, all, table, Progress())) {
      given[set.columns.size()] = std::max(given[set.columns.size()], set.unique_rows);
    }
    for (size_t size = 1; size <= 4; ++size) {
      if (given[size] == 0 && best[size - 1] * 100 >= count * 95) break;
      EXPECT_EQ(given[size], best[size]) << size;
    }
  }
}

TEST(Inspect, WordsOfNames) {
  EXPECT_EQ(words_of_name("PatientID"), (Texts{"patient", "id"}));
  EXPECT_EQ(words_of_name("education-num"), (Texts{"education", "num"}));
  EXPECT_EQ(words_of_name("PAY_AMT1"), (Texts{"pay", "amt", "1"}));
  EXPECT_EQ(words_of_name("HTTPCode"), (Texts{"http", "code"}));
  EXPECT_EQ(words_of_name("__"), Texts{});
  EXPECT_EQ(word_about({"birthdate"}, Topic::known), "birthdate");
  EXPECT_EQ(word_about({"aged"}, Topic::known), "");
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
