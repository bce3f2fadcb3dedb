#include "shoal/encode/arrow_table.h"

#include <gtest/gtest.h>

#include <random>

#include "shoal/error.h"
#include "shoal/read/duck.h"
#include "shoal/release/arrow_columns.h"
#include "testing/arrow_arrays.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::fixed_column;
using testing::HandColumn;
using testing::HandStream;
using testing::text_column;
using Cells = std::vector<std::string>;

constexpr const char* kNull = "(null)";

// The cells of one column, NULLs as kNull.
Cells cells_of(TableSource& table, size_t column) {
  Cells cells;
  Progress progress;
  table.read(std::vector{column}, progress, [&](TextStream& stream) {
    cells.clear();
    while (stream.next()) {
      for (size_t row = 0; row < stream.size(); ++row) {
        const std::string_view cell = stream.cell(0, row);
        cells.push_back(cell.data() == nullptr ? kNull : std::string(cell));
      }
    }
  });
  return cells;
}

Cells cells_of(const HandColumn& column) {
  HandStream hand({{column}});
  Cells cells;
  {
    ArrowArrayStream stream = hand.stream();
    ArrowTable table(stream, "table");
    EXPECT_EQ(stream.release, nullptr);
    cells = cells_of(table, 0);
  }
  EXPECT_EQ(hand.unreleased, 0);
  return cells;
}

std::string error_of(const auto& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ArrowTable, IntegersOfAllWidths) {
  EXPECT_EQ(cells_of(fixed_column<int8_t>("a", "c", {-128, {}, 127})), (Cells{"-128", kNull, "127"}));
  EXPECT_EQ(cells_of(fixed_column<uint8_t>("a", "C", {255, 0})), (Cells{"255", "0"}));
  EXPECT_EQ(cells_of(fixed_column<int16_t>("a", "s", {-300})), (Cells{"-300"}));
  EXPECT_EQ(cells_of(fixed_column<uint16_t>("a", "S", {65535})), (Cells{"65535"}));
  EXPECT_EQ(cells_of(fixed_column<int32_t>("a", "i", {-70000})), (Cells{"-70000"}));
  EXPECT_EQ(cells_of(fixed_column<uint32_t>("a", "I", {4294967295U})), (Cells{"4294967295"}));
  EXPECT_EQ(cells_of(fixed_column<int64_t>("a", "l", {9400123412341237, {}})), (Cells{"9400123412341237", kNull}));
  EXPECT_EQ(cells_of(fixed_column<uint64_t>("a", "L", {UINT64_MAX})), (Cells{"18446744073709551615"}));
}

TEST(ArrowTable, FloatingPointNumbersPrintAsDuckdbPrintsThem) {
  std::vector<std::optional<double>> numbers{0.0,  -0.0, 2.0,   0.1, 1e15, 1e16, 1e17, 123456789012345680.0,
                                             1e-4, 1e-5, 5e-324};
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const double scale = std::pow(10.0, static_cast<double>(random() % 40) - 20);
    numbers.push_back(static_cast<double>(random() % 1000000) * scale);
  }
  const Cells cells = cells_of(fixed_column<double>("a", "g", numbers));
  DuckDb duck(1, std::nullopt);
  Progress progress;
  std::string sql = "SELECT CAST(v AS VARCHAR) FROM (VALUES ";
  for (size_t i = 0; i < numbers.size(); ++i) {
    char exact[96];
    std::snprintf(exact, sizeof exact, "%s(%zu, CAST('%.17g' AS DOUBLE))", i == 0 ? "" : ", ", i, *numbers[i]);
    sql += exact;
  }
  const auto rows = duck.query(sql + ") t(i, v) ORDER BY i", progress);
  for (size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(cells[i], rows[i][0]) << *numbers[i];
  EXPECT_EQ(cells_of(fixed_column<float>("a", "f", {0.1F, 16777216.0F})), (Cells{"0.1", "16777216.0"}));
}

TEST(ArrowTable, TextsInThreeLayouts) {
  const std::vector<std::optional<std::string>> cells{"a", std::nullopt, "", "longer than twelve bytes",
                                                      "Z\xC3\xBCrich"};
  for (const char* format : {"u", "U", "vu"}) {
    EXPECT_EQ(cells_of(text_column("a", format, cells)),
              (Cells{"a", kNull, "", "longer than twelve bytes", "Z\xC3\xBCrich"}))
        << format;
  }
}

TEST(ArrowTable, DecimalsDatesAndTimes) {
  HandColumn decimal{"a", "d:20,3", 4, 0, 0, {}, nullptr};
  const auto wide = [](int64_t value) { return testing::bytes_of<int64_t>({value, value < 0 ? -1 : 0}); };
  decimal.buffers = {"", wide(1500) + wide(-7) + wide(0) + wide(9400123412341237)};
  EXPECT_EQ(cells_of(decimal), (Cells{"1.500", "-0.007", "0.000", "9400123412341.237"}));
  EXPECT_EQ(cells_of(fixed_column<int32_t>("a", "tdD", {0, 19799, -1})),
            (Cells{"1970-01-01", "2024-03-17", "1969-12-31"}));
  EXPECT_EQ(cells_of(fixed_column<int64_t>("a", "tdm", {86'400'000})), (Cells{"1970-01-02"}));
  EXPECT_EQ(cells_of(fixed_column<int64_t>("a", "tsn:", {INT64_MIN, INT64_MAX})),
            (Cells{"1677-09-21 00:12:43.145224192", "2262-04-11 23:47:16.854775807"}));
  EXPECT_EQ(cells_of(fixed_column<int64_t>("a", "tsu:", {1'500'000, -1})),
            (Cells{"1970-01-01 00:00:01.5", "1969-12-31 23:59:59.999999"}));
  EXPECT_EQ(cells_of(fixed_column<int64_t>("a", "tss:UTC", {0})), (Cells{"1970-01-01 00:00:00+00"}));
  EXPECT_EQ(cells_of(fixed_column<int32_t>("a", "ttm", {3'661'001})), (Cells{"01:01:01.001"}));
}

TEST(ArrowTable, BooleansAndColumnsOfNulls) {
  HandColumn column{
      "a", "b", 3, 0, 1, {testing::bits_of({true, false, true}), testing::bits_of({true, true, false})}, nullptr};
  EXPECT_EQ(cells_of(column), (Cells{"true", kNull, "false"}));
  EXPECT_EQ(cells_of(HandColumn{"a", "n", 2, 0, 2, {}, nullptr}), (Cells{kNull, kNull}));
}

TEST(ArrowTable, Dictionaries) {
  HandColumn column = fixed_column<int8_t>("a", "c", {1, {}, 0, 1});
  column.dictionary = std::make_shared<HandColumn>(text_column("", "u", {"low", "high"}));
  EXPECT_EQ(cells_of(column), (Cells{"high", kNull, "low", "high"}));
  column.dictionary = std::make_shared<HandColumn>(text_column("", "u", {"low"}));
  EXPECT_NE(error_of([&] { cells_of(column); }), "");
}

TEST(ArrowTable, SlicesOfColumnsAndOfBatches) {
  HandColumn sliced = fixed_column<int32_t>("a", "i", {1, 2, {}, 4});
  sliced.offset = 1;
  sliced.length = 3;
  EXPECT_EQ(cells_of(sliced), (Cells{"2", kNull, "4"}));
  HandStream hand({{text_column("a", "u", {"x", "y", "z"})}, {text_column("a", "u", {"u", "v"})}}, 1);
  ArrowArrayStream stream = hand.stream();
  ArrowTable table(stream, "table");
  EXPECT_EQ(table.rows(), 3U);
  EXPECT_EQ(cells_of(table, 0), (Cells{"y", "z", "v"}));
}

TEST(ArrowTable, RefusesNestedColumnsByNameWhenTheyAreAskedFor) {
  HandStream hand({{text_column("name", "u", {"x"}), HandColumn{"visits", "+l", 1, 0, 0, {"", ""}, nullptr}}});
  ArrowArrayStream stream = hand.stream();
  ArrowTable table(stream, "table");
  EXPECT_EQ(cells_of(table, 0), (Cells{"x"}));
  const std::string message = error_of([&] { cells_of(table, 1); });
  EXPECT_NE(message.find("'visits' holds lists"), std::string::npos) << message;
}

TEST(ArrowTable, RefusesValuesThatItCannotTell) {
  const auto date = fixed_column<int32_t>("d", "tdD", {{INT32_MAX}});
  EXPECT_NE(error_of([&] { cells_of(date); }).find("30,000 years"), std::string::npos);
  for (int32_t milliseconds : {-1, 86'400'001}) {
    const auto time = fixed_column<int32_t>("t", "ttm", {{milliseconds}});
    EXPECT_NE(error_of([&] { cells_of(time); }).find("time of day"), std::string::npos) << milliseconds;
  }
  // A billion zeros for each cell.
  const auto number = fixed_column<int64_t>("n", "d:5,-1000000000,64", {{7}});
  EXPECT_NE(error_of([&] { cells_of(number); }).find("cannot be anonymized"), std::string::npos);
}

TEST(ArrowTable, RefusesBadTables) {
  const auto message = [](std::vector<HandColumn> columns) {
    return error_of([&] {
      HandStream hand({std::move(columns)});
      ArrowArrayStream stream = hand.stream();
      ArrowTable table(stream, "patients");
    });
  };
  EXPECT_NE(message({text_column("a", "u", {}), text_column("a", "u", {})}).find("'patients' are called 'a'"),
            std::string::npos);
  EXPECT_NE(message({text_column("", "u", {})}).find("column 1 of 'patients' has no name"), std::string::npos);

  HandStream failing({{text_column("a", "u", {"x"})}});
  failing.failure = "the cable broke";
  failing.fails_at = 1;
  {
    ArrowArrayStream stream = failing.stream();
    EXPECT_NE(error_of([&] { ArrowTable(stream, "patients"); }).find("the cable broke"), std::string::npos);
    EXPECT_NE(error_of([&] { ArrowTable(stream, "patients"); }).find("was read already"), std::string::npos);
  }
  EXPECT_EQ(failing.unreleased, 0);
}

// Columns taken from a table in another order, given out as a stream and read again, hold the same cells.
TEST(ArrowColumns, RowsTakenInAnyOrderReadBackTheSame) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::vector<HandColumn>> batches;
    for (size_t batch = 0; batch < 1 + random() % 3; ++batch) {
      const size_t rows = random() % 20;
      std::vector<std::optional<std::string>> texts(rows);
      std::vector<std::optional<double>> reals(rows);
      std::vector<std::optional<int16_t>> codes(rows);
      std::vector<bool> bits(rows), valid(rows);
      for (size_t row = 0; row < rows; ++row) {
        if (random() % 4 > 0) texts[row] = std::string(random() % 20, static_cast<char>('a' + random() % 3));
        if (random() % 4 > 0) reals[row] = static_cast<double>(random() % 10) / 4;
        if (random() % 4 > 0) codes[row] = static_cast<int16_t>(random() % 3);
        bits[row] = random() % 2 > 0;
        valid[row] = random() % 3 > 0;
      }
      HandColumn category = fixed_column<int16_t>("category", "s", codes);
      category.dictionary = std::make_shared<HandColumn>(
          text_column("", "vu", {"x" + std::to_string(batch), std::nullopt, "a value of its own"}));
      HandColumn number = fixed_column<int16_t>("number", "s", codes);
      number.dictionary = std::make_shared<HandColumn>(fixed_column<int64_t>("", "l", {7, {}, 9}));
      const auto length = static_cast<int64_t>(rows);
      batches.push_back(
          {text_column("text", round % 2 > 0 ? "vu" : "u", texts), fixed_column<double>("real", "g", reals), category,
           number, HandColumn{"bit", "b", length, 0, -1, {testing::bits_of(valid), testing::bits_of(bits)}, nullptr},
           HandColumn{"nothing", "n", length, 0, length, {}, nullptr}});
    }
    HandStream hand(batches);
    ArrowArrayStream stream = hand.stream();
    ArrowTable table(stream, "table");
    std::vector<uint32_t> rows;
    for (uint32_t row = 0; row < table.rows(); ++row) {
      if (random() % 5 > 0) rows.push_back(row);
    }
    std::shuffle(rows.begin(), rows.end(), random);
    std::vector<ArrowColumn> columns;
    for (size_t j = 0; j < table.columns().size(); ++j) columns.push_back(ArrowColumn::taken(table, j, rows));
    const ArrowColumns taken(std::move(columns));
    for (int reading = 0; reading < 2; ++reading) {  // a stream can be asked for again
      ArrowArrayStream again{};
      taken.stream(again);
      ArrowTable back(again, "back");
      ASSERT_EQ(back.columns(), table.columns());
      ASSERT_EQ(back.rows(), rows.size());
      for (size_t j = 0; j < table.columns().size(); ++j) {
        const Cells all = cells_of(table, j);
        Cells expected;
        for (uint32_t row : rows) expected.push_back(all[row]);
        EXPECT_EQ(cells_of(back, j), expected) << table.columns()[j];
      }
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
