// The order of the input decides nothing: the same rows in another order give the same release, by every method.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "shoal/recode/apply.h"
#include "shoal/recode/content_order.h"
#include "shoal/release/draft.h"
#include "shoal/release/released_order.h"
#include "testing/rows_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using Rows = std::vector<std::vector<std::string>>;
const std::vector<std::string> kColumns{"age", "town", "work", "class", "illness", "note"};

Rows random_rows(std::mt19937_64& random, size_t count) {
  const auto one_of = [&](size_t values) { return random() % values; };
  const size_t ages = 3 + one_of(20), towns = 2 + one_of(6);
  Rows rows;
  for (size_t i = 0; i < count; ++i) {
    rows.push_back({one_of(15) ? std::to_string(20 + one_of(ages)) : "", std::string(1, char('z' - one_of(towns))),
                    std::string(1, char('a' + one_of(3))), one_of(2) ? "yes" : "no", "i" + std::to_string(one_of(3)),
                    "n" + std::to_string(one_of(4))});
  }
  return rows;
}

Job job_for(const MethodEntry& method, std::mt19937_64& random) {
  Job job;
  for (const char* name : {"age", "town", "work"}) job.column(name).role = Role::quasi;
  job.column("class").role = Role::target;
  job.column("illness").role = Role::sensitive;
  job.column("note").role = Role::plain;
  job.k = 2 + random() % 3;
  job.method = method.name;
  job.seed = 1 + random() % 5;
  job.threads = 1;
  if (method.drops_rows && random() % 2) job.suppress_rows = 0.2;
  if (method.obeys_models && random() % 3 == 0) job.models = {parse_model("distinct-l:illness:l=2")};
  return job;
}

// The cells of every released row, in the order of the release; for a model what it tells about each row.
std::vector<std::string> released_lines(const Job& job, const Rows& rows) {
  testing::RowsTable table(kColumns, rows);
  Progress progress;
  const Draft draft = draft_release(job, table, progress);
  std::vector<std::string> lines;
  if (!draft.satisfied()) return {draft.report.reason};
  for (uint32_t row : row_of_release(draft)) {
    std::string line;
    for (size_t j = 0; j < 3; ++j) {
      const ReleasedColumn& column = draft.released.quasi[j];
      line += released_text(column.values[column.codes[row]], draft.original.table.quasi[j],
                            draft.original.encoding.hierarchies[j], column.means) +
              ";";
    }
    for (size_t j = 3; j < kColumns.size(); ++j) line += rows[row][j] + ";";
    lines.push_back(line);
  }
  return lines;
}

class ReorderedRows : public ::testing::TestWithParam<std::string> {};

TEST_P(ReorderedRows, GiveTheSameRelease) {
  const MethodEntry& method = *find_method(GetParam());
  std::mt19937_64 random(7);
  size_t released = 0;
  for (int round = 0; round < (method.refuses_large_tables ? 4 : 12); ++round) {
    Rows rows = random_rows(random, method.refuses_large_tables ? 7 : 20 + random() % 60);
    const Job job = job_for(method, random);
    const std::vector<std::string> lines = released_lines(job, rows);
    for (int order = 0; order < 3; ++order) {
      std::shuffle(rows.begin(), rows.end(), random);
      ASSERT_EQ(released_lines(job, rows), lines) << "round " << round << ", seed " << job.seed;
    }
    released += lines.size() > 1;
  }
  EXPECT_GT(released, 0U);
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodEntry& method : methods()) names.push_back(method.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Methods, ReorderedRows, ::testing::ValuesIn(method_names()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Arranged rows ascend by their content, and come back as they were, with the answer about them.
TEST(ContentOrder, ArrangesAndRestores) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 300; ++round) {
    Table table;
    table.rows = random() % 40;
    const size_t columns = random() % 6;
    for (size_t j = 0; j < columns; ++j) {
      const size_t values = j % 2 ? 3 : 70000;
      Codes codes(table.rows, values);
      for (size_t row = 0; row < table.rows; ++row)
        codes.set(row, static_cast<uint32_t>(random() % 3 * (values - 1) / 2));
      (j < 4 ? table.quasi : table.sensitive).push_back({"c", codes, {}});
    }
    if (random() % 2) {
      for (size_t row = 0; row < table.rows; ++row) table.rest.push_back(random() % 2 ? UINT64_MAX : random() % 2);
    }
    const auto content = [](const Table& of, size_t row) {
      std::vector<uint64_t> all;
      for (const Column& column : of.quasi) all.push_back(column.codes[row]);
      for (const Column& column : of.sensitive) all.push_back(column.codes[row]);
      if (!of.rest.empty()) all.push_back(of.rest[row]);
      return all;
    };
    Table arranged = table;
    Progress progress;
    const ContentOrder order(table, progress);
    order.arrange(arranged);
    for (size_t row = 1; row < table.rows; ++row) ASSERT_LE(content(arranged, row - 1), content(arranged, row));
    // Every row's group is named after its content, every third is dropped.
    Recoding recoding;
    GroupRecoding groups;
    for (uint32_t row = 0; row < table.rows; ++row) {
      groups.group_of_row.push_back(static_cast<uint32_t>(std::hash<std::string>{}([&] {
        std::string text;
        for (uint64_t value : content(arranged, row)) text += std::to_string(value) + ",";
        return text;
      }())));
      if (row % 3 == 0) recoding.dropped_rows.push_back(row);
    }
    const std::vector<uint32_t> arranged_groups = groups.group_of_row;
    const std::vector<uint32_t> arranged_dropped = recoding.dropped_rows;
    recoding.cells = groups;
    order.restore(recoding);
    order.restore(arranged);
    ASSERT_TRUE(std::is_sorted(recoding.dropped_rows.begin(), recoding.dropped_rows.end()));
    ASSERT_EQ(recoding.dropped_rows.size(), arranged_dropped.size());
    std::multiset<uint32_t> before, after;
    for (uint32_t row : arranged_dropped) before.insert(arranged_groups[row]);
    for (uint32_t row : recoding.dropped_rows) after.insert(recoding.by_group().group_of_row[row]);
    EXPECT_EQ(before, after);
    for (uint32_t row = 0; row < table.rows; ++row) {
      ASSERT_EQ(content(arranged, row), content(table, row));
      std::string text;
      for (uint64_t value : content(table, row)) text += std::to_string(value) + ",";
      EXPECT_EQ(recoding.by_group().group_of_row[row], static_cast<uint32_t>(std::hash<std::string>{}(text)));
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
