// The hierarchies that come with the data sets, against the tables they are for.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <unordered_map>

#include "shoal/hierarchy/tree.h"
#include "shoal/read/read_tree.h"
#include "testing/data_folder.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

// The distinct values of each column of a plain CSV file (no quotes), in order of first appearance.
std::map<std::string, std::vector<std::string>> distinct_values(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line, cell;
  std::getline(file, line);
  std::vector<std::string> names;
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  std::vector<std::unordered_map<std::string, size_t>> seen(names.size());
  std::map<std::string, std::vector<std::string>> values;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    for (size_t j = 0; j < names.size() && std::getline(cells, cell, ','); ++j) {
      if (seen[j].emplace(cell, 0).second) values[names[j]].push_back(cell);
    }
  }
  return values;
}

TEST(AdultHierarchies, CoverTheTable) {
  const auto folder = testing::data_folder();
  if (!folder) GTEST_SKIP() << "no data folder";
  const auto values = distinct_values(*folder / "adult" / "adult.csv");
  const std::map<std::string, int> heights{
      {"age", 4},  {"education", 3}, {"marital-status", 2}, {"native-country", 2}, {"occupation", 2},
      {"race", 1}, {"sex", 1},       {"workclass", 2}};
  for (const auto& [column, height] : heights) {
    const std::string path = (*folder / "adult" / "hierarchies" / ("adult_hierarchy_" + column + ".csv")).string();
    for (const auto& fault : check_tree(path, values.at(column))) {
      EXPECT_EQ(fault.severity, HierarchyFault::Severity::warning) << path << " " << fault.line << fault.message;
    }
    const Tree tree = read_tree(path);
    ColumnValues column_values{column, values.at(column), false, "", {}};
    for (const std::string& value : values.at(column)) {
      if (column == "age") column_values.numbers.push_back(std::stod(value));
    }
    const auto result = bind_tree(tree, column_values, UnknownValues::refuse, {});
    EXPECT_EQ(result.hierarchy.height(), height) << column;
    EXPECT_EQ(result.hierarchy.leaves(), values.at(column).size()) << column;
    // Level by level what the file's line says.
    std::ifstream file(path);
    size_t lines = 0;
    for (std::string line; std::getline(file, line);) {
      std::vector<std::string> labels;
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, ';');) labels.push_back(cell);
      const auto found = std::find(result.leaf_texts.begin(), result.leaf_texts.end(), labels[0]);
      if (found == result.leaf_texts.end()) continue;
      ++lines;
      const auto leaf = static_cast<uint32_t>(found - result.leaf_texts.begin());
      for (int level = 0; level <= height; ++level) {
        EXPECT_EQ(result.hierarchy.node(result.hierarchy.node_at(leaf, level)).label,
                  labels[static_cast<size_t>(level)]);
      }
    }
    EXPECT_EQ(lines, result.hierarchy.leaves()) << column;
  }
}

TEST(AdultHierarchies, AgeHasValuesOutsideTheirIntervals) {
  const auto folder = testing::data_folder();
  if (!folder) GTEST_SKIP() << "no data folder";
  const std::string path = (*folder / "adult" / "hierarchies" / "adult_hierarchy_age.csv").string();
  std::map<size_t, std::string> by_line;
  for (const auto& fault : check_tree(path, std::nullopt)) {
    EXPECT_EQ(fault.severity, HierarchyFault::Severity::warning);
    by_line[fault.line] += fault.message;
  }
  ASSERT_TRUE(by_line.contains(20));
  EXPECT_NE(by_line[20].find("'20' stands under '15-19'"), std::string::npos) << by_line[20];
  EXPECT_FALSE(by_line.contains(19));
  // Every fifth value stands one interval too low, and no other.
  EXPECT_EQ(by_line.size(), 20U);
  for (const auto& [line, message] : by_line) EXPECT_EQ(line % 5, 0U) << message;
}

TEST(AdultHierarchies, EveryFileWithTheDataIsRead) {
  const auto folder = testing::data_folder();
  if (!folder) GTEST_SKIP() << "no data folder";
  size_t files = 0;
  for (const char* set : {"adult", "mammographic"}) {
    for (const auto& entry : std::filesystem::directory_iterator(*folder / set / "hierarchies")) {
      const Tree tree = read_tree(entry.path().string());
      EXPECT_GT(tree.nodes.size(), 2U);
      ++files;
    }
  }
  EXPECT_GE(files, 14U);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
