// Random tables, far smaller than what is ever cut unasked, searched in fragments by every method that can be.
#include "shoal/plan/by_fragments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "shoal/method/fragments_parameter.h"
#include "shoal/method/space/part_of_problem.h"
#include "shoal/recode/apply.h"
#include "testing/modelled_problem.h"
#include "testing/random_problem.h"
#include "testing/rounds.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using namespace testing;

std::string detail(const SearchResult& result, const std::string& name) {
  for (const auto& [what, words] : result.stats.details) {
    if (what == name) return words;
  }
  return "";
}

// The released cells of every row, in the order of the rows.
std::vector<std::vector<uint32_t>> cells_of(const ReleasedTable& released, size_t rows) {
  std::vector<std::vector<uint32_t>> cells(rows);
  for (const ReleasedColumn& column : released.quasi) {
    for (size_t row = 0; row < rows; ++row) {
      const Released& cell = column.values.at(column.codes[row]);
      cells[row].insert(cells[row].end(), {cell.first, cell.last, uint32_t(cell.kind)});
    }
  }
  return cells;
}

class ByFragments : public ::testing::TestWithParam<const MethodEntry*> {
 protected:
  const MethodEntry& method() const { return *GetParam(); }

  Params params(RandomTables& random) const {
    Params params = complete({}, method().parameters);
    if (params.contains("effort")) params["effort"] = "fast";
    params[kFragments] = std::to_string(random.draw(2, 6));
    return params;
  }
  SearchResult search(const Problem& problem) const {
    Progress progress;
    return run_search(method(), problem, progress);
  }
  void expect_covered(const Table& table, const ReleasedTable& released) const {
    for (size_t j = 0; j < released.quasi.size(); ++j) {
      for (uint32_t row = 0; row < table.rows; ++row) {
        if (std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), row)) continue;
        const Released& cell = released.quasi[j].values.at(released.quasi[j].codes[row]);
        EXPECT_TRUE(cell.first <= table.quasi[j].codes[row] && table.quasi[j].codes[row] <= cell.last);
      }
    }
  }
};

TEST_P(ByFragments, KeepsEveryRequirement) {
  RandomTables random(91);
  int cut = 0;
  for (int round = 0; round < rounds(120); ++round) {
    const RandomTable drawn =
        random.table({.rows = random.draw(1, 120), .columns = random.draw(1, 4), .max_values = 9});
    Problem problem = drawn.problem(random.requirements(drawn.table));
    if (random.draw(0, 1)) problem.requirements.resize(1);
    for (Requirement& requirement : problem.requirements) {
      requirement.k = random.draw(1, std::max<size_t>(1, drawn.table.rows / 10));
    }
    problem.params = params(random);
    problem.seed = random.draw(1, 1000);
    if (method().drops_rows && random.draw(0, 1)) problem.suppress_rows = double(random.draw(0, 4)) / 4;
    const SearchResult result = search(problem);
    ASSERT_TRUE(result.recoding()) << result.reason();
    cut += !detail(result, "fragments").empty();
    const ReleasedTable released = apply(*result.recoding(), drawn.table, drawn.hierarchies, 1);
    for (const Requirement& requirement : problem.requirements) {
      EXPECT_TRUE(holds(released, drawn.table.rows, requirement)) << "round " << round;
    }
    expect_covered(drawn.table, released);
    EXPECT_LE(double(released.dropped_rows.size()),
              problem.suppress_rows.value_or(method().drops_rows ? 1 : 0) * double(drawn.table.rows) + 1e-9);
    if (HasFailure()) return;
  }
  EXPECT_GT(cut, rounds(120) / 4);
}

TEST_P(ByFragments, KeepsModelsOfEveryKind) {
  RandomTables random(92);
  int cut = 0;
  for (ModelKind kind : kColumnKinds) {
    for (int round = 0; round < rounds(16); ++round) {
      SCOPED_TRACE(std::string(model_entry(kind).word) + ", round " + std::to_string(round));
      Asked asked = draw_asked(random, kind, {100, 6, true, method().obeys_average_risk});
      asked.params = params(random);
      const SearchResult result = search(asked.problem());
      ASSERT_TRUE(result.recoding()) << result.reason();
      cut += !detail(result, "fragments").empty();
      const ReleasedTable released = apply(*result.recoding(), asked.drawn.table, asked.drawn.hierarchies, 1);
      EXPECT_TRUE(keeps(asked, released));
      expect_covered(asked.drawn.table, released);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(cut, rounds(16) / 3);
}

TEST_P(ByFragments, SameAnswerWhateverTheThreadsAndTheOrderOfRows) {
  RandomTables random(93);
  for (int round = 0; round < rounds(4); ++round) {
    const RandomTable drawn = random.table({.rows = random.draw(100, 600), .columns = 3, .max_values = 12});
    Problem problem = drawn.problem({{{0, 1, 2}, random.draw(2, 6)}});
    problem.params = params(random);
    const SearchResult once = search(problem);
    ASSERT_TRUE(once.recoding());
    ASSERT_FALSE(detail(once, "fragments").empty());
    const auto cells = cells_of(apply(*once.recoding(), drawn.table, drawn.hierarchies, 1), drawn.table.rows);
    for (int threads : {2, 8}) {
      problem.threads = threads;
      const SearchResult again = search(problem);
      EXPECT_EQ(cells_of(apply(*again.recoding(), drawn.table, drawn.hierarchies, 1), drawn.table.rows), cells);
      EXPECT_EQ(again.stats.details, once.stats.details);
    }
    std::vector<uint32_t> shuffled(drawn.table.rows);
    std::iota(shuffled.begin(), shuffled.end(), 0u);
    std::shuffle(shuffled.begin(), shuffled.end(), random.engine());
    const Table table = part_of_table(drawn.table, shuffled);
    Problem reordered{table, drawn.hierarchies, problem.requirements, problem.weights,
                      {},    problem.params,    problem.seed,         2};
    const SearchResult other = search(reordered);
    ASSERT_TRUE(other.recoding());
    // As sets: which of two equal rows is released how may differ.
    auto with_originals = [&](const Table& original, std::vector<std::vector<uint32_t>> released) {
      for (size_t row = 0; row < released.size(); ++row) {
        for (const Column& column : original.quasi) released[row].push_back(column.codes[row]);
        released[row].push_back(original.target->codes[row]);
      }
      std::sort(released.begin(), released.end());
      return released;
    };
    EXPECT_EQ(with_originals(table, cells_of(apply(*other.recoding(), table, drawn.hierarchies, 1), table.rows)),
              with_originals(drawn.table, cells));
  }
}

// Of requirements that share no column each is cut for itself: on its columns rows are released as if it were alone.
TEST_P(ByFragments, RequirementsThatShareNoColumnAreCutApart) {
  RandomTables random(90);
  int cut = 0;
  for (int round = 0; round < rounds(20); ++round) {
    const RandomTable drawn = random.table({.rows = random.draw(60, 300), .columns = 4, .max_values = 9});
    const auto k = [&] { return random.draw(2, 7); };
    const std::vector<std::vector<Requirement>> families =
        random.draw(0, 1) ? std::vector<std::vector<Requirement>>{{{{0, 2}, k()}}, {{{1, 3}, k()}}}
                          : std::vector<std::vector<Requirement>>{{{{3}, k()}}, {{{0, 1}, k()}, {{1, 2}, k()}}};
    Problem problem = drawn.problem({});
    for (const auto& family : families) {
      problem.requirements.insert(problem.requirements.end(), family.begin(), family.end());
    }
    problem.params = params(random);
    problem.suppress_rows = 0;
    problem.threads = static_cast<int>(random.draw(1, 3));
    const SearchResult together = search(problem);
    ASSERT_TRUE(together.recoding()) << together.reason();
    const ReleasedTable released = apply(*together.recoding(), drawn.table, drawn.hierarchies, 1);
    for (const auto& family : families) {
      Problem alone = problem;
      alone.requirements = family;
      const SearchResult found = search(alone);
      ASSERT_TRUE(found.recoding()) << found.reason();
      cut += !detail(found, "fragments").empty();
      const ReleasedTable of_family = apply(*found.recoding(), drawn.table, drawn.hierarchies, 1);
      for (const Requirement& requirement : family) {
        for (size_t j : requirement.columns) {
          for (size_t row = 0; row < drawn.table.rows; ++row) {
            const auto cell = [&](const ReleasedTable& table) {
              return table.quasi[j].values.at(table.quasi[j].codes[row]);
            };
            ASSERT_TRUE(cell(released) == cell(of_family)) << "round " << round << ", column " << j << ", row " << row;
          }
        }
      }
    }
  }
  EXPECT_GT(cut, rounds(20));
}

TEST_P(ByFragments, OutOfTimeItStillAnswers) {
  RandomTables random(94);
  for (int round = 0; round < rounds(30); ++round) {
    const RandomTable drawn = random.table({.rows = random.draw(40, 200), .columns = 3, .max_values = 9});
    Problem problem = drawn.problem({{{0, 1, 2}, random.draw(2, 5)}});
    problem.params = params(random);
    Progress progress;
    progress.set_deadline(Clock::now());
    const SearchResult result = run_search(method(), problem, progress);
    ASSERT_TRUE(result.recoding());
    EXPECT_TRUE(holds(apply(*result.recoding(), drawn.table, drawn.hierarchies, 1), drawn.table.rows,
                      problem.requirements.front()));
  }
}

TEST_P(ByFragments, StopsWhenAskedTo) {
  const RandomTable drawn = RandomTables(95).table({.rows = 200, .columns = 3, .max_values = 9});
  RandomTables random(96);
  Problem problem = drawn.problem({{{0, 1, 2}, 3}});
  problem.params = params(random);
  Progress progress;
  progress.cancel();
  EXPECT_THROW(run_search(method(), problem, progress), Error);
}

std::vector<const MethodEntry*> parted_methods() {
  std::vector<const MethodEntry*> entries;
  for (const MethodEntry& entry : methods()) {
    for (const Parameter& parameter : entry.parameters) {
      if (parameter.name == kFragments) entries.push_back(&entry);
    }
  }
  return entries;
}
INSTANTIATE_TEST_SUITE_P(Methods, ByFragments, ::testing::ValuesIn(parted_methods()), [](const auto& entry) {
  std::string name = entry.param->name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

SearchResult shoal_with(const Problem& problem, const std::string& fragments, const std::string& effort = "normal") {
  Problem asked = problem;
  asked.params = complete({{"effort", effort}, {kFragments, fragments}}, find_method("shoal")->parameters);
  Progress progress;
  return run_search(*find_method("shoal"), asked, progress);
}

// The bound of a table in fragments is one of the whole table: no release is below it, above all not that of a search
// in one piece, which may use groups that fragments tear.
TEST(ShoalByFragments, ItsLowerBoundHoldsForTheWholeTable) {
  RandomTables random(97);
  int with_bound = 0, from_fragments = 0, from_groups = 0;
  for (int round = 0; round < 20; ++round) {
    const size_t columns = round % 2 == 0 ? 4 : 2;
    const RandomTable drawn = random.table({.rows = random.draw(60, 200), .columns = columns, .max_values = 9});
    std::vector<size_t> places(columns);
    std::iota(places.begin(), places.end(), size_t{0});
    const uint64_t k = random.draw(2, 4);
    Problem problem = drawn.problem({{places, k}});
    const SearchResult whole = shoal_with(problem, "off");
    // Every fragment has its linear programme, whose values the whole table's bound begins with; under models it has
    // none, and the bound begins with what groups pay.
    if (round / 2 % 2 == 0) {
      ModelSpec half;
      half.kind = ModelKind::average_risk;
      half.risk = {1, 2};
      problem.rules = {std::make_shared<const GroupRule>(k, std::vector<CountedModel>{}, AverageRisk(half))};
    }
    const SearchResult parted = shoal_with(problem, "4", round % 2 == 0 ? "normal" : "best");
    if (detail(parted, "fragments").empty()) continue;
    from_fragments += detail(parted, "lower bound shown by").starts_with("linear programming in every fragment");
    from_groups += detail(parted, "lower bound shown by").starts_with("what groups pay");
    ASSERT_TRUE(parted.stats.bound && whole.stats.bound);
    auto cost = [&](const SearchResult& result) {
      double sum = 0;
      const auto released = apply(*result.recoding(), drawn.table, drawn.hierarchies, 1);
      for (size_t j = 0; j < columns; ++j) {
        const Hierarchy& tree = drawn.hierarchies[j];
        for (size_t row = 0; row < drawn.table.rows; ++row) {
          const Released& cell = released.quasi[j].values[released.quasi[j].codes[row]];
          if (cell.first == cell.last) continue;
          const double all = tree.releases_ranges() ? tree.number_range() : double(tree.leaves());
          sum += cell.is_range()  ? (tree.number(cell.last) - tree.number(cell.first)) / all
                 : cell.is_root() ? 1
                                  : double(cell.last - cell.first + 1) / double(tree.leaves());
        }
      }
      return sum / double(columns * drawn.table.rows);
    };
    EXPECT_LE(*parted.stats.bound, cost(whole) + 1e-9) << "round " << round;
    EXPECT_LE(*parted.stats.bound, cost(parted) + 1e-9) << "round " << round;
    with_bound += *parted.stats.bound > 0;
  }
  EXPECT_GT(with_bound, 8);
  EXPECT_GT(from_fragments, 2);
  EXPECT_GT(from_groups, 2);
}

TEST(ShoalByFragments, SaysWhyItSearchesInOnePiece) {
  const RandomTable drawn = RandomTables(98).table({.rows = 60, .columns = 4, .max_values = 6});
  auto notice = [](const SearchResult& result) { return result.notices.empty() ? "" : result.notices.front(); };
  EXPECT_EQ(notice(shoal_with(drawn.problem({{{0, 1}, 40}}), "2")),
            "searched in one piece: 60 rows are too few for fragments with k = 40");
  const std::string of_family = notice(shoal_with(drawn.problem({{{0, 1}, 2}, {{2, 3}, 40}}), "2"));
  EXPECT_EQ(of_family.find("requirement over "), 0U) << of_family;
  EXPECT_NE(of_family.find(": searched in one piece: 60 rows are too few for fragments with k = 40"),
            std::string::npos);
  const RandomTable alike = RandomTables(98).table({.rows = 60, .columns = 1, .max_values = 1});
  EXPECT_NE(notice(shoal_with(alike.problem({{{0}, 2}}), "2")).find("no cut leaves enough rows"), std::string::npos);
  // Unasked, nothing is said: a small table needs no fragments.
  EXPECT_TRUE(shoal_with(drawn.problem({{{0, 1}, 2}}), "auto").notices.empty());
}

TEST(ShoalByFragments, FragmentsHaveEveryRowOnceAndEqualRowsTogether) {
  RandomTables random(99);
  for (int round = 0; round < 100; ++round) {
    const RandomTable drawn = random.table({.rows = random.draw(20, 200), .columns = 3, .max_values = 7});
    Problem problem = drawn.problem({{{0, 2}, random.draw(2, 4)}});
    problem.params = complete({{kFragments, std::to_string(random.draw(2, 9))}}, find_method("shoal")->parameters);
    Progress progress;
    const FragmentPlan plan = plan_fragments(problem, progress);
    if (plan.fragments.size() == 0) continue;
    std::set<uint32_t> rows(plan.fragments.rows.begin(), plan.fragments.rows.end());
    ASSERT_EQ(rows.size(), drawn.table.rows);
    ASSERT_EQ(plan.fragments.rows.size(), drawn.table.rows);
    std::map<std::pair<uint32_t, uint32_t>, size_t> fragment_of;
    for (size_t f = 0; f < plan.fragments.size(); ++f) {
      EXPECT_GE(plan.fragments.rows_in(f), 2 * problem.requirements.front().k);
      for (uint32_t row : plan.fragments.group(f)) {
        const std::pair tuple{drawn.table.quasi[0].codes[row], drawn.table.quasi[2].codes[row]};
        EXPECT_EQ(fragment_of.emplace(tuple, f).first->second, f);
      }
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
