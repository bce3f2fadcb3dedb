#include <gtest/gtest.h>

#include <map>

#include "shoal/recode/apply.h"
#include "testing/random_problem.h"
#include "testing/rounds.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTable;
using testing::RandomTables;
using testing::rounds;

// ---- the plain version: row by row, with maps ----

class PlainArgus {
 public:
  PlainArgus(const Problem& problem, double unsafe)
      : problem_(problem),
        requirements_(without_implied(problem.requirements)),
        most_(unsafe * double(problem.table.rows)),
        levels_(problem.table.quasi.size(), 0) {}

  // [row][column] node
  std::vector<std::vector<uint32_t>> run() {
    while (true) {
      begin();
      auto unsafe = count();
      const auto first = unsafe;
      if (double(unsafe_rows(unsafe)) <= most_) {
        while (unsafe_rows(unsafe) > 0 && star(unsafe)) unsafe = count();
        if (unsafe_rows(unsafe) == 0) return cells_;
      }
      raise(first);
    }
  }
  int starred() const { return starred_; }

 private:
  using Counts = std::vector<std::vector<int>>;  // [row][column]

  void begin() {
    cells_.assign(problem_.table.rows, {});
    for (size_t row = 0; row < cells_.size(); ++row) {
      for (size_t j = 0; j < levels_.size(); ++j) {
        cells_[row].push_back(problem_.hierarchies[j].node_at(problem_.table.quasi[j].codes[row], levels_[j]));
      }
    }
    starred_ = 0;
  }
  Counts count() const {
    Counts unsafe(cells_.size(), std::vector<int>(levels_.size(), 0));
    for (const Requirement& requirement : requirements_) {
      std::map<std::vector<uint32_t>, std::vector<size_t>> groups;
      for (size_t row = 0; row < cells_.size(); ++row) {
        std::vector<uint32_t> tuple;
        for (size_t j : requirement.columns) tuple.push_back(cells_[row][j]);
        groups[tuple].push_back(row);
      }
      for (const auto& [tuple, rows] : groups) {
        if (rows.size() >= requirement.k) continue;
        for (size_t row : rows) {
          for (size_t j : requirement.columns) ++unsafe[row][j];
        }
      }
    }
    return unsafe;
  }
  static size_t unsafe_rows(const Counts& unsafe) {
    return static_cast<size_t>(std::count_if(unsafe.begin(), unsafe.end(), [](const std::vector<int>& row) {
      return *std::max_element(row.begin(), row.end()) > 0;
    }));
  }
  bool star(const Counts& unsafe) {
    bool changed = false;
    for (size_t row = 0; row < cells_.size(); ++row) {
      double most = 0;
      std::optional<size_t> chosen;
      for (size_t j = 0; j < levels_.size(); ++j) {
        const double worth = unsafe[row][j] / problem_.weights[j];
        if (cells_[row][j] != 0 && worth > most) {
          most = worth;
          chosen = j;
        }
      }
      if (!chosen) continue;
      cells_[row][*chosen] = 0;
      ++starred_;
      changed = true;
    }
    return changed;
  }
  void raise(const Counts& unsafe) {
    std::optional<size_t> chosen;
    double most = -1;
    for (size_t j = 0; j < levels_.size(); ++j) {
      const bool required =
          std::any_of(requirements_.begin(), requirements_.end(), [&](const Requirement& requirement) {
            return std::count(requirement.columns.begin(), requirement.columns.end(), j) > 0;
          });
      double sum = 0;
      for (const auto& row : unsafe) sum += row[j];
      if (!required || levels_[j] == problem_.hierarchies[j].height() || sum / problem_.weights[j] <= most) continue;
      most = sum / problem_.weights[j];
      chosen = j;
    }
    ++levels_[chosen.value()];
  }

  const Problem& problem_;
  std::vector<Requirement> requirements_;
  double most_;
  std::vector<int> levels_;
  std::vector<std::vector<uint32_t>> cells_;
  int starred_ = 0;
};

TEST(MuArgus, IsThePlainVersion) {
  RandomTables random(170);
  int with_stars = 0;
  for (int round = 0; round < rounds(1500); ++round) {
    const RandomTable drawn = random.table({.rows = random.draw(1, 60), .columns = random.draw(1, 5), .max_values = 5});
    auto requirements = random.requirements(drawn.table);
    for (Requirement& requirement : requirements) requirement.k = std::min<uint64_t>(requirement.k, 5);
    Problem problem = drawn.problem(requirements);
    const std::string unsafe = std::vector<std::string>{"0", "0.1", "0.5", "1"}[random.draw(0, 3)];
    problem.params = {{"unsafe", unsafe}};
    problem.threads = static_cast<int>(random.draw(1, 3));
    for (double& weight : problem.weights) weight = double(random.draw(1, 2));
    const SearchResult result = testing::run_method("mu-argus", problem);
    ASSERT_TRUE(result.recoding());
    const ReleasedTable released = apply(*result.recoding(), drawn.table, drawn.hierarchies, 1);
    PlainArgus plain(problem, std::stod(unsafe));
    const auto cells = plain.run();
    with_stars += plain.starred() > 0;
    for (size_t row = 0; row < drawn.table.rows; ++row) {
      for (size_t j = 0; j < released.quasi.size(); ++j) {
        const Released& cell = released.quasi[j].values[released.quasi[j].codes[row]];
        ASSERT_TRUE(cell.is_node(cells[row][j])) << "round " << round << " row " << row << " column " << j;
      }
    }
    for (const Requirement& requirement : requirements) {
      EXPECT_TRUE(testing::holds(released, drawn.table.rows, requirement)) << "round " << round;
    }
  }
  EXPECT_GT(with_stars, rounds(1500) / 15);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
