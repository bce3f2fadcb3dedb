#include "shoal/learn/c45_split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "testing/learn_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::random_dataset;

double bits(const std::vector<double>& weights) {
  double sum = 0, entropy = 0;
  for (double weight : weights) sum += weight;
  for (double weight : weights) entropy -= weight > 0 ? weight / sum * std::log2(weight / sum) : 0;
  return entropy;
}

// Everything by definition and from scratch: each threshold counts all rows anew.
struct PlainSplit {
  std::vector<double> branches;
  double threshold = 0, gain = 0, ratio = 0;
};

class PlainSearch {
 public:
  PlainSearch(const Dataset& data, double min_objects) : data_(data), min_objects_(min_objects) {}

  std::optional<PlainSplit> try_column(const Attribute& attribute) const {
    return attribute.numeric ? numeric(attribute) : categorical(attribute);
  }

 private:
  // The share of row's cell that lies in `branch`; -1 when it is not known.
  double share(const Attribute& attribute, size_t row, size_t branch, double threshold) const {
    const uint32_t code = attribute.codes[row];
    if (code == Attribute::kMissing) return -1;
    if (!attribute.numeric) return attribute.known_category(code) ? (code == branch ? 1 : 0) : -1;
    const Extent& extent = attribute.extents[code];
    const double left = extent.high <= threshold ? 1
                        : extent.low > threshold ? 0
                                                 : (threshold - extent.low) / (extent.high - extent.low);
    return branch == 0 ? left : 1 - left;
  }

  // Gain without correction, and gain ratio's divisor.
  PlainSplit score(const Attribute& attribute, size_t branches, double threshold) const {
    PlainSplit split;
    split.threshold = threshold;
    std::vector<double> known(data_.classes.size(), 0);
    std::vector<std::vector<double>> parts(branches, known);
    double total = 0, unknown = 0;
    for (size_t row = 0; row < data_.rows; ++row) {
      total += data_.weights[row];
      if (share(attribute, row, 0, threshold) < 0) {
        unknown += data_.weights[row];
        continue;
      }
      known[data_.class_of[row]] += data_.weights[row];
      for (size_t b = 0; b < branches; ++b) {
        parts[b][data_.class_of[row]] += data_.weights[row] * share(attribute, row, b, threshold);
      }
    }
    double after = 0;
    for (const auto& part : parts) {
      split.branches.push_back(std::accumulate(part.begin(), part.end(), 0.0));
      if (split.branches.back() > 0) after += split.branches.back() / (total - unknown) * bits(part);
    }
    split.gain = (total - unknown) / total * (bits(known) - after);
    std::vector<double> told = split.branches;
    told.push_back(unknown);
    split.ratio = bits(told);
    return split;
  }

  std::optional<PlainSplit> categorical(const Attribute& attribute) const {
    PlainSplit split = score(attribute, attribute.categories.size(), 0);
    const auto large = std::count_if(split.branches.begin(), split.branches.end(),
                                     [&](double weight) { return weight >= min_objects_; });
    if (large < 2) return std::nullopt;
    split.ratio = split.ratio > 0 ? split.gain / split.ratio : 0;
    return split;
  }

  std::optional<PlainSplit> numeric(const Attribute& attribute) const {
    std::set<double> ends;
    double known = 0;
    for (size_t row = 0; row < data_.rows; ++row) {
      if (attribute.missing(row)) continue;
      known += data_.weights[row];
      ends.insert(attribute.extents[attribute.codes[row]].low);
      ends.insert(attribute.extents[attribute.codes[row]].high);
    }
    double least = 0.1 * known / static_cast<double>(data_.classes.size());
    least = least <= min_objects_ ? min_objects_ : std::min(least, 25.0);
    std::optional<PlainSplit> best;
    double last = 0, total = data_.total_weight();
    size_t tried = 0;
    for (double end : ends) {
      PlainSplit split = score(attribute, 2, end);
      if (split.branches[0] < least - 1e-9 || split.branches[1] < least - 1e-9) continue;
      if (split.branches[0] < last + 1e-6) continue;
      last = split.branches[0];
      ++tried;
      if (!best || split.gain > best->gain + 1e-6) best = split;
    }
    if (!best || best->gain <= 1e-6) return std::nullopt;
    best->gain -= std::log2(static_cast<double>(tried)) / total;
    if (best->gain <= 1e-6) return std::nullopt;
    best->ratio = best->gain / best->ratio;
    return best;
  }

  const Dataset& data_;
  double min_objects_;
};

struct PlainChoice {
  uint32_t attribute = 0;
  PlainSplit split;
};
std::optional<PlainChoice> plain_best(const Dataset& data, double min_objects) {
  std::vector<double> classes(data.classes.size(), 0);
  for (size_t row = 0; row < data.rows; ++row) classes[data.class_of[row]] += data.weights[row];
  if (data.total_weight() < 2 * min_objects || bits(classes) == 0) return std::nullopt;
  const PlainSearch search(data, min_objects);
  std::vector<PlainChoice> choices;
  double sum = 0, counted = 0;
  // Columns of very many categories do not count towards the average, unless all are such.
  auto many = [&](const Attribute& attribute) {
    return !attribute.numeric && static_cast<double>(attribute.categories.size()) >= 0.3 * data.total_weight();
  };
  const bool all_many = std::all_of(data.attributes.begin(), data.attributes.end(), many);
  for (uint32_t j = 0; j < data.attributes.size(); ++j) {
    if (auto split = search.try_column(data.attributes[j])) {
      choices.push_back({j, *split});
      if (many(data.attributes[j]) && !all_many) continue;
      sum += split->gain;
      ++counted;
    }
  }
  std::optional<PlainChoice> best;
  for (const PlainChoice& choice : choices) {
    if (counted > 0 && choice.split.gain < sum / counted - 1e-3) continue;
    if (choice.split.ratio > (best ? best->split.ratio : 0) + 1e-6) best = choice;
  }
  return best;
}

void compare(const testing::RandomDatasetSettings& settings, uint64_t seeds, size_t& splits) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const Dataset data = random_dataset(settings, seed);
    SplitSearch search(data, 2);
    const auto fast = search.best(all_rows(data), PathLimits(data));
    const auto plain = plain_best(data, 2);
    ASSERT_EQ(fast.has_value(), plain.has_value()) << "seed " << seed;
    if (!fast) continue;
    ++splits;
    ASSERT_EQ(fast->attribute, plain->attribute) << "seed " << seed;
    EXPECT_NEAR(fast->gain, plain->split.gain, 1e-9) << "seed " << seed;
    EXPECT_NEAR(fast->gain_ratio, plain->split.ratio, 1e-9) << "seed " << seed;
    ASSERT_EQ(fast->branches.size(), plain->split.branches.size());
    for (size_t b = 0; b < fast->branches.size(); ++b) {
      EXPECT_NEAR(fast->branches[b], plain->split.branches[b], 1e-9) << "seed " << seed;
    }
  }
}

TEST(C45Split, EqualsThePlainSearch) {
  size_t splits = 0;
  for (size_t rows : {6, 15, 40, 120}) compare({rows, 4, 3, 5, 0.1, 0, false}, 400, splits);
  compare({25, 3, 2, 12, 0, 0, true}, 400, splits);
  compare({8, 3, 2, 60, 0.1, 0, false}, 400, splits);  // more values than rows: sorted
  EXPECT_GT(splits, 1000U);
}

TEST(C45Split, EqualsThePlainSearchOnVagueCells) {
  size_t splits = 0;
  for (size_t rows : {8, 30, 80}) compare({rows, 4, 3, 5, 0.1, 0.5, true}, 400, splits);
  EXPECT_GT(splits, 500U);
}

TEST(C45Split, GolfNumbersOfTheBook) {
  const Dataset golf = testing::dataset_of(testing::golf_table());
  SplitSearch search(golf, 2);
  const auto split = search.best(all_rows(golf), PathLimits(golf));
  ASSERT_TRUE(split);
  EXPECT_EQ(golf.attributes[split->attribute].name, "outlook");
  EXPECT_NEAR(split->gain, 0.246, 0.001);        // page 23
  EXPECT_NEAR(split->gain_ratio, 0.156, 0.001);  // page 24
}

TEST(C45Split, GolfWithAnUnknownOutlook) {  // pages 28 to 30
  std::string table = testing::golf_table();
  table.replace(table.find("overcast 72"), 8, "?");
  const Dataset golf = testing::dataset_of(table);
  SplitSearch search(golf, 2);
  const PathLimits path(golf);
  const auto split = search.best(all_rows(golf), path);
  ASSERT_TRUE(split);
  EXPECT_EQ(golf.attributes[split->attribute].name, "outlook");
  EXPECT_NEAR(split->gain, 0.199, 0.001);
  EXPECT_NEAR(split->gain_ratio, 0.110, 0.001);
  const auto parts = split_rows(golf, *split, all_rows(golf), path);
  ASSERT_EQ(parts.size(), 3U);  // overcast, rain, sunny
  EXPECT_NEAR(parts[0].weights[0], 3.0 / 13, 1e-12);
  EXPECT_NEAR(std::accumulate(parts[2].weights.begin(), parts[2].weights.end(), 0.0), 5 + 5.0 / 13, 1e-12);
}

TEST(C45Split, RangesArePartedWhereTheyMeet) {
  const Dataset data =
      testing::dataset_of("age class\n[20,29] a\n[20,29] a\n[20,29] a\n[30,59] b\n[30,59] b\n[30,59] b\n");
  SplitSearch search(data, 2);
  const auto split = search.best(all_rows(data), PathLimits(data));
  ASSERT_TRUE(split);
  EXPECT_EQ(split->threshold, 29.5);
  EXPECT_NEAR(split->gain, 1, 1e-12);  // a single cut was worth trying: nothing to pay
}

TEST(C45Split, ARangeIsSpreadWithinThePathsLimits) {
  const Dataset data = testing::dataset_of("age class\n[0,10] a\n4 b\n");
  const Attribute& age = data.attributes[0];
  std::vector<double> shares(2);
  const std::vector<double> branches{1, 1};
  branch_shares(age, 0, 4, {}, branches, shares);
  EXPECT_NEAR(shares[0], 0.4, 1e-12);
  branch_shares(age, 0, 4, {2, 6, false}, branches, shares);
  EXPECT_NEAR(shares[0], 0.5, 1e-12);
  branch_shares(age, 1, 4, {}, branches, shares);
  EXPECT_EQ(shares[0], 1);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
