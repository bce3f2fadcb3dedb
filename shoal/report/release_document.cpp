#include "shoal/report/release_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/report/format.h"
#include "shoal/report/measure_words.h"
#include "shoal/report/notice_remarks.h"
#include "shoal/report/privacy_blocks.h"
#include "shoal/report/release_parts.h"
#include "shoal/run/counted.h"
#include "shoal/version.h"

namespace shoal {

std::string to_string(Status status) {
  switch (status) {
    case Status::released:
      return "released";
    case Status::unsatisfied:
      return "unsatisfied";
    case Status::verification_failed:
      return "verification_failed";
    case Status::finding:
      return "finding";
  }
  return "";
}

std::vector<Block> verification_blocks(const Verification& verification, const std::string& path, Readers readers) {
  FactTable table{path.empty() ? "checks" : path + ".checks",
                  {{"ok", "", readers},
                   {"name", "check of the written file", readers},
                   {"result", "", kMachines},
                   {"culprit", "", readers},
                   {"detail", "found", readers}},  // the last, which no renderer cuts
                  {}};
  auto& culprits = table.columns[3];
  for (const VerificationCheck& check : verification.checks) {
    const char* wrong = check.result == CheckResult::failed ? "FAILED" : "NOT CHECKED";
    Value culprit = Value::text(check.culprit).or_nothing();
    table.rows.push_back(
        {{Value::yes_no(check.ok(), "ok", wrong), Value::text(check.name), Value::text(to_string(check.result)),
          std::move(culprit).as_data(), Value::text(check.detail).or_nothing()}});
  }
  const bool any = std::any_of(verification.checks.begin(), verification.checks.end(),
                               [](const VerificationCheck& check) { return !check.culprit.empty(); });
  if (any) {
    culprits.label = "the first that failed";
  } else {
    culprits.readers = kMachines;
  }
  return {Facts{path, {{"ok", "", Value::yes_no(verification.ok()), "", Direction::neutral, kMachines}}},
          std::move(table)};
}

namespace {

template <typename T>
Value count_or_nothing(const std::optional<T>& number) {
  return number ? Value::count(static_cast<uint64_t>(*number)) : Value::nothing();
}

// ---- first what an officer reads ----

// A method that checks few columns together has promised no more than that.
std::string what_holds(const Report& report) {
  const auto combinations = report.params.find("combinations");
  const bool all_columns =
      std::any_of(report.requirements.begin(), report.requirements.end(),
                  [&](const auto& requirement) { return requirement.columns.size() == report.columns.size(); });
  if (combinations == report.params.end() || all_columns) return "Every requirement holds.";
  return fmt::format(
      "Every requirement holds, each on combinations of at most {} column{}: nothing was asked of all {} quasi columns "
      "together.",
      combinations->second, combinations->second == "1" ? "" : "s", report.columns.size());
}

// Which checks, since "failed" alone helps nobody.
std::string failed_checks(const Report& report) {
  std::string failed;
  for (const VerificationCheck& check : report.verification.checks) {
    if (check.result == CheckResult::failed) failed += fmt::format("; {}: {}", check.name, check.detail);
  }
  return failed.empty() ? report.reason : fmt::format("Nothing was released{}", failed);
}

Verdict verdict(const Report& report) {
  switch (report.status) {
    case Status::released: {
      const std::string rows =
          report.rows_dropped == 0
              ? report.rows_out == 1 ? "the one row" : fmt::format("all {} rows", with_commas(report.rows_out))
              : fmt::format("{} of {} rows ({} dropped)", with_commas(report.rows_out), with_commas(report.rows_in),
                            with_commas(report.rows_dropped));
      return {Tone::good, fmt::format("Released and verified: {}. {}", rows, what_holds(report))};
    }
    case Status::unsatisfied:
      return {Tone::bad, "NOT RELEASED: no recoding satisfies the requirements.",
              Value::text(report.reason).or_nothing()};
    case Status::verification_failed:
      return {Tone::bad, "NOT RELEASED: the release failed its verification.",
              Value::text(failed_checks(report)).or_nothing()};
    case Status::finding:
      return {Tone::bad, "NOT RELEASED: a finding stands in the way.", Value::text(report.reason).or_nothing()};
  }
  return {};
}

// Requirements that leave columns out can all hold while rows are told apart by the columns together: said in a
// sentence, since the verdict above and the risk below would seem to contradict each other.
std::string uncovered_risk(const Report& report) {
  if (report.status != Status::released || report.risk.groups == 0) return "";
  uint64_t k = 0;
  for (const RequirementReport& requirement : report.requirements) {
    if (requirement.columns.size() == report.columns.size()) return "";
    k = std::max(k, requirement.k);
  }
  if (report.risk.smallest_group >= k) return "";
  return fmt::format(
      "No requirement covers all quasi columns together: to somebody who knows all of them a row can still stand out "
      "(highest risk {}, smallest group {}).",
      percent(report.risk.prosecutor_max), with_commas(report.risk.smallest_group));
}

std::string how(const Report& report) {
  std::string text = fmt::format("Method {} ({})", report.method, to_string(report.shape));
  for (const auto& [name, value] : report.params) text += fmt::format(", {}={}", name, value);
  text += fmt::format(", seed {}", report.seed);
  return report.search.optimal ? text + ", proven best" : text;
}

Remarks notices(const Report& report, Readers readers, const std::string& lead) {
  return notice_remarks({report.notices, report.data_notices}, readers, lead);
}

Section summary(const Report& report) {
  const auto machines = [](const char* key, Value value) {
    return Fact{key, "", std::move(value), "", Direction::neutral, kMachines};
  };
  Facts asked{
      "",
      {machines("status", Value::text(to_string(report.status))),
       machines("reason", Value::text(report.reason).or_nothing()),
       machines("input", Value::file(report.input).or_nothing()),
       machines("output", Value::file(report.output).or_nothing()), machines("method", Value::text(report.method)),
       machines("shape", Value::text(to_string(report.shape)))}};
  Facts params{"params"};
  for (const auto& [name, value] : report.params) params.facts.push_back(machines(name.c_str(), Value::text(value)));
  Facts run{"",
            {machines("seed", Value::count(report.seed)),
             machines("threads", Value::count(static_cast<uint64_t>(report.threads))),
             machines("version", Value::text(std::string(version())))}};
  const Readers page = measured(report) ? kPage : Readers{};
  const Readers both = measured(report) ? kPageAndMachines : kMachines;
  Facts tiles{
      "",
      {{"rows_in", "rows in", Value::count(report.rows_in), "", Direction::neutral, kPageAndMachines},
       {"rows_out", report.status == Status::released ? "rows out" : "rows it would have had",
        Value::count(report.rows_out), "", Direction::neutral, both},
       {"rows_dropped", report.status == Status::released ? "rows dropped" : "rows it would have dropped",
        Value::count(report.rows_dropped), "", Direction::neutral, both},
       {"", "rows in the smallest group", Value::count(report.risk.smallest_group), "", Direction::neutral, page},
       {"", "information lost (GCP)", Value::share(report.measures.gcp), "", Direction::neutral, page},
       {"", "highest risk of a row", Value::share(report.risk.prosecutor_max), "", Direction::neutral, page},
       machines("cells_suppressed", Value::count(report.cells_suppressed))},
      true};
  Section section{"", "", {std::move(asked), std::move(params), std::move(run)}};
  if (const std::string sentence = uncovered_risk(report); !sentence.empty()) {
    section.blocks.push_back(Remarks{"", "But", {Value::text(sentence)}, kPeople});
  }
  section.blocks.push_back(Paragraph{Value::text(how(report)), kTerminal});
  section.blocks.push_back(notices(report, kPageAndMachines, "To know"));
  section.blocks.push_back(std::move(tiles));
  return section;
}

// ---- requirements, columns, risks, measures ----

Section requirements(const Report& report) {
  FactTable table{"requirements",
                  {{"columns", "requirement"},
                   {"k", "k"},
                   {"", "risk of a row, at most", kPage},
                   {"min_group", "smallest group"},
                   {"ok", ""}},
                  {}};
  for (const RequirementReport& requirement : report.requirements) {
    table.rows.push_back({{Value::texts(requirement.columns), Value::count(requirement.k),
                           Value::share(1 / static_cast<double>(std::max<uint64_t>(1, requirement.k))),
                           measured(report) ? Value::count(requirement.min_group) : Value::nothing(),
                           Value::yes_no(requirement.ok, "ok", "NOT MET")}});
  }
  const char* meaning =
      "Every combination of released values on these columns occurs in at least k rows: whoever knows them about a "
      "person "
      "is left with k rows that fit, a risk of 1/k. Usual thresholds are 20 % (k = 5), 9 % (k = 11) and 5 % (k = 20).";
  Section section{"Requirements", "", {Paragraph{Value::text(meaning), kPage}, std::move(table)}, kEveryone, kPage};
  for (size_t i = 0; i < report.requirements.size(); ++i) {
    const RequirementReport& requirement = report.requirements[i];
    if (requirement.models.empty()) continue;
    section.blocks.push_back(asked_models(requirement.models_before, requirement.models,
                                          fmt::format("requirements[{}].models", i), kEveryone));
  }
  return section;
}

Section columns(const Report& report) {
  const bool known = measured(report);
  const bool levels = std::any_of(report.columns.begin(), report.columns.end(),
                                  [](const ColumnReport& column) { return column.level && column.height; });
  FactTable table{"columns",
                  {{"name", "column"},
                   {"type", "type"},
                   {"hierarchy", "hierarchy", kPageAndMachines},
                   {"ranges", "ranges", kPageAndMachines},
                   {"values_in", "values in"},
                   {"values_out", "values out"},
                   {"", "level", levels ? kPeople : Readers{}},
                   {"gcp", "lost"},
                   {"level", "", kMachines},
                   {"height", "", kMachines}},
                  {}};
  Chart chart{Chart::Kind::bars, "Share of information lost, by column", {}, {}};
  for (const ColumnReport& column : report.columns) {
    const Value lost = known ? Value::share(column.gcp) : Value::nothing();
    table.rows.push_back(
        {{Value::text(column.name), Value::text(column.type).or_nothing(), Value::file(column.hierarchy).or_nothing(),
          Value::text(column.ranges).or_nothing(), Value::count(column.values_in),
          known ? Value::count(column.values_out) : Value::nothing(),
          column.level && column.height ? Value::text(fmt::format("{} of {}", *column.level, *column.height))
                                        : Value::nothing(),
          lost, count_or_nothing(column.level), count_or_nothing(column.height)}});
    chart.bars.push_back({column.name, {lost}});
  }
  if (!report.columns.empty()) {
    table.rows.push_back({{Value::text("all quasi columns (GCP)"), Value::absent(), Value::absent(), Value::absent(),
                           Value::absent(), Value::absent(), Value::absent(), Value::share(report.measures.gcp)},
                          "",
                          known ? kTerminal : Readers{}});
  }
  Section section{"What each column lost", "", {}, kEveryone, kPage};
  if (!known || report.columns.empty()) {
    section.readers = kMachines;
  } else {
    section.blocks.push_back(Paragraph{Value::text("0 %: released as it was. 100 %: nothing left but *."), kPage});
    section.blocks.push_back(std::move(chart));
  }
  section.blocks.push_back(std::move(table));
  return section;
}

Section risks(const Report& report) {
  FactTable table = risk_change(report.risk_before, measured(report) ? report.risk : Risk{});
  Chart chart{Chart::Kind::bars, "Risk before and after", {"before", "after"}, {}};
  for (const Row& row : table.rows) {
    if (row.readers & kPage && row.cells[1].unit == Unit::share) {
      chart.bars.push_back({words_of(row.cells[0]), {row.cells[1], row.cells[2]}});
    }
  }
  Facts groups{"",
               {{"groups", "", measured(report) ? Value::count(report.groups) : Value::nothing(), "",
                 Direction::neutral, kMachines}}};
  return {"Risk of re-identification, before and after",
          "",
          {std::move(groups), std::move(chart), std::move(table)},
          measured(report) ? kEveryone : kMachines,
          kPage};
}

Section usefulness(const Report& report) {
  Facts cells{"",
              {{"", "cells suppressed", Value::count(report.cells_suppressed), "released as *",
                Direction::lower_is_better, measured(report) ? kPage : Readers{}}}};
  Facts facts = measure_facts(report.measures, measured(report) ? kPageAndMachines : kMachines, measured(report));
  facts.facts.push_back(cells.facts.front());
  return {"Usefulness", "", {std::move(facts)}, kPageAndMachines};
}

// The last lines on the terminal.
Section tail(const Report& report) {
  Section section{"", "", {}, kTerminal};
  const auto line = [&](std::string words) {
    section.blocks.push_back(Paragraph{Value::text(std::move(words)), kTerminal});
  };
  for (const auto& [name, words] : report.search.details) {
    if (name == kLowerBoundDetail) line(fmt::format("Lower bound: {}", words));
  }
  if (report.cells_suppressed > 0) line(fmt::format("Cells suppressed: {}", with_commas(report.cells_suppressed)));
  const Timings& t = report.timings;
  std::string time = fmt::format("Time {}", duration(t.total)), separator = ": ";
  const std::pair<const char*, double> stages[] = {{"read", t.read},     {"encode", t.encode},     {"search", t.search},
                                                   {"recode", t.recode}, {"findings", t.findings}, {"write", t.write},
                                                   {"verify", t.verify}};
  for (const auto& [name, seconds] : stages) {
    if (seconds < 0.0005) continue;
    time += fmt::format("{}{} {}", separator, name, duration(seconds));
    separator = ", ";
  }
  if (report.peak_memory_bytes > 0) time += fmt::format("; memory {}", memory_size(report.peak_memory_bytes));
  line(time);
  section.blocks.push_back(notices(report, kTerminal, "Note"));
  return section;
}

}  // namespace

Document release_document(const Report& report) {
  Document document;
  document.title = "Release report";
  const std::string files = words_of(Value::file(report.input)) +
                            (report.status == Status::released ? " → " + words_of(Value::file(report.output)) : "");
  document.subtitle = Value::text(fmt::format("{}, method {}", files, report.method));
  document.verdict = verdict(report);
  document.findings = report.findings;
  const Readers checks = report.status == Status::verification_failed ? kEveryone : kPageAndMachines;
  const auto add = [&](Section section) { document.sections.push_back(std::move(section)); };
  // The first page: what whoever signs must know.
  add(summary(report));
  add(every_column(report));
  add(requirements(report));
  add(what_remains(report));
  add(sign_off(report));
  // Then the pictures and the numbers behind them.
  Section lost = columns(report);
  lost.starts_page = true;
  add(std::move(lost));
  add(risks(report));
  add(group_sizes(report));
  if (measured(report)) {
    for (Section& section : privacy_sections(&report.privacy_before, &report.privacy, kPageAndMachines)) {
      add(std::move(section));
    }
  }
  add(told_apart(report));
  add(usefulness(report));
  add(loss_against_bound(report));
  add(values_before_and_after(report));
  add({"Verification", "", verification_blocks(report.verification, "verification", checks),
       report.verification.checks.empty() ? kMachines : kEveryone, kPage});
  // And how it was done.
  add(how_to_repeat(report));
  add(search_details(report));
  add(time_and_memory(report));
  add(distributions(report));
  add(tail(report));
  return document;
}

}  // namespace shoal
