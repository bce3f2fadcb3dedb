// Several requirements: what every answer must be, checked plainly on random tables.
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "shoal/measure/cell_loss.h"
#include "shoal/method/mondrian/mondrian_several.h"
#include "shoal/recode/apply.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using mondrian::Interval;

SearchResult run(const Problem& problem) { return testing::run_method("mondrian", problem); }

double loss_of(const Problem& problem, const ReleasedTable& released) {
  double loss = 0;
  for (size_t j = 0; j < problem.table.quasi.size(); ++j) {
    for (size_t row = 0; row < problem.table.rows; ++row) {
      const Released& cell = released.quasi[j].values[released.quasi[j].codes[row]];
      loss += problem.weights[j] * ncp(problem.hierarchies[j], cell);
    }
  }
  return loss;
}

// Every requirement holds, every cell covers its original, columns outside are untouched, and strict cuts release equal
// rows equally.
void expect_valid(const Problem& problem, const Recoding& recoding) {
  const Table& table = problem.table;
  std::vector<bool> required(table.quasi.size(), false);
  for (const Requirement& requirement : problem.requirements) {
    for (size_t column : requirement.columns) required[column] = true;
  }
  std::vector<size_t> union_of_columns;
  for (size_t j = 0; j < required.size(); ++j) {
    if (required[j]) union_of_columns.push_back(j);
  }
  EXPECT_EQ(recoding.by_group().recoded_columns, union_of_columns);
  EXPECT_TRUE(recoding.dropped_rows.empty());
  const ReleasedTable released = apply(recoding, table, problem.hierarchies, 1);
  for (const Requirement& requirement : problem.requirements) {
    EXPECT_TRUE(testing::holds(released, table.rows, requirement));
  }
  std::map<std::vector<uint32_t>, size_t> group_of_tuple;
  for (size_t row = 0; row < table.rows; ++row) {
    std::vector<uint32_t> tuple;
    for (size_t j = 0; j < table.quasi.size(); ++j) {
      const uint32_t leaf = table.quasi[j].codes[row];
      const Released& cell = released.quasi[j].values[released.quasi[j].codes[row]];
      EXPECT_TRUE(cell.first <= leaf && leaf <= cell.last);
      if (required[j]) {
        tuple.push_back(leaf);
      } else {
        EXPECT_EQ(cell, released_leaf(problem.hierarchies[j], leaf));
      }
    }
    if (recoding.shape() != Shape::regions) continue;
    EXPECT_EQ(group_of_tuple.emplace(tuple, recoding.by_group().group_of_row[row]).first->second,
              recoding.by_group().group_of_row[row]);
  }
}

std::string random_cuts(testing::RandomTables& random) { return random.draw(0, 1) == 0 ? "strict" : "relaxed"; }

TEST(MondrianSeveral, EveryRequirementHolds) {
  testing::RandomTables random(11);
  for (int round = 0; round < 1500; ++round) {
    SCOPED_TRACE(round);
    const auto drawn =
        random.table({.rows = random.draw(1, 80), .columns = random.draw(1, 6), .max_values = random.draw(1, 10)});
    Problem problem = drawn.problem(random.requirements(drawn.table));
    if (round % 2 == 0) {  // small k: many cuts
      for (Requirement& requirement : problem.requirements)
        requirement.k = std::min<uint64_t>(requirement.k, 1 + requirement.k % 4);
    }
    for (double& weight : problem.weights) weight = double(random.draw(0, 2));
    problem.params["cuts"] = random_cuts(random);
    const SearchResult result = run(problem);
    ASSERT_TRUE(result.recoding());
    expect_valid(problem, *result.recoding());
    if (HasFailure()) return;
  }
}

TEST(MondrianSeveral, SameAnswerWhateverTheThreads) {
  testing::RandomTables random(12);
  for (int round = 0; round < 3; ++round) {
    const auto drawn = random.table({.rows = 4500, .columns = 6, .max_values = 12});
    Problem problem = drawn.problem({{{0, 1, 2}, 5}, {{2, 3}, 10}, {{4, 5}, 3}});
    if (round % 3 == 0) problem.requirements[2].columns = {0, 3, 4, 5};
    problem.params["cuts"] = random_cuts(random);
    const SearchResult one = run(problem);
    expect_valid(problem, *one.recoding());
    for (int threads : {2, 8}) {
      problem.threads = threads;
      const SearchResult other = run(problem);
      EXPECT_EQ(other.recoding()->by_group().group_of_row, one.recoding()->by_group().group_of_row);
      EXPECT_EQ(other.recoding()->by_group().group_releases, one.recoding()->by_group().group_releases);
      EXPECT_EQ(other.stats.generated, one.stats.generated);
      EXPECT_EQ(other.stats.expanded, one.stats.expanded);
    }
  }
}

TEST(MondrianSeveral, LosesNoMoreThanOneRequirementThatImpliesAll) {
  testing::RandomTables random(13);
  for (int round = 0; round < 150; ++round) {
    SCOPED_TRACE(round);
    const auto drawn = random.table({.rows = 120, .columns = 4, .max_values = 12});
    Problem problem = drawn.problem({{{0, 1}, random.draw(1, 20)}, {{1, 2, 3}, random.draw(1, 20)}});
    problem.params["cuts"] = random_cuts(random);
    const double several = loss_of(problem, apply(*run(problem).recoding(), problem.table, problem.hierarchies, 1));
    const uint64_t k = std::max(problem.requirements[0].k, problem.requirements[1].k);
    problem.requirements = {{{0, 1, 2, 3}, k}};
    const double one = loss_of(problem, apply(*run(problem).recoding(), problem.table, problem.hierarchies, 1));
    EXPECT_LE(several, one * (1 + 1e-12));
  }
}

// Requirements without a common column do not see each other.
TEST(MondrianSeveral, ApartWhenNoColumnIsShared) {
  testing::RandomTables random(14);
  for (int round = 0; round < 50; ++round) {
    const auto drawn = random.table({.rows = 120, .columns = 5, .max_values = 8});
    const std::vector<Requirement> requirements{{{0, 3}, 4}, {{1, 2, 4}, 6}};
    Problem problem = drawn.problem(requirements);
    problem.params["cuts"] = random_cuts(random);
    const ReleasedTable both = apply(*run(problem).recoding(), problem.table, problem.hierarchies, 1);
    for (const Requirement& requirement : requirements) {
      problem.requirements = {requirement};
      const ReleasedTable alone = apply(*run(problem).recoding(), problem.table, problem.hierarchies, 1);
      for (size_t column : requirement.columns) {
        for (size_t row = 0; row < problem.table.rows; ++row) {
          const ReleasedColumn &a = both.quasi[column], &b = alone.quasi[column];
          ASSERT_EQ(a.values[a.codes[row]], b.values[b.codes[row]]);
        }
      }
    }
  }
}

// ---- no allowable lone cut is left: the rule of mondrian_several.h, with maps

class PlainCheck {
 public:
  PlainCheck(const mondrian::Search& search, const mondrian::Regions& found)
      : search_(search), found_(found), rows_of_region_(found.boxes.size() / search.columns.size()) {
    for (uint32_t row = 0; row < search.table.rows; ++row) rows_of_region_[found.region_of_row[row]].push_back(row);
    rows_of_projection_.resize(search.requirements.size());
    for (size_t region = 0; region < rows_of_region_.size(); ++region) {
      for (size_t r = 0; r < search.requirements.size(); ++r) {
        rows_of_projection_[r][projection(region, r, SIZE_MAX, {})] += rows_of_region_[region].size();
      }
    }
  }

  void expect_boxes_hold_rows_and_requirements() const {
    for (size_t region = 0; region < rows_of_region_.size(); ++region) {
      EXPECT_FALSE(rows_of_region_[region].empty());
      for (size_t j = 0; j < search_.columns.size(); ++j) {
        for (uint32_t row : rows_of_region_[region]) {
          EXPECT_TRUE(box(region, j).first <= leaf(row, j) && leaf(row, j) <= box(region, j).last);
        }
      }
    }
    for (size_t r = 0; r < search_.requirements.size(); ++r) {
      for (const auto& [projection, rows] : rows_of_projection_[r]) EXPECT_GE(rows, search_.requirements[r].k);
    }
  }

  void expect_no_cut_left() const {
    for (size_t region = 0; region < rows_of_region_.size(); ++region) {
      for (size_t j = 0; j < search_.columns.size(); ++j) {
        std::map<uint32_t, size_t> counts;
        for (uint32_t row : rows_of_region_[region]) ++counts[leaf(row, j)];
        size_t left = 0;
        const size_t half = rows_of_region_[region].size() / 2;
        for (auto value = counts.begin(); std::next(value) != counts.end(); ++value) {
          const size_t before = left;
          left += value->second;
          const uint32_t end = mondrian::border(*search_.columns[j].hierarchy, value->first, std::next(value)->first);
          EXPECT_FALSE(allowable(region, j, {box(region, j).first, end}, {end + 1, box(region, j).last}, left));
          if (search_.relaxed && before < half && half < left) expect_no_deal(region, j, value->first, half);
        }
        if (search_.relaxed && counts.size() > 1 && left < half)
          expect_no_deal(region, j, counts.rbegin()->first, half);
      }
    }
  }

 private:
  uint32_t leaf(uint32_t row, size_t j) const { return search_.table.quasi[search_.quasi[j]].codes[row]; }
  Interval box(size_t region, size_t j) const { return found_.boxes[region * search_.columns.size() + j]; }

  std::vector<uint32_t> projection(size_t region, size_t r, size_t changed, Interval interval) const {
    std::vector<uint32_t> result;
    for (size_t j : search_.requirements[r].columns) {
      const Interval own = j == changed ? interval : box(region, j);
      result.insert(result.end(), {own.first, own.last});
    }
    return result;
  }

  void expect_no_deal(size_t region, size_t j, uint32_t median, size_t half) const {
    EXPECT_FALSE(allowable(region, j, {box(region, j).first, median}, {median, box(region, j).last}, half));
  }

  bool allowable(size_t region, size_t j, Interval left, Interval right, size_t left_rows) const {
    const size_t rows = rows_of_region_[region].size();
    for (size_t r = 0; r < search_.requirements.size(); ++r) {
      const Requirement& requirement = search_.requirements[r];
      if (std::find(requirement.columns.begin(), requirement.columns.end(), j) == requirement.columns.end()) continue;
      auto others = rows_of_projection_[r];  // without this region
      others[projection(region, r, SIZE_MAX, {})] -= rows;
      const uint64_t rest = others[projection(region, r, SIZE_MAX, {})];
      if (rest > 0 && rest < requirement.k) return false;
      if (others[projection(region, r, j, left)] + left_rows < requirement.k) return false;
      if (others[projection(region, r, j, right)] + (rows - left_rows) < requirement.k) return false;
    }
    return true;
  }

  const mondrian::Search& search_;
  const mondrian::Regions& found_;
  std::vector<std::vector<uint32_t>> rows_of_region_;
  std::vector<std::map<std::vector<uint32_t>, uint64_t>> rows_of_projection_;  // [requirement]
};

// A small search over four columns with two or three requirements that share some.
struct SmallSearch {
  SmallSearch(testing::RandomTables& random, bool relaxed)
      : drawn(random.table({.rows = random.draw(20, 60), .columns = 4, .max_values = 7})) {
    for (size_t j : quasi) columns.push_back({&drawn.hierarchies[j], 1.0});
    search.relaxed = relaxed;
    search.requirements = {{{0, 1, 2}, random.draw(1, 8)}, {{1, 2, 3}, random.draw(1, 8)}};
    if (random.draw(0, 1) == 0) search.requirements.push_back({{0, 3}, random.draw(1, 10)});
    search.columns = columns;
  }

  testing::RandomTable drawn;
  std::vector<size_t> quasi{0, 1, 2, 3};
  std::vector<mondrian::CutColumn> columns;
  Progress progress;
  mondrian::Search search{
      .table = drawn.table,
      .quasi = quasi,
      .columns = {},
      .requirements = {},
      .relaxed = false,
      .make_rule = [](auto... settings) { return std::make_unique<mondrian::MedianRule>(settings...); },
      .threads = 1,
      .progress = &progress};
};

TEST(MondrianSeveral, NoAllowableCutIsLeft) {
  testing::RandomTables random(15);
  size_t cuts = 0;
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const SmallSearch small(random, round % 3 == 0);
    const mondrian::Regions found = cut_for_several(small.search);
    cuts += found.cuts_made;
    const PlainCheck check(small.search, found);
    check.expect_boxes_hold_rows_and_requirements();
    check.expect_no_cut_left();
    if (HasFailure()) return;
  }
  EXPECT_GT(cuts, 2000u);
}

// Lone cuts alone, from one region: here sides reach k with the rows of other regions more often.
TEST(MondrianSeveral, NoAllowableLoneCutIsLeft) {
  testing::RandomTables random(16);
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const SmallSearch small(random, round % 3 == 0);
    mondrian::BoxedRegions boxed;
    boxed.rows = mondrian::Rows::pack(small.drawn.table, small.quasi, {}, 1);
    boxed.regions = {{0, small.drawn.table.rows}};
    for (const Hierarchy& tree : small.drawn.hierarchies) boxed.boxes.push_back({0, uint32_t(tree.leaves() - 1)});
    make_lone_cuts(small.search, boxed);
    EXPECT_EQ(boxed.cuts_made + 1, boxed.regions.size());
    mondrian::Regions found;
    found.boxes = boxed.boxes;
    found.region_of_row.resize(small.drawn.table.rows);
    for (uint32_t region = 0; region < boxed.regions.size(); ++region) {
      for (uint32_t row : boxed.rows->numbers(boxed.regions[region])) found.region_of_row[row] = region;
    }
    const PlainCheck check(small.search, found);
    check.expect_boxes_hold_rows_and_requirements();
    check.expect_no_cut_left();
    if (HasFailure()) return;
  }
}

TEST(MondrianSeveral, BoxesEndWithSubtreesAndBeforeMissing) {
  // a, b under x; c, d under y; missing under the root.
  const std::vector<Hierarchy::NodeInfo> nodes{{"*", 0, 0, 0, 4}, {"x", 0, 1, 0, 1}, {"y", 0, 1, 2, 3},
                                               {"", 0, 1, 4, 4},  {"a", 1, 2, 0, 0}, {"b", 1, 2, 1, 1},
                                               {"c", 2, 2, 2, 2}, {"d", 2, 2, 3, 3}};
  const std::vector<std::vector<uint32_t>> levels{{4, 5, 6, 7, 3}, {1, 1, 2, 2, 3}, {0, 0, 0, 0, 0}};
  const Hierarchy tree(nodes, levels, {}, 4);
  EXPECT_EQ(mondrian::border(tree, 0, 1), 0u);  // within x
  EXPECT_EQ(mondrian::border(tree, 0, 3), 1u);  // x is left
  EXPECT_EQ(mondrian::border(tree, 1, 2), 1u);
  EXPECT_EQ(mondrian::border(tree, 2, 4), 3u);  // y is left
  const Hierarchy numbers(nodes, levels, {1, 2, 3, 4, std::nan("")}, 4);
  EXPECT_EQ(mondrian::border(numbers, 0, 3), 0u);
  EXPECT_EQ(mondrian::border(numbers, 1, 4), 3u);  // missing alone
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
