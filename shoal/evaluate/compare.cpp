// Methods compared over many tables.
#include <algorithm>
#include <map>

#include "shoal/evaluate/evaluate.h"

namespace shoal {
namespace {

struct SetError {
  double error = 0, above_raw = 0;
  bool worse_than_without = false;
};

// One combination of table, quasi columns, k and learner.
struct Set {
  size_t table = 0;
  std::string learner;
  std::map<std::string, SetError> methods;
};

struct Sets {
  std::vector<Set> sets;
  std::vector<std::string> methods, learners;  // in order of appearance
  size_t tables = 0;
};

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

Sets collect(const std::vector<Evaluation>& evaluations) {
  Sets all;
  std::map<std::string, size_t> table_of;
  for (const Evaluation& evaluation : evaluations) {
    const size_t table = table_of.emplace(evaluation.input, table_of.size()).first->second;
    std::map<std::pair<uint64_t, std::string>, size_t> set_of;
    for (const EvaluationCell& cell : evaluation.cells) {
      if (cell.learner == kGroupMajority) continue;
      const auto [place, fresh] = set_of.emplace(std::pair(cell.k, cell.learner), all.sets.size());
      if (fresh) all.sets.push_back({table, cell.learner, {}});
      const std::string method = column_name(evaluation, cell);
      all.sets[place->second].methods[method] = {cell.anonymized.error, cell.above_raw ? cell.above_raw->difference : 0,
                                                 worse_than_without(cell)};
      add_once(all.methods, method);
      add_once(all.learners, cell.learner);
    }
  }
  // A method that has no error in some set (a tree of its own, say, where other learners are compared) is left out.
  std::erase_if(all.methods, [&](const std::string& method) {
    return std::any_of(all.sets.begin(), all.sets.end(), [&](const Set& set) { return !set.methods.contains(method); });
  });
  all.tables = table_of.size();
  return all;
}

// `learner`: "" for all.
Comparison::Line compare_learner(const Sets& all, const std::string& learner) {
  Comparison::Line line{learner, {}, {}, {}, {}, 0};
  std::vector<std::vector<double>> errors(all.tables), above(all.tables);  // [table][method]: sums, then means
  std::vector<size_t> counts(all.tables, 0);
  for (size_t table = 0; table < all.tables; ++table) {
    errors[table].assign(all.methods.size(), 0);
    above[table].assign(all.methods.size(), 0);
  }
  line.worse_than_without.assign(all.methods.size(), 0);
  for (const Set& set : all.sets) {
    if (!learner.empty() && set.learner != learner) continue;
    ++counts[set.table];
    for (size_t m = 0; m < all.methods.size(); ++m) {
      const SetError& error = set.methods.at(all.methods[m]);
      errors[set.table][m] += error.error;
      above[set.table][m] += error.above_raw;
      line.worse_than_without[m] += error.worse_than_without ? 1 : 0;
    }
  }
  std::vector<std::vector<double>> blocks;
  std::vector<std::vector<double>> above_by_method(all.methods.size());
  for (size_t table = 0; table < all.tables; ++table) {
    if (counts[table] == 0) continue;
    blocks.push_back(errors[table]);
    for (size_t m = 0; m < all.methods.size(); ++m) {
      blocks.back()[m] /= static_cast<double>(counts[table]);
      above_by_method[m].push_back(above[table][m] / static_cast<double>(counts[table]));
    }
  }
  for (size_t m = 0; m < all.methods.size(); ++m) {
    double sum = 0;
    for (const auto& block : blocks) sum += block[m];
    line.mean_errors.push_back(sum / static_cast<double>(blocks.size()));
    line.above_raw.push_back(mean_interval(above_by_method[m]));
  }
  if (blocks.size() >= Comparison::kFewestTables) {
    line.friedman = friedman_test(blocks);
    line.distance = bonferroni_dunn_distance(all.methods.size(), blocks.size());
  }
  return line;
}

}  // namespace

bool worse_than_without(const EvaluationCell& cell) { return cell.above_without && cell.above_without->low > 0; }
bool worse_than_majority(const EvaluationCell& cell) { return cell.above_majority.low > 0; }

std::string column_name(const Evaluation& evaluation, const EvaluationCell& cell) {
  const auto first = std::find_if(evaluation.cells.begin(), evaluation.cells.end(),
                                  [&](const EvaluationCell& other) { return other.method == cell.method; });
  return first->reading == cell.reading ? cell.method : cell.method + " " + to_string(cell.reading);
}

std::optional<Comparison> compare(const std::vector<Evaluation>& evaluations) {
  const Sets all = collect(evaluations);
  if (all.sets.size() < 2 || all.methods.size() < 2) return std::nullopt;
  Comparison comparison{all.methods, all.sets.size(), all.tables, {compare_learner(all, "")}};
  if (all.learners.size() > 1) {
    for (const std::string& learner : all.learners) comparison.lines.push_back(compare_learner(all, learner));
  }
  return comparison;
}

}  // namespace shoal
