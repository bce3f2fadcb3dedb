// The plan of plan/plan_fragments.h where only counts are at hand.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "shoal/encode/problem.h"
#include "shoal/error.h"
#include "shoal/method/space/requirement_families.h"
#include "shoal/release/table_plan.h"

namespace shoal {
namespace {

// Rows are what models look at, and there are none here.
Job without_models(Job job) {
  const auto clear = [](std::vector<ModelSpec>& models) {
    std::erase_if(models, [](const ModelSpec& model) { return model.kind != ModelKind::average_risk; });
  };
  clear(job.models);
  for (RequirementJob& requirement : job.requirements) clear(requirement.models);
  for (ColumnJob& column : job.columns) {
    if (column.role == Role::person) column.role = Role::none;  // or requirements would count persons
  }
  return job;
}

Table without_rows(const Encoding& encoding, uint64_t rows) {
  Table table;
  table.rows = rows;
  for (const ColumnEncoding& column : encoding.columns) table.quasi.push_back({column.name, {}, {}});
  return table;
}

}  // namespace

FragmentPlanner::FragmentPlanner(std::shared_ptr<const PlannedTable> table)
    : table_(std::move(table)),
      plan_(table_->plan()),
      job_(without_models(table_->job())),
      whole_(without_rows(table_->encoding(), plan_.rows)) {
  const FragmentWish wish = wanted_fragments(problem(), plan_.rows, CutTied::always);
  sizes_ = wish.sizes;
  asked_ = wish.asked;
  reason_ = wish.reason;
}

void FragmentPlanner::count_tuples(uint64_t tuples) {
  if (asked_ || sizes_.fragments < 2) return;
  sizes_ = with_tuples(sizes_, plan_.rows, tuples);
  if (sizes_.fragments < 2) reason_ = fmt::format("{} different tuples are too few for fragments", tuples);
}

Problem FragmentPlanner::problem() const {
  std::vector<std::string> notices;
  const MethodEntry& method = *find_method(chosen_method(job_));
  return with_needed_requirements(make_problem(job_, method, whole_, table_->encoding(), notices));
}

void FragmentPlanner::grow(TableSource& drawn, Progress& progress) {
  const Encoding& encoding = table_->encoding();
  std::vector<std::pair<std::vector<uint32_t>, uint64_t>> tuples;
  drawn.read(std::vector{*drawn.find("key"), *drawn.find("count")}, progress, [&](TextStream& rows) {
    tuples.clear();
    while (rows.next()) {
      for (size_t row = 0; row < rows.size(); ++row) {
        uint64_t count = 0;
        const std::string_view text = rows.cell(1, row);
        std::from_chars(text.data(), text.data() + text.size(), count);
        tuples.emplace_back(table_->parsed(rows.cell(0, row)), count);
      }
    }
  });
  std::sort(tuples.begin(), tuples.end());
  tree_.reset();  // looks at the sample
  Table& sample = sample_;
  sample = Table();
  for (const auto& [codes, count] : tuples) sample.rows += count;
  for (size_t j = 0; j < encoding.columns.size(); ++j) {
    sample.quasi.push_back({encoding.columns[j].name, Codes(sample.rows, encoding.hierarchies[j].leaves()), {}});
  }
  size_t row = 0;
  for (const auto& [codes, count] : tuples) {
    for (uint64_t copy = 0; copy < count; ++copy, ++row) {
      for (size_t i = 0; i < codes.size(); ++i) sample.quasi[table_->key_columns_[i]].codes.set(row, codes[i]);
    }
  }
  tree_ = PilotTree::grown(problem(), {sample, plan_.rows, sizes_}, progress);
  if (!tree_) {
    reason_ = "the pilot has no answer";
    return;
  }
  show_tree();
}

bool FragmentPlanner::cut_again(const std::vector<uint64_t>& rows) {
  if (!tree_) return false;
  const bool again = tree_->cut_again(rows);
  show_tree();
  return again;
}

void FragmentPlanner::show_tree() {
  plan_.tree = tree_->tree();
  plan_.fragment_of_leaf.assign(plan_.tree.nodes().size(), 0);
}

void FragmentPlanner::join(const std::vector<uint64_t>& rows,
                           const std::function<bool(std::span<const uint32_t> leaves)>& holds) {
  if (rows.size() != plan_.tree.nodes().size()) throw Error(ErrorKind::input, "counts of another tree");
  plan_.fragment_of_leaf = fragments_of_leaves(plan_.tree, rows, sizes_.least_rows, holds);
}

}  // namespace shoal
