// A recoding written down and read back: its own rows are recoded as they were released.
#include "shoal/write/recoding_json.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "shoal/read/read_recoding.h"
#include "shoal/read/temporary_file.h"
#include "shoal/recode/apply.h"
#include "testing/random_recoding.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTable;
using testing::RandomTables;

// Numbers get texts that are numbers; the missing leaf keeps the empty one.
RandomTable readable(RandomTable drawn) {
  for (size_t j = 0; j < drawn.hierarchies.size(); ++j) {
    const Hierarchy& tree = drawn.hierarchies[j];
    for (uint32_t leaf = 0; tree.numeric() && leaf < tree.leaves(); ++leaf) {
      if (leaf != tree.missing()) drawn.table.quasi[j].values[leaf] = std::to_string(int(tree.number(leaf)));
    }
  }
  return drawn;
}

RecodingFile written_and_read(const Recoding& recoding, const RandomTable& drawn) {
  const TemporaryFile file(".json");
  std::ofstream(file.path()) << recoding_json(recoding, drawn.table, drawn.hierarchies, {{"name"}, {"?"}, {}}).dump();
  return read_recoding(file.path());
}

void expect_same_cells(const Recoding& recoding, const RandomTable& drawn, const std::string& where) {
  const RecodingFile file = written_and_read(recoding, drawn);
  EXPECT_EQ(file.plain, std::vector<std::string>{"name"});
  EXPECT_EQ(file.missing, std::vector<std::string>{"?"});
  EXPECT_EQ(file.recoding.shape, recoding.shape());
  std::vector<size_t> recoded;
  for (size_t j = 0; j < drawn.table.quasi.size(); ++j) recoded.push_back(j);
  if (!recoding.is_by_value()) recoded = recoding.by_group().recoded_columns;
  std::vector<NewColumn> columns;
  for (size_t j : recoded) columns.push_back({drawn.table.quasi[j].values, &drawn.table.quasi[j].codes});
  const auto again = recode_new_texts(file.recoding, MissingTexts(file.missing), drawn.table.rows, columns);
  const ReleasedTable released = apply(recoding, drawn.table, drawn.hierarchies, 1);
  for (size_t i = 0; i < recoded.size(); ++i) {
    const size_t j = recoded[i];
    EXPECT_EQ(file.recoding.columns[i].name, drawn.table.quasi[j].name);
    for (uint32_t row = 0; row < drawn.table.rows; ++row) {
      if (std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), row)) continue;
      const Released& cell = released.quasi[j].values[released.quasi[j].codes[row]];
      ASSERT_EQ(again[i].texts[again[i].codes[row]], released_text(cell, drawn.table.quasi[j], drawn.hierarchies[j]))
          << where << ", row " << row << ", column " << j;
    }
    for (bool known : again[i].known) EXPECT_TRUE(known) << where;
  }
}

TEST(RecodingJson, LevelsAndCutsDoTheSameAgain) {
  RandomTables random(81);
  for (int round = 0; round < 150; ++round) {
    const RandomTable drawn = readable(random.table({.rows = 30, .columns = 3, .max_values = 8}));
    const Shape shape = round % 2 ? Shape::levels : Shape::cut;
    expect_same_cells(testing::random_recoding(random, drawn, shape), drawn, "round " + std::to_string(round));
  }
}

TEST(RecodingJson, RegionsDoTheSameAgain) {
  RandomTables random(82);
  for (int round = 0; round < 300; ++round) {
    const RandomTable drawn = readable(random.table({.rows = 50, .columns = 3, .max_values = 9}));
    const std::string method = round % 2 ? "mondrian" : "mondrian-infogain";
    const SearchResult found = testing::run_method(method, drawn.problem(random.requirements(drawn.table)));
    expect_same_cells(*found.recoding(), drawn, method + ", round " + std::to_string(round));
  }
}

TEST(RecodingJson, GroupsAreRefusedWithTheReason) {
  RandomTables random(83);
  const RandomTable drawn = readable(random.table({.rows = 20, .columns = 2}));
  try {
    written_and_read(testing::random_recoding(random, drawn, Shape::groups), drawn);
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::job);
    EXPECT_NE(std::string(error.what()).find("belongs to the rows it was made for"), std::string::npos);
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
