#include "shoal/method/rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "shoal/model/population_index.h"
#include "shoal/run/counted.h"
#include "shoal/table/groups.h"

namespace shoal {
namespace {

bool asks_for(const GroupRule& rule, const CountedModel& wanted) {
  return std::any_of(rule.models().begin(), rule.models().end(), [&](const CountedModel& own) {
    return own.counted == wanted.counted && own.model->spec() == wanted.model->spec();
  });
}

}  // namespace

std::vector<std::shared_ptr<const GroupRule>> rules_of(const Problem& problem) {
  std::vector<std::shared_ptr<const GroupRule>> rules;
  for (size_t i = 0; i < problem.requirements.size(); ++i) rules.push_back(problem.rule(i));
  return rules;
}

std::vector<size_t> needed_requirements(const Problem& problem) {
  const auto rules = rules_of(problem);
  auto implies = [&](size_t a, size_t b) {
    const auto &more = problem.requirements[a].columns, &fewer = problem.requirements[b].columns;
    return rules[a]->k() >= rules[b]->k() && !rules[b]->average_risk() &&
           std::includes(more.begin(), more.end(), fewer.begin(), fewer.end()) &&
           std::all_of(rules[b]->models().begin(), rules[b]->models().end(),
                       [&](const CountedModel& model) { return asks_for(*rules[a], model); });
  };
  std::vector<size_t> needed;
  for (size_t i = 0; i < rules.size(); ++i) {
    bool implied = false;
    for (size_t j = 0; j < rules.size() && !implied; ++j) {
      if (i == j || !implies(j, i)) continue;
      implied = !implies(i, j) || j < i;  // of two equal ones the first stays
    }
    if (!implied) needed.push_back(i);
  }
  return needed;
}

std::string whole_table_breaks(const Problem& problem) {
  std::vector<uint32_t> all(problem.table.rows);
  std::iota(all.begin(), all.end(), 0u);
  const uint64_t rows = problem.table.input_rows();
  for (size_t i = 0; i < problem.requirements.size(); ++i) {
    const auto rule = problem.rule(i);
    if (rule->needs_population() && population_of(*rule) == nullptr) {
      throw Error(ErrorKind::job, "a model asks about a population that is not at hand");
    }
    if (rows < rule->k()) {
      return fmt::format("the table has {}, fewer than k = {}", counted(rows, "row"), rule->k());
    }
    std::vector<std::string> names;
    for (size_t j : problem.requirements[i].columns) names.push_back(problem.table.quasi[j].name);
    if (rule->average_risk() && !rule->average_risk()->holds(1, rows)) {
      return fmt::format("the average risk of ({}) is too high even with all {} rows in one group",
                         fmt::join(names, ", "), rows);
    }
    for (const CountedModel& model : rule->models()) {
      const GroupRule alone(1, {model});
      const PopulationIndex* population = population_of(alone);
      if (population ? population_holds(alone, rows, population->all())
                     : alone.holds(alone.tally(all, problem.table.times)))
        continue;
      return fmt::format("even with all rows in one group on ({}) it is not true that {}", fmt::join(names, ", "),
                         promise_words(model.model->spec()));
    }
  }
  return "";
}

CountedTuples counted_tuples(const Problem& problem) {
  std::vector<std::shared_ptr<const CountedColumn>> columns;
  for (const auto& rule : problem.rules) {
    for (const CountedModel& model : rule->models()) {
      if (!model.counted) continue;
      if (std::find(columns.begin(), columns.end(), model.counted) == columns.end()) columns.push_back(model.counted);
    }
  }
  std::vector<Codes> codes;
  for (const auto& column : columns) {
    codes.emplace_back(column->codes.size(), column->values).visit([&](auto out) {
      using Code = typename decltype(out)::value_type;
      for (size_t row = 0; row < out.size(); ++row) out[row] = static_cast<Code>(column->codes[row]);
    });
  }
  std::vector<GroupKey> keys;
  for (size_t i = 0; i < codes.size(); ++i) keys.push_back({&codes[i], columns[i]->values});
  const Groups groups = group_rows(problem.table.rows, keys);
  CountedTuples result{Codes(problem.table.rows, groups.sizes.size()), {}};
  result.codes.visit([&](auto out) {
    using Code = typename decltype(out)::value_type;
    for (uint32_t row = 0; row < out.size(); ++row) {
      const uint32_t tuple = groups.group_of_row[row];
      out[row] = static_cast<Code>(tuple);
      if (tuple == result.row_of_tuple.size()) result.row_of_tuple.push_back(row);  // numbered as they appear
    }
  });
  return result;
}

}  // namespace shoal
