#include "shoal/learn/naive_bayes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "shoal/learn/discretise.h"
#include "testing/counted_table.h"
#include "testing/learn_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::dataset_of;

std::vector<double> chances_of(const Dataset& train, const std::string& table, const Params& params = {},
                               const DatasetReading& reading = {"class", {"?", "*"}, {}}) {
  Progress progress;
  const auto classifier = shoal::train("nb", train, params, progress);
  const Dataset test = read_dataset_like(train, testing::text_columns(table), reading);
  std::vector<double> chances(train.classes.size());
  classifier->distribution(test, 0, chances);
  return chances;
}

TEST(NaiveBayes, FrequenciesPlusOne) {
  const Dataset data = dataset_of("a b class\nx u p\nx v p\ny u p\ny v q\nz v q\n");
  // p: prior 4/7, a=y 2/6, b=u 3/5; q: prior 3/7, a=y 2/5, b=u 1/4.
  const double p = 4.0 / 7 * 2 / 6 * 3 / 5, q = 3.0 / 7 * 2 / 5 * 1 / 4;
  EXPECT_NEAR(chances_of(data, "a b class\ny u p\n")[0], p / (p + q), 1e-12);
  // A missing cell is left out.
  const double p_only = 4.0 / 7 * 2 / 6, q_only = 3.0 / 7 * 2 / 5;
  EXPECT_NEAR(chances_of(data, "a b class\ny ? p\n")[0], p_only / (p_only + q_only), 1e-12);
}

TEST(NaiveBayes, NormalDensities) {
  const Dataset data = dataset_of("n class\n1 p\n3 p\n5 p\n7 q\n9 q\n");
  // Precision 2 (the gap); p: mean of 0 (1 rounds to even), 4, 4... values are rounded to multiples of 2.
  auto rounded = [](double x) { return std::rint(x / 2) * 2; };
  auto mass = [&](std::vector<double> values, double x) {
    double mean = 0, square = 0;
    for (double value : values) mean += rounded(value) / static_cast<double>(values.size());
    for (double value : values) square += (rounded(value) - mean) * (rounded(value) - mean);
    const double deviation = std::max(std::sqrt(square / static_cast<double>(values.size())), 2.0 / 6);
    auto below = [&](double at) { return 0.5 * std::erfc(-(at - mean) / deviation / std::sqrt(2.0)); };
    return below(rounded(x) + 1) - below(rounded(x) - 1);
  };
  const double p = 4.0 / 7 * mass({1, 3, 5}, 6), q = 3.0 / 7 * mass({7, 9}, 6);
  EXPECT_NEAR(chances_of(data, "n class\n6 p\n")[0], p / (p + q), 1e-9);
}

// Of class q no number is known: it is taken to have those of all rows, not to be impossible (or certain) everywhere.
TEST(NaiveBayes, AClassWithoutNumbersHasThoseOfAll) {
  const Dataset data = dataset_of("n class\n100 p\n120 p\n140 p\n* q\n* q\n* q\n* q\n* q\n");
  for (const char* number : {"100", "120", "140"}) {
    const double q = chances_of(data, std::string("n class\n") + number + " p\n")[1];
    EXPECT_NEAR(q, 6.0 / 10, 1e-9) << number;  // p's numbers are all numbers: the classes' own shares decide
  }
  const Dataset nothing =
      dataset_of("n a class\n* x p\n* y q\n* y q\n", {"class", {"*"}, {{"n", {ReadAs::numeric, {}}}}});
  const DatasetReading reading{"class", {"*"}, {{"n", {ReadAs::numeric, {}}}}};
  EXPECT_NEAR(chances_of(nothing, "n a class\n5 x p\n", {}, reading)[0],
              chances_of(nothing, "n a class\n* x p\n", {}, reading)[0], 1e-12);
}

// A group shows its numbers only where its path asked for them: here for the rows of class q, and a few of p. Each test
// row is p far more often, whatever its number.
TEST(NaiveBayes, SuppressedCellsAreSpreadOverTheColumn) {
  std::string table = "n class\n";
  for (int row = 0; row < 90; ++row) table += "* p\n";
  for (int row = 0; row < 5; ++row) table += "1 p\n9 p\n9 p\n9 p\n9 p\n9 p\n9 p\n9 p\n9 p\n1 q\n1 q\n";
  Dataset data = dataset_of(table);
  // What is known alone: 1 is q's in 10 of 15 rows. Spread by the column, 90 rows of p have their share of 1 as well.
  EXPECT_LT(chances_of(data, "n class\n1 p\n")[0], 0.8);
  data.recoded_locally = true;
  EXPECT_GT(chances_of(data, "n class\n1 p\n")[0], 0.6);
  // By hand: the column is 1 in 15 of 55 known rows. p: 5 + 90·15/55 of 135 are 1, plus 2·15/55 of 2; q: 10 of 10 and
  // so on.
  const double share = 15.0 / 55, p = 136.0 / 147 * (5 + 90 * share + 2 * share) / 137;
  const double q = 11.0 / 147 * (10 + 2 * share) / 12;
  EXPECT_NEAR(chances_of(data, "n class\n1 p\n")[0], p / (p + q), 1e-9);
}

TEST(NaiveBayes, ARangeIsTheChanceOfBeingInIt) {
  const Dataset data = dataset_of("n class\n10 p\n20 p\n30 p\n40 q\n50 q\n60 q\n");
  // Symmetric about 35, and nearly everything of either class lies in the widest range.
  EXPECT_NEAR(chances_of(data, "n class\n[30,40] p\n")[0], 0.5, 1e-9);
  EXPECT_NEAR(chances_of(data, "n class\n[-1000,1000] p\n")[0], 0.5, 1e-6);
  EXPECT_GT(chances_of(data, "n class\n[10,30] p\n")[0], 0.9);
}

TEST(NaiveBayes, ASetIsTheChanceOfAnyOfIt) {
  const LabelTree tree = label_tree(testing::indented_tree("*\n  low\n    x\n    y\n  z\n"));
  const DatasetReading reading{"class", {"*"}, {{"a", {ReadAs::categorical, tree}}}};
  const Dataset data = dataset_of("a class\nx p\ny p\nz q\nx q\nz p\n", reading);
  const double p = 4.0 / 7 * (2 + 2) / 6, q = 3.0 / 7 * (2 + 1) / 5;
  EXPECT_NEAR(chances_of(data, "a class\nlow p\n", {}, reading)[0], p / (p + q), 1e-12);
  // Trained on a set: spread over x and y like the known rows of its class, one added to each.
  const Dataset vague = dataset_of("a class\nx p\nx p\ny p\nz q\nx q\nlow p\n", reading);
  const double px = 5.0 / 8 * (2 + 3.0 / 5 + 1) / 7, qx = 3.0 / 8 * 2 / 5;
  EXPECT_NEAR(chances_of(vague, "a class\nx p\n", {}, reading)[0], px / (px + qx), 1e-12);
}

// z is a category (the tree knows it, the test table shows it), but no training row is z.
TEST(NaiveBayes, AValueNeverSeenSpeaksForNoClass) {
  const TrainTest data = read_presplit(testing::text_columns("a class\nx p\nx p\nx p\ny q\n"),
                                       testing::text_columns("a class\nz p\n"), {"class", {"*"}, {}});
  ASSERT_EQ(data.train.attributes[0].categories.size(), 3U);
  Progress progress;
  const auto classifier = shoal::train("nb", data.train, {}, progress);
  std::vector<double> chances(2);
  classifier->distribution(data.test, 0, chances);
  EXPECT_NEAR(chances[0], 4.0 / 6, 1e-12);  // the classes' own, counted plus one
}

// Trained on ranges, asked for numbers as collected: 1 is learned as [0,10], so that it counts as 5, like its row.
TEST(NaiveBayes, ANumberAsCollectedStandsWhereItsRangeStands) {
  const Dataset data = dataset_of("n class\n[0,10] p\n[0,10] p\n[20,40] q\n[20,40] q\n[20,40] p\n");
  Dataset test = read_dataset_like(data, testing::text_columns("n class\n1 p\n[0,10] p\n"), {"class", {"*"}, {}});
  Progress progress;
  const auto classifier = shoal::train("nb", data, {}, progress);
  std::vector<double> of_number(2), of_same(2);
  test.as_collected = true;
  classifier->distribution(test, 0, of_number);
  test.attributes[0].extents[test.attributes[0].codes[0]] = {10, 10};  // another number of the same range
  classifier->distribution(test, 0, of_same);
  EXPECT_EQ(of_number, of_same);
  EXPECT_GT(of_number[0], 0.9);
}

TEST(NaiveBayes, DiscretisedAsCategories) {
  // Twelve rows, classes apart at 6.5: a clear cut.
  const Dataset data = dataset_of("n class\n1 p\n2 p\n3 p\n4 p\n5 p\n6 p\n7 q\n8 q\n9 q\n10 q\n11 q\n12 q\n");
  EXPECT_EQ(entropy_cuts(data.attributes[0], data), std::vector<double>{6.5});
  EXPECT_NEAR(chances_of(data, "n class\n3 p\n", {{"numeric", "discretised"}})[0], 7.0 / 8, 1e-12);
  EXPECT_NEAR(chances_of(data, "n class\n[6,7] p\n", {{"numeric", "discretised"}})[0], 0.5, 1e-12);
}

// Cut where the ranges meet, not halfway between their middles (25).
TEST(Discretise, RangesAreCutWhereTheyMeet) {
  std::string table = "n class\n";
  for (int row = 0; row < 20; ++row) table += "[0,0] p\n[1,99] q\n";
  const Dataset apart = dataset_of(table);
  EXPECT_EQ(entropy_cuts(apart.attributes[0], apart), std::vector<double>{0.5});
  table = "n class\n";
  for (int row = 0; row < 20; ++row) table += "[0,10] p\n[10,90] q\n";
  const Dataset meeting = dataset_of(table);
  EXPECT_EQ(entropy_cuts(meeting.attributes[0], meeting), std::vector<double>{10});
  // Nested: what lies inside the narrow range is mostly of its class.
  table = "n class\n";
  for (int row = 0; row < 40; ++row) table += "[0,100] p\n[40,50] q\n[40,50] q\n";
  const Dataset nested = dataset_of(table);
  EXPECT_EQ(entropy_cuts(nested.attributes[0], nested), (std::vector<double>{40, 50}));
  // A number that a range ends at is above the range.
  table = "n class\n";
  for (int row = 0; row < 20; ++row) table += "[0,7] p\n7 q\n";
  const Dataset touching = dataset_of(table);
  std::vector<double> shares;
  const auto cuts = entropy_cuts(touching.attributes[0], touching);
  ASSERT_EQ(cuts.size(), 1U);
  interval_shares(cuts, {7, 7}, shares);
  EXPECT_EQ(shares, (std::vector<double>{0, 1}));
  interval_shares(cuts, {0, 7}, shares);
  EXPECT_GT(shares[0], 0.999);
}

TEST(Discretise, RandomNumbersAreNotCut) {
  size_t cuts = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Dataset data = testing::random_dataset({100, 1, 2, 40, 0, 0, false}, seed);
    if (!data.attributes[0].numeric) continue;
    for (size_t row = 0; row < data.rows; ++row) data.class_of[row] = static_cast<uint32_t>((row * 7919 + seed) % 2);
    cuts += entropy_cuts(data.attributes[0], data).size();
  }
  EXPECT_LE(cuts, 6U);
}

// Exhaustive: the first cut is the one of least entropy, and is made exactly when the rule says so.
TEST(Discretise, FirstCutByDefinition) {
  size_t cut_tables = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const Dataset data = testing::random_dataset({30, 1, 3, 5, 0.1, 0, true}, seed);
    const Attribute& attribute = data.attributes[0];
    if (!attribute.numeric) continue;
    auto sums = [&](double low, double high) {
      std::vector<double> weights(3, 0);
      for (size_t row = 0; row < data.rows; ++row) {
        if (attribute.missing(row)) continue;
        const double number = attribute.extents[attribute.codes[row]].low;
        if (number > low && number <= high) weights[data.class_of[row]] += data.weights[row];
      }
      return weights;
    };
    auto total = [](const std::vector<double>& w) { return w[0] + w[1] + w[2]; };
    auto entropy = [&](const std::vector<double>& w) {
      double bits = 0;
      for (double x : w) bits -= x > 0 ? x / total(w) * std::log2(x / total(w)) : 0;
      return bits;
    };
    auto classes = [](const std::vector<double>& w) {
      return static_cast<double>((w[0] > 0) + (w[1] > 0) + (w[2] > 0));
    };
    const auto whole = sums(-1e9, 1e9);
    const double n = total(whole);
    double best = 1e9;
    bool worth = false;
    for (size_t v = 0; v + 1 < attribute.extents.size(); ++v) {
      const auto left = sums(-1e9, attribute.extents[v].low), right = sums(attribute.extents[v].low, 1e9);
      if (total(left) == 0 || total(right) == 0) continue;
      const double after = (total(left) * entropy(left) + total(right) * entropy(right)) / n;
      if (after >= best - 1e-9) continue;
      best = after;
      const double delta = std::log2(std::pow(3.0, classes(whole)) - 2) - classes(whole) * entropy(whole) +
                           classes(left) * entropy(left) + classes(right) * entropy(right);
      worth = entropy(whole) - after > (std::log2(n - 1) + delta) / n;
    }
    EXPECT_EQ(!entropy_cuts(attribute, data).empty(), worth) << "seed " << seed;
    if (worth) ++cut_tables;
  }
  EXPECT_GT(cut_tables, 10U);
}

TEST(Discretise, SharesOfARange) {
  const std::vector<double> cuts{10, 20};
  std::vector<double> shares;
  interval_shares(cuts, {5, 25}, shares);
  EXPECT_EQ(shares, (std::vector<double>{0.25, 0.5, 0.25}));
  interval_shares(cuts, {10, 10}, shares);
  EXPECT_EQ(shares, (std::vector<double>{1, 0, 0}));
  interval_shares(cuts, {12, 14}, shares);
  EXPECT_EQ(shares, (std::vector<double>{0, 1, 0}));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
