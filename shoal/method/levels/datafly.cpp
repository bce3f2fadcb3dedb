// Datafly (Sweeney 1998): raise the column with most distinct values until few enough rows violate, then drop those.
#include <algorithm>

#include "shoal/method/levels/level_search.h"
#include "shoal/method/rules.h"

namespace shoal {

MethodEntry datafly_method();

namespace {

class Datafly final : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    const std::vector<LevelColumn> columns = level_columns(problem);
    const std::vector<SweepRequirement> requirements = sweep_requirements(problem, columns);
    const bool by_rows = problem.has_models();
    LatticeTuples tuples(problem.table, columns, nullptr, problem.threads);
    std::vector<int> levels(columns.size(), 0);
    SearchResult result;
    std::string raised;
    while (true) {
      progress.check();
      ++result.stats.generated;
      std::vector<size_t> violated;
      if (by_rows) {
        // What rules count is not in the tuples. There are few steps: each may look at all rows.
        const LevelDrop drop = drop_rows(problem, all_levels(problem, columns, levels));
        violated = drop.violated;
        const bool droppable = drop.populations_hold && drop.risks_hold && drop.input_rows <= row_limit(problem);
        if (violated.empty() || droppable) break;
      } else {
        tuples.unpack_digits();
        violated = violated_requirements(tuples, columns, requirements, levels);
        if (violated.empty()) break;
        if (rows_dropped(tuples, columns, requirements) <= row_limit(problem)) break;
      }
      if (progress.out_of_time() && go_to_the_top(problem, columns, levels)) {
        result.notices.emplace_back(
            "stopped by the time budget: all required columns are released at the top of their hierarchies");
        break;
      }
      const std::optional<size_t> column = column_to_raise(columns, requirements, violated, levels);
      if (!column) {
        const std::string why = by_rows ? whole_table_breaks(problem) : "";
        result.answer =
            NoAnswer{"the requirements do not hold even with all required columns at the top: " +
                     (why.empty() ? std::to_string(problem.table.input_rows()) + " rows are fewer than k" : why)};
        return result;
      }
      ++levels[*column];
      raised += (raised.empty() ? "" : ", ") + problem.table.quasi[columns[*column].quasi].name;
      if (!by_rows) tuples = tuples.project(columns, positions(columns, levels));
    }
    std::vector<int> all_levels = Datafly::all_levels(problem, columns, levels);
    std::vector<uint32_t> dropped = drop_rows(problem, all_levels).rows;
    Recoding recoding = levels_recoding(problem.hierarchies, std::move(all_levels));
    recoding.dropped_rows = std::move(dropped);
    result.answer = std::move(recoding);
    result.stats.expanded = result.stats.generated;
    result.stats.details.emplace_back("columns raised, in order", raised.empty() ? "none" : raised);
    return result;
  }

 private:
  static std::vector<int> all_levels(const Problem& problem, std::span<const LevelColumn> columns,
                                     std::span<const int> levels) {
    std::vector<int> result(problem.table.quasi.size(), 0);
    for (size_t column = 0; column < columns.size(); ++column) result[columns[column].quasi] = levels[column];
    return result;
  }

  // False, and nothing done, where that breaks a model.
  static bool go_to_the_top(const Problem& problem, std::span<const LevelColumn> columns, std::vector<int>& levels) {
    if (problem.has_models() && !whole_table_breaks(problem).empty()) return false;
    for (size_t column = 0; column < columns.size(); ++column) levels[column] = columns[column].height();
    return true;
  }

  static std::vector<LatticeTuples::Position> positions(std::span<const LevelColumn> columns,
                                                        std::span<const int> levels) {
    std::vector<LatticeTuples::Position> result;
    for (size_t column = 0; column < columns.size(); ++column) result.push_back({column, levels[column]});
    return result;
  }

  static std::vector<size_t> violated_requirements(const LatticeTuples& tuples, std::span<const LevelColumn> columns,
                                                   std::span<const SweepRequirement> requirements,
                                                   std::span<const int> levels) {
    std::vector<size_t> violated;
    for (size_t i = 0; i < requirements.size(); ++i) {
      std::vector<LatticeTuples::Position> own;
      for (size_t column : requirements[i].columns) own.push_back({column, levels[column]});
      const auto small = [&](uint32_t count) { return count < requirements[i].k; };
      const bool all = own.size() == columns.size();
      const LatticeTuples projected = all ? LatticeTuples() : tuples.project(columns, std::move(own));
      const auto counts = (all ? tuples : projected).counts();
      if (std::any_of(counts.begin(), counts.end(), small)) violated.push_back(i);
    }
    return violated;
  }

  // How many rows would have to be dropped at the levels that the tuples have.
  static uint64_t rows_dropped(const LatticeTuples& tuples, std::span<const LevelColumn> columns,
                               std::span<const SweepRequirement> requirements) {
    std::vector<int> levels;
    for (const LatticeTuples::Position& position : tuples.positions()) levels.push_back(position.floor);
    Sweep sweep(tuples, columns, requirements, tuples.rows());
    sweep.evaluate(levels);
    return sweep.groups().dropped;
  }

  static std::optional<size_t> column_to_raise(std::span<const LevelColumn> columns,
                                               std::span<const SweepRequirement> requirements,
                                               std::span<const size_t> violated, std::span<const int> levels) {
    std::optional<size_t> best;
    for (size_t column = 0; column < columns.size(); ++column) {
      const bool wanted = std::any_of(violated.begin(), violated.end(), [&](size_t i) {
        const auto& own = requirements[i].columns;
        return std::binary_search(own.begin(), own.end(), column);
      });
      if (!wanted || levels[column] == columns[column].height()) continue;
      if (!best || columns[column].values(levels[column]) > columns[*best].values(levels[*best])) best = column;
    }
    return best;
  }
};

}  // namespace

MethodEntry datafly_method() {
  return {.name = "datafly",
          .title = "greedy: raise the column with most distinct values, then drop what still violates",
          .paper = "Sweeney 1998",
          .shape = Shape::levels,
          .parameters = {},
          .several_requirements = true,
          .drops_rows = true,
          .needs_target = false,
          .make = [] { return std::unique_ptr<Method>(std::make_unique<Datafly>()); },
          .obeys_models = true,
          .obeys_average_risk = true,
          .obeys_population = true,
          .alike_rows = [](const Params&) { return AlikeRows{}; }};
}

}  // namespace shoal
