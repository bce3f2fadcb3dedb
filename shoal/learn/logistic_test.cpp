#include "shoal/learn/logistic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "testing/learn_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::dataset_of;
using testing::random_dataset;

TEST(Logistic, GradientAndCurvatureAgreeWithDifferences) {
  std::mt19937_64 random(1);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Dataset data = random_dataset({40, 4, 3, 4, 0.1, 0.2, true}, seed);
    const LinearDesign design(data);
    LogisticLoss loss(data, design, 0.3);
    const size_t n = loss.size();
    std::vector<double> at(n), direction(n), gradient(n), near(n), ahead(n), behind(n), bent(n), diagonal(n);
    for (size_t i = 0; i < n; ++i) {
      at[i] = static_cast<double>(random() % 2001) / 1000 - 1;
      direction[i] = static_cast<double>(random() % 2001) / 1000 - 1;
    }
    constexpr double kStep = 1e-5;
    auto moved = [&](double length) {
      for (size_t i = 0; i < n; ++i) near[i] = at[i] + length * direction[i];
      return near;
    };
    const double up = loss.value(moved(kStep), ahead), down = loss.value(moved(-kStep), behind);
    loss.value(at, gradient);
    double slope = 0;
    for (size_t i = 0; i < n; ++i) slope += gradient[i] * direction[i];
    EXPECT_NEAR((up - down) / (2 * kStep), slope, 1e-4 * (1 + std::abs(slope)));
    loss.curvature(direction, bent);
    for (size_t i = 0; i < n; ++i) EXPECT_NEAR((ahead[i] - behind[i]) / (2 * kStep), bent[i], 1e-3);
    loss.curvature_diagonal(diagonal);
    for (size_t i = 0; i < n; ++i) {
      std::vector<double> unit(n, 0);
      unit[i] = 1;
      loss.curvature(unit, bent);
      EXPECT_NEAR(bent[i], diagonal[i], 1e-9 * (1 + diagonal[i]));
    }
  }
}

// Entry by entry against products with unit directions, and divided by: a class of the answer must come back.
TEST(Logistic, BlocksAreTheCurvatureWithinEachClass) {
  std::mt19937_64 random(2);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Dataset data = random_dataset({60, 4, 3, 4, 0.1, 0.2, true}, seed);
    const LinearDesign design(data);
    LogisticLoss loss(data, design, 0.3);
    const size_t n = loss.size(), classes = data.classes.size() - 1, places = n / classes;
    std::vector<double> at(n), gradient(n), bent(n);
    for (double& value : at) value = static_cast<double>(random() % 2001) / 1000 - 1;
    loss.value(at, gradient);
    CurvatureBlocks blocks = loss.curvature_blocks();
    ASSERT_EQ(blocks.places(), places);
    ASSERT_EQ(blocks.classes(), classes);
    std::vector<double> wanted(n), product(n, 0);
    for (double& value : wanted) value = static_cast<double>(random() % 2001) / 1000 - 1;
    for (size_t i = 0; i < n; ++i) {
      std::vector<double> unit(n, 0);
      unit[i] = 1;
      loss.curvature(unit, bent);
      const size_t k = i % classes;
      for (size_t place = 0; place < places; ++place) {
        const double entry = bent[place * classes + k];
        product[place * classes + k] += entry * wanted[i];
        if (place > i / classes) continue;
        EXPECT_NEAR(blocks.entries(i / classes, place)[k], entry, 1e-9 * (1 + std::abs(entry)));
      }
    }
    blocks.factor();
    blocks.solve(product);
    for (size_t i = 0; i < n; ++i) EXPECT_NEAR(product[i], wanted[i], 1e-7) << seed;
  }
}

// Two equal columns and no penalty: the matrix has no inverse, and what is divided by it must stay finite.
TEST(Logistic, BlocksWithoutAnInverseStayFinite) {
  CurvatureBlocks blocks(3, 2);
  for (size_t row = 0; row < 3; ++row) {
    for (size_t column = 0; column <= row; ++column) {
      for (double& entry : blocks.entries(row, column)) entry = row == 2 ? 0 : 4;
    }
  }
  blocks.factor();
  std::vector<double> values{1, 2, 1, 2, 3, 4};
  blocks.solve(values);
  for (double value : values) EXPECT_TRUE(std::isfinite(value));
  // Of the two directions of the equal columns only the common one is told.
  EXPECT_NEAR(values[0] + values[2], 0.25, 1e-6);
  EXPECT_NEAR(values[1] + values[3], 0.5, 1e-6);
}

TEST(Logistic, TheGradientVanishesAtTheAnswer) {
  Progress progress;
  for (double ridge : {1e-8, 0.1, 10.0}) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      const Dataset data = random_dataset({120, 4, 3, 4, 0.1, 0, false}, seed);
      const LinearDesign design(data);
      LogisticLoss loss(data, design, ridge);
      const auto answer = minimise(loss, 200, progress);
      std::vector<double> gradient(loss.size());
      loss.value(answer, gradient);
      for (double part : gradient) EXPECT_NEAR(part, 0, 2e-4) << "ridge " << ridge << ", seed " << seed;
    }
  }
}

// One indicator and no penalty: the chances are the shares of each category.
TEST(Logistic, ClosedFormOfOneColumn) {
  Progress progress;
  const Dataset data = dataset_of("a class\nx p\nx p\nx p\nx q\ny p\ny q\ny q\ny q\ny q\n");
  const auto classifier = train("logistic", data, {{"ridge", "1e-8"}}, progress);
  std::vector<double> chances(2);
  classifier->distribution(data, 0, chances);
  EXPECT_NEAR(chances[0], 0.75, 1e-5);
  classifier->distribution(data, 5, chances);
  EXPECT_NEAR(chances[0], 0.2, 1e-5);
}

TEST(Logistic, SeveralClassesInClosedForm) {
  Progress progress;
  const Dataset data = dataset_of("a class\nx p\nx p\nx q\nx r\ny p\ny q\ny q\ny r\nz r\nz r\nz p\nz q\n");
  const auto classifier = train("logistic", data, {{"ridge", "1e-8"}}, progress);
  std::vector<double> chances(3);
  classifier->distribution(data, 4, chances);
  EXPECT_NEAR(chances[0], 0.25, 1e-4);
  EXPECT_NEAR(chances[1], 0.5, 1e-4);
  classifier->distribution(data, 8, chances);
  EXPECT_NEAR(chances[2], 0.5, 1e-4);
}

TEST(Logistic, APenaltyPullsTowardsTheShares) {
  Progress progress;
  const Dataset data = dataset_of("n class\n1 p\n2 p\n3 p\n4 q\n5 q\n6 q\n7 q\n");
  double last = 1;
  for (const char* ridge : {"0.001", "1", "100", "1e6"}) {
    const auto classifier = train("logistic", data, {{"ridge", ridge}}, progress);
    std::vector<double> chances(2);
    classifier->distribution(data, 0, chances);
    EXPECT_LT(chances[0], last);
    last = chances[0];
  }
  EXPECT_NEAR(last, 3.0 / 7, 1e-3);
}

// A category of which one released row is known, by chance of class q, must not outweigh what all other rows say.
TEST(Logistic, OneKnownCellOfManySuppressedDecidesNothing) {
  std::string table = "a b class\n";
  for (int row = 0; row < 60; ++row) table += row % 3 == 0 ? "x * q\n" : "x * p\n";
  table += "x s p\nx t q\n";
  Progress progress;
  const Dataset data = dataset_of(table);
  const auto classifier = train("logistic", data, {}, progress);
  const Dataset test = read_dataset_like(data, testing::text_columns("a b class\nx t p\n"), {"class", {"*"}, {}});
  std::vector<double> chances(2);
  classifier->distribution(test, 0, chances);
  EXPECT_GT(chances[0], 0.5);
}

TEST(Logistic, ClassesApartNeedNoPenaltyToEnd) {
  Progress progress;
  const Dataset data = dataset_of("n class\n1 p\n2 p\n3 q\n4 q\n");
  const auto classifier = train("logistic", data, {{"ridge", "0"}}, progress);
  for (size_t row = 0; row < 4; ++row) EXPECT_EQ(classifier->predict(data, row), data.class_of[row]);
}

TEST(Logistic, MissingCellsAreTheMean) {
  const Dataset data = dataset_of("n a class\n1 x p\n3 x q\n? y p\n2 ? q\n");
  const LinearDesign design(data);
  std::vector<LinearDesign::Cell> cells;
  design.encode(data, 2, cells);
  ASSERT_EQ(cells.size(), 1U);  // the mean is 0; y's indicator
  EXPECT_EQ(design.names()[cells[0].first], "a = y");
  cells.clear();
  const double whole = [&] {
    std::vector<LinearDesign::Cell> known;
    design.encode(data, 2, known);
    return known[0].second;
  }();
  design.encode(data, 3, cells);  // 2 is the mean of 1 and 3; one known row in three is y
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].second, 0);
  EXPECT_NEAR(cells[1].second, whole / 3, 1e-12);
}

// Rows that repeat are learned from once, with their weight.
TEST(Logistic, RepeatedRowsChangeNothing) {
  std::string table = "n a class\n";
  std::mt19937_64 random(5);
  for (int row = 0; row < 1500; ++row) {
    const auto n = random() % 5, a = random() % 3;
    table += std::to_string(n) + (a == 0 ? " x " : a == 1 ? " y " : " ? ") + (random() % 6 > n ? "p\n" : "q\n");
  }
  const Dataset data = dataset_of(table);
  ASSERT_TRUE(data.merged_by_half());
  Dataset apart =
      data;  // a column of nothing but different numbers keeps rows apart; without it they are learned whole
  apart.attributes[0].extents.resize(1500, {0, 0});
  ASSERT_FALSE(apart.merged_by_half());
  Progress progress;
  const auto merged = train("logistic", data, {}, progress), whole = train("logistic", apart, {}, progress);
  std::vector<double> one(2), other(2);
  for (size_t row = 0; row < 50; ++row) {
    merged->distribution(data, row, one);
    whole->distribution(data, row, other);
    EXPECT_NEAR(one[0], other[0], 1e-6);
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
