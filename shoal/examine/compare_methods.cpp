#include "shoal/examine/compare_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shoal/encode/problem.h"
#include "shoal/encode/sampled_table.h"
#include "shoal/error.h"
#include "shoal/examine/privacy.h"
#include "shoal/job/method_params.h"
#include "shoal/job/requirements.h"
#include "shoal/plan/by_fragments.h"
#include "shoal/recode/apply.h"
#include "shoal/recode/content_order.h"
#include "shoal/recode/group_keys.h"
#include "shoal/recode/ranges.h"
#include "shoal/run/clock.h"
#include "shoal/table/subset.h"

namespace shoal {
namespace {

// A run among many: its progress is a part of the whole.
class PartOfProgress : public Progress {
 public:
  PartOfProgress(Progress& outer, size_t part, size_t parts)
      : Progress(&outer), outer_(outer), part_(part), parts_(parts) {}
  void update(double fraction) override {
    outer_.update((static_cast<double>(part_) + fraction) / static_cast<double>(parts_));
  }

 private:
  Progress& outer_;
  size_t part_, parts_;
};

std::vector<const MethodEntry*> entries_of(const Job& job, const std::vector<std::string>& names) {
  std::vector<const MethodEntry*> entries;
  for (const std::string& name : names) {
    Job named = job;
    named.method = name;
    check_method_name(named);
    const MethodEntry* entry = find_method(name);
    if (std::find(entries.begin(), entries.end(), entry) == entries.end()) entries.push_back(entry);
  }
  return entries;
}

// What is wrong with the job whatever the method, and with the method's params: as if the method could do everything.
void check_all_but_ability(const Job& job, const MethodEntry& method) {
  MethodEntry able = method;
  able.several_requirements = able.drops_rows = true;
  able.obeys_models = able.obeys_average_risk = able.obeys_population = true;
  able.needs_target = false;
  check_job(job, std::span(&able, 1));
}

struct Planned {
  Job job;
  const MethodEntry* method;
  std::optional<uint64_t> k;
};

std::vector<Planned> plan(const Job& job, const CompareSettings& settings) {
  check_columns(job);
  const auto entries = entries_of(job, settings.methods.empty() ? default_methods(job) : settings.methods);
  const std::vector<uint64_t> ks = settings.ks.empty() ? default_ks(job) : settings.ks;
  std::vector<std::optional<uint64_t>> asked(ks.begin(), ks.end());
  if (asked.empty()) asked.push_back(std::nullopt);
  std::vector<Planned> planned;
  for (const std::optional<uint64_t>& k : asked) {
    for (const MethodEntry* entry : entries) {
      Planned one{job, entry, k};
      one.job.k = k;
      one.job.method = entry->name;
      one.job.params = params_for(job, *entry, entries);
      if (!entry->drops_rows) one.job.suppress_rows.reset();  // a limit on dropped rows is for those that drop any
      check_all_but_ability(one.job, *entry);
      planned.push_back(std::move(one));
    }
  }
  return planned;
}

// What the loss of halves and whole of a sample says about the loss of all rows.
constexpr double kSteepest = -1, kFlattest = 0;  // more rows never lose more, and at most half as much when doubled

struct Halves {
  double gcp = 0, first = 0, second = 0;  // of the sample, and of its halves
};

// How much the loss of a table of half the sample's rows varies, as a share of it: the same draw for every run, so that
// all runs together say it better than any of them.
double relative_deviation(const std::vector<std::optional<Halves>>& halves) {
  double sum = 0;
  size_t count = 0;
  for (const auto& entry : halves) {
    if (!entry || entry->first + entry->second <= 0) continue;
    const double difference = 2 * (entry->first - entry->second) / (entry->first + entry->second);
    sum += difference * difference / 2;  // of two draws
    ++count;
  }
  return count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
}

WholeLoss carried_on(const Halves& halves, double times, double deviation_of_half) {
  const double mean = (halves.first + halves.second) / 2;
  if (mean <= 0 || halves.gcp <= 0) return {halves.gcp, 0};
  const double slope = std::clamp(std::log2(halves.gcp / mean), kSteepest, kFlattest);
  const double gcp = std::min(1.0, halves.gcp * std::pow(times, slope));
  const double deviation = deviation_of_half / std::sqrt(2.0);  // of the sample, and of the mean of its halves
  const double of_slope = std::sqrt(2.0) * deviation / std::log(2.0);
  return {gcp, 2 * gcp * std::hypot(deviation, std::log(times) * of_slope)};
}

class Comparer {
 public:
  Comparer(const Job& job, const CompareSettings& settings, TableSource& source, Progress& progress)
      : progress_(progress), planned_(plan(job, settings)) {
    if (settings.sample && *settings.sample < 2) {
      throw Error(ErrorKind::job, fmt::format("a sample of {} rows says nothing; draw at least 2", *settings.sample));
    }
    progress.stage("read");
    ReadTimings timings;
    // What is released and what not makes no difference here: only quasi, sensitive, target and person columns are
    // read.
    EncodedTable encoded = encode_table(planned_.front().job, source, {.with_rest = false}, timings, progress);
    encoding_ = std::move(encoded.encoding);
    result_.input = source.name();
    result_.rows = encoded.table.rows;
    for (const Column& column : encoded.table.quasi) result_.quasi.push_back(column.name);
    result_.seed = job.seed;
    result_.planned = planned_.size();
    if (settings.sample && *settings.sample < encoded.table.rows) {
      result_.sample = sampled_rows(encoded.table.rows, *settings.sample, job.seed);
      tables_.push_back(subset(encoded.table, result_.sample));
      add_halves();
    } else {
      tables_.push_back(std::move(encoded.table));
    }
    // As `anonymize` does, so that answers do not depend on the order of the input.
    for (Table& table : tables_) ContentOrder(table, progress).arrange(table);
    result_.compared_rows = tables_.front().rows;
    result_.risk_before =
        risk(group_rows(tables_.front().rows, raw_keys(tables_.front(), encoding_.hierarchies)).sizes, kRiskThreshold);
  }

  MethodComparison run(const std::function<void(const ComparedRun&)>& told) {
    std::vector<std::optional<Halves>> halves;
    try {
      for (size_t i = 0; i < planned_.size(); ++i) {
        std::optional<Halves> of_halves;
        ComparedRun done = run_one(i, of_halves);
        result_.runs.push_back(std::move(done));
        halves.push_back(of_halves);
        if (told) told(result_.runs.back());
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::cancelled) throw;
      result_.interrupted = true;
    }
    const double deviation = relative_deviation(halves);
    const double times = static_cast<double>(result_.rows) / static_cast<double>(result_.compared_rows);
    for (size_t i = 0; i < halves.size(); ++i) {
      if (halves[i]) result_.runs[i].whole = carried_on(*halves[i], times, deviation);
    }
    share_bounds();
    return std::move(result_);
  }

 private:
  // The sample was drawn row by row in order; its halves are dealt the same way.
  void add_halves() {
    const std::vector<uint32_t> first =
        sampled_rows(result_.sample.size(), result_.sample.size() / 2, result_.seed + 1);
    std::vector<uint32_t> rows[2];
    size_t next = 0;
    for (uint32_t i = 0; i < result_.sample.size(); ++i) {
      const bool of_first = next < first.size() && first[next] == i;
      next += of_first;
      rows[of_first ? 0 : 1].push_back(i);
    }
    for (const auto& half : rows) tables_.push_back(subset(tables_.front(), half));
  }

  ComparedRun run_one(size_t number, std::optional<Halves>& halves) {
    const Planned& planned = planned_[number];
    progress_.stage(planned.k ? fmt::format("{} k={}", planned.method->name, *planned.k) : planned.method->name);
    const size_t parts = planned_.size() * tables_.size();
    ComparedRun run = released(planned, tables_[0], number * tables_.size(), parts);
    if (!run.done() || tables_.size() == 1) return run;
    double losses[2];
    for (size_t half = 0; half < 2; ++half) {
      const ComparedRun part = released(planned, tables_[1 + half], number * tables_.size() + 1 + half, parts);
      if (!part.done()) return run;
      losses[half] = part.measures.gcp;
    }
    halves = Halves{run.measures.gcp, losses[0], losses[1]};
    return run;
  }

  // What the method makes of the table; or why it makes nothing of it.
  ComparedRun released(const Planned& planned, const Table& table, size_t part, size_t parts) const {
    progress_.check();
    ComparedRun run;
    run.method = planned.method->name;
    run.shape = planned.method->shape;
    run.k = planned.k;
    run.params = planned.job.params;
    const auto refuse = [&run](std::string reason) {
      run.refused = std::move(reason);
      return run;
    };
    PartOfProgress progress(progress_, part, parts);
    SearchResult found;
    try {
      check_job(planned.job);
      const bool drops = planned.method->drops_rows && planned.job.suppress_rows.value_or(0) > 0;
      std::vector<std::string> quasi;
      for (const Column& column : table.quasi) quasi.push_back(column.name);
      std::string reason = impossible(requirements_of(planned.job, quasi), table, encoding_, nullptr, drops);
      if (!reason.empty()) return refuse(std::move(reason));
      const auto start = Clock::now();
      const Problem problem = make_problem(planned.job, *planned.method, table, encoding_, run.notices);
      const TimeBudget budget(progress, planned.job.time_budget, start);
      found = run_search(*planned.method, problem, progress);
      run.seconds = seconds_since(start);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::job) throw;
      return refuse(error.what());
    }
    run.notices.insert(run.notices.end(), found.notices.begin(), found.notices.end());
    if (!found.recoding()) return refuse(found.reason());
    if (found.recoding()->dropped_rows.size() == table.rows) return refuse("it would drop every row");
    if (auto* recoding = std::get_if<Recoding>(&found.answer)) {
      settle_ranges(*recoding, table, encoding_.hierarchies, planned.job.ranges);
    }
    measure_run(planned, table, found, run);
    return run;
  }

  void measure_run(const Planned& planned, const Table& table, const SearchResult& found, ComparedRun& run) const {
    const ReleasedTable release = apply(*found.recoding(), table, encoding_.hierarchies, planned.job.thread_count());
    MeasureSettings settings;
    for (const Column& column : table.quasi) settings.weights.push_back(planned.job.find_column(column.name)->weight);
    settings.distortion_beta = planned.job.distortion_beta;
    settings.k = c_avg_k(planned.job);
    run.measures = measure(table, encoding_.hierarchies, release, settings);
    run.rows_dropped = release.dropped_rows.size();
    const Groups groups = group_rows(table.rows, released_keys(release), release.dropped_rows);
    run.risk = risk(groups.sizes, kRiskThreshold);
    run.privacy = privacy_of(table, encoding_, groups, kRiskThreshold);
    // A bound of some other objective has no such words.
    const bool of_any_release = std::any_of(found.stats.details.begin(), found.stats.details.end(),
                                            [](const auto& detail) { return detail.first == kLowerBoundDetail; });
    if (of_any_release && found.stats.bound) run.bound = found.stats.bound;
  }

  // The bound is one of all releases whose groups have k rows; so it holds for every method. Rows dropped are no group,
  // unless there are k of them: they pay as much as a group released as *.
  void share_bounds() {
    for (size_t i = 0; i < result_.runs.size(); ++i) {
      ComparedRun& run = result_.runs[i];
      if (!run.done() || run.bound) continue;
      const bool one_requirement = run.k && planned_[i].job.requirements.empty();
      if (run.rows_dropped > 0 && (!one_requirement || run.rows_dropped < *run.k)) continue;
      for (const ComparedRun& other : result_.runs) {
        if (other.k != run.k || !other.bound || other.rows_dropped > 0) continue;
        run.bound = std::max(run.bound.value_or(0), *other.bound);
      }
    }
    for (ComparedRun& run : result_.runs) {
      constexpr double kRounding = 1e-9;
      run.best_possible = run.bound && run.measures.gcp <= *run.bound * (1 + kRounding);
    }
  }

  Progress& progress_;
  std::vector<Planned> planned_;
  Encoding encoding_;
  std::vector<Table> tables_;  // what is run; of a sample its two halves as well
  MethodComparison result_;
};

}  // namespace

std::vector<std::string> default_methods(const Job& job) {
  std::vector<std::string> names{"shoal", "top-down", "mondrian", "datafly"};
  const bool target = std::any_of(job.columns.begin(), job.columns.end(),
                                  [](const ColumnJob& column) { return column.role == Role::target; });
  if (target) names.insert(names.end(), {"mondrian-infogain", "tdr"});
  if (!job.method.empty() && std::find(names.begin(), names.end(), job.method) == names.end()) {
    names.insert(names.begin(), job.method);
  }
  return names;
}

std::vector<uint64_t> default_ks(const Job& job) {
  if (job.k) return {*job.k};
  const bool asks =
      !job.requirements.empty() || std::any_of(job.models.begin(), job.models.end(),
                                               [](const ModelSpec& model) { return model.kind == ModelKind::lkc; });
  if (asks) return {};
  return {2, 5, 10};
}

Job job_of(const Job& job, const ComparedRun& run) {
  Job answered = job;
  answered.k = run.k;
  answered.method = run.method;
  answered.params = run.params;
  if (const MethodEntry* entry = find_method(run.method); entry && !entry->drops_rows) answered.suppress_rows.reset();
  return answered;
}

MethodComparison compare_methods(const Job& job, const CompareSettings& settings, TableSource& source,
                                 Progress& progress, const std::function<void(const ComparedRun&)>& told) {
  return Comparer(job, settings, source, progress).run(told);
}

}  // namespace shoal
