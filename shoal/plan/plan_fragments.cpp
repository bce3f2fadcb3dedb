// Draw a pilot, cut where its groups are crossed least, route all rows, count, and let fragments that are too small
// join others.
#include "shoal/plan/plan_fragments.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "shoal/method/fragments_parameter.h"
#include "shoal/method/space/part_of_problem.h"
#include "shoal/method/space/requirement_families.h"
#include "shoal/plan/pilot.h"
#include "shoal/recode/content_order.h"

namespace shoal {
namespace {

constexpr double kPilotTime = 0.1;  // of the time budget, at most

// Models that compare groups with the whole table: inside a fragment that is unlike it hardly any group would do.
bool has_model_of_whole_table(const Problem& problem) {
  for (const auto& rule : problem.rules) {
    for (const CountedModel& counted : rule->models()) {
      if (compares_with_whole(counted.model->spec())) return true;
    }
  }
  return false;
}

// The largest k that the problem's requirements ask for.
uint64_t largest_k(const Problem& problem) {
  uint64_t k = 1;
  for (const Requirement& requirement : problem.requirements) k = std::max(k, requirement.k);
  return k;
}

class Planning {
 public:
  Planning(const Problem& problem, const FragmentWish& wish, Progress& progress)
      : problem_(problem), wish_(wish), progress_(progress), columns_(united(problem.requirements).columns) {}

  FragmentPlan plan() {
    const OrderedRows order = ordered_rows(problem_.table, columns_, progress_);
    const FragmentSizes sizes =
        wish_.asked ? wish_.sizes : with_tuples(wish_.sizes, problem_.table.rows, order.tuples());
    if (sizes.fragments < 2) return {};
    const Table sample = part_of_table(problem_.table, pilot_rows(problem_.table, order, columns_, sizes.pilot_rows));
    std::optional<PilotTree> pilot = PilotTree::grown(problem_, {sample, problem_.table.rows, sizes}, progress_);
    if (!pilot) return {};
    while (pilot->cut_again(route(pilot->tree()))) {
    }
    FragmentPlan plan;
    plan.fragments = fragments(pilot->tree(), order.rows);
    plan.words = words(plan.fragments, sample.rows);
    return plan;
  }

 private:
  const std::vector<uint64_t>& route(const CutTree& tree) {
    progress_.check();
    leaf_of_row_ = tree.route(problem_.table, problem_.threads);
    rows_of_leaf_.assign(tree.nodes().size(), 0);
    for (uint32_t leaf : leaf_of_row_) ++rows_of_leaf_[leaf];
    return rows_of_leaf_;
  }

  bool hold(std::span<const uint32_t> leaves) const {
    if (!problem_.has_models()) return true;
    progress_.check();
    std::vector<uint32_t> rows;
    for (uint32_t leaf : leaves) {
      rows.insert(rows.end(), rows_by_leaf_.rows.begin() + rows_by_leaf_.starts[leaf],
                  rows_by_leaf_.rows.begin() + rows_by_leaf_.starts[leaf + 1]);
    }
    return std::all_of(problem_.rules.begin(), problem_.rules.end(), [&](const auto& rule) {
      return rule->holds(rows) && (!rule->average_risk() || rule->average_risk()->holds(1, rows.size()));
    });
  }

  // Rows under the numbers that their leaves have in `number_of_leaf`; those of one number in the order given.
  RowGroups sorted_by(const auto& number_of_leaf, size_t numbers, const std::vector<uint32_t>& rows) const {
    RowGroups result;
    result.starts.assign(numbers + 1, 0);
    for (uint32_t leaf : leaf_of_row_) ++result.starts[number_of_leaf(leaf) + 1];
    std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());
    std::vector<uint32_t> next(result.starts.begin(), result.starts.end() - 1);
    result.rows.resize(rows.size());
    for (uint32_t row : rows) result.rows[next[number_of_leaf(leaf_of_row_[row])]++] = row;
    return result;
  }

  RowGroups fragments(const CutTree& tree, const std::vector<uint32_t>& rows_by_content) {
    if (problem_.has_models()) {
      rows_by_leaf_ = sorted_by([](uint32_t leaf) { return leaf; }, tree.nodes().size(), rows_by_content);
    }
    const std::vector<uint32_t> fragment_of_leaf = fragments_of_leaves(
        tree, rows_of_leaf_, wish_.sizes.least_rows, [&](std::span<const uint32_t> leaves) { return hold(leaves); });
    const size_t count = size_t{*std::max_element(fragment_of_leaf.begin(), fragment_of_leaf.end())} + 1;
    return sorted_by([&](uint32_t leaf) { return fragment_of_leaf[leaf]; }, count, rows_by_content);
  }

  static std::string words(const RowGroups& fragments, size_t pilot) {
    std::vector<uint64_t> rows;
    for (size_t f = 0; f < fragments.size(); ++f) rows.push_back(fragments.rows_in(f));
    return fragment_words(rows, pilot);
  }

  const Problem& problem_;
  const FragmentWish wish_;
  Progress& progress_;
  const std::vector<size_t> columns_;
  std::vector<uint32_t> leaf_of_row_;   // [row]
  std::vector<uint64_t> rows_of_leaf_;  // [node]
  RowGroups rows_by_leaf_;              // by node; only where there are models
};

}  // namespace

std::string fragment_words(const std::vector<uint64_t>& rows, size_t pilot) {
  const auto [least, most] = std::minmax_element(rows.begin(), rows.end());
  return fmt::format("{}, of {} to {} rows, cut by a pilot of {} rows", rows.size(), *least, *most, pilot);
}

std::optional<PilotTree> PilotTree::grown(const Problem& problem, const DrawnRows& drawn, Progress& progress) {
  Progress for_pilot(&progress);
  if (progress.deadline()) {
    const auto now = Clock::now();
    for_pilot.set_deadline(now +
                           std::chrono::duration_cast<Clock::duration>(kPilotTime * (*progress.deadline() - now)));
  }
  std::optional<PilotGroups> groups = pilot_groups(problem, drawn.sample, drawn.rows, for_pilot);
  if (!groups) return std::nullopt;
  return PilotTree(std::move(*groups), drawn);
}

PilotTree::PilotTree(PilotGroups groups, const DrawnRows& drawn)
    : groups_(std::make_unique<const PilotGroups>(std::move(groups))),
      grower_(std::make_unique<CutGrower>(*groups_, drawn.sizes.least_rows * drawn.sample.rows / drawn.rows)),
      most_rows_(kSkewed * (drawn.rows / drawn.sizes.fragments)) {
  grower_->grow(drawn.sizes.fragments);
}

bool PilotTree::cut_again(const std::vector<uint64_t>& rows) {
  bool again = false;
  for (uint32_t leaf = 0; leaf < rows.size(); ++leaf) {
    if (rows[leaf] > most_rows_) again |= grower_->cut(leaf);
  }
  return again;
}

FragmentWish wanted_fragments(const Problem& problem, size_t rows, CutTied tied) {
  FragmentWish wish;
  const auto setting = problem.params.find(kFragments);
  if (setting == problem.params.end() || setting->second == "off") {
    wish.reason = "the job asks for none";
    return wish;
  }
  const bool by_rule = setting->second == "auto";
  const auto number = by_rule ? size_t{0} : static_cast<size_t>(number_setting(problem.params, kFragments));
  const Problem needed = with_needed_requirements(problem);
  const uint64_t k = largest_k(needed);
  const FragmentSizes sizes = by_rule ? fragment_sizes(rows, k) : asked_fragments(rows, k, number);
  wish.asked = number > 1;
  if (sizes.fragments < 2) {
    wish.reason = fmt::format("{} rows are too few for fragments with k = {}", rows, k);
  } else if (requirement_families(needed.requirements).size() != 1) {
    wish.reason =
        "requirements that share no column are searched apart, and what is cut for one tears the groups of another";
  } else if (by_rule && tied == CutTied::never &&
             (needed.requirements.size() > 1 || has_model_of_whole_table(needed))) {
    // What a user asks for is done. By itself nothing is cut where the whole table's distribution or several
    // requirements tie rows together: whether cutting lowers the loss there is not known.
    wish.reason = "several requirements, or models that compare with the whole table, tie its rows together";
  } else {
    wish.sizes = sizes;
  }
  return wish;
}

FragmentPlan plan_fragments(const Problem& problem, Progress& progress) {
  FragmentPlan whole;
  const FragmentWish wish = wanted_fragments(problem, problem.table.rows);
  if (wish.asked) whole.reason = wish.reason;
  if (wish.sizes.fragments < 2) return whole;
  const Problem needed = with_needed_requirements(problem);
  FragmentPlan plan = Planning(needed, wish, progress).plan();
  if (plan.fragments.size() < 2) {
    if (wish.asked) whole.reason = "no cut leaves enough rows on both sides";
    return whole;
  }
  return plan;
}

}  // namespace shoal
