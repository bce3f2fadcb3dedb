// The finding `earlier` against plain recounts of the joint groups, row by row.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "shoal/examine/findings.h"
#include "testing/examined_rows.h"
#include "testing/rows_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using namespace testing::examined;
using testing::RowsTable;

// Every row has a note of its own, so that rows can be matched in one way only: joint groups are counted by name.
TEST(Findings, EarlierReleasesAreJoinedRowByRow) {
  std::mt19937_64 random(2);
  int found_some = 0;
  for (int round = 0; round < 150; ++round) {
    Rows rows = random_rows(random, 20 + random() % 30);
    for (size_t i = 0; i < rows.size(); ++i) rows[i][kNote] = "n" + std::to_string(i);
    Job job = random_job(random);
    job.accept = {"near-unique"};
    RowsTable table(kColumns, rows);
    Progress progress;
    const Draft first = draft_release(job, table, progress);
    job.k = 2 + random() % 4;
    job.method = random() % 2 ? "mondrian" : "datafly";
    job.params.clear();
    const Draft second = draft_release(job, table, progress);
    if (!first.satisfied() || !second.satisfied()) continue;
    const Texts before(first, rows), now(second, rows);
    Rows shuffled = before.released;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    RowsTable earlier(kColumns, shuffled);
    const auto findings =
        look_for_findings({second.job, table, second.original, &second.released, {&earlier}}, progress);
    std::map<std::string, size_t> place;  // in `before`, by note
    for (size_t row = 0; row < before.raw.size(); ++row) place[before.raw[row][kNote]] = row;
    uint64_t below = 0, unique = 0;
    for (size_t row = 0; row < now.raw.size(); ++row) {
      uint64_t size = 0;
      for (size_t other = 0; other < now.raw.size(); ++other) {
        const auto a = place.find(now.raw[row][kNote]), b = place.find(now.raw[other][kNote]);
        const bool both = a != place.end() && b != place.end();
        const bool together = both ? before.alike(a->second, b->second) : a == b;
        size += now.alike(row, other) && together;
      }
      below += size < now.k;
      unique += size == 1;
    }
    const Finding* found = find(findings, "earlier", "");
    SCOPED_TRACE(round);
    ASSERT_EQ(found != nullptr, below > 0);
    if (!found) continue;
    EXPECT_EQ(number(*found, "rows_below_k"), double(below));
    EXPECT_EQ(number(*found, "unique_rows"), double(unique));
    EXPECT_TRUE(found->stands_in_the_way);
    ++found_some;
  }
  EXPECT_GT(found_some, 50);
}

TEST(Findings, AnEarlierFileOfOtherPersonsIsNotCalledFine) {
  std::mt19937_64 random(3);
  const Rows rows = random_rows(random, 40);
  Rows others = rows;
  for (auto& row : others) row[kIllness] = "x";
  Job job = random_job(random);
  job.k = 2;
  job.method = "mondrian";
  job.params.clear();
  RowsTable table(kColumns, rows), earlier(kColumns, others);
  Progress progress;
  const Draft draft = draft_release(job, table, progress);
  ASSERT_TRUE(draft.satisfied());
  const auto findings = look_for_findings({draft.job, table, draft.original, &draft.released, {&earlier}}, progress);
  const Finding* found = find(findings, "earlier", "");
  ASSERT_NE(found, nullptr);
  EXPECT_TRUE(found->stands_in_the_way);
  EXPECT_NE(found->evidence.find("could not be matched"), std::string::npos) << found->evidence;
}

// Beside one that can be matched, and under several requirements, of which only the worst is told.
TEST(Findings, AnEarlierFileThatCannotBeMatchedStaysTold) {
  std::mt19937_64 random(4);
  Rows rows = random_rows(random, 60);
  for (size_t i = 0; i < rows.size(); ++i) rows[i][kNote] = "n" + std::to_string(i);
  Rows others = rows;
  for (auto& row : others) row[kIllness] = "x";
  Job job = random_job(random);
  job.k = 2;
  job.requirements = {{{"age"}, 6}, {{"work"}, 9}};
  job.method = "mondrian";
  job.params.clear();
  RowsTable table(kColumns, rows), unmatched(kColumns, others);
  Progress progress;
  const Draft draft = draft_release(job, table, progress);
  ASSERT_TRUE(draft.satisfied());
  RowsTable raw(kColumns, rows);  // nothing recoded: joint groups of one
  for (const std::vector<TableSource*>& earlier : {std::vector<TableSource*>{&unmatched, &raw}, {&raw, &unmatched}}) {
    const auto findings = look_for_findings({draft.job, table, draft.original, &draft.released, earlier}, progress);
    std::vector<std::string> told;
    for (const Finding& finding : findings) {
      if (finding.code == "earlier") told.push_back(finding.evidence);
    }
    ASSERT_EQ(told.size(), 2U);
    EXPECT_NE(told[0].find("could not be matched"), std::string::npos) << told[0];
    EXPECT_NE(told[1].find("in joint groups below 9"), std::string::npos) << told[1];
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
