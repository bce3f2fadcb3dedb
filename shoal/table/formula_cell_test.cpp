#include "shoal/table/formula_cell.h"

#include <gtest/gtest.h>

#include <random>

#include "shoal/read/duck.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

std::string written(std::string_view cell) { return (needs_apostrophe(cell) ? "'" : "") + std::string(cell); }

std::string random_cell(std::mt19937_64& random) {
  constexpr std::string_view kLetters = "''==+--@\t\r1.5e x";
  std::string cell;
  for (size_t left = random() % 7; left > 0; --left) cell += kLetters[random() % kLetters.size()];
  return cell;
}

TEST(FormulaCell, WhatIsWrittenIsNoFormulaAndReadsBack) {
  EXPECT_EQ(written("=1+1"), "'=1+1");
  EXPECT_EQ(written("-5"), "-5");
  EXPECT_EQ(written("-5 apples"), "'-5 apples");
  EXPECT_EQ(written("'=1"), "''=1");
  EXPECT_EQ(written("'-5"), "''-5");  // else it would be read back as -5
  EXPECT_EQ(written("'tis"), "'tis");
  EXPECT_EQ(without_apostrophe("'tis"), "'tis");
  EXPECT_EQ(without_apostrophe("'"), "'");
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const std::string cell = random_cell(random);
    EXPECT_FALSE(is_formula(written(cell))) << cell;
    EXPECT_EQ(without_apostrophe(written(cell)), cell);
  }
}

TEST(FormulaCell, SqlSaysTheSame) {
  DuckDb duck(1, std::nullopt);
  Progress progress;
  std::mt19937_64 random(2);
  std::string values;
  std::vector<std::string> cells;
  for (int i = 0; i < 2'000; ++i) {
    cells.push_back(random_cell(random));
    values += (i ? ",(" : "(") + std::to_string(i) + "," + sql_literal(cells.back()) + ")";
  }
  const auto rows =
      duck.query("SELECT " + sql_with_apostrophe("x") + ", " + sql_without_apostrophe(sql_with_apostrophe("x")) + ", " +
                     sql_without_apostrophe("x") + " FROM (VALUES " + values + ") t(i, x) ORDER BY i",
                 progress);
  ASSERT_EQ(rows.size(), cells.size());
  for (size_t i = 0; i < cells.size(); ++i) {
    EXPECT_FALSE(is_formula(rows[i][0])) << cells[i];
    EXPECT_EQ(without_apostrophe(rows[i][0]), cells[i]);
    EXPECT_EQ(rows[i][1], cells[i]);
    EXPECT_EQ(rows[i][2], without_apostrophe(cells[i]));
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
