#include "shoal/verify/column_spans.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace shoal {
namespace SHOAL_THIS_FILE {

Tree small_tree() {
  Tree tree;
  tree.nodes = {{"*", 0, 0, false}, {"[1,5]", 0, 0, false}, {"high", 0, 0, false},    {"1", 1, 0, true},
                {"5", 1, 0, true},  {"3.0", 1, 0, true},    {"low end", 1, 0, false}, {"2", 6, 0, true},
                {"7", 2, 0, true},  {"12", 2, 0, true},     {"cook", 2, 0, true},     {"7.5", 2, 0, true}};
  return tree;
}

// Spans say for all pairs what CellCoverage says for each, or hold more and tell.
TEST(ColumnSpans, HoldWhatIsCovered) {
  const std::vector<std::string> texts{"1",
                                       "1.0",
                                       "5",
                                       "3",
                                       "3.0",
                                       "2",
                                       "7",
                                       "12",
                                       "cook",
                                       "?",
                                       "",
                                       "7.5",
                                       "0007",
                                       "-4",
                                       "1e1",
                                       "9400123412341237",
                                       "9400123412341236",
                                       "judge"};
  const std::vector<std::string> releases{"*",
                                          "?",
                                          "",
                                          "1",
                                          "01",
                                          "[1,5]",
                                          "high",
                                          "low end",
                                          "[2,7.0]",
                                          "cook",
                                          "[-4,9400123412341236]",
                                          "6",
                                          "3",
                                          "[9,10]",
                                          "[8,3]",
                                          "9400123412341236.0"};
  std::mt19937_64 random(5);
  size_t covered = 0, exact_spans = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<std::string> originals;
    for (const std::string& text : texts) {
      const bool number = text != "cook" && text != "judge" && text != "0007";
      if (random() % 2 && (number || round % 4 < 2)) originals.push_back(text);
    }
    if (originals.empty()) continue;
    const ColumnType type = round % 3 == 0   ? ColumnType::automatic
                            : round % 3 == 1 ? ColumnType::numeric
                                             : ColumnType::categorical;
    CellCoverage coverage(type, round % 5 < 2 ? std::optional(small_tree()) : std::nullopt, {"", "?"});
    if (round % 7 == 0 && coverage.numeric()) coverage.allow_means();
    const ColumnSpans found = column_spans(coverage, originals, releases);
    ASSERT_EQ(std::set<uint32_t>(found.position.begin(), found.position.end()).size(), originals.size());
    // Whether a column of no stated type holds texts shows only when all were seen.
    for (const std::string& original : originals) {
      for (const std::string& released : releases) coverage.covers(original, released);
    }
    for (size_t i = 0; i < originals.size(); ++i) {
      for (size_t r = 0; r < releases.size(); ++r) {
        const bool inside = found.spans[r].contains(found.position[i]);
        const bool covers = coverage.covers(originals[i], releases[r]);
        covered += covers;
        exact_spans += found.exact;
        if (coverage.contradiction() && covers && !inside) continue;  // numbers in a column of texts
        EXPECT_TRUE(inside || !covers) << originals[i] << " by " << releases[r] << " in round " << round;
        EXPECT_TRUE(!inside || covers || !found.exact)
            << originals[i] << " by " << releases[r] << " in round " << round;
      }
    }
  }
  EXPECT_GT(covered, 1000u);
  EXPECT_GT(exact_spans, 1000u);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
