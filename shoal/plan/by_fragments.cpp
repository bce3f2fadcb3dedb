#include "shoal/plan/by_fragments.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>
#include <numeric>
#include <utility>

#include "shoal/method/fragment_search.h"
#include "shoal/method/space/families_together.h"
#include "shoal/method/space/part_of_problem.h"
#include "shoal/method/space/requirement_families.h"
#include "shoal/plan/notices_of_fragments.h"
#include "shoal/plan/pilot.h"
#include "shoal/recode/content_order.h"
#include "shoal/run/seeded_random.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

// How far all fragments together are, and how much time each of them may take.
class SharedProgress {
 public:
  SharedProgress(Progress& outer, size_t rows, size_t workers)
      : outer_(outer), rows_(double(rows)), rows_left_(double(rows)), workers_(double(workers)) {}

  // A fragment of so many rows begins: until when it may search.
  Deadline deadline(size_t rows) {
    const Deadline all = outer_.deadline();
    if (!all) return std::nullopt;
    const std::scoped_lock lock(mutex_);
    const auto now = Clock::now();
    const double share = std::min(1.0, double(rows) * workers_ / std::max(rows_left_, 1.0));
    rows_left_ -= double(rows);
    const auto left = std::max(*all - now, Clock::duration::zero());
    return now + std::chrono::duration_cast<Clock::duration>(share * left);
  }
  // So many rows more are done; a fraction of a row counts.
  void advance(double rows) {
    const std::scoped_lock lock(mutex_);
    done_ += rows;
    outer_.update(std::min(1.0, done_ / std::max(rows_, 1.0)));
  }

 private:
  Progress& outer_;
  const double rows_;
  double rows_left_, done_ = 0;
  const double workers_;
  std::mutex mutex_;
};

// The progress of one fragment's search.
class FragmentProgress final : public Progress {
 public:
  FragmentProgress(const Progress& outer, SharedProgress& shared, size_t rows)
      : Progress(&outer), shared_(shared), rows_(double(rows)) {
    set_deadline(shared.deadline(rows));
  }
  void update(double fraction) override {
    const std::scoped_lock lock(mutex_);
    if (fraction <= seen_) return;
    shared_.advance((fraction - seen_) * rows_);
    seen_ = fraction;
  }

 private:
  SharedProgress& shared_;
  const double rows_;
  double seen_ = 0;
  std::mutex mutex_;
};

// Answers put together; groups of later fragments have higher numbers.
class Union {
 public:
  explicit Union(const Problem& problem) : group_of_row_(problem.table.rows, 0) {}

  // Requires an answer by groups.
  void add(const SearchResult& found, std::span<const uint32_t> rows) {
    const Recoding& recoding = *found.recoding();
    const GroupRecoding& by_group = recoding.by_group();
    const auto first = static_cast<uint32_t>(groups_);
    for (size_t i = 0; i < rows.size(); ++i) group_of_row_[rows[i]] = first + by_group.group_of_row[i];
    for (uint32_t row : recoding.dropped_rows) dropped_.push_back(rows[row]);
    groups_ += by_group.groups();
    equal_rows_alike_ = by_group.equal_rows_alike;
    columns_ = by_group.recoded_columns;
    releases_.insert(releases_.end(), by_group.group_releases.begin(), by_group.group_releases.end());
    stats_.generated += found.stats.generated;
    stats_.expanded += found.stats.expanded;
    stats_.pruned += found.stats.pruned;
    for (const std::string& notice : found.notices) notices_.add(notice);
    if (found.ready_to_pay.empty()) return;
    ready_to_pay_.resize(group_of_row_.size(), std::numeric_limits<float>::quiet_NaN());
    for (size_t i = 0; i < rows.size(); ++i) ready_to_pay_[rows[i]] = found.ready_to_pay[i];
  }

  SearchResult result(size_t fragments) {
    SearchResult result;
    std::sort(dropped_.begin(), dropped_.end());
    GroupRecoding recoding;
    recoding.equal_rows_alike = equal_rows_alike_;
    recoding.recoded_columns = std::move(columns_);
    recoding.group_of_row = std::move(group_of_row_);
    recoding.group_releases = std::move(releases_);
    result.answer = Recoding{std::move(recoding), std::move(dropped_)};
    result.stats = std::move(stats_);
    result.ready_to_pay = std::move(ready_to_pay_);
    result.notices = notices_.told(fragments);
    return result;
  }

 private:
  std::vector<uint32_t> group_of_row_, dropped_;
  std::vector<float> ready_to_pay_;
  std::vector<Released> releases_;
  std::vector<size_t> columns_;
  size_t groups_ = 0;
  bool equal_rows_alike_ = false;
  SearchStats stats_;
  NoticesOfFragments notices_;
};

SearchResult search_fragment(const Method& method, const Problem& whole, std::span<const uint32_t> rows, size_t number,
                             Progress& progress) {
  const Table table = part_of_table(whole.table, rows);
  Problem problem{table,
                  whole.hierarchies,
                  whole.requirements,
                  whole.weights,
                  whole.suppress_rows,
                  whole.params,
                  fragment_seed(whole.seed, number),
                  whole.threads};
  problem.rules = part_of_rules(whole.rules, rows);
  return fragment_answer(method, problem, progress);
}

}  // namespace

uint64_t fragment_seed(uint64_t seed, size_t fragment) { return SeededRandom(seed + fragment)(); }

void over_fragments(const std::vector<uint64_t>& rows, int threads, Progress& progress, const SearchOne& search) {
  // The largest first: the last ones to end are then short.
  std::vector<size_t> by_size(rows.size());
  std::iota(by_size.begin(), by_size.end(), size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(), [&](size_t a, size_t b) { return rows[a] > rows[b]; });
  const size_t workers = task_workers(rows.size(), threads);
  const int inner_threads = std::max(1, threads / static_cast<int>(workers));
  SharedProgress together(progress, std::accumulate(rows.begin(), rows.end(), uint64_t{0}), workers);
  run_tasks(rows.size(), threads, [&](size_t, size_t task) {
    progress.check();
    const size_t f = by_size[task];
    FragmentProgress inner(progress, together, rows[f]);
    search(f, inner_threads, inner);
    inner.update(1);
  });
}

SearchResult search_fragments(const MethodEntry& method, const Problem& problem, const RowGroups& fragments,
                              Progress& progress) {
  const std::unique_ptr<Method> search = method.make();
  std::vector<uint64_t> rows;
  for (size_t f = 0; f < fragments.size(); ++f) rows.push_back(fragments.rows_in(f));
  std::vector<SearchResult> found(fragments.size());
  over_fragments(rows, problem.threads, progress, [&](size_t f, int threads, Progress& inner) {
    Problem shared = problem;
    shared.threads = threads;
    found[f] = search_fragment(*search, shared, fragments.group(f), f, inner);
  });
  const bool all = std::all_of(found.begin(), found.end(), [](const SearchResult& result) {
    return result.recoding() != nullptr && !result.recoding()->is_by_value();
  });
  if (!all) {
    SearchResult result = search->search(problem, progress);
    result.notices.emplace_back("searched in one piece: a fragment alone has no answer");
    return result;
  }
  Union answer(problem);
  for (size_t f = 0; f < fragments.size(); ++f) {
    answer.add(found[f], fragments.group(f));
    found[f] = {};
  }
  SearchResult result = answer.result(fragments.size());
  if (const auto* concluding = dynamic_cast<const FragmentSearch*>(search.get())) {
    concluding->conclude(problem, result, progress);
  }
  return result;
}

SearchResult search_as_fragment(const MethodEntry& method, const Problem& fragment, size_t number, Progress& progress) {
  const OrderedRows order = ordered_rows(fragment.table, united(fragment.requirements).columns, progress);
  SearchResult found = search_fragment(*method.make(), fragment, order.rows, number, progress);
  if (found.recoding() == nullptr || found.recoding()->is_by_value()) return found;
  Union answer(fragment);
  answer.add(found, order.rows);
  return answer.result(1);
}

namespace {

// Requirements that hang together, or that nobody wants fragments for.
SearchResult search_together(const MethodEntry& method, const Problem& problem, Progress& progress) {
  const FragmentPlan plan = plan_fragments(problem, progress);
  if (plan.fragments.size() < 2) {
    SearchResult result = method.make()->search(problem, progress);
    if (!plan.reason.empty()) result.notices.push_back("searched in one piece: " + plan.reason);
    return result;
  }
  SearchResult result = search_fragments(method, problem, plan.fragments, progress);
  result.stats.details.emplace(result.stats.details.begin(), "fragments", plan.words);
  return result;
}

// Whether any family of requirements is searched in fragments, of several that share no column: what is cut for one
// would tear the groups of another, so that each has its own cuts.
bool cut_by_family(const Problem& needed) {
  const std::vector<RequirementFamily> families = requirement_families(needed.requirements);
  return families.size() > 1 && std::any_of(families.begin(), families.end(), [&](const RequirementFamily& family) {
           return wanted_fragments(problem_of_family(needed, family), needed.table.rows).sizes.fragments > 1;
         });
}

}  // namespace

SearchResult run_search(const MethodEntry& method, const Problem& problem, Progress& progress) {
  const Problem needed = with_needed_requirements(problem);
  if (!cut_by_family(needed)) return search_together(method, problem, progress);
  return families_together(
      needed, [&](const Problem& family, Progress& inner) { return search_together(method, family, inner); }, progress);
}

}  // namespace shoal
