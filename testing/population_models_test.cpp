// Every method that keeps models of the population, on random samples of random populations: what is released is
// counted again by looking at every row and every person. Found through the registry.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "shoal/method/search.h"
#include "shoal/model/population_index.h"
#include "shoal/recode/apply.h"
#include "testing/random_problem.h"
#include "testing/rounds.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using namespace testing;

constexpr int kTables = 2000;

// A population, the rows of it that are the table, and what is asked of them.
struct Sample {
  RandomTable people, table;
  std::vector<uint32_t> illness;  // of each row
  std::vector<Requirement> requirements;
  ModelSpec map, presence;
  bool with_map = false, with_presence = false;
  uint64_t least_illnesses = 1;  // distinct-l beside it
  Params params;
  uint64_t seed = 1;

  std::shared_ptr<const GroupRule> rule(const Requirement& requirement) const {
    std::vector<std::vector<uint32_t>> columns;
    for (size_t j : requirement.columns) {
      columns.emplace_back();
      for (size_t row = 0; row < people.table.rows; ++row) columns.back().push_back(people.table.quasi[j].codes[row]);
    }
    const auto index = std::make_shared<const PopulationIndex>(columns, std::vector<uint32_t>(people.table.rows, 1));
    std::vector<CountedModel> models;
    if (with_map) models.push_back(population_model(map, index));
    if (with_presence) models.push_back(population_model(presence, index));
    if (least_illnesses > 1) {
      ModelSpec distinct;
      distinct.column = "illness";
      distinct.l = {least_illnesses, 1};
      models.push_back({make_model(distinct, {}), std::make_shared<const CountedColumn>(CountedColumn{3, illness})});
    }
    return std::make_shared<const GroupRule>(requirement.k, std::move(models));
  }
  Problem problem(bool with_rules = true) const {
    Problem problem = table.problem(requirements);
    problem.params = params;
    problem.seed = seed;
    for (const Requirement& requirement : requirements) {
      if (with_rules) problem.rules.push_back(rule(requirement));
    }
    return problem;
  }
};

Table rows_of(const Table& all, const std::vector<uint32_t>& rows) {
  Table part;
  part.rows = rows.size();
  auto chosen = [&](const Column& column, size_t values) {
    Column result{column.name, Codes(rows.size(), values), column.values};
    for (size_t row = 0; row < rows.size(); ++row) result.codes.set(row, column.codes[rows[row]]);
    return result;
  };
  for (const Column& column : all.quasi) part.quasi.push_back(chosen(column, column.values.size()));
  if (all.target) part.target = chosen(*all.target, all.target->values.size());
  return part;
}

Sample draw_sample(RandomTables& random, const MethodEntry& method, size_t most_people) {
  Sample sample;
  const size_t people = random.draw(2, most_people);
  sample.people = random.table({.rows = people, .columns = random.draw(1, 3), .max_values = 5});
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < people; ++row) {
    if (random.draw(0, 2) == 0) rows.push_back(row);
  }
  if (rows.empty()) rows.push_back(0);
  sample.table.table = rows_of(sample.people.table, rows);
  sample.table.hierarchies = sample.people.hierarchies;
  for (size_t row = 0; row < rows.size(); ++row) sample.illness.push_back(static_cast<uint32_t>(random.draw(0, 2)));
  const bool in_search = population_use(method) == PopulationUse::in_search;
  sample.requirements = random.requirements(sample.table.table);
  if (!in_search) sample.requirements.resize(1);
  for (Requirement& requirement : sample.requirements) {
    requirement.k = random.draw(1, std::max<size_t>(1, rows.size() / 5));
  }
  sample.map = parse_model("k-map:k=" + std::to_string(random.draw(1, std::max<size_t>(1, people / 3))));
  sample.presence = parse_model("delta-presence:min=0,max=1");
  sample.presence.highest = {random.draw(rows.size(), people), people};
  sample.with_presence = in_search && random.draw(0, 1) == 0;
  sample.with_map = !sample.with_presence || random.draw(0, 2) == 0;
  const std::set<uint32_t> different(sample.illness.begin(), sample.illness.end());
  if (random.draw(0, 2) == 0) sample.least_illnesses = random.draw(1, different.size());
  sample.params = complete({}, method.parameters);
  sample.seed = random.draw(1, 1000);
  return sample;
}

using Tuple = std::vector<Released>;

uint64_t people_that_fit(const Sample& sample, const Requirement& requirement, const Tuple& tuple) {
  uint64_t people = 0;
  for (size_t row = 0; row < sample.people.table.rows; ++row) {
    bool fits = true;
    for (size_t i = 0; i < requirement.columns.size(); ++i) {
      const uint32_t leaf = sample.people.table.quasi[requirement.columns[i]].codes[row];
      fits = fits && tuple[i].first <= leaf && leaf <= tuple[i].last;
    }
    people += fits ? 1 : 0;
  }
  return people;
}

// Plain and slow on purpose.
bool keeps(const Sample& sample, const ReleasedTable& released) {
  for (const Requirement& requirement : sample.requirements) {
    std::map<std::vector<uint32_t>, std::pair<Tuple, std::vector<size_t>>> groups;
    for (size_t row = 0; row < sample.table.table.rows; ++row) {
      std::vector<uint32_t> key;
      Tuple tuple;
      for (size_t j : requirement.columns) {
        tuple.push_back(released.quasi[j].values[released.quasi[j].codes[row]]);
        key.insert(key.end(),
                   {tuple.back().first, tuple.back().last, uint32_t(tuple.back().kind), tuple.back().number});
      }
      auto& group = groups[key];
      group.first = tuple;
      group.second.push_back(row);
    }
    for (const auto& [key, group] : groups) {
      const uint64_t rows = group.second.size(), people = people_that_fit(sample, requirement, group.first);
      std::set<uint32_t> illnesses;
      for (size_t row : group.second) illnesses.insert(sample.illness[row]);
      if (rows < requirement.k || illnesses.size() < sample.least_illnesses) return false;
      if (sample.with_map && people < sample.map.k.numerator) return false;
      const Fraction& most = sample.presence.highest;
      if (sample.with_presence && rows * most.denominator > people * most.numerator) return false;
    }
  }
  return true;
}

// All rows as one group of the only requirement, as local methods release it.
bool one_group_fits_too_few(const Sample& sample) {
  const Requirement& requirement = sample.requirements.front();
  Tuple tuple;
  for (size_t j : requirement.columns) {
    uint32_t lo = UINT32_MAX, hi = 0;
    for (size_t row = 0; row < sample.table.table.rows; ++row) {
      lo = std::min(lo, uint32_t(sample.table.table.quasi[j].codes[row]));
      hi = std::max(hi, uint32_t(sample.table.table.quasi[j].codes[row]));
    }
    tuple.push_back(released_interval(sample.table.hierarchies[j], lo, hi));
  }
  return people_that_fit(sample, requirement, tuple) < sample.map.k.numerator;
}

class EveryMethodBesideAPopulation : public ::testing::TestWithParam<const MethodEntry*> {
 protected:
  const MethodEntry& method() const { return *GetParam(); }
  SearchResult run(const Problem& problem) const {
    Progress progress;
    return search(method(), problem, progress);
  }
  ReleasedTable released(const Sample& sample, const SearchResult& result) const {
    return apply(*result.recoding(), sample.table.table, sample.table.hierarchies, 1);
  }
  // There is an answer, unless even one group would not do.
  void expect_answer(const Sample& sample, const SearchResult& result) const {
    if (result.recoding()) return;
    ASSERT_EQ(population_use(method()), PopulationUse::by_merging) << result.reason();
    EXPECT_TRUE(one_group_fits_too_few(sample)) << result.reason();
    EXPECT_NE(result.reason().find("too few people of the population"), std::string::npos) << result.reason();
  }
};

TEST_P(EveryMethodBesideAPopulation, KeepsItsModels) {
  RandomTables random(50);
  int needed = 0, answered = 0;
  for (int round = 0; round < rounds(kTables); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const Sample sample = draw_sample(random, method(), 60);
    const SearchResult result = run(sample.problem());
    expect_answer(sample, result);
    if (!result.recoding()) continue;
    ++answered;
    const ReleasedTable table = released(sample, result);
    EXPECT_TRUE(table.dropped_rows.empty());
    EXPECT_TRUE(keeps(sample, table));
    for (size_t j = 0; j < table.quasi.size(); ++j) {
      for (size_t row = 0; row < sample.table.table.rows; ++row) {
        const Released& cell = table.quasi[j].values.at(table.quasi[j].codes[row]);
        const uint32_t leaf = sample.table.table.quasi[j].codes[row];
        EXPECT_TRUE(cell.first <= leaf && leaf <= cell.last);
      }
    }
    if (round % 8 == 0) needed += !keeps(sample, released(sample, run(sample.problem(false))));
    if (HasFailure()) return;
  }
  EXPECT_GT(needed, rounds(kTables) / 40) << "models that say nothing";
  EXPECT_GT(answered, rounds(kTables) / 2);
}

TEST_P(EveryMethodBesideAPopulation, SameAnswerWhateverTheThreadsAndAValidOneWithoutTime) {
  RandomTables random(51);
  for (int round = 0; round < rounds(20); ++round) {
    const Sample sample = draw_sample(random, method(), 200);
    std::optional<ReleasedTable> first;
    for (int threads : {1, 2, 8}) {
      Problem problem = sample.problem();
      problem.threads = threads;
      const SearchResult result = run(problem);
      if (!result.recoding()) break;
      ReleasedTable table = released(sample, result);
      for (size_t j = 0; first && j < table.quasi.size(); ++j) {
        for (size_t row = 0; row < sample.table.table.rows; ++row) {
          ASSERT_EQ(table.quasi[j].values[table.quasi[j].codes[row]],
                    first->quasi[j].values[first->quasi[j].codes[row]]);
        }
      }
      if (!first) first = std::move(table);
    }
    Progress hurried;
    hurried.set_deadline(Clock::now());
    const SearchResult result = search(method(), sample.problem(), hurried);
    expect_answer(sample, result);
    if (result.recoding()) {
      EXPECT_TRUE(keeps(sample, released(sample, result)));
    }
  }
}

std::vector<const MethodEntry*> methods_beside_a_population() {
  std::vector<const MethodEntry*> entries;
  for (const MethodEntry& entry : methods()) {
    if (population_use(entry) != PopulationUse::none) entries.push_back(&entry);
  }
  return entries;
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethodBesideAPopulation, ::testing::ValuesIn(methods_beside_a_population()),
                         [](const auto& entry) {
                           std::string name = entry.param->name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Levels are cuts, so that the best cut keeps at least as many rows apart as the best levels.
TEST(CutsBesideAPopulation, TheBestCutIsNoWorseThanTheBestLevels) {
  RandomTables random(54);
  const MethodEntry &optimal = *find_method("optimal-cut"), &incognito = *find_method("incognito");
  int compared = 0, better = 0;
  for (int round = 0; round < rounds(300); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    Sample sample = draw_sample(random, incognito, 60);
    const auto rows_apart = [&](const MethodEntry& method, const Params& params) -> size_t {
      sample.params = complete(params, method.parameters);
      Progress progress;
      const SearchResult result = search(method, sample.problem(), progress);
      if (!result.recoding()) return 0;
      const ReleasedTable table = apply(*result.recoding(), sample.table.table, sample.table.hierarchies, 1);
      std::set<std::vector<uint32_t>> tuples;
      for (size_t row = 0; row < sample.table.table.rows; ++row) {
        std::vector<uint32_t> tuple;
        for (const ReleasedColumn& column : table.quasi) {
          const Released& cell = column.values[column.codes[row]];
          tuple.insert(tuple.end(), {cell.first, cell.last});
        }
        tuples.insert(tuple);
      }
      return tuples.size();
    };
    const size_t by_levels = rows_apart(incognito, {{"measure", "rows"}});
    const size_t by_cuts = rows_apart(optimal, {{"objective", "rows"}});
    ASSERT_EQ(by_levels == 0, by_cuts == 0);
    ASSERT_GE(by_cuts, by_levels);
    compared += by_levels > 1;
    better += by_cuts > by_levels;
  }
  EXPECT_GT(compared, rounds(300) / 10);
  EXPECT_GT(better, 0);
}

// All level vectors, looked at one by one.
TEST(LevelsBesideAPopulation, AllMinFindsTheLeastHeightAndIncognitoEveryMinimalVector) {
  RandomTables random(52);
  const MethodEntry &allmin = *find_method("allmin"), &incognito = *find_method("incognito");
  for (int round = 0; round < rounds(300); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    Sample sample = draw_sample(random, allmin, 40);
    const std::vector<Hierarchy>& hierarchies = sample.table.hierarchies;
    std::vector<bool> required(hierarchies.size(), false);
    for (const Requirement& requirement : sample.requirements) {
      for (size_t j : requirement.columns) required[j] = true;
    }
    std::vector<std::vector<int>> good;
    std::vector<int> levels(hierarchies.size(), 0);
    for (;;) {
      if (keeps(sample, apply(levels_recoding(hierarchies, levels), sample.table.table, hierarchies, 1))) {
        good.push_back(levels);
      }
      size_t j = 0;
      for (; j < levels.size(); ++j) {
        if (required[j] && levels[j] < int(hierarchies[j].height())) break;
        levels[j] = 0;
      }
      if (j == levels.size()) break;
      ++levels[j];
    }
    ASSERT_FALSE(good.empty());  // the top keeps what is asked
    const auto sum = [](const std::vector<int>& vector) { return std::accumulate(vector.begin(), vector.end(), 0); };
    int least = INT32_MAX;
    for (const auto& vector : good) least = std::min(least, sum(vector));
    Progress progress;
    EXPECT_EQ(sum(search(allmin, sample.problem(), progress).recoding()->by_value().levels), least);
    size_t minimal = 0;
    for (const auto& vector : good) {
      minimal += std::none_of(good.begin(), good.end(), [&](const std::vector<int>& other) {
        bool below = other != vector;
        for (size_t j = 0; j < vector.size(); ++j) below = below && other[j] <= vector[j];
        return below;
      });
    }
    sample.params = complete({}, incognito.parameters);
    const SearchResult found = search(incognito, sample.problem(), progress);
    const auto detail = [&](const std::string& name) {
      for (const auto& [key, text] : found.stats.details) {
        if (key == name) return text;
      }
      return std::string();
    };
    EXPECT_EQ(detail("satisfying vectors"), std::to_string(good.size()));
    EXPECT_EQ(detail("minimal vectors").substr(0, detail("minimal vectors").find(':')), std::to_string(minimal));
  }
}

// Boxes of any size, also empty ones and beyond the points.
TEST(PopulationIndexTest, CountsWhatAScanCounts) {
  std::mt19937_64 random(53);
  for (int round = 0; round < rounds(300); ++round) {
    const size_t width = 1 + random() % 4, points = random() % 300;
    std::vector<std::vector<uint32_t>> columns(width, std::vector<uint32_t>(points));
    std::vector<uint32_t> people(points);
    for (auto& column : columns) {
      const auto values = static_cast<uint32_t>(1 + random() % 12);
      for (uint32_t& leaf : column) leaf = static_cast<uint32_t>(random() % values);
    }
    for (uint32_t& count : people) count = static_cast<uint32_t>(1 + random() % 3);
    const PopulationIndex index(columns, people);
    for (int box = 0; box < 20; ++box) {
      std::vector<LeafStretch> sides;
      for (size_t j = 0; j < width; ++j) {
        const auto a = static_cast<uint32_t>(random() % 14), b = static_cast<uint32_t>(random() % 14);
        sides.push_back(random() % 10 == 0 ? LeafStretch{a, b} : LeafStretch{std::min(a, b), std::max(a, b)});
      }
      uint64_t expected = 0;
      for (size_t point = 0; point < points; ++point) {
        bool inside = true;
        for (size_t j = 0; j < width; ++j) {
          inside = inside && sides[j].first <= columns[j][point] && columns[j][point] <= sides[j].last;
        }
        expected += inside ? people[point] : 0;
      }
      ASSERT_EQ(index.people_in(sides), expected);
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
