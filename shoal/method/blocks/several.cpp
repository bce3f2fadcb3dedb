#include "shoal/method/blocks/several.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shoal/method/blocks/block_search.h"
#include "shoal/method/fragment_search.h"
#include "shoal/method/space/families_together.h"
#include "shoal/method/space/requirement_families.h"

namespace shoal {
namespace {

constexpr double kWorthFinishing = 1.15;  // mondrian's shared cells, if they are at most that much dearer

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

// Requirements that hang together.
class SeveralRun {
 public:
  SeveralRun(const Problem& problem, const Method& one, const ClassSolver& solver, Progress& progress)
      : problem_(with_risks_as_k(problem)), one_(one), solver_(solver), progress_(progress) {}

  // The cheapest of: the best blocks, what mondrian's shared cells leave to do better on own columns, mondrian.
  SearchResult result() {
    const RequirementFamily family = requirement_families(problem_.requirements).front();
    const MethodEntry* mondrian = find_method("mondrian");
    Problem for_mondrian = problem_;
    for_mondrian.params = complete({}, mondrian->parameters);
    SearchResult found = mondrian->make()->search(for_mondrian, progress_);
    if (found.recoding() == nullptr) {
      result_.answer = std::move(found.answer);
      return std::move(result_);
    }
    ReleasedPart best = part_of(found.recoding()->by_group(), family.columns);
    // About what a group releases: classes cannot be parted one by one.
    const bool beyond_classes = std::any_of(problem_.rules.begin(), problem_.rules.end(),
                                            [](const auto& rule) { return rule->needs_population(); });
    const std::string found_by = beyond_classes ? "mondrian" : by_blocks(best);
    result_.stats.details.emplace_back(
        "requirements", fmt::format("{} that share columns; found by {}", problem_.requirements.size(), found_by));
    result_.answer = Recoding{recoding_of(std::move(best))};
    return std::move(result_);
  }

 private:
  // Puts something cheaper into `best`, if it can; says what.
  std::string by_blocks(ReleasedPart& best) {
    const Problem& problem = problem_;
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
      result_.notices.push_back(
          fmt::format("stopped by the time budget after pass {} of {}; more time may lower the loss",
                      search.passes_done(), plan.passes));
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

  const Problem problem_;
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
    return families_together(
        asked,
        [&](const Problem& family, Progress& inner) {
          return family.requirements.size() == 1 ? one_->search(family, inner)
                                                 : SeveralRun(family, *one_, *solver_, inner).result();
        },
        progress);
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
