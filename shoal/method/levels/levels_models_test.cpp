// allmin, incognito and datafly with privacy models, against every level vector counted plainly.
#include <gtest/gtest.h>

#include "shoal/method/levels/level_loss.h"
#include "shoal/method/method.h"
#include "testing/levels_oracle.h"
#include "testing/modelled_problem.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using namespace testing;

LevelsOracle oracle_of(const Asked& asked, const Problem& problem) {
  LevelsOracle oracle(problem);
  oracle.breaks = [&asked](size_t i, const std::vector<size_t>& rows) { return breaks(asked, i, rows); };
  oracle.too_many = [&asked](size_t i, size_t groups, size_t rows) {
    if (!asked.with_models[i] || !asked.risk) return false;
    return groups * asked.risk->risk.denominator > rows * asked.risk->risk.numerator;
  };
  return oracle;
}

Asked draw(RandomTables& random, ModelKind kind) {
  Asked asked = draw_asked(random, kind, {.most_rows = 24, .max_values = 4, .several = true, .average_risk = true});
  if (random.draw(0, 2) > 0) asked.suppress_rows = double(random.draw(0, 6)) / 10;
  const auto measures = level_measure_parameter().choices;
  asked.params["measure"] = measures[random.draw(0, measures.size() - 1)];
  return asked;
}

std::vector<uint32_t> numbers(const std::vector<bool>& flags) {
  std::vector<uint32_t> result;
  for (uint32_t i = 0; i < flags.size(); ++i) {
    if (flags[i]) result.push_back(i);
  }
  return result;
}

TEST(LevelsWithModels, EqualExhaustiveEnumeration) {
  RandomTables random(40);
  int with_dropping = 0, not_inherited = 0, none = 0;
  for (int round = 0; round < 800; ++round) {
    const Asked asked = draw(random, kColumnKinds[random.draw(0, std::size(kColumnKinds) - 1)]);
    const Problem problem = asked.problem();
    const LevelsOracle oracle = oracle_of(asked, problem);
    std::vector<LevelsOracle::Levels> satisfying, lowest;
    for (const auto& levels : oracle.all_vectors()) {
      if (oracle.satisfies(levels)) {
        satisfying.push_back(levels);
      } else {
        for (const auto& finer : satisfying) {  // lexicographic: what is finer came before
          not_inherited += std::equal(finer.begin(), finer.end(), levels.begin(), std::less_equal<>());
        }
      }
    }
    const SearchResult incognito = run_method("incognito", problem), allmin = run_method("allmin", problem);
    ASSERT_EQ(incognito.recoding() != nullptr, !satisfying.empty()) << round << incognito.reason();
    ASSERT_EQ(allmin.recoding() != nullptr, !satisfying.empty()) << round << allmin.reason();
    if (satisfying.empty()) {
      ++none;
      continue;
    }
    const std::string& measure = asked.params.at("measure");
    const auto best = LevelsOracle::choose(satisfying, oracle.losses(measure, satisfying));
    EXPECT_EQ(incognito.recoding()->by_value().levels, best) << round << " " << measure;
    EXPECT_EQ(incognito.recoding()->dropped_rows, numbers(oracle.dropped(best))) << round;
    int height = INT_MAX;
    for (const auto& levels : satisfying) height = std::min(height, LevelsOracle::height(levels));
    for (const auto& levels : satisfying) {
      if (LevelsOracle::height(levels) == height) lowest.push_back(levels);
    }
    const auto least = LevelsOracle::choose(lowest, oracle.losses(measure, lowest));
    EXPECT_EQ(allmin.recoding()->by_value().levels, least) << round << " " << measure;
    EXPECT_EQ(allmin.recoding()->dropped_rows, numbers(oracle.dropped(least))) << round;
    with_dropping += !incognito.recoding()->dropped_rows.empty();
    if (HasFailure()) return;
  }
  EXPECT_GT(with_dropping, 20);
  EXPECT_GT(not_inherited, 20) << "no table on which a coarser vector fails though a finer one satisfies";
}

TEST(LevelsWithModels, DataflyDropsWhatBreaksAtItsLevels) {
  RandomTables random(41);
  int dropping = 0;
  for (int round = 0; round < 500; ++round) {
    Asked asked = draw(random, kColumnKinds[random.draw(0, std::size(kColumnKinds) - 1)]);
    asked.params.clear();
    const Problem problem = asked.problem();
    const SearchResult result = run_method("datafly", problem);
    if (!result.recoding()) continue;
    const LevelsOracle oracle = oracle_of(asked, problem);
    EXPECT_EQ(result.recoding()->dropped_rows, numbers(oracle.dropped(result.recoding()->by_value().levels))) << round;
    dropping += !result.recoding()->dropped_rows.empty();
  }
  EXPECT_GT(dropping, 20);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
