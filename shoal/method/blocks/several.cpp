#include "shoal/method/blocks/several.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shoal/method/blocks/block_search.h"
#include "shoal/method/fragment_search.h"
#include "shoal/method/space/requirement_families.h"

namespace shoal {
namespace {

constexpr double kWorthFinishing = 1.15;  // mondrian's shared cells, if they are at most that much dearer

std::string names_of(const std::vector<size_t>& columns, const Table& table) {
  std::vector<std::string> names;
  for (size_t j : columns) names.push_back(table.quasi[j].name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// With an average risk kept by k: groups of so many rows that one of them is allowed are never too many. Neither blocks
// nor mondrian count groups.
Problem with_risks_as_k(Problem problem) {
  for (size_t r = 0; r < problem.rules.size(); ++r) {
    const std::shared_ptr<const GroupRule> rule = problem.rules[r];
    if (!rule->average_risk()) continue;
    uint64_t k = std::max<uint64_t>(1, rule->k());
    while (k < problem.table.rows && rule->average_risk()->most_groups(k) == 0) ++k;
    problem.requirements[r].k = k;
    problem.rules[r] =
        std::make_shared<const GroupRule>(k, std::vector<CountedModel>(rule->models().begin(), rule->models().end()));
  }
  return problem;
}

// One run over all families.
class SeveralRun {
 public:
  SeveralRun(const Problem& problem, const Method& one, const ClassSolver& solver, Progress& progress)
      : problem_(problem), one_(one), solver_(solver), progress_(progress) {}

  SearchResult result() {
    ReleasedPart answer{{}, std::vector<uint32_t>(problem_.table.rows, 0), {}};
    result_.stats.optimal = true;
    result_.stats.bound = 0;
    if (problem_.suppress_rows.value_or(0) > 0) {
      result_.notices.push_back("no rows are dropped where several requirements are kept apart");
    }
    for (const RequirementFamily& family : requirement_families(problem_.requirements)) {
      const std::optional<ReleasedPart> part = family.requirements.size() == 1 ? alone(family) : overlapping(family);
      if (!part) return std::move(result_);
      answer = together(answer, *part);
    }
    report_bound(answer);
    GroupRecoding recoding;
    recoding.recoded_columns = std::move(answer.columns);
    recoding.group_of_row = std::move(answer.group_of_row);
    recoding.group_releases = std::move(answer.releases);
    result_.answer = Recoding{std::move(recoding)};
    progress_.update(1);
    return std::move(result_);
  }

 private:
  Problem problem_of(const RequirementFamily& family) const {
    Problem problem = problem_;
    problem.suppress_rows = 0;  // a row dropped for one family would be missing from the groups of another
    problem.requirements.clear();
    problem.rules.clear();
    for (size_t r : family.requirements) {
      problem.requirements.push_back(problem_.requirements[r]);
      if (!problem_.rules.empty()) problem.rules.push_back(problem_.rules[r]);
    }
    return problem;
  }

  // The floors of families add up: what one releases costs another nothing.
  void report_bound(const ReleasedPart& answer) {
    const double cells =
        double(problem_.table.rows) * std::accumulate(problem_.weights.begin(), problem_.weights.end(), 0.0);
    if (!result_.stats.bound || cells <= 0) return;
    result_.stats.details.emplace_back(
        kLowerBoundDetail,
        fmt::format("no release can have a GCP below {:.5f}; this one has {:.5f}{}", *result_.stats.bound,
                    weighted_ncp(answer, problem_) / cells, result_.stats.optimal ? ": the best possible" : ""));
  }

  // Nothing when there is no answer; result_ says why.
  std::optional<ReleasedPart> part_found(SearchResult& found, const RequirementFamily& family) {
    if (found.recoding() == nullptr) {
      result_.answer = std::move(found.answer);
      return std::nullopt;
    }
    return part_of(found.recoding()->by_group(), family.columns);
  }

  std::optional<ReleasedPart> alone(const RequirementFamily& family) {
    SearchResult found = one_.search(problem_of(family), progress_);
    keep_words(family, found);
    return part_found(found, family);
  }

  std::optional<ReleasedPart> by_mondrian(Problem problem, const RequirementFamily& family) {
    const MethodEntry* mondrian = find_method("mondrian");
    problem.params = complete({}, mondrian->parameters);
    SearchResult found = mondrian->make()->search(problem, progress_);
    return part_found(found, family);
  }

  // The cheapest of: the best blocks, what mondrian's shared cells leave to do better on own columns, mondrian.
  std::optional<ReleasedPart> overlapping(const RequirementFamily& family) {
    const Problem problem = with_risks_as_k(problem_of(family));
    result_.stats.optimal = false;
    result_.stats.bound.reset();
    std::optional<ReleasedPart> best = by_mondrian(problem, family);
    if (!best) return best;
    // About what a group releases: classes cannot be parted one by one.
    const bool beyond_classes = std::any_of(problem.rules.begin(), problem.rules.end(),
                                            [](const auto& rule) { return rule->needs_population(); });
    std::string found_by = "mondrian";
    if (!beyond_classes) found_by = by_blocks(problem, family, *best);
    result_.stats.details.emplace_back(
        fmt::format("requirements over {}", names_of(family.columns, problem_.table)),
        fmt::format("{} that share columns; found by {}", family.requirements.size(), found_by));
    return best;
  }

  // Puts something cheaper into `best`, if it can; says what.
  std::string by_blocks(const Problem& problem, const RequirementFamily& family, ReleasedPart& best) {
    const BlockPlan plan = block_plan(solver_.effort(problem.params), problem.table.rows);
    const Overlap overlap(problem, problem.requirements, plan.lines);
    const SharedCells cut = cells_of_release(overlap, best);
    double least = weighted_ncp(best, problem);
    std::string found_by = "mondrian";
    auto consider = [&](ReleasedPart found, const std::string& by) {
      const double cost = weighted_ncp(found, problem);
      if (cost >= least) return;
      least = cost;
      best = std::move(found);
      found_by = by;
    };
    BlockSearch search(overlap, plan, progress_);
    search.start();
    while (search.passes_done() < plan.passes && !progress_.out_of_time()) {
      progress_.update(0.6 * double(search.passes_done()) / double(plan.passes));
      search.pass();
    }
    if (search.passes_done() < plan.passes) {
      result_.notices.push_back(fmt::format(
          "requirements over {}: stopped by the time budget after pass {} of {}; more time may lower the loss",
          names_of(family.columns, problem_.table), search.passes_done(), plan.passes));
    }
    if (const std::string notice = solver_.notice(problem.params); !notice.empty()) result_.notices.push_back(notice);
    const MethodClassSolver under_rules(one_);
    const ClassSolver& solver = problem.has_models() ? under_rules : solver_;
    consider(finished(overlap, cells_of_blocks(overlap, search.blocks()), solver, progress_),
             fmt::format("{} blocks that share {}", search.blocks().size(),
                         names_of(overlap.shared_columns(), problem_.table)));
    if (search.expected(cut) < kWorthFinishing * search.cost()) {
      consider(finished(overlap, cut, solver, progress_),
               "mondrian's cells on shared columns and groups on the others");
    }
    return found_by;
  }

  void keep_words(const RequirementFamily& family, SearchResult& found) {
    const std::string name = names_of(family.columns, problem_.table);
    SearchStats& stats = result_.stats;
    stats.generated += found.stats.generated;
    stats.expanded += found.stats.expanded;
    stats.pruned += found.stats.pruned;
    stats.optimal = stats.optimal && found.stats.optimal;
    if (stats.bound && found.stats.bound) {
      *stats.bound += *found.stats.bound;
    } else {
      stats.bound.reset();
    }
    for (auto& [what, words] : found.stats.details) {
      stats.details.emplace_back(fmt::format("{} ({})", what, name), std::move(words));
    }
    for (std::string& notice : found.notices) {
      result_.notices.push_back(fmt::format("requirement over {}: {}", name, notice));
    }
  }

  const Problem& problem_;
  const Method& one_;
  const ClassSolver& solver_;
  Progress& progress_;
  SearchResult result_;
};

class Several final : public Method, public FragmentSearch {
 public:
  Several(std::unique_ptr<Method> one, std::unique_ptr<ClassSolver> solver)
      : one_(std::move(one)), solver_(solver ? std::move(solver) : std::make_unique<MethodClassSolver>(*one_)) {}

  SearchResult search(const Problem& problem, Progress& progress) const override {
    const Problem asked = with_needed_requirements(problem);
    if (asked.requirements.size() == 1) return one_->search(asked, progress);
    return SeveralRun(asked, *one_, *solver_, progress).result();
  }
  SearchResult search_fragment(const Problem& fragment, Progress& progress) const override {
    const auto* const one = dynamic_cast<const FragmentSearch*>(one_.get());
    const Problem asked = with_needed_requirements(fragment);
    return one != nullptr && asked.requirements.size() == 1 ? one->search_fragment(asked, progress)
                                                            : search(fragment, progress);
  }
  void conclude(const Problem& whole, SearchResult& result, Progress& progress) const override {
    const auto* const one = dynamic_cast<const FragmentSearch*>(one_.get());
    const Problem asked = with_needed_requirements(whole);
    if (one != nullptr && asked.requirements.size() == 1) one->conclude(asked, result, progress);
  }

 private:
  std::unique_ptr<Method> one_;
  std::unique_ptr<ClassSolver> solver_;
};

}  // namespace

std::unique_ptr<Method> for_several_requirements(std::unique_ptr<Method> one, std::unique_ptr<ClassSolver> solver) {
  return std::make_unique<Several>(std::move(one), std::move(solver));
}

}  // namespace shoal
