#include "shoal/learn/dataset.h"

#include <gtest/gtest.h>

#include "shoal/error.h"
#include "testing/counted_table.h"
#include "testing/learn_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::dataset_of;
using testing::text_columns;

LabelTree education() {
  return label_tree(
      testing::indented_tree("*\n  Secondary\n    Junior\n      9th\n      10th\n    Senior\n      11th\n      12th\n"
                             "  University\n    Bachelors\n    Masters\n"));
}

DatasetReading with_tree() { return {"class", {"*"}, {{"edu", {ReadAs::categorical, education()}}}}; }

// What a cell may be, in words.
std::string meaning(const Dataset& data, size_t column, size_t row) {
  const Attribute& attribute = data.attributes[column];
  const uint32_t code = attribute.codes[row];
  if (code == Attribute::kMissing) return "missing";
  if (attribute.known_category(code)) return attribute.categories[code];
  std::string words;
  for (uint32_t category : attribute.set(code)) words += (words.empty() ? "" : "|") + attribute.categories[category];
  return words;
}

TEST(Dataset, ReadAsReleasedEveryTextIsACategory) {
  const DatasetReading reading{
      "class", {"*", "?"}, {{"age", {ReadAs::released, {}}}, {"edu", {ReadAs::released, education()}}}};
  const Dataset data = dataset_of("age edu class\n[1,20) Junior a\n* 9th b\n[20,99] * a\n? Junior b\n", reading);
  EXPECT_EQ(data.attributes[0].categories, (std::vector<std::string>{"*", "[1,20)", "[20,99]"}));
  EXPECT_FALSE(data.attributes[0].numeric);
  EXPECT_EQ(meaning(data, 0, 1), "*");
  EXPECT_EQ(meaning(data, 0, 3), "missing");  // was missing before the release
  EXPECT_EQ(data.attributes[1].categories, (std::vector<std::string>{"*", "9th", "Junior"}));
  EXPECT_EQ(meaning(data, 1, 0), "Junior");
  EXPECT_FALSE(data.attributes[1].has_vague);
}

TEST(Dataset, AGloballyRecodedColumnHasItsNodesAsCategories) {
  const Dataset data = dataset_of("edu class\nJunior a\n11th b\n12th a\nUniversity b\nJunior b\n", with_tree());
  EXPECT_EQ(data.attributes[0].categories, (std::vector<std::string>{"11th", "12th", "Junior", "University"}));
  EXPECT_FALSE(data.attributes[0].has_vague);
  // A raw table meets it: values below a trained node are that node.
  const Dataset raw = read_dataset_like(data, text_columns("edu class\n9th a\n12th a\nMasters b\n"), with_tree());
  EXPECT_EQ(meaning(raw, 0, 0), "Junior");
  EXPECT_EQ(meaning(raw, 0, 1), "12th");
  EXPECT_EQ(meaning(raw, 0, 2), "University");
}

TEST(Dataset, ALocallyRecodedColumnHasTheFinestValuesAsCategories) {
  const Dataset data =
      dataset_of("edu class\n9th a\n10th a\nJunior b\nSecondary b\n* a\nUniversity b\n11th a\n", with_tree());
  EXPECT_EQ(data.attributes[0].categories, (std::vector<std::string>{"10th", "11th", "9th", "University"}));
  EXPECT_EQ(meaning(data, 0, 2), "10th|9th");
  EXPECT_EQ(meaning(data, 0, 3), "10th|11th|9th");
  EXPECT_EQ(meaning(data, 0, 4), "missing");
  EXPECT_TRUE(data.attributes[0].has_missing);
  EXPECT_TRUE(data.attributes[0].has_vague);
  const Dataset raw = read_dataset_like(
      data, text_columns("edu class\n12th a\nMasters a\nnowhere a\nSenior b\nUniversity b\nSecondary a\n"),
      with_tree());
  EXPECT_EQ(meaning(raw, 0, 0), "11th");  // under Senior, of which only 11th is known
  EXPECT_EQ(meaning(raw, 0, 1), "University");
  EXPECT_EQ(meaning(raw, 0, 2), "missing");
  EXPECT_EQ(meaning(raw, 0, 3), "11th");
  EXPECT_EQ(meaning(raw, 0, 4), "University");
  EXPECT_EQ(meaning(raw, 0, 5), "10th|11th|9th");
}

TEST(Dataset, TreesOfHierarchiesReadTheSame) {
  const auto table = testing::counted_table("edu class\n9th a 1\n10th b 1\nMasters a 1\n",
                                            {{"edu", "*\n  Junior\n    9th\n    10th\n  Masters\n"}});
  const LabelTree tree = label_tree(table.hierarchies[0], table.table.quasi[0]);
  const DatasetReading reading{"class", {"*"}, {{"edu", {ReadAs::categorical, tree}}}};
  const Dataset data = dataset_of("edu class\nJunior a\nMasters b\n", reading);
  const Dataset raw = read_dataset_like(data, text_columns("edu class\n9th a\n"), reading);
  EXPECT_EQ(meaning(raw, 0, 0), "Junior");
}

TEST(Dataset, NumbersRangesAndIntervals) {
  const DatasetReading reading{"class", {"*"}, {{"n", {ReadAs::numeric, std::nullopt}}}};
  const Dataset data = dataset_of("n class\n5 a\n[1,37] a\n[1,37) b\n[37,99) b\n20-29 a\n90+ a\n<3 b\n* b\n", reading);
  const Attribute& n = data.attributes[0];
  ASSERT_TRUE(n.numeric);
  auto extent = [&](size_t row) { return n.extents[n.codes[row]]; };
  EXPECT_EQ(extent(0), (Extent{5, 5}));
  EXPECT_EQ(extent(1), (Extent{1, 37}));
  EXPECT_LT(extent(2).high, 37);
  EXPECT_GT(extent(2).high, 36.999);
  EXPECT_EQ(extent(3).low, 37);
  EXPECT_EQ(extent(4), (Extent{20, 29}));
  EXPECT_EQ(extent(5).low, 90);
  EXPECT_NEAR(extent(5).high, 99, 1e-9);  // open ends end with the column
  EXPECT_EQ(extent(6).low, 1);
  EXPECT_TRUE(n.missing(7));
  for (size_t i = 1; i < n.extents.size(); ++i) EXPECT_LE(n.extents[i - 1].low, n.extents[i].low);
}

TEST(Dataset, ANodeOfANumericTreeMeansItsNumbers) {
  const LabelTree tree = label_tree(testing::indented_tree("*\n  young\n    20\n    25\n  old\n    70\n"));
  const Dataset data = dataset_of("n class\nyoung a\n70 b\n", {"class", {"*"}, {{"n", {ReadAs::numeric, tree}}}});
  const Attribute& n = data.attributes[0];
  EXPECT_EQ(n.extents[n.codes[0]], (Extent{20, 25}));
}

TEST(Dataset, TypesAreFound) {
  const Dataset data = dataset_of("a b c d e class\n1 01 x [1,2] ? 1\n2 02 1 3 ? 0\n? 03 2 4 ? 1\n");
  EXPECT_TRUE(data.attributes[0].numeric);
  EXPECT_FALSE(data.attributes[1].numeric);  // leading zeros are codes
  EXPECT_FALSE(data.attributes[2].numeric);
  EXPECT_TRUE(data.attributes[3].numeric);
  EXPECT_FALSE(data.attributes[4].numeric);  // nothing known
  EXPECT_EQ(data.classes, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(data.class_of, (std::vector<uint32_t>{1, 0, 1}));
}

TEST(Dataset, TextsThatNoRowHasAreNotValues) {
  std::vector<TextColumn> columns = text_columns("a class\nx p\ny q\n");
  columns[0].texts.push_back("unused");
  columns[1].texts.push_back("unused");
  const Dataset data = read_dataset(columns, {"class", {"?"}, {}});
  EXPECT_EQ(data.attributes[0].categories, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(data.classes.size(), 2U);
}

TEST(Dataset, PresplitFilesShareCategories) {
  const auto both =
      read_presplit(text_columns("a class\nx p\ny q\n"), text_columns("a class\nz p\n"), {"class", {"?"}, {}});
  EXPECT_EQ(both.train.attributes[0].categories, both.test.attributes[0].categories);
  EXPECT_EQ(meaning(both.test, 0, 0), "z");
}

TEST(Dataset, SubsetsAndColumnsLeftOut) {
  const Dataset data = dataset_of("a b class\n1 x p\n2 y q\n3 x p\n");
  const std::vector<uint32_t> rows{2, 0, 2};
  const Dataset part = data.subset(rows);
  EXPECT_EQ(part.rows, 3U);
  EXPECT_EQ(part.attributes[0].codes, (std::vector<uint32_t>{2, 0, 2}));
  EXPECT_EQ(part.class_of, (std::vector<uint32_t>{0, 0, 0}));
  const std::vector<std::string> out{"a"};
  EXPECT_EQ(data.without(out).attributes.size(), 1U);
  EXPECT_FALSE(data.without(out).find("a"));
  const std::vector<std::string> unknown{"zz"};
  EXPECT_THROW(data.without(unknown), Error);
}

TEST(Dataset, EqualRowsBecomeOne) {
  Dataset data = dataset_of("a b class\n1 x p\n2 y q\n1 x p\n1 x q\n? x p\n1 x p\n? x p\n");
  data.weights[2] = 2.5;
  const Dataset merged = data.merged();
  ASSERT_EQ(merged.rows, 4U);
  EXPECT_EQ(merged.weights, (std::vector<double>{4.5, 1, 1, 2}));
  EXPECT_EQ(merged.class_of, (std::vector<uint32_t>{0, 1, 1, 0}));
  EXPECT_TRUE(merged.attributes[0].missing(3));
  EXPECT_EQ(merged.total_weight(), data.total_weight());
}

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Dataset, MistakesAreNamed) {
  EXPECT_NE(message_of([] { dataset_of("a class\n1 p\n", {"klass", {"?"}, {}}); }).find("'klass'"), std::string::npos);
  EXPECT_NE(message_of([] { dataset_of("a class\n1 p\n2 ?\n"); }).find("target column 'class' is missing"),
            std::string::npos);
  EXPECT_NE(message_of([] {
              dataset_of("a class\n1 p\nold q\n", {"class", {"?"}, {{"a", {ReadAs::numeric, std::nullopt}}}});
            }).find("'old' in the numeric column 'a'"),
            std::string::npos);
  const Dataset train = dataset_of("a class\n1 p\n2 q\n");
  EXPECT_NE(message_of([&] {
              read_dataset_like(train, text_columns("a class\n1 r\n"), {"class", {"?"}, {}});
            }).find("class 'r'"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              read_dataset_like(train, text_columns("b class\n1 p\n"), {"class", {"?"}, {}});
            }).find("column 'a'"),
            std::string::npos);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
