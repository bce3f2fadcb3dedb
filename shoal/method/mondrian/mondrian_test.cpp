// One requirement: examples by hand, and a plain recursive version as the oracle.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "shoal/method/method.h"
#include "shoal/recode/apply.h"
#include "testing/plain_loss.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using Row = uint32_t;

SearchResult run(Problem problem, const std::string& cuts) {
  problem.params = {{"cuts", cuts}};
  return testing::run_method("mondrian", std::move(problem));
}

// ---- the oracle: the rules of mondrian_cut.h in their plainest form

class PlainMondrian {
 public:
  PlainMondrian(const Problem& problem, bool relaxed)
      : problem_(problem), columns_(problem.requirements.front().columns), relaxed_(relaxed) {
    std::vector<Row> all(problem.table.rows);
    std::iota(all.begin(), all.end(), Row{0});
    cut(all);
  }
  std::vector<std::vector<Row>> groups;  // left sides first

 private:
  struct Choice {
    double width, loss;
    std::vector<Row> left, right;
  };

  uint32_t leaf(Row row, size_t column) const { return problem_.table.quasi[column].codes[row]; }

  std::pair<uint32_t, uint32_t> extent(const std::vector<Row>& rows, size_t column) const {
    uint32_t least = leaf(rows[0], column), greatest = least;
    for (Row row : rows) {
      least = std::min(least, leaf(row, column));
      greatest = std::max(greatest, leaf(row, column));
    }
    return {least, greatest};
  }

  double loss(const std::vector<Row>& rows, size_t column) const {
    const auto [least, greatest] = extent(rows, column);
    return testing::plain_interval_ncp(problem_.hierarchies[column], least, greatest);
  }

  Choice choice(const std::vector<Row>& rows, size_t column, std::vector<Row> left, std::vector<Row> right) const {
    const double left_loss = double(left.size()) * loss(left, column);
    const double right_loss = double(right.size()) * loss(right, column);
    const double weight = problem_.weights[column];
    return {weight * loss(rows, column), weight * ((left_loss + right_loss) / double(rows.size())), std::move(left),
            std::move(right)};
  }

  std::optional<Choice> strict(const std::vector<Row>& rows, size_t column) const {
    const Hierarchy& tree = problem_.hierarchies[column];
    std::set<uint32_t> values;
    for (Row row : rows) values.insert(leaf(row, column));
    const uint32_t greatest = *values.rbegin();
    std::optional<Choice> best;
    std::tuple<int, uint64_t, uint64_t> best_score;
    for (auto last = values.begin(); std::next(last) != values.end(); ++last) {
      std::vector<Row> left, right;
      for (Row row : rows) (leaf(row, column) <= *last ? left : right).push_back(row);
      if (std::min(left.size(), right.size()) < problem_.requirements.front().k) continue;
      auto leaves = [&](const std::vector<Row>& side) -> uint64_t {  // NCP in whole numbers
        const auto [from, to] = extent(side, column);
        return from == to ? 0 : side.size() * tree.leaves_under(tree.common_ancestor(from, to));
      };
      const bool cuts_off_missing = tree.numeric() && tree.missing() == greatest && *std::next(last) == greatest;
      const uint64_t off = left.size() > right.size() ? left.size() - right.size() : right.size() - left.size();
      const std::tuple<int, uint64_t, uint64_t> score{cuts_off_missing ? 0 : 1,
                                                      tree.numeric() ? 0 : leaves(left) + leaves(right), off};
      if (best && score >= best_score) continue;
      best_score = score;
      best = choice(rows, column, left, right);
    }
    return best;
  }

  std::optional<Choice> dealt(std::vector<Row> rows, size_t column) const {
    if (rows.size() < 2 * problem_.requirements.front().k) return std::nullopt;
    std::sort(rows.begin(), rows.end(), [&](Row a, Row b) {
      return std::pair{leaf(a, column), a} < std::pair{leaf(b, column), b};
    });
    const auto half = rows.begin() + ptrdiff_t(rows.size() / 2);
    return choice(rows, column, {rows.begin(), half}, {half, rows.end()});
  }

  void cut(const std::vector<Row>& rows) {
    for (bool deal : {false, true}) {
      std::optional<Choice> best;
      for (size_t column : columns_) {
        const auto [least, greatest] = extent(rows, column);
        if (least == greatest || (deal && !relaxed_)) continue;
        const auto found = deal ? dealt(rows, column) : strict(rows, column);
        if (!found) continue;
        const bool better =
            !best || found->width > best->width || (found->width == best->width && found->loss < best->loss);
        if (better) best = found;
      }
      if (!best) continue;
      cut(best->left);
      cut(best->right);
      return;
    }
    groups.push_back(rows);
  }

  const Problem& problem_;
  const std::vector<size_t>& columns_;
  const bool relaxed_;
};

// The method's groups are the oracle's, in the same order, each released as tightly as its rows allow.
void expect_same(const Problem& problem, const std::string& cuts) {
  const PlainMondrian plain(problem, cuts == "relaxed");
  const SearchResult result = run(problem, cuts);
  ASSERT_TRUE(result.recoding());
  const Recoding& recoding = *result.recoding();
  EXPECT_EQ(recoding.shape(), cuts == "relaxed" ? Shape::groups : Shape::regions);
  EXPECT_EQ(recoding.by_group().recoded_columns, problem.requirements.front().columns);
  const size_t width = recoding.by_group().recoded_columns.size();
  ASSERT_EQ(recoding.by_group().group_releases.size(), plain.groups.size() * width);
  EXPECT_EQ(result.stats.expanded, plain.groups.size() - 1);
  for (size_t group = 0; group < plain.groups.size(); ++group) {
    EXPECT_GE(plain.groups[group].size(), problem.requirements.front().k);
    for (size_t i = 0; i < width; ++i) {
      const size_t column = recoding.by_group().recoded_columns[i];
      uint32_t least = UINT32_MAX, greatest = 0;
      for (Row row : plain.groups[group]) {
        ASSERT_EQ(recoding.by_group().group_of_row[row], group);
        least = std::min(least, problem.table.quasi[column].codes[row]);
        greatest = std::max(greatest, problem.table.quasi[column].codes[row]);
      }
      EXPECT_EQ(recoding.by_group().group_releases[group * width + i],
                released_interval(problem.hierarchies[column], least, greatest));
    }
  }
}

std::vector<size_t> some_columns(testing::RandomTables& random, size_t columns) {
  std::vector<size_t> chosen;
  while (chosen.empty()) {
    for (size_t j = 0; j < columns; ++j) {
      if (random.draw(0, 3) > 0) chosen.push_back(j);
    }
  }
  return chosen;
}

TEST(Mondrian, AgreesWithThePlainVersion) {
  testing::RandomTables random(1);
  for (int round = 0; round < 1500; ++round) {
    SCOPED_TRACE(round);
    const size_t columns = random.draw(1, 5);
    const auto drawn = random.table({.rows = random.draw(1, 60), .columns = columns, .max_values = random.draw(1, 9)});
    Problem problem =
        drawn.problem({{some_columns(random, columns), random.draw(1, std::min<size_t>(drawn.table.rows, 8))}});
    for (double& weight : problem.weights) weight = double(random.draw(0, 2));
    for (const char* cuts : {"strict", "relaxed"}) expect_same(problem, cuts);
    if (HasFailure()) return;
  }
}

TEST(Mondrian, AgreesWithThePlainVersionOnWideTables) {
  testing::RandomTables random(2);
  for (const size_t columns : {8, 9, 16, 17}) {
    for (const size_t values : {5, 900}) {
      SCOPED_TRACE(std::to_string(columns) + " columns of " + std::to_string(values));
      const auto drawn = random.table({.rows = 120, .columns = columns, .max_values = values});
      std::vector<size_t> all(columns);
      std::iota(all.begin(), all.end(), size_t{0});
      const Problem problem = drawn.problem({{all, random.draw(5, 20)}});
      for (const char* cuts : {"strict", "relaxed"}) expect_same(problem, cuts);
    }
  }
}

// More leaves than fit 16 bits, and far more leaves than rows: the values of a region are sorted, not counted.
TEST(Mondrian, AgreesWithThePlainVersionOnSparseLeaves) {
  testing::RandomTables random(3);
  testing::RandomTable drawn;
  drawn.table.rows = 40;
  for (size_t j = 0; j < 2; ++j) {
    constexpr size_t kLeaves = 70000;
    drawn.hierarchies.push_back(random.hierarchy(kLeaves, j == 0, true));
    Column column{"q" + std::to_string(j), Codes(drawn.table.rows, kLeaves), {}};
    for (size_t row = 0; row < drawn.table.rows; ++row) {
      column.codes.set(row, static_cast<uint32_t>(row % 7 == 0 ? kLeaves - 1 : kLeaves / 40 * random.draw(0, 39)));
    }
    drawn.table.quasi.push_back(std::move(column));
  }
  for (const char* cuts : {"strict", "relaxed"}) expect_same(drawn.problem({{{0, 1}, 3}}), cuts);
}

TEST(Mondrian, SameAnswerWhateverTheThreads) {
  testing::RandomTables random(4);
  for (const size_t values : {6, 300}) {
    const auto drawn = random.table({.rows = 12000, .columns = 4, .max_values = values});
    for (const char* cuts : {"strict", "relaxed"}) {
      Problem problem = drawn.problem({{{0, 1, 2, 3}, 10}});
      const SearchResult one = run(problem, cuts);
      for (int threads : {2, 8}) {
        problem.threads = threads;
        const SearchResult other = run(problem, cuts);
        EXPECT_EQ(other.recoding()->by_group().group_of_row, one.recoding()->by_group().group_of_row);
        EXPECT_EQ(other.recoding()->by_group().group_releases, one.recoding()->by_group().group_releases);
        EXPECT_EQ(other.stats.generated, one.stats.generated);
        EXPECT_EQ(other.stats.expanded, one.stats.expanded);
      }
    }
  }
}

// ---- by hand

// A table of numeric columns; a `flat` one is categorical with all values under the root.
testing::RandomTable table_of(const std::vector<std::vector<double>>& columns, const std::vector<bool>& flat) {
  testing::RandomTable result;
  result.table.rows = columns[0].size();
  for (size_t j = 0; j < columns.size(); ++j) {
    std::vector<double> values;
    bool missing = false;
    for (double cell : columns[j]) std::isnan(cell) ? void(missing = true) : values.push_back(cell);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const size_t known = values.size();
    if (missing) values.push_back(std::nan(""));
    std::vector<Hierarchy::NodeInfo> nodes{{"*", 0, 0, 0, uint32_t(values.size() - 1)}};
    std::vector<std::vector<uint32_t>> levels(2, std::vector<uint32_t>(values.size(), 0));
    Column column{"q" + std::to_string(j), Codes(result.table.rows, values.size()), {}};
    for (uint32_t leaf = 0; leaf < values.size(); ++leaf) {
      column.values.push_back(leaf < known ? std::to_string(int(values[leaf])) : "");
      nodes.push_back({column.values.back(), 0, 1, leaf, leaf});
      levels[0][leaf] = leaf + 1;
    }
    for (size_t row = 0; row < result.table.rows; ++row) {
      const double cell = columns[j][row];
      const auto place = std::find(values.begin(), values.end(), cell);
      column.codes.set(row, std::isnan(cell) ? uint32_t(known) : uint32_t(place - values.begin()));
    }
    result.hierarchies.emplace_back(nodes, levels, flat[j] ? std::vector<double>{} : values,
                                    missing ? std::optional(uint32_t(known)) : std::nullopt);
    result.table.quasi.push_back(std::move(column));
  }
  return result;
}

// The released rows as text, columns by blanks.
std::vector<std::string> released_rows(const Problem& problem, const std::string& cuts) {
  const SearchResult result = run(problem, cuts);
  const ReleasedTable released = apply(*result.recoding(), problem.table, problem.hierarchies, 1);
  std::vector<std::string> rows(problem.table.rows);
  for (size_t j = 0; j < problem.table.quasi.size(); ++j) {
    for (size_t row = 0; row < rows.size(); ++row) {
      const ReleasedColumn& column = released.quasi[j];
      rows[row] += (j > 0 ? " " : "") +
                   released_text(column.values[column.codes[row]], problem.table.quasi[j], problem.hierarchies[j]);
    }
  }
  return rows;
}

// The patient table of the Mondrian paper (age, sex, zip code; 1 male, 2 female), k = 2. All three columns are equally
// wide; sex loses nothing when cut, so it goes first. The women are two. Of the men's columns age is the widest, and
// its median parts 25, 26 from 27, 28.
TEST(Mondrian, PatientTable) {
  const auto table = table_of(
      {{25, 25, 26, 27, 27, 28}, {1, 2, 1, 1, 2, 1}, {53711, 53712, 53711, 53710, 53712, 53711}}, {false, true, false});
  const std::vector<std::string> expected{"[25,26] 1 53711",         "[25,27] 2 53712", "[25,26] 1 53711",
                                          "[27,28] 1 [53710,53711]", "[25,27] 2 53712", "[27,28] 1 [53710,53711]"};
  EXPECT_EQ(released_rows(table.problem({{{0, 1, 2}, 2}}), "strict"), expected);
  EXPECT_EQ(released_rows(table.problem({{{0, 1, 2}, 2}}), "relaxed"), expected);
}

// The ages of the six rows in the utility-based paper's example: no strict cut leaves three on both sides; a relaxed
// one deals the two rows with 30.
TEST(Mondrian, RelaxedDealsTheMedianInInputOrder) {
  const auto table = table_of({{30, 24, 25, 30, 32, 32}}, {false});
  const Problem problem = table.problem({{{0}, 3}});
  EXPECT_EQ(released_rows(problem, "strict"), std::vector<std::string>(6, "[24,32]"));
  const std::vector<std::string> expected{"[24,30]", "[24,30]", "[24,30]", "[30,32]", "[30,32]", "[30,32]"};
  EXPECT_EQ(released_rows(problem, "relaxed"), expected);
}

TEST(Mondrian, MissingIsCutOffFirstWhenItCanBe) {
  const double none = std::nan("");
  const auto enough = table_of({{none, 1, 2, 3, none, 4, 5, 6}}, {false});
  const std::vector<std::string> apart{"", "[1,3]", "[1,3]", "[1,3]", "", "[4,6]", "[4,6]", "[4,6]"};
  EXPECT_EQ(released_rows(enough.problem({{{0}, 2}}), "strict"), apart);
  const auto too_few = table_of({{none, 1, 2, 3, 4, 5, 6, 7}}, {false});
  const std::vector<std::string> mixed{"*", "[1,4]", "[1,4]", "[1,4]", "[1,4]", "*", "*", "*"};
  EXPECT_EQ(released_rows(too_few.problem({{{0}, 3}}), "strict"), mixed);
}

TEST(Mondrian, WeightsChooseTheColumn) {
  const auto table = table_of({{1, 2, 3, 4}, {1, 3, 2, 4}}, {false, false});
  Problem problem = table.problem({{{0, 1}, 2}});
  EXPECT_EQ(released_rows(problem, "strict"),
            (std::vector<std::string>{"[1,2] [1,3]", "[1,2] [1,3]", "[3,4] [2,4]", "[3,4] [2,4]"}));
  problem.weights = {1, 2};
  EXPECT_EQ(released_rows(problem, "strict"),
            (std::vector<std::string>{"[1,3] [1,2]", "[2,4] [3,4]", "[1,3] [1,2]", "[2,4] [3,4]"}));
}

TEST(Mondrian, ColumnsOutsideTheRequirementStayAsTheyAre) {
  const auto table = table_of({{1, 2, 3, 4}, {1, 3, 2, 4}}, {false, false});
  EXPECT_EQ(released_rows(table.problem({{{1}, 2}}), "strict"),
            (std::vector<std::string>{"1 [1,2]", "2 [3,4]", "3 [1,2]", "4 [3,4]"}));
}

TEST(Mondrian, MoreThanTheTableHas) {
  const auto table = table_of({{1, 2, 3}}, {false});
  const SearchResult result = run(table.problem({{{0}, 4}}), "strict");
  EXPECT_FALSE(result.recoding());
  EXPECT_NE(result.reason().find("3 rows"), std::string::npos);
}

TEST(Mondrian, StopsWhenTimeIsUpAndWhenCancelled) {
  testing::RandomTables random(5);
  const auto drawn = random.table({.rows = 500, .columns = 4});
  for (const auto& requirements :
       {std::vector<Requirement>{{{0, 1, 2, 3}, 2}}, std::vector<Requirement>{{{0, 1, 2}, 2}, {{2, 3}, 3}}}) {
    Problem problem = drawn.problem(requirements);
    problem.params = {{"cuts", "strict"}};
    Progress late;
    late.set_deadline(Clock::now());
    const SearchResult result = testing::run_method("mondrian", problem, late);
    ASSERT_TRUE(result.recoding());
    EXPECT_EQ(result.stats.expanded, 0u);
    EXPECT_EQ(result.notices.size(), 1u);
    const ReleasedTable released = apply(*result.recoding(), problem.table, problem.hierarchies, 1);
    for (const Requirement& requirement : requirements) {
      EXPECT_TRUE(testing::holds(released, problem.table.rows, requirement));
    }
    Progress cancelled;
    cancelled.cancel();
    EXPECT_THROW(testing::run_method("mondrian", problem, cancelled), Error);
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
