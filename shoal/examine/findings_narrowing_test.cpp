// Columns that tell a recoded cell only partly, against a recount of the texts, row by row and candidate by candidate.
#include "shoal/examine/findings_narrowing.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "shoal/recode/apply.h"
#include "shoal/release/draft.h"
#include "testing/rows_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RowsTable;
using Rows = std::vector<std::vector<std::string>>;
const std::vector<std::string> kColumns{"age", "state", "kin", "note"};
enum Place : size_t { kAge, kState, kKin, kNote };

// `kin` goes with some states only, `note` with some ages only, but for a few rows; or both with anything.
Rows random_rows(std::mt19937_64& random, size_t count) {
  const size_t noise = random() % 3 ? random() % 2 : 100, states = 2 + random() % 2, kins = 2 + random() % 2;
  const size_t ages = 2 + random() % 2, vague = 2 + random() % 2;
  Rows rows;
  for (size_t i = 0; i < count; ++i) {
    const size_t state = random() % states, age = random() % ages;
    const size_t kin = random() % 100 < noise ? random() % 4 : (state * 2 + random() % kins) % 4;
    const size_t note = random() % 100 < noise ? random() % 3 : random() % vague ? age : 2;
    rows.push_back({std::to_string(age), std::string(1, char('a' + state)), "k" + std::to_string(kin),
                    "n" + std::to_string(note)});
  }
  return rows;
}

struct Recount {
  Rows raw, cells;                                         // released rows, and their quasi cells
  std::map<std::pair<size_t, std::string>, size_t> hides;  // (quasi, cell): how many occurring values it covers
  uint64_t k;

  Recount(const Draft& draft, const Rows& rows) : k(*draft.job.k) {
    for (uint32_t row : draft.kept_rows()) {
      raw.push_back(rows[row]);
      cells.emplace_back();
      for (size_t j = 0; j < 2; ++j) {
        const ReleasedColumn& column = draft.released.quasi[j];
        const Released& cell = column.values[column.codes[row]];
        cells.back().push_back(
            released_text(cell, draft.original.table.quasi[j], draft.original.encoding.hierarchies[j], column.means));
        hides[{j, cells.back().back()}] = cell.last - cell.first + 1;
      }
    }
  }
  uint64_t rows_with(size_t a, const std::string& x, size_t b, const std::string& y) const {
    uint64_t rows = 0;
    for (const auto& line : raw) rows += line[a] == x && line[b] == y;
    return rows;
  }
  bool ruled_out(size_t quasi, const std::string& known, size_t column, const std::string& seen) const {
    const double expected = double(rows_with(quasi, known, quasi, known)) *
                            double(rows_with(column, seen, column, seen)) / double(raw.size());
    return expected >= 20 && 50 * double(rows_with(quasi, known, column, seen)) <= expected;
  }
  bool may_be(size_t person, size_t row, const std::vector<size_t>& columns) {
    for (size_t column : columns) {
      for (size_t quasi : {kAge, kState}) {
        if (hides[{quasi, cells[person][quasi]}] < 2) continue;
        const auto key = std::tuple(quasi, raw[person][quasi], column, raw[row][column]);
        if (!known_.contains(key)) known_[key] = ruled_out(quasi, raw[person][quasi], column, raw[row][column]);
        if (known_[key]) return false;
      }
    }
    return true;
  }
  SmallGroups narrowed(const std::vector<size_t>& columns) {
    SmallGroups small;
    for (size_t person = 0; person < raw.size(); ++person) {
      uint64_t group = 0, left = 0;
      for (size_t row = 0; row < raw.size(); ++row) {
        if (cells[row] != cells[person]) continue;
        ++group;
        left += may_be(person, row, columns);
      }
      if (group < k || !may_be(person, person, columns)) continue;
      small.rows_below_k += left < k;
      small.unique_rows += left == 1;
    }
    return small;
  }
  bool is_told(const SmallGroups& small) const {
    return small.rows_below_k > 0 && small.rows_below_k * 400 >= raw.size();
  }

 private:
  std::map<std::tuple<size_t, std::string, size_t, std::string>, bool> known_;
};

const std::pair<std::string, double>* number(const std::vector<Finding>& findings,
                                             const std::vector<std::string>& columns, const std::string& name) {
  for (const Finding& finding : findings) {
    if (finding.code != "reveals" || finding.columns != columns) continue;
    for (const auto& one : finding.numbers) {
      if (one.first == name) return &one;
    }
  }
  return nullptr;
}

TEST(Narrowing, AgreesWithARecountOnRandomTables) {
  std::mt19937_64 random(3);
  size_t told = 0, quiet = 0, together = 0;
  for (int round = 0; round < 100; ++round) {
    const Rows rows = random_rows(random, 200 + random() % 100);
    Job job;
    for (const char* name : {"age", "state"}) job.column(name).role = Role::quasi;
    job.column("age").type = ColumnType::numeric;
    job.column("kin").role = Role::plain;
    job.column("note").role = Role::plain;
    job.k = 10 + random() % (rows.size() / 2);
    const char* const methods[] = {"mondrian", "shoal", "datafly", "top-down"};
    job.method = methods[random() % 4];
    job.threads = 1;
    RowsTable table(kColumns, rows);
    Progress progress;
    const Draft draft = draft_release(job, table, progress);
    if (!draft.satisfied()) continue;
    const auto findings = look_for_findings({draft.job, table, draft.original, &draft.released}, progress);
    SCOPED_TRACE(round);
    Recount recount(draft, rows);
    bool alone = false;
    for (size_t column : {kKin, kNote}) {
      const SmallGroups small = recount.narrowed({column});
      const auto* below = number(findings, {kColumns[column]}, "rows_below_k_narrowed");
      ASSERT_EQ(below != nullptr, recount.is_told(small)) << kColumns[column] << " " << small.rows_below_k;
      (below ? told : quiet) += 1;
      if (!below) continue;
      alone = true;
      EXPECT_EQ(below->second, double(small.rows_below_k));
      EXPECT_EQ(number(findings, {kColumns[column]}, "unique_rows_narrowed")->second, double(small.unique_rows));
    }
    const SmallGroups both = recount.narrowed({kKin, kNote});
    const auto* joint = number(findings, {"kin", "note"}, "rows_below_k_narrowed");
    if (joint) {
      ++together;
      EXPECT_EQ(joint->second, double(both.rows_below_k));
    }
    ASSERT_EQ(joint != nullptr, !alone && recount.is_told(both));
  }
  EXPECT_GT(told, 5U);
  EXPECT_GT(quiet, 20U);
  EXPECT_GT(together, 0U);
}

// Numbers that go along with the age, a little or not at all, against a recount over every corner of the table.
TEST(Narrowing, OrderedColumnsAgreeWithARecount) {
  std::mt19937_64 random(8);
  size_t told = 0, quiet = 0;
  for (int round = 0; round < 60; ++round) {
    const size_t ages = 4 + random() % 20, blur = 1 + random() % (2 * ages);
    const bool falling = random() % 2;
    Rows rows;
    for (size_t i = 0; i < 200 + random() % 200; ++i) {
      const size_t age = random() % ages, then = age + random() % blur;
      rows.push_back(
          {std::to_string(age), "a", "k", random() % 50 ? std::to_string(falling ? 99 - then : then) : "none"});
    }
    Job job;
    job.column("age").role = Role::quasi;
    job.column("age").type = ColumnType::numeric;
    job.column("note").role = Role::plain;
    job.k = 10 + random() % 60;
    job.method = "mondrian";
    job.threads = 1;
    RowsTable table(kColumns, rows);
    Progress progress;
    const Draft draft = draft_release(job, table, progress);
    if (!draft.satisfied()) continue;
    const auto findings = look_for_findings({draft.job, table, draft.original, &draft.released}, progress);

    struct Line {
      int age, note;  // note < 0: no number
      std::string text, cell;
      bool recoded;
    };
    std::vector<Line> lines;
    for (uint32_t row : draft.kept_rows()) {
      const ReleasedColumn& column = draft.released.quasi[0];
      const Released& cell = column.values[column.codes[row]];
      lines.push_back({std::stoi(rows[row][kAge]), rows[row][kNote] == "none" ? -1 : std::stoi(rows[row][kNote]),
                       rows[row][kNote], std::to_string(column.codes[row]), cell.first < cell.last});
    }
    const auto few = [](uint64_t both, uint64_t one, uint64_t other, uint64_t all) {
      return one * other >= 20 * all && both <= one * other / (50 * all);
    };
    // [age][note + 1]
    std::vector<std::vector<bool>> out(ages, std::vector<bool>(101, false));
    for (int sides = 0; sides < 4; ++sides) {
      for (int age = 0; age < int(ages); ++age) {
        for (int note = 0; note < 100; ++note) {
          const auto in_age = [&](int other) { return sides & 1 ? other >= age : other <= age; };
          const auto in_note = [&](int other) { return sides & 2 ? other >= note : other <= note; };
          uint64_t all = 0, one = 0, other = 0, both = 0;
          for (const Line& line : lines) {
            if (line.note < 0) continue;
            ++all;
            one += in_age(line.age);
            other += in_note(line.note);
            both += in_age(line.age) && in_note(line.note);
          }
          if (!few(both, one, other, all)) continue;
          for (int a = 0; a < int(ages); ++a) {
            for (int n = 0; n < 100; ++n) {
              if (in_age(a) && in_note(n)) out[size_t(a)][size_t(n) + 1] = true;
            }
          }
        }
      }
    }
    const auto goes = [&](const Line& person, const Line& row) {
      if (!person.recoded) return true;
      if (out[size_t(person.age)][size_t(row.note + 1)]) return false;
      uint64_t one = 0, other = 0, both = 0;
      for (const Line& line : lines) {
        one += line.age == person.age;
        other += line.text == row.text;
        both += line.age == person.age && line.text == row.text;
      }
      return !few(both, one, other, lines.size());
    };
    uint64_t below = 0;
    for (const Line& person : lines) {
      if (!goes(person, person)) continue;
      uint64_t group = 0, left = 0;
      for (const Line& row : lines) {
        if (row.cell != person.cell) continue;
        ++group;
        left += goes(person, row);
      }
      below += group >= *job.k && left < *job.k;
    }
    const auto* found = number(findings, {"note"}, "rows_below_k_narrowed");
    SCOPED_TRACE(round);
    ASSERT_EQ(found != nullptr, below > 0) << below;
    (found ? told : quiet) += 1;
    if (!found) continue;
    EXPECT_EQ(found->second, double(below));
  }
  EXPECT_GT(told, 10U);
  EXPECT_GT(quiet, 10U);
}

// Twelve rows in a table of ten thousand: told, but not in the way; in a table of two thousand it is.
TEST(Narrowing, AFewRowsAreTold) {
  for (const size_t others : {size_t{5000}, size_t{1000}}) {
    Rows rows;
    for (size_t i = 0; i < others; ++i) {
      rows.push_back({"1", "a", i % 2 ? "0" : "1", "n"});
      rows.push_back({"3", "b", i % 2 ? "0" : "2", "n"});
    }
    // One group of both states, in which one kin of each is somebody else's.
    for (size_t i = 0; i < 12; ++i) rows.push_back({"2", i % 2 ? "a" : "b", i > 1 ? "0" : i == 1 ? "1" : "2", "n"});
    Job job;
    for (const char* name : {"age", "state"}) job.column(name).role = Role::quasi;
    job.column("age").type = ColumnType::numeric;
    for (const char* name : {"kin", "note"}) job.column(name).role = Role::plain;
    job.column("age").weight = 5;  // the group hides states, not ages
    job.k = 12;
    job.method = "shoal";
    job.threads = 1;
    RowsTable table(kColumns, rows);
    Progress progress;
    const Draft draft = draft_release(job, table, progress);
    ASSERT_TRUE(draft.satisfied());
    const auto findings = look_for_findings({draft.job, table, draft.original, &draft.released}, progress);
    const auto* below = number(findings, {"kin"}, "rows_below_k_narrowed");
    ASSERT_NE(below, nullptr);
    EXPECT_EQ(below->second, 12);
    for (const Finding& finding : findings) {
      if (finding.code != "reveals") continue;
      EXPECT_EQ(finding.stands_in_the_way, others == 1000) << others;
    }
  }
}

// Either column alone leaves three quarters of the one group to each row, both leave nine sixteenths.
TEST(Narrowing, ColumnsThatNarrowOnlyTogether) {
  Rows rows;
  for (size_t i = 0; i < 4000; ++i) {
    const size_t state = i % 2, age = i / 2 % 2, kin = i / 4 % 2 ? 0 : 1 + state, note = i / 8 % 2 ? 0 : 1 + age;
    rows.push_back({std::to_string(age), std::string(1, char('a' + state)), std::to_string(kin), std::to_string(note)});
  }
  Job job;
  for (const char* name : {"age", "state"}) job.column(name).role = Role::quasi;
  for (const char* name : {"kin", "note"}) job.column(name).role = Role::plain;
  job.k = 2600;
  job.method = "datafly";
  RowsTable table(kColumns, rows);
  Progress progress;
  const Draft draft = draft_release(job, table, progress);
  ASSERT_TRUE(draft.satisfied());
  const auto findings = look_for_findings({draft.job, table, draft.original, &draft.released}, progress);
  EXPECT_EQ(number(findings, {"kin"}, "rows_below_k_narrowed"), nullptr);
  EXPECT_EQ(number(findings, {"note"}, "rows_below_k_narrowed"), nullptr);
  const auto* joint = number(findings, {"kin", "note"}, "rows_below_k_narrowed");
  ASSERT_NE(joint, nullptr);
  EXPECT_EQ(joint->second, 4000);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
