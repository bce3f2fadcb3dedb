#include "shoal/measure/measures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "shoal/error.h"
#include "shoal/recode/apply.h"
#include "testing/hand_table.h"
#include "testing/random_problem.h"
#include "testing/random_recoding.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

// The oracle: every measure row by row and cell by cell, straight from its definition. Shares nothing with the code
// under test, cell losses included.

struct CellLoss {
  double prec = 0, ncp = 0, lm = 0, distortion = 0, modified = 0;
};

uint32_t steps_up(const Hierarchy& hierarchy, uint32_t from, uint32_t to) {
  uint32_t steps = 0;
  for (; from != to; from = hierarchy.node(from).parent) {
    if (from == Hierarchy::kRoot) throw std::logic_error("the release does not cover the leaf");
    ++steps;
  }
  return steps;
}

double number_width(const Hierarchy& hierarchy, uint32_t first, uint32_t last) {
  std::set<double> numbers;
  for (uint32_t leaf = first; leaf <= last; ++leaf) {
    if (leaf != hierarchy.missing()) numbers.insert(hierarchy.number(leaf));
  }
  return numbers.empty() ? 0 : *numbers.rbegin() - *numbers.begin();
}

CellLoss plain_cell_loss(const Hierarchy& hierarchy, uint32_t leaf, const Released& released, double beta) {
  CellLoss loss;
  const uint32_t leaf_node = hierarchy.leaf_node(leaf);
  if (released.is_node(leaf_node)) return loss;
  loss.modified = 1;
  const double width = hierarchy.numeric() ? number_width(hierarchy, 0, uint32_t(hierarchy.leaves() - 1)) : 0;
  double covered = 0;
  for (uint32_t other = 0; other < hierarchy.leaves(); ++other)
    covered += released.first <= other && other <= released.last;
  if (released.is_root()) {
    loss.ncp = loss.lm = 1;
  } else if (hierarchy.numeric()) {
    loss.ncp = loss.lm = width == 0 ? 0 : number_width(hierarchy, released.first, released.last) / width;
  } else {
    loss.ncp = covered / double(hierarchy.leaves());
    loss.lm = hierarchy.leaves() == 1 ? 0 : (covered - 1) / (double(hierarchy.leaves()) - 1);
  }
  if (released.is_range()) {
    loss.prec = loss.distortion = loss.ncp;
    return loss;
  }
  const uint32_t raised = steps_up(hierarchy, leaf_node, released.number);
  const uint32_t path = steps_up(hierarchy, leaf_node, Hierarchy::kRoot);
  loss.prec = double(raised) / path;
  double all = 0;
  for (uint32_t step = 1; step <= path; ++step) {  // from the leaf upwards: its level is path + 1
    const double weight = 1 / std::pow(double(path + 1 - step), beta);
    all += weight;
    if (step <= raised) loss.distortion += weight;
  }
  loss.distortion /= all;
  return loss;
}

double plain_bits(const Codes& leaves, uint32_t leaf, uint32_t first, uint32_t last) {
  double same = 0, covered = 0;
  for (size_t row = 0; row < leaves.size(); ++row) {
    same += leaves[row] == leaf;
    covered += first <= leaves[row] && leaves[row] <= last;
  }
  return -std::log2(same / covered);
}

void plain_cells(const testing::RandomTable& drawn, const ReleasedTable& released, const std::set<uint32_t>& dropped,
                 const MeasureSettings& settings, Measures& measures) {
  double cells = 0, weights = 0, prec = 0, distortion_at_root = 0, bits_at_root = 0;
  const Table& table = drawn.table;
  for (size_t j = 0; j < table.quasi.size(); ++j) {
    const Hierarchy& hierarchy = drawn.hierarchies[j];
    const Released root = released_node(hierarchy, Hierarchy::kRoot);
    const double weight = settings.weights.empty() ? 1 : settings.weights[j];
    weights += weight;
    double column = 0;
    for (uint32_t row = 0; row < table.rows; ++row) {
      const uint32_t leaf = table.quasi[j].codes[row];
      const Released cell = dropped.count(row) ? root : released.quasi[j].values[released.quasi[j].codes[row]];
      const CellLoss loss = plain_cell_loss(hierarchy, leaf, cell, settings.distortion_beta);
      prec += loss.prec;
      column += loss.ncp;
      measures.ncp += weight * loss.ncp;
      measures.lm += loss.lm;
      measures.distortion += loss.distortion;
      measures.modification_rate += loss.modified;
      measures.entropy += plain_bits(table.quasi[j].codes, leaf, cell.first, cell.last);
      distortion_at_root += plain_cell_loss(hierarchy, leaf, root, settings.distortion_beta).distortion;
      bits_at_root += plain_bits(table.quasi[j].codes, leaf, root.first, root.last);
      ++cells;
    }
    measures.column_gcp.push_back(column / double(table.rows));
  }
  measures.prec = 1 - prec / cells;
  measures.gcp = measures.ncp / (double(table.rows) * weights);
  measures.lm /= cells;
  measures.modification_rate /= cells;
  measures.distortion_ratio = measures.distortion / distortion_at_root;
  measures.entropy_ratio = bits_at_root == 0 ? 0 : measures.entropy / bits_at_root;
}

void plain_groups(const testing::RandomTable& drawn, const ReleasedTable& released, const std::set<uint32_t>& dropped,
                  const MeasureSettings& settings, Measures& measures) {
  using Tuple = std::vector<uint64_t>;
  std::map<Tuple, std::map<uint32_t, uint64_t>> classes_of_group;
  std::set<Tuple> tuples_in, tuples_out;
  const Table& table = drawn.table;
  const double n = double(table.rows);
  for (uint32_t row = 0; row < table.rows; ++row) {
    Tuple in, out;
    for (size_t j = 0; j < table.quasi.size(); ++j) {
      in.push_back(table.quasi[j].codes[row]);
      const Released& cell = released.quasi[j].values[released.quasi[j].codes[row]];
      out.insert(out.end(), {cell.first, cell.last, uint64_t(cell.kind), cell.number});
    }
    if (!dropped.count(row)) ++classes_of_group[out][table.target ? table.target->codes[row] : 0];
    if (!table.rest.empty()) in.push_back(table.rest[row]);
    if (!table.rest.empty()) out.push_back(table.rest[row]);
    tuples_in.insert(in);
    if (!dropped.count(row)) tuples_out.insert(out);
  }
  double misclassified = double(dropped.size());
  measures.dm = double(dropped.size()) * n;
  for (const auto& [tuple, classes] : classes_of_group) {
    double size = 0, most = 0;
    for (const auto& [name, count] : classes) {
      size += double(count);
      most = std::max(most, double(count));
    }
    measures.dm += size * size;
    misclassified += size - most;
  }
  measures.c_avg = n / (double(std::max<size_t>(classes_of_group.size(), 1)) * double(settings.k));
  if (table.target) measures.cm = misclassified / n;
  measures.rows = tuples_out.size();
  measures.rows_ratio = double(tuples_out.size()) / double(tuples_in.size());
}

Measures plain_measure(const testing::RandomTable& drawn, const ReleasedTable& released,
                       const MeasureSettings& settings) {
  Measures measures;
  const std::set<uint32_t> dropped(released.dropped_rows.begin(), released.dropped_rows.end());
  plain_cells(drawn, released, dropped, settings, measures);
  plain_groups(drawn, released, dropped, settings, measures);
  return measures;
}

void expect_same(const Measures& found, const Measures& expected) {
  const double tolerance = 1e-9;
  EXPECT_NEAR(found.prec, expected.prec, tolerance);
  EXPECT_EQ(found.rows, expected.rows);
  EXPECT_NEAR(found.rows_ratio, expected.rows_ratio, tolerance);
  EXPECT_NEAR(found.dm, expected.dm, tolerance);
  EXPECT_NEAR(found.c_avg, expected.c_avg, tolerance);
  EXPECT_NEAR(found.ncp, expected.ncp, tolerance);
  EXPECT_NEAR(found.gcp, expected.gcp, tolerance);
  EXPECT_NEAR(found.distortion, expected.distortion, tolerance);
  EXPECT_NEAR(found.distortion_ratio, expected.distortion_ratio, tolerance);
  EXPECT_NEAR(found.modification_rate, expected.modification_rate, tolerance);
  EXPECT_NEAR(found.lm, expected.lm, tolerance);
  ASSERT_EQ(found.cm.has_value(), expected.cm.has_value());
  EXPECT_NEAR(found.cm.value_or(0), expected.cm.value_or(0), tolerance);
  EXPECT_NEAR(found.entropy, expected.entropy, tolerance);
  EXPECT_NEAR(found.entropy_ratio, expected.entropy_ratio, tolerance);
  ASSERT_EQ(found.column_gcp.size(), expected.column_gcp.size());
  for (size_t j = 0; j < found.column_gcp.size(); ++j)
    EXPECT_NEAR(found.column_gcp[j], expected.column_gcp[j], tolerance);
}

TEST(Measures, AgreeWithTheOracleOnRandomRecodingsOfAllShapes) {
  testing::RandomTables random(11);
  for (int round = 0; round < 3000 && !HasFailure(); ++round) {
    auto drawn = random.table({.rows = random.draw(1, 25),
                               .columns = random.draw(1, 4),
                               .max_values = random.draw(1, 8),
                               .target_values = random.draw(0, 3)});
    for (size_t row = 0; round % 2 && row < drawn.table.rows; ++row)
      drawn.table.rest.push_back(random.draw(1, 3) << 60);
    MeasureSettings settings;
    settings.k = random.draw(1, 5);
    settings.distortion_beta = double(random.draw(0, 3)) * 0.75;
    for (size_t j = 0; round % 3 && j < drawn.table.quasi.size(); ++j) {
      settings.weights.push_back(double(random.draw(1, 8)) / 4);
    }
    const auto shape = static_cast<Shape>(round % 4);
    const Recoding recoding = testing::random_recoding(random, drawn, shape);
    const ReleasedTable released = apply(recoding, drawn.table, drawn.hierarchies, 1);
    const Measures found = measure(drawn.table, drawn.hierarchies, released, settings);
    SCOPED_TRACE("round " + std::to_string(round));
    expect_same(found, plain_measure(drawn, released, settings));
    for (double share : {found.prec, found.gcp, found.distortion_ratio, found.modification_rate, found.lm,
                         found.cm.value_or(0), found.entropy_ratio}) {
      EXPECT_GE(share, -1e-12);
      EXPECT_LE(share, 1 + 1e-12);
    }
  }
}

// Codes of more than 8 bits, releases by the hundred.
TEST(Measures, AgreeWithTheOracleOnManyValues) {
  testing::RandomTables random(12);
  for (Shape shape : {Shape::cut, Shape::regions, Shape::groups}) {
    const auto drawn = random.table({.rows = 280, .columns = 2, .max_values = 280, .target_values = 5});
    const Recoding recoding = testing::random_recoding(random, drawn, shape);
    const ReleasedTable released = apply(recoding, drawn.table, drawn.hierarchies, 1);
    expect_same(measure(drawn.table, drawn.hierarchies, released, {}), plain_measure(drawn, released, {}));
  }
}

// The groups that were measured, for risk: rows that look alike, before and after, counted by comparing them.
TEST(Measures, SizesAreThoseOfTheGroups) {
  testing::RandomTables random(16);
  for (int round = 0; round < 100; ++round) {
    const auto drawn = random.table({.rows = random.draw(1, 25), .columns = 2, .max_values = 4});
    const Recoding recoding = testing::random_recoding(random, drawn, static_cast<Shape>(round % 4));
    const ReleasedTable released = apply(recoding, drawn.table, drawn.hierarchies, 1);
    GroupSizes sizes;
    measure(drawn.table, drawn.hierarchies, released, {}, &sizes);
    std::map<std::vector<uint32_t>, uint32_t> before;
    std::map<std::vector<std::string>, uint32_t> after;
    for (uint32_t row = 0; row < drawn.table.rows; ++row) {
      std::vector<uint32_t> leaves;
      std::vector<std::string> cells;
      for (size_t j = 0; j < 2; ++j) {
        leaves.push_back(drawn.table.quasi[j].codes[row]);
        const Released& cell = released.quasi[j].values[released.quasi[j].codes[row]];
        cells.push_back(std::to_string(cell.first) + "-" + std::to_string(cell.last) + "/" +
                        std::to_string(cell.number) + (cell.is_range() ? "r" : "n"));
      }
      ++before[leaves];
      if (!std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), row)) ++after[cells];
    }
    std::multiset<uint32_t> expected_before, expected_after;
    for (const auto& [tuple, rows] : before) expected_before.insert(rows);
    for (const auto& [tuple, rows] : after) expected_after.insert(rows);
    EXPECT_EQ(std::multiset<uint32_t>(sizes.input.begin(), sizes.input.end()), expected_before);
    EXPECT_EQ(std::multiset<uint32_t>(sizes.released.begin(), sizes.released.end()), expected_after);
  }
}

TEST(Measures, AsItIsLosesNothing) {
  testing::RandomTables random(13);
  for (int round = 0; round < 50; ++round) {
    const auto drawn = random.table({.rows = 20, .columns = 3});
    const std::vector<int> levels(3, 0);
    const ReleasedTable released = apply(levels_recoding(drawn.hierarchies, levels), drawn.table, drawn.hierarchies, 1);
    const Measures found = measure(drawn.table, drawn.hierarchies, released, {{}, 1, 1});
    EXPECT_EQ(found.prec, 1);
    EXPECT_EQ(found.rows_ratio, 1);
    EXPECT_EQ(found.gcp, 0);
    EXPECT_EQ(found.distortion_ratio, 0);
    EXPECT_EQ(found.modification_rate, 0);
    EXPECT_EQ(found.lm, 0);
    EXPECT_EQ(found.entropy, 0);
  }
}

TEST(Measures, AllAtTheRootAndAllDroppedLoseEverything) {
  testing::RandomTables random(14);
  for (int round = 0; round < 100; ++round) {
    const auto drawn = random.table({.rows = 20, .columns = 3});
    std::vector<int> levels;
    for (const Hierarchy& hierarchy : drawn.hierarchies) levels.push_back(round % 2 ? hierarchy.height() : 0);
    Recoding recoding = levels_recoding(drawn.hierarchies, levels);
    for (uint32_t row = 0; round % 2 == 0 && row < 20; ++row) recoding.dropped_rows.push_back(row);
    const ReleasedTable released = apply(recoding, drawn.table, drawn.hierarchies, 1);
    const Measures found = measure(drawn.table, drawn.hierarchies, released, {{3, 1, 2}, 0, 4});
    EXPECT_NEAR(found.prec, 0, 1e-12);
    EXPECT_NEAR(found.gcp, 1, 1e-12);
    EXPECT_NEAR(found.ncp, 20 * 6, 1e-9);
    EXPECT_NEAR(found.distortion_ratio, 1, 1e-12);
    EXPECT_EQ(found.modification_rate, 1);
    EXPECT_NEAR(found.lm, 1, 1e-12);
    EXPECT_EQ(found.dm, 400);
    EXPECT_EQ(found.c_avg, 5);
    EXPECT_EQ(found.rows, round % 2 ? 1u : 0u);
    EXPECT_TRUE(round % 2 == 1 || found.cm == 1);
  }
}

TEST(Measures, NoRowsLoseNothing) {
  testing::RandomTables random(15);
  const auto drawn = random.table({.rows = 0, .columns = 2});
  const ReleasedTable released = apply(levels_recoding(drawn.hierarchies, {1, 1}), drawn.table, drawn.hierarchies, 1);
  const Measures found = measure(drawn.table, drawn.hierarchies, released, {});
  EXPECT_EQ(found.prec, 1);
  EXPECT_EQ(found.rows, 0u);
  for (double share :
       {found.rows_ratio, found.dm, found.c_avg, found.ncp, found.gcp, found.distortion, found.distortion_ratio,
        found.modification_rate, found.lm, found.cm.value(), found.entropy, found.entropy_ratio}) {
    EXPECT_EQ(share, 0);
  }
}

TEST(Measures, LossesByName) {
  Measures measures;
  measures.prec = 0.75;
  measures.rows = 12;
  measures.dm = 1;
  measures.c_avg = 2;
  measures.ncp = 3;
  measures.gcp = 4;
  measures.distortion = 5;
  measures.modification_rate = 6;
  measures.lm = 7;
  measures.cm = 8;
  measures.entropy = 9;
  const std::map<std::string, double> expected = {
      {"prec", 0.25},           {"rows", -12}, {"dm", 1}, {"c_avg", 2},  {"ncp", 3}, {"gcp", 4}, {"distortion", 5},
      {"modification_rate", 6}, {"lm", 7},     {"cm", 8}, {"entropy", 9}};
  EXPECT_EQ(measure_names().size(), expected.size());
  for (const std::string& name : measure_names()) EXPECT_EQ(loss(name, measures), expected.at(name)) << name;
}

TEST(Measures, LossSaysWhatIsWrong) {
  auto message = [](std::string_view name) -> std::string {
    try {
      loss(name, Measures{});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::job);
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("gpc"),
            "there is no measure 'gpc'; choose one of prec, rows, dm, c_avg, ncp, gcp, distortion, modification_rate, "
            "lm, cm, entropy");
  EXPECT_NE(message("cm").find("no target column"), std::string::npos);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
