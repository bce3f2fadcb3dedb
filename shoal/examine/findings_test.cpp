// Findings against plain recounts of the texts, pair of rows by pair of rows, on random tables.
#include "shoal/examine/findings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "shoal/examine/column_census.h"
#include "testing/examined_rows.h"
#include "testing/rows_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using namespace testing::examined;
using testing::RowsTable;

// How often the guess from these rows (each left out of its own evidence) is right.
double guessed(const std::vector<std::string>& values) {
  double right = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    std::map<std::string, int> others;
    for (size_t j = 0; j < values.size(); ++j) others[values[j]] += j != i;
    const int own = others[values[i]];
    bool ahead = own > 0;
    for (const auto& [value, count] : others) ahead = ahead && (value == values[i] || count < own);
    right += ahead;
  }
  return values.empty() ? 0 : right / double(values.size());
}

// Rows with a value of the column that fewer than k of them have, and fewer than 5.
std::vector<bool> rare_rows(const Texts& texts, size_t column) {
  std::vector<bool> rare;
  for (const auto& row : texts.raw) {
    const auto same = std::count_if(texts.raw.begin(), texts.raw.end(),
                                    [&](const auto& other) { return other[column] == row[column]; });
    rare.push_back(same < 5 && same < static_cast<ptrdiff_t>(texts.k));
  }
  return rare;
}

bool is_near_unique(const Texts& texts, size_t column) {
  std::set<std::string> values;
  for (const auto& row : texts.raw) values.insert(row[column]);
  const auto rare = rare_rows(texts, column);
  return texts.raw.size() > 1 &&
         (values.size() * 2 > texts.raw.size() || std::count(rare.begin(), rare.end(), true) * 2 > std::ssize(rare));
}

void expect_near_unique(const Texts& texts, const std::vector<Finding>& findings, size_t column, bool plain) {
  std::set<std::string> values;
  uint64_t unique = 0;
  for (size_t row = 0; row < texts.raw.size(); ++row) {
    values.insert(texts.raw[row][column]);
    unique += texts.group_size(row, {column}) == 1;
  }
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.code == "near-unique" && finding.columns == std::vector{kColumns[column]} &&
           !std::isnan(number(finding, "values"));
  });
  ASSERT_EQ(found != findings.end(), is_near_unique(texts, column)) << kColumns[column];
  if (found == findings.end()) return;
  const auto rare = rare_rows(texts, column);
  EXPECT_EQ(number(*found, "values"), double(values.size()));
  EXPECT_EQ(number(*found, "unique_rows"), double(unique));
  EXPECT_EQ(number(*found, "rare_rows"), double(std::count(rare.begin(), rare.end(), true)));
  EXPECT_EQ(found->stands_in_the_way, plain);
}

// Plain columns that are not near-unique and have rare values all the same: one finding that is only told. True where
// there is one.
bool expect_rare_values(const Texts& texts, const std::vector<Finding>& findings, const std::vector<size_t>& plain) {
  std::vector<std::string> names;
  std::vector<bool> any(texts.raw.size(), false);
  for (size_t column : plain) {
    const auto rare = rare_rows(texts, column);
    const auto count = std::count(rare.begin(), rare.end(), true);
    if (is_near_unique(texts, column) || count == 0 || count * 100 < std::ssize(rare)) continue;
    names.push_back(kColumns[column]);
    for (size_t row = 0; row < rare.size(); ++row) any[row] = any[row] || rare[row];
  }
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.code == "near-unique" && std::isnan(number(finding, "values"));
  });
  EXPECT_EQ(found != findings.end(), !names.empty());
  if (names.empty() || found == findings.end()) return false;
  EXPECT_EQ(found->columns, names);
  EXPECT_EQ(number(*found, "rare_rows"), double(std::count(any.begin(), any.end(), true)));
  EXPECT_FALSE(found->stands_in_the_way);
  return true;
}

void expect_reveals(const Texts& texts, const std::vector<Finding>& findings, size_t column, bool plain) {
  bool reveals = false;
  for (size_t quasi : {kAge, kWork}) {
    double told = 0, anyway = 0, cells = 0;
    for (size_t row = 0; row < texts.raw.size(); ++row) {
      // A cell that covers one occurring value is not hidden, whatever it looks like.
      std::set<std::string> covered;
      std::vector<std::string> with, without;
      for (size_t other = 0; other < texts.raw.size(); ++other) {
        if (!texts.covers(row, quasi, texts.raw[other][quasi])) continue;
        covered.insert(texts.raw[other][quasi]);
        without.push_back(texts.raw[other][quasi]);
        if (texts.raw[other][column] == texts.raw[row][column]) with.push_back(texts.raw[other][quasi]);
      }
      if (!texts.recoded(row, quasi)) continue;
      ++cells;
      told += guessed(with);
      anyway += guessed(without);
    }
    const bool expected = cells - anyway >= 0.5 && (told - anyway) / (cells - anyway) >= 0.5 - 1e-9;
    const bool doubtful = cells - anyway >= 0.5 && std::abs((told - anyway) / (cells - anyway) - 0.5) < 1e-9;
    const Finding* found = find(findings, "reveals", kColumns[column]);
    const double recounted = found ? number(*found, "told_" + kColumns[quasi]) : NAN;
    if (!doubtful) {
      ASSERT_EQ(!std::isnan(recounted), expected)
          << kColumns[column] << " tells " << kColumns[quasi] << " " << told << " " << anyway << " " << cells;
    }
    if (std::isnan(recounted)) continue;
    EXPECT_EQ(recounted, std::round(told + 1e-9));
    EXPECT_EQ(number(*found, "recoded_" + kColumns[quasi]), cells);
    reveals = true;
  }
  const Finding* found = find(findings, "reveals", kColumns[column]);
  if (!reveals) return;
  uint64_t below = 0, unique = 0;
  for (size_t row = 0; row < texts.raw.size(); ++row) {
    const uint64_t size = texts.group_size(row, {column});
    below += size < texts.k && texts.group_size(row, {}) >= texts.k;
    unique += size == 1;
  }
  EXPECT_EQ(number(*found, "rows_below_k"), double(below));
  EXPECT_EQ(number(*found, "unique_rows"), double(unique));
  EXPECT_EQ(found->stands_in_the_way, plain);
}

void expect_one_value(const Texts& texts, const std::vector<Finding>& findings) {
  uint64_t rows = 0;
  for (size_t row = 0; row < texts.raw.size(); ++row)
    rows += texts.group_size(row, {}) == texts.group_size(row, {kIllness});
  const Finding* found = find(findings, "one-value", "illness");
  ASSERT_EQ(found != nullptr, rows > 0);
  if (!found) return;
  EXPECT_EQ(number(*found, "rows"), double(rows));
  EXPECT_FALSE(found->stands_in_the_way);
}

void expect_order(const Texts& texts, const Job& job, const std::vector<Finding>& findings) {
  const Finding* found = find(findings, "order", "age");
  if (job.order == Order::released) {
    EXPECT_EQ(found, nullptr);
    return;
  }
  for (size_t row = 1; row < texts.raw.size(); ++row) {
    if (std::stoi(texts.raw[row][kAge]) < std::stoi(texts.raw[row - 1][kAge])) return;  // other tests
  }
  uint64_t exact = 0, before = 0;
  std::vector<std::string> told;
  for (size_t row = 0; row < texts.raw.size(); ++row) {
    int low = INT_MIN, high = INT_MAX;
    for (size_t other = 0; other <= row; ++other) low = std::max(low, texts.ages(other).first);
    for (size_t other = row; other < texts.raw.size(); ++other) high = std::min(high, texts.ages(other).second);
    // Ends that nobody has say nothing: what is known are the occurring ages in between.
    std::set<int> left;
    for (const auto& line : texts.raw) {
      if (low <= std::stoi(line[kAge]) && std::stoi(line[kAge]) <= high) left.insert(std::stoi(line[kAge]));
    }
    exact += left.size() == 1;
    before += !texts.recoded(row, kAge);
  }
  if (found == nullptr) {
    EXPECT_TRUE(exact <= before || texts.raw.size() < 15) << exact << " " << before;
    return;
  }
  EXPECT_EQ(number(*found, "exact_cells"), double(exact));
  EXPECT_EQ(number(*found, "exact_before"), double(before));
  EXPECT_TRUE(found->stands_in_the_way);
}

void expect_tight(const Texts& texts, const std::vector<Finding>& findings) {
  const Finding* found = find(findings, "tight", "age");
  uint64_t cells = 0;
  bool all_tight = true;
  for (size_t row = 0; row < texts.raw.size(); ++row) {
    if (texts.released[row][kAge][0] != '[') continue;
    ++cells;
    bool low = false, high = false;
    for (size_t other = 0; other < texts.raw.size(); ++other) {
      if (!texts.alike(row, other)) continue;
      low = low || std::stoi(texts.raw[other][kAge]) == texts.ages(row).first;
      high = high || std::stoi(texts.raw[other][kAge]) == texts.ages(row).second;
    }
    all_tight = all_tight && low && high;
  }
  if (cells == 0 || all_tight) {
    ASSERT_EQ(found != nullptr, cells > 0);
  }
  if (found) {
    EXPECT_EQ(number(*found, "cells"), double(cells));
  }
}

TEST(Findings, AgreeWithPlainRecountsOnRandomTables) {
  std::mt19937_64 random(1);
  int revealed = 0, ordered = 0, unique = 0, rare = 0;
  for (int round = 0; round < 600; ++round) {
    const Rows rows = random_rows(random, 12 + random() % 50);
    const Job job = random_job(random);
    RowsTable table(kColumns, rows);
    Progress progress;
    const Draft draft = draft_release(job, table, progress);
    if (!draft.satisfied()) continue;
    const Texts texts(draft, rows);
    const auto findings = look_for_findings({draft.job, table, draft.original, &draft.released}, progress);
    SCOPED_TRACE(round);
    const bool code_plain = job.find_column("code")->role == Role::plain;
    expect_near_unique(texts, findings, kNote, true);
    expect_near_unique(texts, findings, kCode, code_plain);
    rare += expect_rare_values(texts, findings,
                               code_plain ? std::vector<size_t>{kCode, kNote} : std::vector<size_t>{kNote});
    expect_reveals(texts, findings, kCode, code_plain);
    expect_reveals(texts, findings, kNote, true);
    expect_reveals(texts, findings, kIllness, false);
    expect_one_value(texts, findings);
    expect_order(texts, job, findings);
    expect_tight(texts, findings);
    uint64_t formulas = 0;
    for (const auto& row : rows) formulas += row[kNote][0] == '=';
    const Finding* formula = find(findings, "formula", "note");
    ASSERT_EQ(formula != nullptr, formulas > 0);
    if (formula) {
      EXPECT_EQ(number(*formula, "cells"), double(formulas));
    }
    revealed += find(findings, "reveals", "code") != nullptr;
    ordered += find(findings, "order", "age") != nullptr;
    unique += find(findings, "near-unique", "note") != nullptr;
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
  EXPECT_GT(revealed, 50);
  EXPECT_GT(ordered, 20);
  EXPECT_GT(unique, 50);
  EXPECT_GT(rare, 20);
}

// Three rows a patient, all with the patient's age and work.
TEST(Findings, APersonKeyIsNoticed) {
  std::mt19937_64 random(4);
  Rows rows;
  for (size_t person = 0; person < 60; ++person) {
    const std::string age = std::to_string(20 + random() % 40), work(1, char('a' + random() % 6));
    for (int visit = 0; visit < 3; ++visit) {
      rows.push_back({"p" + std::to_string(person), age, work, "1", "n", std::string(1, char('u' + random() % 3))});
    }
  }
  Job job = random_job(random);
  job.method = "mondrian";
  job.params.clear();
  job.k = 3;
  RowsTable table(kColumns, rows);
  Progress progress;
  const Draft draft = draft_release(job, table, progress);
  const auto findings = look_for_findings({draft.job, table, draft.original, &draft.released}, progress);
  const Finding* found = find(findings, "persons", "id");
  ASSERT_NE(found, nullptr);
  EXPECT_FALSE(found->stands_in_the_way);
  uint64_t few = 0;
  const Texts texts(draft, rows);
  for (size_t row = 0; row < rows.size(); ++row) {
    std::set<std::string> persons;
    for (size_t other = 0; other < rows.size(); ++other) {
      if (texts.alike(row, other)) persons.insert(rows[other][kId]);
    }
    few += persons.size() < 3;
  }
  EXPECT_EQ(number(*found, "rows_in_small_groups"), double(few));
  // Rows of their own each: no key.
  for (size_t i = 0; i < rows.size(); ++i) rows[i][kId] = "p" + std::to_string(i);
  RowsTable single(kColumns, rows);
  const Draft other = draft_release(job, single, progress);
  EXPECT_EQ(find(look_for_findings({other.job, single, other.original, &other.released}, progress), "persons", "id"),
            nullptr);
}

TEST(Findings, TypesThatWereGuessedAreTold) {
  Rows rows;
  for (int i = 0; i < 40; ++i) {
    rows.push_back({std::to_string(10000 + i * 7), "2024-01-" + std::to_string(10 + i % 20),
                    i == 7 ? "9400123412341237" : std::to_string(i % 5), "x"});
  }
  Job job;
  for (const char* name : {"zip", "day", "amount"}) job.column(name).role = Role::quasi;
  job.column("sick").role = Role::sensitive;
  job.k = 4;
  job.method = "mondrian";
  RowsTable table({"zip", "day", "amount", "sick"}, rows);
  Progress progress;
  const Draft draft = draft_release(job, table, progress);
  const auto findings = look_for_findings({draft.job, table, draft.original, &draft.released}, progress);
  ASSERT_NE(find(findings, "types", "zip"), nullptr);
  EXPECT_NE(find(findings, "types", "zip")->evidence.find("5 digits"), std::string::npos);
  ASSERT_NE(find(findings, "types", "day"), nullptr);
  EXPECT_NE(find(findings, "types", "day")->evidence.find("look like dates"), std::string::npos);
  ASSERT_NE(find(findings, "types", "amount"), nullptr);
  EXPECT_NE(find(findings, "types", "amount")->evidence.find("beyond 2^53"), std::string::npos);
  job.column("zip").type = ColumnType::numeric;
  const Draft stated = draft_release(job, table, progress);
  EXPECT_EQ(find(look_for_findings({stated.job, table, stated.original, &stated.released}, progress), "types", "zip"),
            nullptr);
}

TEST(Findings, AcceptedByCodeOrByCodeAndColumn) {
  std::mt19937_64 random(5);
  Rows rows = random_rows(random, 40);
  for (size_t i = 0; i < rows.size(); ++i) rows[i][kNote] = "n" + std::to_string(i);
  Job job = random_job(random);
  job.k = 2;
  job.method = "mondrian";
  job.params.clear();
  job.column("code").role = Role::identifier;
  RowsTable table(kColumns, rows);
  Progress progress;
  const auto look = [&] {
    const Draft draft = draft_release(job, table, progress);
    return look_for_findings({draft.job, table, draft.original, &draft.released}, progress);
  };
  job.order = Order::released;
  auto findings = look();
  EXPECT_TRUE(any_stands_in_the_way(findings));
  EXPECT_EQ(what_stands_in_the_way(findings),
            "near-unique (note): mend the job, or say that you accept this (accept: [near-unique:note])");
  for (const char* accepted : {"near-unique", "near-unique:note"}) {
    job.accept = {accepted};
    findings = look();
    EXPECT_FALSE(any_stands_in_the_way(findings)) << accepted;
    EXPECT_TRUE(find(findings, "near-unique", "note")->accepted);
  }
  for (const char* other : {"reveals", "near-unique:code"}) {
    job.accept = {other};
    EXPECT_TRUE(any_stands_in_the_way(look())) << other;
  }
}

TEST(ColumnCensus, FormulasAndDates) {
  for (const char* cell : {"=1+1", "+cmd", "-x", "@SUM(A1)", "\t=1", "\r", "-", "=", "+1-2"})
    EXPECT_TRUE(is_formula(cell)) << cell;
  for (const char* cell : {"", "-5", "+3.5", "-1e3", "5-3", "a=b", "'=1", "[-5,3]", "*"})
    EXPECT_FALSE(is_formula(cell)) << cell;
  for (const char* cell : {"2024-03-17", "2024-03-17 10:00", "2024-03-17T10:00:00Z", "17.03.2024", "3/17/2024"})
    EXPECT_TRUE(looks_like_date(cell)) << cell;
  for (const char* cell : {"", "2024", "20240317", "2024-3-17", "1.2.3", "17.03.24", "a/b/2024", "2024-03-171"})
    EXPECT_FALSE(looks_like_date(cell)) << cell;
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
