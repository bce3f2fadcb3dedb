#include "shoal/report/comparison_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shoal/report/format.h"
#include "shoal/report/notice_remarks.h"
#include "shoal/version.h"

namespace shoal {
namespace {

std::string k_words(const std::optional<uint64_t>& k) { return k ? fmt::format("k={}", *k) : "as the job asks"; }

// ± where there is something to be unsure about.
std::string with_margin(double share, double margin) {
  return fmt::format("{} ± {:.2g}", percent(share), 100 * margin);
}

std::vector<std::string> methods_of(const MethodComparison& comparison) {
  std::vector<std::string> methods;
  for (const ComparedRun& run : comparison.runs) {
    if (std::find(methods.begin(), methods.end(), run.method) == methods.end()) methods.push_back(run.method);
  }
  return methods;
}

bool any(const MethodComparison& comparison, const auto& holds) {
  return std::any_of(comparison.runs.begin(), comparison.runs.end(),
                     [&](const ComparedRun& run) { return run.done() && holds(run); });
}

uint64_t rows_of_one_value(const ComparedRun& run) {
  uint64_t most = 0;
  for (const SensitiveValues& column : run.privacy.sensitive) most = std::max(most, column.rows_by_diversity[0]);
  return most;
}

Verdict verdict(const ComparisonReport& report) {
  const MethodComparison& comparison = report.comparison;
  const std::string far = comparison.interrupted ? fmt::format("Interrupted: {} of {} runs were done. ",
                                                               comparison.runs.size(), comparison.planned)
                                                 : "";
  if (!report.recommendation) {
    return {Tone::bad, far + "Nothing to recommend: no method gave a release.", Value::nothing()};
  }
  const ComparedRun& run = comparison.runs[report.recommendation->run];
  return {comparison.interrupted ? Tone::neutral : Tone::good,
          fmt::format("{}Recommended: {}{}.", far, run.method, run.k ? fmt::format(" with k={}", *run.k) : ""),
          Value::text(report.recommendation->reason)};
}

Section about(const ComparisonReport& report) {
  const MethodComparison& c = report.comparison;
  const auto machines = [](const char* key, Value value) {
    return Fact{key, "", std::move(value), "", Direction::neutral, kMachines};
  };
  Facts facts{"",
              {machines("input", Value::file(c.input).or_nothing()), machines("rows", Value::count(c.rows)),
               machines("compared_rows", Value::count(c.compared_rows)), machines("quasi", Value::texts(c.quasi)),
               machines("seed", Value::count(c.seed)), machines("planned_runs", Value::count(c.planned)),
               machines("interrupted", Value::yes_no(c.interrupted)),
               machines("risk_before", Value::share(c.risk_before.prosecutor_max)),
               machines("version", Value::text(std::string(version())))}};
  Facts recommended{"recommendation"};
  if (report.recommendation) {
    const ComparedRun& run = c.runs[report.recommendation->run];
    recommended.facts = {machines("method", Value::text(run.method)),
                         machines("k", run.k ? Value::count(*run.k) : Value::nothing()),
                         machines("reason", Value::text(report.recommendation->reason))};
  }
  const std::string rows = c.sample.empty()
                               ? c.rows == 1 ? "the one row" : fmt::format("all {} rows", with_commas(c.rows))
                               : fmt::format("a sample of {} of {} rows (seed {})", with_commas(c.compared_rows),
                                             with_commas(c.rows), c.seed);
  const std::string words = fmt::format(
      "Run on {}, quasi columns {}. Highest risk of a row as it stands: {}. Nothing was released or verified.", rows,
      short_list(c.quasi, 100), percent(c.risk_before.prosecutor_max));
  Section section{"", "", {std::move(facts)}};
  if (report.recommendation) section.blocks.push_back(std::move(recommended));
  section.blocks.push_back(Paragraph{Value::text(words)});
  if (!c.sample.empty()) {
    section.blocks.push_back(
        Paragraph{Value::text("Fewer rows lose more at the same k. \"all rows\" carries the loss on to the whole table "
                              "by how it fell from half the "
                              "sample to all of it; ± is what another sample of this size could change.")});
  }
  section.blocks.push_back(notice_remarks({report.notices, report.data_notices}));
  return section;
}

Value above_bound(const ComparedRun& run) {
  if (run.best_possible) return Value::text("best possible");
  if (!run.bound || *run.bound <= 0) return Value::nothing();
  const double above = std::clamp(100 * (run.measures.gcp / *run.bound - 1), 1.0, 1e15);
  return Value::text(fmt::format("at most {} %", with_commas(static_cast<uint64_t>(std::round(above)))));
}

// The mean error of the learners with this run.
const MethodError* error_of(const ComparedRun& run, const std::vector<MethodError>& errors) {
  for (const MethodError& error : errors) {
    if (error.method == run.method && run.k == error.k) return &error;
  }
  return nullptr;
}

Section runs(const ComparisonReport& report) {
  const MethodComparison& c = report.comparison;
  const std::vector<MethodError> errors = report.learners ? mean_errors(*report.learners) : std::vector<MethodError>{};
  const auto people_if = [](bool shown) { return shown ? kEveryone : kMachines; };
  const bool sampled = !c.sample.empty();
  FactTable table{
      "runs",
      {{"k", "k", people_if(any(c, [](const ComparedRun& run) { return run.k.has_value(); }))},
       {"method", "method"},
       {"shape", "shape", kMachines},
       {"gcp", sampled ? "lost (GCP), sample" : "lost (GCP)"},
       {"", "all rows", sampled ? kPeople : Readers{}},
       {"whole.gcp", "", kMachines},
       {"whole.margin", "", kMachines},
       {"", "above the best possible",
        any(c, [](const ComparedRun& run) { return run.bound.has_value(); }) ? kPeople : Readers{}},
       {"bound", "", kMachines},
       {"highest_risk", "highest risk"},
       {"average_risk", "average risk"},
       {"", "rows in groups of one value",
        any(c, [](const ComparedRun& run) { return !run.privacy.sensitive.empty(); }) ? kPeople : Readers{}},
       {"groups", "", kMachines},
       {"rows_dropped", "rows dropped", people_if(any(c, [](const ComparedRun& run) { return run.rows_dropped > 0; }))},
       {"error", "learners' error", errors.empty() ? Readers{} : kEveryone},
       {"measures.prec", "", kMachines},
       {"measures.dm", "", kMachines},
       {"measures.c_avg", "", kMachines},
       {"measures.lm", "", kMachines},
       {"measures.entropy_ratio", "", kMachines},
       {"column_gcp", "", kMachines},
       {"seconds", "time"},
       {"refused", ""}},  // the last, which no renderer cuts
      {}};
  for (const ComparedRun& run : c.runs) {
    const bool done = run.done();
    const MethodError* error = error_of(run, errors);
    const auto if_done = [&](Value value) { return done ? std::move(value) : Value::nothing(); };
    table.rows.push_back({{run.k ? Value::count(*run.k) : Value::nothing(),
                           Value::text(run.method),
                           Value::text(to_string(run.shape)),
                           if_done(Value::share(run.measures.gcp)),
                           run.whole ? Value::text(with_margin(run.whole->gcp, run.whole->margin)) : Value::nothing(),
                           run.whole ? Value::share(run.whole->gcp) : Value::absent(),
                           run.whole ? Value::share(run.whole->margin) : Value::absent(),
                           above_bound(run),
                           run.bound ? Value::share(*run.bound) : Value::nothing(),
                           if_done(Value::share(run.highest_risk())),
                           if_done(Value::share(run.risk.prosecutor_average)),
                           if_done(Value::count(rows_of_one_value(run))),
                           if_done(Value::count(run.risk.groups)),
                           if_done(Value::count(run.rows_dropped)),
                           error ? Value::share(error->error) : Value::nothing(),
                           if_done(Value::number(run.measures.prec)),
                           if_done(Value::number(run.measures.dm)),
                           if_done(Value::number(run.measures.c_avg)),
                           if_done(Value::number(run.measures.lm)),
                           if_done(Value::number(run.measures.entropy_ratio)),
                           if_done(Value::shares(run.measures.column_gcp)),
                           if_done(Value::seconds(run.seconds)),
                           done ? Value::absent() : Value::text(run.refused)}});
  }
  return {"Runs", "", {std::move(table)}, kEveryone, kPage};
}

Section picture(const MethodComparison& c) {
  Chart chart{Chart::Kind::points,
              "Risk against loss, a point for each method and k",
              methods_of(c),
              {},
              "information lost (GCP)",
              "highest risk of a row"};
  for (const ComparedRun& run : c.runs) {
    if (!run.done()) continue;
    const auto series =
        static_cast<size_t>(std::find(chart.series.begin(), chart.series.end(), run.method) - chart.series.begin());
    chart.bars.push_back({fmt::format("{}, {}: lost {}, highest risk {}", run.method, k_words(run.k),
                                      percent(run.measures.gcp), percent(run.highest_risk())),
                          {Value::share(run.measures.gcp), Value::share(run.highest_risk())},
                          series});
  }
  if (chart.bars.empty()) return {};
  return {
      "Risk against loss",
      "",
      {Paragraph{Value::text("On one height the risk is the same: there the point furthest to the left loses least."),
                 kPage},
       std::move(chart)},
      kPage};
}

// Where the methods differ: column by column, with the k that is recommended.
Section by_column(const ComparisonReport& report) {
  if (!report.recommendation) return {};
  const MethodComparison& c = report.comparison;
  const std::optional<uint64_t> k = c.runs[report.recommendation->run].k;
  Chart chart{Chart::Kind::bars, "Share of information lost, by column and method", {}, {}};
  for (const std::string& column : c.quasi) chart.bars.push_back({column, {}});
  for (const ComparedRun& run : c.runs) {
    if (!run.done() || run.k != k) continue;
    chart.series.push_back(run.method);
    for (size_t j = 0; j < c.quasi.size(); ++j) {
      chart.bars[j].values.push_back(Value::share(run.measures.column_gcp[j]));
    }
  }
  return {fmt::format("What each column loses, {}", k_words(k)), "", {std::move(chart)}, kPage};
}

Section learners(const ComparisonReport& report) {
  const Evaluation& e = *report.learners;
  FactTable table{"learners.results",
                  {{"k", "k"},
                   {"method", "method"},
                   {"learner", "learner"},
                   {"error", "error"},
                   {"", "±, 95 %", kPeople},
                   {"low", "", kMachines},
                   {"high", "", kMachines},
                   {"raw", "raw rows"},
                   {"without_quasi", "without quasi columns"}},
                  {}};
  for (const EvaluationCell& cell : e.cells) {
    const auto base = std::find_if(e.baselines.begin(), e.baselines.end(),
                                   [&](const Evaluation::Baseline& entry) { return entry.learner == cell.learner; });
    const ErrorInterval& interval = cell.anonymized.interval;
    table.rows.push_back({{Value::count(cell.k), Value::text(cell.method), Value::text(cell.learner),
                           Value::share(cell.anonymized.error), Value::share((interval.high - interval.low) / 2),
                           Value::share(interval.low), Value::share(interval.high), Value::share(base->raw.error),
                           Value::share(base->without_quasi.error)}});
  }
  Facts facts{"learners",
              {{"target", "", Value::text(e.target), "", Direction::neutral, kMachines},
               {"folds", "", Value::count(e.folds), "", Direction::neutral, kMachines},
               {"protocol", "", Value::text(to_string(e.protocol)), "", Direction::neutral, kMachines}}};
  const std::string words = fmt::format(
      "Learners that predict {}: wrong answers on rows they were not trained on ({}-fold cross-validation; the "
      "rows trained on are anonymized).",
      e.target, e.folds);
  return {"Learners", "", {Paragraph{Value::text(words)}, std::move(facts), std::move(table)}};
}

Section rule() {
  const std::string words =
      "Of several k the smallest with which all methods keep the highest risk at 20 % or below (else the largest); "
      "where learners' "
      "errors are known the methods within the margin of the least; of these the least loss (GCP). Time plays no part.";
  return {"How the recommendation is made", "", {Paragraph{Value::text(words), kPage}}, kPage};
}

}  // namespace

std::vector<MethodError> mean_errors(const Evaluation& evaluation) {
  std::vector<MethodError> errors;
  std::vector<size_t> learners;
  for (const EvaluationCell& cell : evaluation.cells) {
    size_t i = 0;
    while (i < errors.size() && (errors[i].method != cell.method || errors[i].k != cell.k)) ++i;
    if (i == errors.size()) {
      errors.push_back({cell.method, cell.k, 0, 0});
      learners.push_back(0);
    }
    errors[i].error += cell.anonymized.error;
    errors[i].margin += (cell.anonymized.interval.high - cell.anonymized.interval.low) / 2;
    ++learners[i];
  }
  for (size_t i = 0; i < errors.size(); ++i) {
    errors[i].error /= static_cast<double>(learners[i]);
    errors[i].margin /= static_cast<double>(learners[i]);
  }
  return errors;
}

Document comparison_document(const ComparisonReport& report) {
  Document document;
  document.title = "Methods compared";
  document.subtitle = Value::file(report.comparison.input);
  document.verdict = verdict(report);
  document.sections = {about(report), runs(report), picture(report.comparison), by_column(report)};
  if (report.learners) document.sections.push_back(learners(report));
  document.sections.push_back(rule());
  return document;
}

}  // namespace shoal
