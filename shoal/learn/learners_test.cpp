// What must hold for every learner; PART's own rules.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "shoal/error.h"
#include "shoal/learn/learner.h"
#include "testing/learn_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::dataset_of;
using testing::random_dataset;

class EveryLearner : public ::testing::TestWithParam<std::string> {
 protected:
  // All chances for all rows.
  std::vector<double> answers(const Classifier& classifier, const Dataset& data) {
    std::vector<double> all, chances(data.classes.size());
    for (size_t row = 0; row < data.rows; ++row) {
      classifier.distribution(data, row, chances);
      all.insert(all.end(), chances.begin(), chances.end());
    }
    return all;
  }
  void expect_near(const std::vector<double>& a, const std::vector<double>& b, uint64_t seed) {
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-3) << "seed " << seed;
  }
  std::unique_ptr<Classifier> learn(const Dataset& data) {
    // Logistic regression with some penalty: without, classes that come apart have no single answer.
    Params params;
    if (GetParam() == "logistic") params["ridge"] = "0.1";
    return train(GetParam(), data, params, progress_);
  }
  Progress progress_;
};

TEST_P(EveryLearner, ChancesSumToOne) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Dataset data = random_dataset({60, 4, 3, 5, 0.2, 0.3, seed % 2 == 0}, seed);
    const auto all = answers(*learn(data), data);
    for (size_t i = 0; i < all.size(); i += 3) {
      EXPECT_NEAR(all[i] + all[i + 1] + all[i + 2], 1, 1e-9);
      EXPECT_GE(*std::min_element(all.begin() + static_cast<ptrdiff_t>(i), all.begin() + static_cast<ptrdiff_t>(i + 3)),
                0);
    }
  }
}

TEST_P(EveryLearner, WeightsEqualCopies) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Dataset weighted = random_dataset({40, 4, 2, 4, 0.1, 0.2, true}, seed);
    std::vector<uint32_t> copies;
    for (uint32_t row = 0; row < weighted.rows; ++row) {
      copies.insert(copies.end(), static_cast<size_t>(weighted.weights[row]), row);
    }
    Dataset copied = weighted.subset(copies);
    std::fill(copied.weights.begin(), copied.weights.end(), 1.0);
    expect_near(answers(*learn(weighted), weighted), answers(*learn(copied), weighted), seed);
  }
}

TEST_P(EveryLearner, TheOrderOfRowsDoesNotMatter) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Dataset data = random_dataset({50, 4, 3, 5, 0.1, 0.2, false}, seed);
    std::vector<uint32_t> order(data.rows);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
    expect_near(answers(*learn(data), data), answers(*learn(data.subset(order)), data), seed);
  }
}

TEST_P(EveryLearner, LearnsWhatIsThere) {
  const Dataset data = random_dataset({400, 4, 2, 4, 0, 0, false}, 3);
  Dataset clear = data;
  for (size_t row = 0; row < data.rows; ++row) clear.class_of[row] = data.attributes[1].codes[row] > 0 ? 1 : 0;
  EXPECT_LT(error_rate(*learn(clear), clear), 0.05);
}

TEST_P(EveryLearner, OddTables) {
  for (const char* table : {"a class\n1 p\n", "a class\n? p\n? q\n", "a class\nx p\nx p\n", "a b class\n? x p\n1 ? q\n",
                            "a class\n[1,5] p\n[1,5] q\n[2,3] q\n"}) {
    const Dataset data = dataset_of(table);
    for (double chance : answers(*learn(data), data)) EXPECT_TRUE(chance >= 0 && chance <= 1) << table;
    EXPECT_FALSE(learn(data)->text().empty());
  }
}

TEST_P(EveryLearner, SameAnswerOnSeveralThreads) {
  const Dataset data = random_dataset({1000, 4, 3, 5, 0.1, 0.1, false}, 9);
  const auto classifier = learn(data);
  EXPECT_EQ(predict_all(*classifier, data, 1), predict_all(*classifier, data, 3));
}

TEST_P(EveryLearner, StopsWhenAsked) {
  progress_.cancel();
  EXPECT_THROW(learn(random_dataset({400, 4, 2, 4, 0, 0, false}, 3)), Error);
}

std::vector<std::string> learner_names() {
  std::vector<std::string> names;
  for (const LearnerEntry& learner : learners()) names.push_back(learner.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Learners, EveryLearner, ::testing::ValuesIn(learner_names()),
                         [](const auto& learner) { return learner.param; });

TEST(Learners, MistakesAreNamed) {
  Progress progress;
  const Dataset data = dataset_of(testing::golf_table());
  auto message = [&](const std::string& learner, const Params& params) -> std::string {
    try {
      train(learner, data, params, progress);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("c4.5", {}), "no learner 'c4.5'; did you mean 'c45'?; learners: c45, nb, logistic, part, boosted");
  EXPECT_EQ(message("nb", {{"laplace", "1"}}), "learner nb has no parameter 'laplace'; its parameters: numeric");
  EXPECT_EQ(message("nb", {{"numeric", "kernel"}}),
            "parameter numeric of learner nb cannot be 'kernel'; choices: automatic, normal, discretised");
  EXPECT_EQ(message("c45", {{"confidence", "2"}}),
            "parameter confidence of learner c45 is '2'; it must be a number between 1e-06 and 0.5");
  const std::vector<uint32_t> none;
  EXPECT_THROW(train("nb", data.subset(none), {}, progress), Error);
}

TEST(Part, GolfRules) {
  // By hand: overcast is pure and covers most; of the other ten rows windy = true is the purest branch that covers most
  // (3 of 4 Don't: a leaf is estimated no worse than splitting it), then rain, then the rest.
  Progress progress;
  const Dataset golf = dataset_of(testing::golf_table());
  EXPECT_EQ(train("part", golf, {}, progress)->text(),
            "outlook = overcast: Play (4.0)\n"
            "windy = true: Don't (4.0/1.0)\n"
            "outlook = rain: Play (3.0)\n"
            "otherwise: Don't (3.0/1.0)\n"
            "\n4 rules\n");
}

TEST(Part, ContactLenses) {
  // The leaves of C4.5's tree, largest first; of the two with three rows each the first category.
  Progress progress;
  EXPECT_EQ(train("part", dataset_of(testing::contact_lenses()), {}, progress)->text(),
            "tears = reduced: none (12.0)\n"
            "astigmatism = no: soft (6.0/1.0)\n"
            "prescription = hypermetrope: none (3.0/1.0)\n"
            "otherwise: hard (3.0)\n"
            "\n4 rules\n");
}

TEST(Part, RulesTakeTheirRowsAway) {
  // Whole weights and exact cells: the rules' weights add up to the table's, the last rule has no condition.
  Progress progress;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const Dataset data = random_dataset({80, 4, 2, 5, 0, 0, false}, seed);
    const std::string text = train("part", data, {}, progress)->text();
    double sum = 0;
    for (size_t at = text.find(" ("); at != std::string::npos; at = text.find(" (", at + 1)) {
      sum += std::stod(text.substr(at + 2));
    }
    EXPECT_NEAR(sum, 80, 1e-6) << text;
    EXPECT_NE(text.find("otherwise: "), std::string::npos);
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
