// Whatever bytes a file has: it is refused with a reason, or it is a sound tree that can be written and read again.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "shoal/hierarchy/tree_draft.h"
#include "shoal/read/read_tree.h"
#include "testing/random_tree.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

// True when the file is a tree.
bool expect_tree_or_reason(const std::string& name, const std::string& content) {
  const auto [tree, faults] = parse_tree_text(content, name);
  EXPECT_TRUE(std::is_sorted(faults.begin(), faults.end(), [](auto& a, auto& b) { return a.line < b.line; }));
  const auto lines = static_cast<size_t>(std::count(content.begin(), content.end(), '\n')) + 1;
  for (const auto& fault : faults) EXPECT_LE(fault.line, lines) << content;
  if (has_error(faults)) return false;
  std::set<std::string> labels;
  std::vector<std::string> values;
  for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
    EXPECT_TRUE(node == 0 || tree.nodes[node].parent < node);
    EXPECT_FALSE(tree.nodes[tree.nodes[node].parent].leaf);
    EXPECT_FALSE(tree.nodes[node].label.empty());
    EXPECT_TRUE(labels.insert(tree.nodes[node].label).second) << content;
    if (tree.nodes[node].leaf) values.push_back(tree.nodes[node].label);
  }
  if (values.empty()) return true;
  const auto [again, table_faults] = parse_tree_text(level_table(tree), "again.csv");
  EXPECT_FALSE(has_error(table_faults)) << content;
  EXPECT_EQ(testing::nested(again), testing::nested(tree)) << content;
  const ColumnValues column{"c", values, false, "", {}};
  const auto bound = bind_tree(tree, column, UnknownValues::refuse, {});
  EXPECT_EQ(bound.hierarchy.leaves(), values.size());
  EXPECT_EQ(level_table(again), level_table(tree));
  return true;
}

void try_random(const std::string& name, const std::vector<std::string>& pieces, uint64_t seed) {
  testing::RandomTrees random(seed);
  int trees = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string content;
    for (size_t i = random.draw(0, 24); i > 0; --i) content += pieces[random.draw(0, pieces.size() - 1)];
    trees += expect_tree_or_reason(name, content) ? 1 : 0;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(trees, 20);  // not all of it may be nonsense
}

TEST(ReadAnything, LevelTables) {
  try_random("a.csv",
             {"a", "b", "c", "d", "*", "1", "0-4", ";", ";", ";*\n", ";*\n", ",", "\t", "\n", "\"", "\r\n", " "}, 1);
  try_random("a.csv",
             {"a;A;*\n", "b;A;*\n", "c;c;*\n", "d;B;*\n", "e;*;*\n", "f;B;B;*\n", "\"g\";\"A\";*\r\n", "B;B;*\n"}, 2);
}

TEST(ReadAnything, IndentedText) {
  try_random("a.txt", {"a\n", "b\n", "c\n", "d\n", "e\n", "*", " ", " ", "  ", "\n", "\t", "x"}, 3);
}

// Valid JSON of any shape, with few labels, so that they meet.
std::string random_json(testing::RandomTrees& random, size_t depth) {
  const auto label = [&] { return std::string("\"") + static_cast<char>('a' + random.draw(0, 11)) + "\""; };
  std::string text;
  switch (depth == 0 ? 0 : random.draw(0, 6)) {
    case 0:
    case 1:
      return label();
    case 2:
    case 3:
      for (size_t i = random.draw(0, 3); i > 0; --i) {
        text += (text.empty() ? "" : ",\n") + random_json(random, depth - 1);
      }
      return "[" + text + "]";
    case 4:
      return "{\"label\": " + label() + ", \"children\": [" + random_json(random, depth - 1) + "]}";
    case 5:
      return std::vector<std::string>{"null", "true", "12", "-0.50", "\"\"", "{}"}[random.draw(0, 5)];
    default:
      for (size_t i = random.draw(1, 3); i > 0; --i) {
        text += (text.empty() ? "" : ", ") + label() + ": [" + random_json(random, depth - 1) + "]";
      }
      return "{" + text + "}";
  }
}

TEST(ReadAnything, Json) {
  testing::RandomTrees random(4);
  int trees = 0;
  for (int round = 0; round < 2000; ++round) {
    trees += expect_tree_or_reason("a.json", random_json(random, random.draw(1, 5))) ? 1 : 0;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(trees, 200);
}

TEST(ReadAnything, ChangedFiles) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"a.csv", "Canada;America;*\n\"Cuba\";America;*\nFrance;Europe;*\n20;15-19;*\n"},
      {"a.txt", "Any\n  America\n    Canada\n    Cuba\n  Europe\n    France\n"},
      {"a.json", "{\"label\": \"Any\", \"children\": [\n{\"America\": [\"Canada\", 2.5]},\n\"France\"]}"}};
  testing::RandomTrees random(6);
  const std::string alphabet = "aC;,\"\n\t *{}[]:\\\xC3\xFF\r";
  for (int round = 0; round < 1500; ++round) {
    auto [name, content] = files[random.draw(0, files.size() - 1)];
    for (size_t i = random.draw(1, 3); i > 0; --i) {
      const size_t at = random.draw(0, content.size() - 1);
      switch (random.draw(0, 2)) {
        case 0:
          content[at] = alphabet[random.draw(0, alphabet.size() - 1)];
          break;
        case 1:
          content.erase(at, random.draw(1, 5));
          break;
        default:
          content.insert(at, content.substr(random.draw(0, content.size() - 1), 6));
      }
      if (content.empty()) content = "x";
    }
    expect_tree_or_reason(name, content);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
