#include "shoal/files/verify_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "shoal/encode/roles.h"
#include "shoal/files/tree_of_column.h"
#include "shoal/read/file_table.h"
#include "shoal/run/counted.h"
#include "shoal/verify/coverage.h"

namespace shoal {
namespace {

// The tests of the tree as SQL over the original's texts.
class TreeInSql {
 public:
  TreeInSql(const FileJob& job, const Source& original, DuckDb& duck, const Progress& progress)
      : job_(job), original_(original), duck_(duck), progress_(progress) {
    missing_.insert(job.missing.begin(), job.missing.end());
    missing_.insert("");
  }

  // An expression that is the number of the leaf a row reaches (NULL: none).
  std::string leaf_number(const ShownTree& tree) {
    std::vector<std::string> sql(tree.nodes.size());
    for (size_t number = sql.size(); number-- > 0;) {  // children stand behind their parents
      const ShownTree::Node& node = tree.nodes[number];
      if (node.leaf()) {
        sql[number] = std::to_string(number);
        continue;
      }
      sql[number] = "CASE";
      for (uint32_t child = node.first_child; child < node.first_child + node.children; ++child) {
        sql[number] += fmt::format(" WHEN {} THEN {}", test(node.column, tree.nodes[child]), sql[child]);
        sql[child].clear();
      }
      sql[number] += " END";
    }
    return sql[0];
  }

 private:
  std::string test(const std::string& column, const ShownTree::Node& node) {
    // An empty cell of a text file is NULL, which no list has.
    const std::string text = fmt::format("coalesce({}, '')", original_.text(*original_.find(column)));
    if (node.test == ShownTree::Test::missing) return is_one_of(text, {missing_.begin(), missing_.end()});
    if (node.test == ShownTree::Test::is) return is_one_of(text, covered(column, node.label));
    return fmt::format("try_cast(trim({}) AS DOUBLE) {} {}", text, node.test == ShownTree::Test::at_most ? "<=" : ">",
                       node.threshold);
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

  const FileJob& job_;
  const Source& original_;
  DuckDb& duck_;
  const Progress& progress_;
  std::set<std::string, std::less<>> missing_;
  std::map<std::string, std::vector<std::string>> texts_;
  std::map<std::string, CellCoverage> coverage_;
};

VerificationCheck check_columns(const FileJob& job, const ShownTree& tree) {
  const ColumnJob* target = job.find_column(tree.target);
  if (!target || target->role != Role::target) {
    return {"columns", CheckResult::failed, fmt::format("the tree is for '{}', which is not the target", tree.target)};
  }
  std::vector<std::string> names = tree.columns;
  for (const ShownTree::Node& node : tree.nodes) {
    if (!node.leaf()) names.push_back(node.column);
  }
  for (const std::string& name : names) {
    const ColumnJob* column = job.find_column(name);
    if (!column || column->role != Role::quasi) {
      return {"columns", CheckResult::failed, fmt::format("the tree asks for '{}', which is not a quasi column", name)};
    }
  }
  return {"columns", CheckResult::passed, "the tree names quasi columns and the target only"};
}

// What DuckDB counted on the original, in the tree's terms.
struct CountedRows {
  std::vector<std::vector<uint64_t>> by_class;  // of each node
  std::vector<uint64_t> of_node;
  uint64_t all = 0, nowhere = 0;
  std::optional<std::string> unknown_class;
};

CountedRows count_rows(const ShownTree& tree, const std::string& leaf_number, const Source& original, DuckDb& duck,
                       const Progress& progress) {
  CountedRows counted;
  counted.by_class.assign(tree.nodes.size(), std::vector<uint64_t>(tree.classes.size(), 0));
  counted.of_node.assign(tree.nodes.size(), 0);
  std::map<std::string, size_t> class_number;
  for (size_t c = 0; c < tree.classes.size(); ++c) class_number.emplace(tree.classes[c], c);
  for (const auto& row : duck.query(fmt::format("SELECT {}, {}, count(*) FROM {} GROUP BY ALL", leaf_number,
                                                original.text(*original.find(tree.target)), original.relation()),
                                    progress)) {
    const uint64_t rows = std::stoull(row[2]);
    counted.all += rows;
    if (row[0].empty()) {
      counted.nowhere += rows;
      continue;
    }
    const size_t leaf = std::stoull(row[0]);
    counted.of_node[leaf] += rows;
    const auto found = class_number.find(row[1]);
    if (found == class_number.end()) {
      counted.unknown_class = row[1];
    } else {
      counted.by_class[leaf][found->second] += rows;
    }
  }
  for (size_t number = tree.nodes.size(); number-- > 1;) {
    const uint32_t parent = tree.nodes[number].parent;
    counted.of_node[parent] += counted.of_node[number];
    for (size_t c = 0; c < tree.classes.size(); ++c) counted.by_class[parent][c] += counted.by_class[number][c];
  }
  return counted;
}

VerificationCheck check_rows(const ShownTree& tree, const CountedRows& counted) {
  if (counted.nowhere > 0) {
    return {"rows", CheckResult::failed, fmt::format("{} of {} rows reach no leaf", counted.nowhere, counted.all)};
  }
  // Classes and paths are values of the table.
  auto failed = [](std::string culprit) {
    return VerificationCheck{"rows", CheckResult::failed, "a node shows other rows than were counted there",
                             std::move(culprit)};
  };
  if (counted.unknown_class) return failed(fmt::format("the class '{}' is not in the tree", *counted.unknown_class));
  for (uint32_t number = 0; number < tree.nodes.size(); ++number) {
    const ShownTree::Node& node = tree.nodes[number];
    for (size_t c = 0; c < tree.classes.size(); ++c) {
      const uint64_t rows = counted.by_class[number][c];
      if (node.class_rows[c] == rows) continue;
      return failed(fmt::format("{}: the tree shows {} of class '{}', and counted were {}", tree.path(number),
                                shoal::counted(node.class_rows[c], "row"), tree.classes[c], rows));
    }
    if (node.rows != counted.of_node[number]) {
      return failed(fmt::format("{}: the tree shows {}, and counted were {}", tree.path(number),
                                shoal::counted(node.rows, "row"), counted.of_node[number]));
    }
    const auto most = std::max_element(node.class_rows.begin(), node.class_rows.end()) - node.class_rows.begin();
    if (node.majority != tree.classes[static_cast<size_t>(most)]) {
      return failed(fmt::format("{}: the tree foretells '{}', but most rows are of class '{}'", tree.path(number),
                                node.majority, tree.classes[static_cast<size_t>(most)]));
    }
  }
  return {
      "rows", CheckResult::passed,
      fmt::format("{} in the leaves, all there are; the tree shows their numbers", shoal::counted(counted.all, "row"))};
}

VerificationCheck check_smallest_leaf(const FileJob& job, const ShownTree& tree, uint64_t smallest) {
  uint64_t k = job.k.value_or(1);  // the one requirement implies any others
  for (const RequirementJob& requirement : job.requirements) k = std::max(k, requirement.k);
  const auto leaves =
      std::count_if(tree.nodes.begin(), tree.nodes.end(), [](const ShownTree::Node& node) { return node.leaf(); });
  VerificationCheck check{
      fmt::format("requirement k={}", k),
      smallest >= k && smallest >= tree.k ? CheckResult::passed : CheckResult::failed,
      fmt::format("{}, the smallest has {}", counted(static_cast<uint64_t>(leaves), "leaf", "leaves"),
                  counted(smallest, "row"))};
  if (smallest < tree.k) check.detail += fmt::format("; the tree claims k={}", tree.k);
  return check;
}

}  // namespace

Verification verify_model(const FileJob& job, const ShownTree& tree, const std::string& original_path,
                          Progress& progress, Notices* notices) {
  if (std::none_of(job.columns.begin(), job.columns.end(),
                   [](const ColumnJob& column) { return column.role == Role::target; })) {
    throw Error(ErrorKind::job, "no target column; name the one that the decision tree was made for");
  }
  DuckDb duck(job.thread_count(), job.memory_limit);
  const Source original(original_path, reading_of(job), duck, progress);
  if (notices != nullptr) notices->add(original.notices());
  plan_columns(job, FileTable(original, duck));  // throws unless the original has every column of the job
  Verification verification;
  verification.checks.push_back(check_columns(job, tree));
  if (verification.checks.back().ok()) {
    try {
      const std::string leaf_number = TreeInSql(job, original, duck, progress).leaf_number(tree);
      const CountedRows counted = count_rows(tree, leaf_number, original, duck, progress);
      uint64_t smallest = UINT64_MAX;
      for (size_t number = 0; number < tree.nodes.size(); ++number) {
        if (tree.nodes[number].leaf()) smallest = std::min(smallest, counted.of_node[number]);
      }
      verification.smallest_groups.push_back(smallest);
      verification.checks.push_back(check_smallest_leaf(job, tree, smallest));
      verification.checks.push_back(check_rows(tree, counted));
    } catch (const DuckError& error) {
      throw original.input_error(error);
    }
  }
  return verification;
}

}  // namespace shoal
