// The plan of plan/plan_fragments.cpp where only counts are at hand.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "shoal/encode/problem.h"
#include "shoal/error.h"
#include "shoal/method/fragments_parameter.h"
#include "shoal/method/space/requirement_families.h"
#include "shoal/plan/pilot.h"
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
  return job;
}

Table without_rows(const Encoding& encoding, uint64_t rows) {
  Table table;
  table.rows = rows;
  for (const ColumnEncoding& column : encoding.columns) table.quasi.push_back({column.name, {}, {}});
  return table;
}

}  // namespace

struct FragmentPlanner::Pilot {
  Table sample;
  std::optional<PilotGroups> groups;
  std::unique_ptr<CutGrower> grower;
};

FragmentPlanner::~FragmentPlanner() = default;

FragmentPlanner::FragmentPlanner(std::shared_ptr<const PlannedTable> table)
    : table_(std::move(table)), pilot_(std::make_unique<Pilot>()), plan_(table_->plan()) {
  const Job job = without_models(table_->job());
  const MethodEntry& method = *find_method(chosen_method(job));
  const Table whole = without_rows(table_->encoding(), plan_.rows);
  std::vector<std::string> notices;
  const Problem problem = with_needed_requirements(make_problem(job, method, whole, table_->encoding(), notices));
  uint64_t k = 1;
  for (const Requirement& requirement : problem.requirements) k = std::max(k, requirement.k);
  const std::string& setting = problem.params.at(kFragments);
  const bool asked = setting != "auto" && setting != "off";
  if (setting == "off") {
    reason_ = "the job asks for none";
  } else if (requirement_families(problem.requirements).size() != 1) {
    reason_ = "requirements that share no column are searched apart, and what is cut for one tears the groups of another";
  } else {
    sizes_ = asked ? asked_fragments(plan_.rows, k, static_cast<size_t>(number_setting(problem.params, kFragments)))
                   : fragment_sizes(plan_.rows, k);
    if (sizes_.fragments < 2) reason_ = fmt::format("{} rows with k = {} are one fragment", plan_.rows, k);
  }
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
  Table& sample = pilot_->sample;
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
  const Job job = without_models(table_->job());
  const Table whole = without_rows(encoding, plan_.rows);
  std::vector<std::string> notices;
  const Problem problem = with_needed_requirements(
      make_problem(job, *find_method(chosen_method(job)), whole, encoding, notices));
  pilot_->groups = pilot_groups(problem, sample, plan_.rows, progress);
  if (!pilot_->groups) {
    reason_ = "the pilot has no answer";
    return;
  }
  pilot_->grower = std::make_unique<CutGrower>(*pilot_->groups, sizes_.least_rows * sample.rows / plan_.rows);
  pilot_->grower->grow(sizes_.fragments);
  plan_.tree = pilot_->grower->tree();
  plan_.fragment_of_leaf.assign(plan_.tree.nodes().size(), 0);
}

bool FragmentPlanner::cut_again(const std::vector<uint64_t>& rows) {
  if (!pilot_->grower) return false;
  const size_t most = kSkewed * (plan_.rows / sizes_.fragments);
  bool again = false;
  for (uint32_t leaf = 0; leaf < rows.size(); ++leaf) {
    if (rows[leaf] > most) again |= pilot_->grower->cut(leaf);
  }
  plan_.tree = pilot_->grower->tree();
  plan_.fragment_of_leaf.assign(plan_.tree.nodes().size(), 0);
  return again;
}

void FragmentPlanner::join(const std::vector<uint64_t>& rows,
                           const std::function<bool(std::span<const uint32_t> leaves)>& holds) {
  if (rows.size() != plan_.tree.nodes().size()) throw Error(ErrorKind::input, "counts of another tree");
  plan_.fragment_of_leaf = fragments_of_leaves(plan_.tree, rows, sizes_.least_rows, holds);
}

}  // namespace shoal
