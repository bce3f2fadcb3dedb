// Method `shoal`: local recoding of least weighted NCP. The parts: ncp_space (boxes and their price), shoal_order
// (lines and how to cut them), shoal_window and shoal_refine (improving nearby groups), shoal_search (all of it over
// the whole table), shoal_bound, lp_bound and answer_floor (how good it could be at best), lp_dive (a better start from
// the latter), rules/ (privacy models beside k).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "shoal/method/blocks/several.h"
#include "shoal/method/fragment_search.h"
#include "shoal/method/fragments_parameter.h"
#include "shoal/method/rules.h"
#include "shoal/method/shoal/answer_floor.h"
#include "shoal/method/shoal/lp_bound.h"
#include "shoal/method/shoal/lp_dive.h"
#include "shoal/method/shoal/rules/rule_search.h"
#include "shoal/method/shoal/shoal_classes.h"
#include "shoal/method/shoal/shoal_learning.h"
#include "shoal/method/shoal/shoal_search.h"
#include "shoal/method/space/groups_recoding.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

// What the linear programme may look at, per row and pass of the search, by effort. At effort=normal it takes at most a
// third of all time: the largest of 280, 240 and 200 that keeps to that (docs/bound.md).
constexpr uint64_t kLpWork[] = {0, 200, 400};
// The same in a fragment of a larger table. At effort=normal the largest of 25, 50 and 100 with which 1,000,000 rows in
// fragments take at most twice the processor time of one piece (docs/scale.md).
constexpr uint64_t kFragmentLpWork[] = {0, 50, 400};
// Beyond, one look for sets takes more than all passes and comes to no end (1,000,000 rows: 36 s of processor time
// beside 9). Large tables are mostly searched in fragments, which are smaller.
constexpr size_t kMostLpTuples = 150'000;
constexpr double kPassesBeforeRule = 0.2;            // share of all passes: a start for the search under a rule
constexpr double kPassesBeforeLp[] = {1, 0.2, 0.1};  // share of all passes: a start for the linear programme
constexpr double kDiveShare[] = {1, 0.3, 0.15};      // of the rows, settled at a time
constexpr size_t kDiveRounds[] = {0, 1, 2};
constexpr double kWorthMending = 1.1;
constexpr uint64_t kWalksPerDive = 4;           // so many walks must fit into the work, or a dive takes too long
constexpr size_t kTinyRows = 400;               // up to here the search begins anew with other seeds
constexpr uint64_t kTinyStarts[] = {1, 4, 12};  // so often, by effort
constexpr int kFast = 0;

struct ShoalOptions {
  int effort = 1;               // 0 fast, 1 normal, 2 best
  bool classification = false;  // NCP, and a price for mixed classes
  bool learning = false;        // within the groups of a tree for the class (shoal_learning.h)
  double mixing = 0;            // for classification: see mixing_price
};
ShoalOptions shoal_options(const Params& params) {
  ShoalOptions options;
  const std::string& effort = setting(params, "effort");
  if (effort == "fast") options.effort = kFast;
  if (effort == "best") options.effort = 2;
  options.classification = setting(params, "objective") == "classification";
  options.learning = setting(params, "objective") == "learning";
  options.mixing = number_setting(params, "mixing");
  return options;
}

void check_target(const Problem& problem, const std::string& objective) {
  if (problem.table.target) return;
  throw Error(ErrorKind::job,
              fmt::format("objective={} needs a class to keep apart, and no column is the target; name it, or "
                          "leave the objective at ncp",
                          objective),
              Advice{Setting::target});
}

// The price of mixing: a row in a group of perfectly mixed classes pays this share of having all its cells suppressed.
double mixing_price(const Problem& problem, const std::vector<size_t>& columns, const ShoalOptions& options) {
  if (!options.classification) return 0;
  check_target(problem, "classification");
  double price = 0;
  for (size_t j : columns) price += problem.weights[j];
  return price * options.mixing;
}

void report_steps(const RefineCounts& counts, SearchStats& stats) {
  stats.generated += counts.tried;
  stats.expanded += counts.opened;
  stats.details.emplace_back(
      "improving steps",
      fmt::format("{} moved, {} exchanged, {} peeled, {} dissolved, {} cut anew, {} opened of {} tried",
                  counted(counts.moves, "row"), counts.chains, counted(counts.slabs, "slab"),
                  counted(counts.dissolved, "group"), counted(counts.recuts, "run"),
                  counted(counts.opened, "box", "boxes"), counts.tried));
}

std::string words(const FairCounts& counts) {
  return fmt::format("{} dealt anew, {} cut anew, {} split, {} of three cut, {} exchanged, {} united",
                     counted(counts.dealt, "pair"), counts.cut, counted(counts.split, "group"),
                     counted(counts.triples, "pool"), counted(counts.swaps, "row"), counted(counts.merged, "pair"));
}

// The rows of each group. Requires that no rows are dropped.
RowGroups groups_of(const GroupRecoding& recoding) {
  RowGroups groups;
  groups.starts.assign(recoding.groups() + 1, 0);
  for (uint32_t group : recoding.group_of_row) ++groups.starts[group + 1];
  std::partial_sum(groups.starts.begin(), groups.starts.end(), groups.starts.begin());
  std::vector<uint32_t> next(groups.starts.begin(), groups.starts.end() - 1);
  groups.rows.resize(recoding.group_of_row.size());
  for (uint32_t row = 0; row < groups.rows.size(); ++row) groups.rows[next[recoding.group_of_row[row]]++] = row;
  return groups;
}

// One run of the method.
class ShoalRun {
 public:
  // `fragment`: of a larger table; no lower bound is looked for.
  ShoalRun(const Problem& problem, const ShoalOptions& options, bool fragment, Progress& progress)
      : problem_(problem),
        fragment_(fragment),
        requirement_(problem.requirements.front()),
        effort_(options.effort),
        progress_(progress),
        own_prices_(options.classification),
        space_(problem, requirement_.columns, mixing_price(problem, requirement_.columns, options)),
        plain_(problem, requirement_.columns, 0),
        plan_(shoal_plan(effort_, problem.table.rows, requirement_.columns.size(), requirement_.k)),
        search_(start_of_search(0)) {}

  SearchResult result() { return problem_.has_models() ? result_under_rule() : result_of_k(); }

 private:
  SearchResult result_of_k() {
    SearchResult result;
    search_.start();
    // With k = 1 the first cut is as good as it gets: every row alone.
    if (requirement_.k > 1) {
      pass(static_cast<size_t>(std::ceil(kPassesBeforeLp[effort_] * double(plan_.passes))));
      solve();
      dive();
      pass(plan_.passes);
      keep_the_better();
      start_again();
    }
    if (requirement_.k > 1) report_passes(search_.passes_done(), plan_.passes, result);
    report_steps(search_.counts(), result.stats);
    finish(search_.partition(), result);
    return result;
  }

  // Models only add to what k asks for: the answer for k alone is where one of the searches under the rule begins, and
  // its lower bound is theirs.
  SearchResult result_under_rule() {
    SearchResult result;
    const std::shared_ptr<const GroupRule> rule = problem_.rule(0);
    if (std::string reason = whole_table_breaks(problem_); !reason.empty()) {
      result.answer = NoAnswer{std::move(reason)};
      return result;
    }
    search_.start();
    if (requirement_.k > 1) {
      pass(static_cast<size_t>(std::ceil(kPassesBeforeRule * double(plan_.passes))));
      if (!fragment_) solve();  // for the lower bound alone
    }
    const RulePlan rule_passes = rule_plan(effort_, plan_);
    RuleSearch under_rule(space_, *rule, rule_passes, problem_.seed, problem_.threads, progress_);
    const RowGroups groups = under_rule.search(search_.partition());
    report_passes(under_rule.passes_done(), rule_passes.passes, result);
    result.stats.details.emplace_back("began with", under_rule.came_from());
    result.stats.details.emplace_back("steps that keep the models", words(under_rule.fair_counts()));
    report_steps(under_rule.counts(), result.stats);
    finish(groups, result);
    return result;
  }

  void report_passes(size_t done, size_t planned, SearchResult& result) const {
    result.stats.details.emplace_back("passes", fmt::format("{} of {}", done, planned));
    if (done >= planned) return;
    result.notices.push_back(
        fmt::format("stopped by the time budget after pass {} of {}; more time may lower the loss", done, planned));
  }

  void finish(const RowGroups& groups, SearchResult& result) {
    if (!fragment_) report_floor(problem_, plain_, floor(), groups, result.stats);
    result.answer = groups_recoding(problem_, requirement_.columns, groups);
    result.ready_to_pay = std::move(ready_to_pay_);
    progress_.update(1);
  }

  ShoalSearch start_of_search(uint64_t number) const {
    return {space_, requirement_.k, plan_, problem_.seed + number, problem_.threads, progress_};
  }

  void pass(size_t until) {
    while (search_.passes_done() < until && !progress_.out_of_time()) {
      progress_.update(double(search_.passes_done()) / double(plan_.passes + 1));
      search_.pass();
    }
  }

  // A small table has few windows: where a search ends depends much on where it began.
  void start_again() {
    if (space_.rows() > kTinyRows) return;
    for (uint64_t number = 1; number < kTinyStarts[effort_] && !progress_.out_of_time(); ++number) {
      ShoalSearch other = start_of_search(number);
      other.start();
      while (other.passes_done() < plan_.passes && !progress_.out_of_time()) other.pass();
      if (partition_cost(space_, other.partition()) < partition_cost(space_, search_.partition())) {
        search_.start(other.partition());
      }
    }
  }

  uint64_t lp_work() const {
    const uint64_t work = (fragment_ ? kFragmentLpWork : kLpWork)[effort_];
    return work == 0 ? 0 : std::max<uint64_t>(kLeastLpWork, work * space_.rows() * plan_.passes);
  }

  void solve() {
    if (lp_work() == 0 || progress_.out_of_time()) return;
    tuples_ = distinct_tuples_of(plain_);
    if (tuples_.size() > kMostLpTuples) return;
    LpSettings settings;
    settings.k = requirement_.k;
    settings.threads = problem_.threads;
    settings.work = lp_work();
    solver_.emplace(plain_, tuples_, search_.partition(), settings, progress_);
    solver_->solve();
    lp_rounds_ = solver_->rounds();
    if (fragment_) keep_values();
  }

  // Values that were not repaired, or over boxes taken together, prove less than a share of what rows pay.
  void keep_values() {
    if (!solver_->exact() || !solver_->best()) return;
    const std::vector<double>& dual = solver_->best()->dual;
    ready_to_pay_.resize(space_.rows());
    for (size_t row = 0; row < space_.rows(); ++row) ready_to_pay_[row] = static_cast<float>(dual[tuples_.of_row[row]]);
  }

  // Goes on from the linear programme's solution. A few rows lie badly there at first, which some passes mend: so it
  // may be a little dearer than what is known. It knows of no other price than the NCP.
  void dive() {
    if (!solver_ || solver_->rounds() == 0 || own_prices_) return;
    if (kWalksPerDive * solver_->last_walk() > lp_work()) return;
    const DiveSettings settings{requirement_.k, kDiveShare[effort_], kDiveRounds[effort_]};
    const auto groups = lp_dive(plain_, tuples_, *solver_, settings, progress_);
    if (!groups || partition_cost(plain_, *groups) > kWorthMending * partition_cost(plain_, search_.partition()))
      return;
    before_dive_ = search_.partition();
    search_.start(*groups);
  }

  void keep_the_better() {
    if (!before_dive_ || partition_cost(space_, search_.partition()) <= partition_cost(space_, *before_dive_)) return;
    search_.start(*before_dive_);
  }

  Floor floor() {
    Floor simple = simple_floor(problem_, plain_, search_.partition(), effort_, progress_);
    Floor programmed;
    if (solver_ && solver_->best()) {
      programmed = {solver_->best()->bound, fmt::format("linear programming, {} rounds", lp_rounds_)};
    } else {
      programmed = repaired_floor(problem_, plain_, search_.partition(), {}, effort_, progress_);
    }
    return programmed.ncp > simple.ncp ? programmed : simple;
  }

  const Problem& problem_;
  const bool fragment_;
  const Requirement& requirement_;
  const int effort_;
  Progress& progress_;
  const bool own_prices_;
  const NcpSpace space_, plain_;  // by the objective's prices, and by the NCP alone
  const ShoalPlan plan_;
  ShoalSearch search_;
  DistinctTuples tuples_;
  std::optional<LpSolver> solver_;
  size_t lp_rounds_ = 0;  // before the dive
  std::optional<RowGroups> before_dive_;
  std::vector<float> ready_to_pay_;  // [row] of a fragment
};

class Shoal : public Method, public FragmentSearch {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    const ShoalOptions options = shoal_options(problem.params);
    if (!options.learning) return ShoalRun(problem, options, false, progress).result();
    SearchResult result = search_fragment(problem, progress);
    if (result.recoding()) conclude(problem, result, progress);
    return result;
  }
  SearchResult search_fragment(const Problem& fragment, Progress& progress) const override {
    const ShoalOptions options = shoal_options(fragment.params);
    if (!options.learning) return ShoalRun(fragment, options, true, progress).result();
    check_target(fragment, "learning");
    return search_for_learning(fragment, options.effort, progress);
  }
  // What is cheapest in a fragment says nothing about the whole, where rows may lie nearer beyond a cut; but what rows
  // are ready to pay there is a good beginning.
  void conclude(const Problem& whole, SearchResult& result, Progress& progress) const override {
    const NcpSpace plain(whole, whole.requirements.front().columns, 0);
    const RowGroups groups = groups_of(result.recoding()->by_group());
    const int effort = shoal_options(whole.params).effort;
    const Floor simple = simple_floor(whole, plain, groups, effort, progress);
    const Floor repaired = repaired_floor(whole, plain, groups, result.ready_to_pay, effort, progress);
    report_floor(whole, plain, repaired.ncp > simple.ncp ? repaired : simple, groups, result.stats);
  }
};

}  // namespace

MethodEntry shoal_method() {
  return {
      .name = "shoal",
      .title = "our own local recoding: the lowest information loss, near-linear, with a proven lower bound",
      .paper = "Shoal",
      .shape = Shape::groups,
      .parameters = {{.name = "effort",
                      .meaning = "how long to search: fast for a quick look, best when a minute does not matter",
                      .default_value = "normal",
                      .choices = {"fast", "normal", "best"}},
                     {.name = "objective",
                      .meaning =
                          "what to keep low: ncp (lost detail); learning (lost detail, priced by what it tells about "
                          "the target, within groups that a tree for it keeps apart); classification (lost detail "
                          "plus mixed classes)",
                      .default_value = "ncp",
                      .choices = {"ncp", "learning", "classification"}},
                     {.name = "mixing",
                      .meaning = "for objective=classification: what a row pays in a group of mixed classes, as a "
                                 "share of suppressing it",
                      .default_value = "0.1",
                      .choices = {},
                      .minimum = 0,
                      .maximum = 1},
                     fragments_parameter("auto")},
      .several_requirements = true,
      .drops_rows = false,
      .needs_target = false,
      .make = []() -> std::unique_ptr<Method> {
        return for_several_requirements(std::make_unique<Shoal>(), std::make_unique<ShoalClassSolver>());
      },
      .ranges_over_trees = true,
      .obeys_models = true,
      .obeys_average_risk = true};
}

}  // namespace shoal
