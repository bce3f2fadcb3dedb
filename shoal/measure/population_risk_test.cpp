#include "shoal/measure/population_risk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "shoal/measure/suda.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

TEST(PopulationRisk, IndividualRisk) {
  EXPECT_NEAR(individual_risk(1, 10), 0.2558, 5e-5);
  EXPECT_NEAR(individual_risk(2, 20), 0.0827, 5e-5);
  EXPECT_NEAR(individual_risk(5, 50), 0.0244, 5e-5);
  // The sample is the population; fewer people than rows cannot be.
  EXPECT_EQ(individual_risk(1, 1), 1);
  EXPECT_EQ(individual_risk(2, 2), 0.5);
  EXPECT_EQ(individual_risk(4, 3), 0.25);
  // Continuous where the formulas divide by 1 - p.
  EXPECT_NEAR(individual_risk(1, 1 + 1e-6), 1, 1e-5);
  EXPECT_NEAR(individual_risk(2, 2 + 1e-5), 0.5, 1e-4);
}

// The mean of 1/F given f, summed as it is defined: F - f is negative binomial with f successes of chance p.
TEST(PopulationRisk, IndividualRiskIsTheMeanOfOneOverF) {
  for (const auto& [f, people] : {std::pair{uint64_t{1}, 4.0}, std::pair{uint64_t{2}, 9.0}}) {
    const double p = static_cast<double>(f) / people;
    double sum = 0;
    for (int total = static_cast<int>(f); total < 2000; ++total) {
      const double chance = std::exp(std::lgamma(total) - std::lgamma(double(f)) - std::lgamma(total - double(f) + 1) +
                                     double(f) * std::log(p) + (total - double(f)) * std::log(1 - p));
      sum += chance / total;
    }
    EXPECT_NEAR(individual_risk(f, people), sum, 1e-9) << f;
  }
}

struct Drawn {
  std::vector<uint32_t> sample;
  uint64_t people = 0, uniques = 0;
};

// A population of groups whose size less one is negative binomial, and a sample of it.
Drawn drawn(double alpha, double beta, double fraction, uint64_t seed) {
  std::mt19937_64 random(seed);
  Drawn result;
  std::gamma_distribution<double> gamma(alpha, (1 - beta) / beta);
  for (int group = 0; group < 30000; ++group) {
    const auto size = static_cast<uint32_t>(1 + std::poisson_distribution<int>(gamma(random))(random));
    result.people += size;
    result.uniques += size == 1;
    const auto taken = std::binomial_distribution<uint32_t>(size, fraction)(random);
    if (taken > 0) result.sample.push_back(taken);
  }
  return result;
}

TEST(PopulationRisk, SnbFindsWhatItsModelMade) {
  for (const double alpha : {0.5, 1.0, 3.0}) {
    for (const double fraction : {0.2, 0.5}) {
      const Drawn table = drawn(alpha, 0.25, fraction, 7);
      const PopulationUniques found = population_uniques(table.sample, table.people);
      ASSERT_TRUE(found.snb) << alpha << " " << fraction;
      EXPECT_NEAR(*found.snb / double(table.uniques), 1, 0.15) << alpha << " " << fraction;
    }
  }
}

// The Chinese restaurant with two parameters is Pitman's model; a sample is its beginning.
TEST(PopulationRisk, PitmanFindsWhatItsModelMade) {
  std::mt19937_64 random(11);
  const double alpha = 0.5, theta = 50;
  std::vector<uint32_t> table_of_guest, sizes;
  std::vector<uint32_t> sample;
  const size_t people = 60000, rows = 3000;
  for (size_t guest = 0; guest < people; ++guest) {
    const double total = theta + double(guest);
    if (std::uniform_real_distribution<double>(0, total)(random) < theta + alpha * double(sizes.size())) {
      table_of_guest.push_back(static_cast<uint32_t>(sizes.size()));
      sizes.push_back(1);
    } else {
      while (true) {  // a guest's table, taken with the chance (size - alpha) / size
        const uint32_t table = table_of_guest[random() % guest];
        if (std::uniform_real_distribution<double>(0, sizes[table])(random) < alpha) continue;
        table_of_guest.push_back(table);
        ++sizes[table];
        break;
      }
    }
    if (guest + 1 == rows) sample = sizes;
  }
  const auto uniques = double(std::count(sizes.begin(), sizes.end(), 1U));
  const PopulationUniques found = population_uniques(sample, people);
  ASSERT_TRUE(found.pitman);
  EXPECT_NEAR(*found.pitman / uniques, 1, 0.25);
  EXPECT_EQ(found.chosen, UniquesModel::pitman);  // a twentieth of the population
  EXPECT_EQ(found.people, *found.pitman);
}

TEST(PopulationRisk, ZayatzByHand) {
  // Half of 8 people: groups of 1, 1 and 2. One of two uniques: 4 of 8; one of a pair: 2·(6 choose 3)/(8 choose 4) =
  // 4/7. P(F=1 | f=1) = (1/2·2/3) / (1/2·2/3 + 4/7·1/3) = 7/11, of 2 uniques over 1/2.
  const std::vector<uint32_t> sizes{1, 1, 2};
  const PopulationUniques found = population_uniques(sizes, 8);
  ASSERT_TRUE(found.zayatz);
  EXPECT_NEAR(*found.zayatz, 28.0 / 11, 1e-9);
  EXPECT_NE(found.chosen, UniquesModel::pitman);  // half of the population
  EXPECT_LE(found.people, *found.zayatz);
}

TEST(PopulationRisk, TheSampleMayBeThePopulation) {
  const std::vector<uint32_t> sizes{1, 3, 1};
  EXPECT_EQ(population_uniques(sizes, 5).people, 2);
  const std::vector<double> people{1, 3, 1};
  const PopulationRisk risk = population_risk(sizes, people);
  EXPECT_EQ(risk.risk_max, 1);
  EXPECT_NEAR(risk.risk_sum, 3, 1e-12);
  EXPECT_EQ(risk.smallest_group, 1);
}

Codes codes_of(const std::vector<uint32_t>& values) {
  Codes codes(values.size(), 8);
  for (size_t row = 0; row < values.size(); ++row) codes.set(row, values[row]);
  return codes;
}

TEST(Suda, ScoresBySizeOfTheMinimalSets) {
  EXPECT_EQ(suda_size(3), 3U);
  EXPECT_LT(suda_size(40), 4U);
  // Row 0 is alone by its first column (size 1: (3-1)! = 2); the others look alike.
  Progress progress;
  const Codes a = codes_of({1, 0, 0}), b = codes_of({0, 0, 0}), c = codes_of({0, 0, 0});
  const std::vector<GroupKey> keys{{&a, 8}, {&b, 8}, {&c, 8}};
  const SudaScores scores = suda_scores(3, keys, 3, progress);
  EXPECT_EQ(scores.score_of_row, (std::vector<double>{2, 0, 0}));
  EXPECT_EQ(scores.sets_of_size, (std::vector<uint64_t>{1, 0, 0}));
}

// Plain: every set of columns, every row against every other.
TEST(Suda, AgreesWithComparingAllRows) {
  std::mt19937_64 random(5);
  Progress progress;
  for (int round = 0; round < 200; ++round) {
    const size_t rows = 2 + random() % 8, columns = 1 + random() % 4;
    std::vector<std::vector<uint32_t>> cells(columns, std::vector<uint32_t>(rows));
    for (auto& column : cells) {
      for (uint32_t& cell : column) cell = static_cast<uint32_t>(random() % 3);
    }
    const auto alone = [&](size_t row, uint64_t mask) {
      for (size_t other = 0; other < rows; ++other) {
        bool same = other != row;
        for (size_t j = 0; j < columns; ++j) same = same && (!(mask >> j & 1) || cells[j][other] == cells[j][row]);
        if (same) return false;
      }
      return true;
    };
    std::vector<Codes> codes;
    for (const auto& column : cells) codes.push_back(codes_of(column));
    std::vector<GroupKey> keys;
    for (const Codes& column : codes) keys.push_back({&column, 8});
    const SudaScores scores = suda_scores(rows, keys, columns, progress);
    for (size_t row = 0; row < rows; ++row) {
      double expected = 0;
      for (uint64_t mask = 1; mask < uint64_t{1} << columns; ++mask) {
        bool minimal = alone(row, mask);
        for (uint64_t part = (mask - 1) & mask; part > 0 && minimal; part = (part - 1) & mask)
          minimal = !alone(row, part);
        if (!minimal) continue;
        double factorial = 1;
        for (size_t left = columns - static_cast<size_t>(std::popcount(mask)); left > 1; --left)
          factorial *= double(left);
        expected += factorial;
      }
      EXPECT_EQ(scores.score_of_row[row], expected);
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
