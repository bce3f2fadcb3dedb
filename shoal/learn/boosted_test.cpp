#include "shoal/learn/boosted.h"

#include <gtest/gtest.h>

#include <cmath>

#include "shoal/learn/boosted_tree.h"
#include "testing/counted_table.h"
#include "testing/learn_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::dataset_of;
using testing::random_dataset;

// The odds of the second class against the first, as a logarithm.
double score_of(const Classifier& classifier, const Dataset& train, const std::string& table) {
  const Dataset test = read_dataset_like(train, testing::text_columns(table), {"class", {"?", "*"}, {}});
  std::vector<double> chances(train.classes.size());
  classifier.distribution(test, 0, chances);
  return std::log(chances[1] / chances[0]);
}

// One tree of one test on a column of whole rows: every split tried by hand.
TEST(BoostedTree, TakesTheSplitThatWinsMost) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const Dataset data = random_dataset({50, 3, 2, 4, 0, 0, true}, seed);
    std::vector<Pull> pulls;
    for (size_t row = 0; row < data.rows; ++row) {
      const double weight = data.weights[row], is = data.class_of[row];
      pulls.push_back({weight * (is - 0.4), weight * 0.24, weight});
    }
    const TreeSettings settings{.depth = 1, .least_rows = 5, .ridge = 1};
    std::vector<double> answers(data.rows, 0), gains(data.attributes.size(), 0);
    const BinnedRows rows(data);
    const BoostedTree tree(rows, pulls, settings, answers, gains);

    auto won = [&](auto goes_left) {
      Pull left, right, all;
      for (size_t row = 0; row < data.rows; ++row) {
        (goes_left(row) ? left : right) += pulls[row];
        all += pulls[row];
      }
      if (left.weight < 5 || right.weight < 5) return 0.0;
      auto gain = [](const Pull& pull) { return pull.slope * pull.slope / (pull.curvature + 1); };
      return gain(left) + gain(right) - gain(all);
    };
    double best = 0;
    for (const Attribute& attribute : data.attributes) {
      if (attribute.numeric) {
        for (const Extent& at : attribute.extents) {
          best = std::max(best, won([&](size_t row) { return attribute.extents[attribute.codes[row]].low <= at.low; }));
        }
      } else {
        for (uint32_t subset = 0; subset < (1u << attribute.categories.size()); ++subset) {
          best = std::max(best, won([&](size_t row) { return (subset >> attribute.codes[row] & 1) != 0; }));
        }
      }
    }
    double found = 0;
    for (double gain : gains) found += gain;
    // A greedy order of categories is the best one only up to the ridge, and numbers of more than 32 values are binned.
    EXPECT_LE(found, best + 1e-9) << seed;
    EXPECT_GE(found, 0.9 * best - 1e-9) << seed;
    EXPECT_EQ(tree.leaves(), found > 0 ? 2u : 1u) << seed;
  }
}

// What says nothing stands where the rows of the column stand on average, and so does a set within itself.
TEST(Boosted, AVagueCellIsTheMeanOfWhatItCovers) {
  std::string table = "a class\n";
  for (int i = 0; i < 40; ++i) table += i < 32 ? "x p\n" : "x q\n";
  for (int i = 0; i < 40; ++i) table += i < 8 ? "y p\n" : "y q\n";
  for (int i = 0; i < 20; ++i) table += i < 10 ? "z p\n" : "z q\n";
  const Dataset data = dataset_of(table);
  Progress progress;
  const auto classifier = train("boosted", data, {{"depth", "1"}}, progress);
  const double x = score_of(*classifier, data, "a class\nx p\n"), y = score_of(*classifier, data, "a class\ny p\n"),
               z = score_of(*classifier, data, "a class\nz p\n");
  EXPECT_LT(x, -1);
  EXPECT_GT(y, 1);
  EXPECT_NEAR(z, 0, 0.4);
  EXPECT_NEAR(score_of(*classifier, data, "a class\n* p\n"), 0.4 * x + 0.4 * y + 0.2 * z, 1e-9);
}

// Rows that hide a cell do not make hiding a value: all hidden cells are of one class, and raw rows hide none.
TEST(Boosted, HiddenCellsAreNoCategory) {
  std::string table = "a n class\n";
  for (int i = 0; i < 60; ++i) table += "* " + std::to_string(i % 6) + (i % 6 < 3 ? " p\n" : " q\n");
  for (int i = 0; i < 60; ++i) table += "x " + std::to_string(i % 6) + (i % 6 < 3 ? " p\n" : " q\n");
  for (int i = 0; i < 40; ++i) table += "* 0 p\n";
  const Dataset data = dataset_of(table);
  Progress progress;
  const auto classifier = train("boosted", data, {}, progress);
  EXPECT_LT(score_of(*classifier, data, "a n class\nx 1 p\n"), -1);
  EXPECT_GT(score_of(*classifier, data, "a n class\nx 4 p\n"), 1);
  EXPECT_DOUBLE_EQ(score_of(*classifier, data, "a n class\nx 4 p\n"),
                   score_of(*classifier, data, "a n class\n* 4 p\n"));
}

TEST(Boosted, OneClass) {
  const Dataset data = dataset_of("a class\nx p\ny p\n");
  Progress progress;
  EXPECT_EQ(error_rate(*train("boosted", data, {}, progress), data), 0);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
