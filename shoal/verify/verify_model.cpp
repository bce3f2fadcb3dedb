#include "shoal/verify/verify_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "shoal/read/source.h"
#include "shoal/verify/coverage.h"
#include "shoal/verify/tree_of_column.h"

namespace shoal {
namespace {

using Json = nlohmann::json;

// The tests of the tree as SQL over the original's texts.
class TreeInSql {
 public:
  TreeInSql(const Job& job, const Source& original, DuckDb& duck, const Progress& progress)
      : job_(job), original_(original), duck_(duck), progress_(progress) {
    missing_.insert(job.missing.begin(), job.missing.end());
    missing_.insert("");
  }

  // An expression that is the number of the leaf a row reaches (NULL: none); leaves are added to `leaves`.
  std::string leaf_number(const Json& node, std::vector<Json>& leaves) {
    if (!node.contains("branches")) {
      leaves.push_back(node);
      return std::to_string(leaves.size() - 1);
    }
    const std::string column = node.at("column");
    std::string sql = "CASE";
    for (const Json& branch : node.at("branches")) {
      sql += fmt::format(" WHEN {} THEN {}", test(column, branch), leaf_number(branch, leaves));
    }
    return sql + " END";
  }

 private:
  std::string test(const std::string& column, const Json& branch) {
    const std::string text = original_.text(*original_.find(column));
    if (branch.contains("missing")) return is_one_of(text, {missing_.begin(), missing_.end()});
    if (branch.contains("is")) return is_one_of(text, covered(column, branch.at("is")));
    const bool below = branch.contains("at_most");
    return fmt::format("try_cast(trim({}) AS DOUBLE) {} {}", text, below ? "<=" : ">",
                       branch.at(below ? "at_most" : "above").get<double>());
  }
  static std::string is_one_of(const std::string& text, const std::vector<std::string>& values) {
    std::string list;
    for (const std::string& value : values) list += (list.empty() ? "" : ", ") + sql_literal(value);
    return list.empty() ? "false" : fmt::format("{} IN ({})", text, list);
  }
  // The texts of the original that a label covers.
  std::vector<std::string> covered(const std::string& column, const std::string& label) {
    if (!texts_.contains(column)) {
      for (const auto& row : duck_.query(
               fmt::format("SELECT DISTINCT {} FROM {}", original_.text(*original_.find(column)), original_.relation()),
               progress_)) {
        texts_[column].push_back(row[0]);
      }
      const ColumnJob* entry = job_.find_column(column);
      coverage_.try_emplace(column, entry ? entry->type : ColumnType::automatic,
                            tree_of_column(job_, column, original_, duck_, progress_), missing_);
    }
    std::vector<std::string> result;
    for (const std::string& text : texts_[column]) {
      if (coverage_.at(column).covers(text, label)) result.push_back(text);
    }
    return result;
  }

  const Job& job_;
  const Source& original_;
  DuckDb& duck_;
  const Progress& progress_;
  std::set<std::string, std::less<>> missing_;
  std::map<std::string, std::vector<std::string>> texts_;
  std::map<std::string, CellCoverage> coverage_;
};

VerificationCheck check_columns(const Job& job, const Json& node, const std::string& target) {
  const ColumnJob* column = job.find_column(target);
  if (!column || column->role != Role::target) {
    return {"columns", false, fmt::format("the tree is for '{}', which is not the target", target)};
  }
  std::vector<const Json*> waiting{&node};
  while (!waiting.empty()) {
    const Json& at = *waiting.back();
    waiting.pop_back();
    if (!at.contains("branches")) continue;
    const std::string name = at.at("column");
    column = job.find_column(name);
    if (!column || column->role != Role::quasi) {
      return {"columns", false, fmt::format("the tree asks for '{}', which is not a quasi column", name)};
    }
    for (const Json& branch : at.at("branches")) waiting.push_back(&branch);
  }
  return {"columns", true, "the tree names quasi columns and the target only"};
}

VerificationCheck check_rows(const std::vector<Json>& leaves, const std::vector<std::string>& classes,
                             const std::map<std::string, std::map<std::string, uint64_t>>& counted) {
  uint64_t rows = 0;
  for (const auto& [leaf, by_class] : counted) {
    for (const auto& [name, count] : by_class) {
      if (leaf.empty()) return {"rows", false, fmt::format("{} rows or more reach no leaf", count)};
      if (std::find(classes.begin(), classes.end(), name) == classes.end()) {
        return {"rows", false, fmt::format("the class '{}' is not in the tree", name)};
      }
      rows += count;
    }
  }
  for (size_t i = 0; i < leaves.size(); ++i) {
    const auto shown = leaves[i].at("class_rows").get<std::vector<uint64_t>>();
    for (size_t c = 0; c < classes.size(); ++c) {
      uint64_t count = 0;
      if (const auto leaf = counted.find(std::to_string(i)); leaf != counted.end()) {
        if (const auto found = leaf->second.find(classes[c]); found != leaf->second.end()) count = found->second;
      }
      if (count != shown.at(c)) {
        return {"rows", false,
                fmt::format("leaf {} shows {} rows of class '{}', and {} were counted", i + 1, shown[c], classes[c],
                            count)};
      }
    }
  }
  return {"rows", true, fmt::format("all {} rows reach a leaf; the tree shows their numbers", rows)};
}

}  // namespace

Verification verify_model(const Job& job, const std::string& json_text, const std::string& original_path,
                          Progress& progress) try {
  const Json model = Json::parse(json_text);
  const std::string target = model.at("target");
  DuckDb duck(job.thread_count(), job.memory_limit);
  const Source original(original_path, job.delimiter, duck, progress);
  Verification verification;
  verification.checks.push_back(check_columns(job, model.at("tree"), target));
  if (verification.checks.back().ok) {
    try {
      std::vector<Json> leaves;
      const std::string leaf = TreeInSql(job, original, duck, progress).leaf_number(model.at("tree"), leaves);
      std::map<std::string, std::map<std::string, uint64_t>> counted;  // by leaf and class
      for (const auto& row : duck.query(fmt::format("SELECT {}, {}, count(*) FROM {} GROUP BY ALL", leaf,
                                                    original.text(*original.find(target)), original.relation()),
                                        progress)) {
        counted[row[0]][row[1]] = std::stoull(row[2]);
      }
      uint64_t smallest = UINT64_MAX;
      for (size_t i = 0; i < leaves.size(); ++i) {
        uint64_t rows = 0;
        for (const auto& [name, count] : counted[std::to_string(i)]) rows += count;
        smallest = std::min(smallest, rows);
      }
      uint64_t k = job.k.value_or(1);  // the one requirement implies any others
      for (const RequirementJob& requirement : job.requirements) k = std::max(k, requirement.k);
      verification.smallest_groups.push_back(smallest);
      verification.checks.push_back({fmt::format("requirement k={}", k), smallest >= k,
                                     fmt::format("{} leaves, the smallest has {} rows", leaves.size(), smallest)});
      verification.checks.push_back(check_rows(leaves, model.at("classes"), counted));
    } catch (const DuckError& error) {
      throw original.input_error(error);
    }
  }
  verification.ok = std::all_of(verification.checks.begin(), verification.checks.end(),
                                [](const VerificationCheck& check) { return check.ok; });
  return verification;
} catch (const nlohmann::json::exception& error) {
  throw Error(ErrorKind::input, fmt::format("not a decision tree as shoal writes it: {}", error.what()));
}

}  // namespace shoal
