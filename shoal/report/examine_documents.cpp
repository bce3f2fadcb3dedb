#include "shoal/report/examine_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shoal/report/format.h"
#include "shoal/report/measure_words.h"
#include "shoal/report/privacy_blocks.h"
#include "shoal/report/release_document.h"

namespace shoal {
namespace {

constexpr size_t kNamesWidth = 60;

Section queries(const QueryErrors& errors) {
  Section section{"Queries", "query_error", {}};
  section.blocks.push_back(Facts{
      "", {for_machines("columns", Value::texts(errors.columns)), for_machines("seed", Value::count(errors.seed))}});
  FactTable table{
      "",
      {{"", "relative error of answers"}, {"", "queries"}, {"", "mean"}, {"", "median"}, {"", "90th percentile"}},
      {}};
  const auto add = [&](const char* path, const std::string& name, const QueryErrorSummary& part) {
    const auto share = [&](double error) { return part.queries > 0 ? Value::share(error) : Value::nothing(); };
    section.blocks.push_back(
        Facts{path,
              {for_machines("drawn", Value::count(part.drawn)), for_machines("queries", Value::count(part.queries)),
               for_machines("mean", share(part.mean)), for_machines("median", share(part.median)),
               for_machines("p90", share(part.percentile90))}});
    table.rows.push_back({{Value::text(name), Value::count(part.queries), share(part.mean), share(part.median),
                           share(part.percentile90)}});
  };
  add("count", "COUNT", errors.count);
  if (errors.sum) {
    add("sum", fmt::format("SUM of {}", errors.sum_column), *errors.sum);
    section.blocks.push_back(Facts{"sum", {for_machines("column", Value::text(errors.sum_column))}});
  } else {
    section.blocks.push_back(Facts{"", {for_machines("sum", Value::nothing())}});
  }
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(
      for_people(fmt::format("  conditions on {}; queries whose exact answer is 0 were drawn again",
                             short_list(errors.columns, kNamesWidth))));
  return section;
}

Section population(const PopulationRisk& risk) {
  const PopulationUniques& uniques = risk.uniques;
  const auto estimate = [](const std::optional<double>& number) {
    return number ? Value::number(*number) : Value::nothing();
  };
  const std::string chosen = fmt::format("unique people, estimated ({})", to_string(uniques.chosen));
  return {"Risk in the population",
          "population",
          {Facts{"",
                 {{"people", "people of the population", Value::number(risk.people)},
                  {"sampling_fraction", "share of them in the table", Value::share(risk.sampling_fraction)},
                  {"smallest_group", "people that look like the rarest row, estimated (k-map)",
                   Value::number(risk.smallest_group)},
                  {"risk_max", "highest individual risk of a row", Value::share(risk.risk_max)},
                  {"risk_sum", "rows expected to be named", Value::number(risk.risk_sum)},
                  {"uniques", chosen, Value::number(uniques.people)},
                  for_machines("uniques_model", Value::text(to_string(uniques.chosen))),
                  {"zayatz", "  by Zayatz", estimate(uniques.zayatz)},
                  {"pitman", "  by Pitman", estimate(uniques.pitman)},
                  {"snb", "  by SNB", estimate(uniques.snb)}}}}};
}

Section counted_people(const PopulationCounts& counts) {
  const auto share = [](double value) { return std::isfinite(value) ? Value::share(value) : Value::nothing(); };
  return {"Beside the population",
          "population_counts",
          {Facts{"",
                 {{"people", "people of the population", Value::count(counts.people)},
                  {"fewest", "fewest people that a row's cells fit (k-map)", Value::count(counts.fewest)},
                  {"smallest_share", "smallest share of those that fit in the table (delta-presence)",
                   share(counts.smallest_share)},
                  {"largest_share", "largest share of those that fit in the table (delta-presence)",
                   share(counts.largest_share)}}}}};
}

Section suda(const SudaScores& scores) {
  FactTable sizes{"sets", {{"columns", "columns that suffice"}, {"rows", "minimal sample uniques"}}, {}};
  for (size_t i = 0; i < scores.sets_of_size.size(); ++i) {
    sizes.rows.push_back({{Value::count(i + 1), Value::count(scores.sets_of_size[i])}});
  }
  return {"SUDA2",
          "suda",
          {Facts{"",
                 {{"rows_with_score", "rows unique by some of their values", Value::count(scores.rows_with_score())},
                  {"highest_score", "highest score of a row", Value::number(scores.highest())},
                  {"largest_set", "sets looked at have up to so many columns", Value::count(scores.largest)}}},
           std::move(sizes)}};
}

}  // namespace

Document verification_document(const std::string& release, const std::optional<std::string>& original,
                               const Verification& verification, const std::optional<std::vector<Finding>>& findings) {
  Document document;
  document.title = "Verification";
  document.subtitle = Value::file(release);
  document.findings = findings;
  Section section;
  section.blocks.push_back(Facts{"",
                                 {for_machines("release", Value::file(release)),
                                  for_machines("original", original ? Value::file(*original) : Value::nothing())}});
  section.blocks.push_back(for_people(original ? fmt::format("{} against {}", release, *original)
                                               : fmt::format("{} alone (rows and cells need the original)", release)));
  for (Block& block : verification_blocks(verification, "", kEveryone)) section.blocks.push_back(std::move(block));
  section.blocks.push_back(Facts{"", {for_machines("smallest_groups", Value::counts(verification.smallest_groups))}});
  const auto failed = std::count_if(verification.checks.begin(), verification.checks.end(),
                                    [](const auto& check) { return check.result == CheckResult::failed; });
  section.blocks.push_back(for_people(
      verification.ok() && original ? "The release keeps its promise."
      : verification.ok() ? "Every requirement holds. Whether rows and cells stand for originals was not checked."
      : failed > 0        ? fmt::format("The release does NOT keep its promise: {} of {} checks failed.", failed,
                                        verification.checks.size())
                          : "Whether the release keeps its promise could not be checked in full."));
  document.sections.push_back(std::move(section));
  return document;
}

Document measure_document(const std::string& release, const std::string& original, const MeasureReport& report) {
  Document document;
  document.title = "Measures of a release";
  document.subtitle = Value::file(release);
  document.sections = {
      {"",
       "",
       {Facts{"",
              {for_machines("release", Value::file(release)), for_machines("original", Value::file(original)),
               for_machines("rows_in", Value::count(report.rows_in)),
               for_machines("rows_out", Value::count(report.rows_out))}},
        for_people(fmt::format("{} against {}: {} of {}", release, original, with_commas(report.rows_out),
                               counted(report.rows_in, "row")))}},
      {"Usefulness", "", {measure_facts(report.measures)}},
      {"Risk left", "", {risk_facts(report.risk)}}};
  for (size_t i = 0; i < report.requirements.size(); ++i) {
    const RequirementValues& part = report.requirements[i];
    document.sections.push_back(
        {fmt::format("Requirement ({}), k = {}", short_list(part.columns, kNamesWidth), part.k),
         fmt::format("requirements[{}]", i),
         {Facts{"", {for_machines("columns", Value::texts(part.columns)), for_machines("k", Value::count(part.k))}},
          asked_models(part.before, part.after, "models", kEveryone)}});
  }
  for (Section& section : privacy_sections(&report.privacy_before, &report.privacy, kEveryone)) {
    document.sections.push_back(std::move(section));
  }
  if (report.query_errors) document.sections.push_back(queries(*report.query_errors));
  return document;
}

Document risk_document(const std::string& input, const std::vector<std::string>& quasi, const RiskReport& report) {
  Document document;
  document.title = "Risk of a table as it stands";
  document.subtitle = Value::file(input);
  document.findings = report.findings;
  document.sections = {
      {"",
       "",
       {Facts{"", {for_machines("input", Value::file(input)), for_machines("rows", Value::count(report.rows))}},
        for_people(fmt::format("{}: {}, quasi {} {}", input, counted(report.rows, "row"),
                               noun_after(quasi.size(), "column"), short_list(quasi, kNamesWidth))),
        risk_facts(report.all_quasi), FactTable{"requirements", {}, {}}}}};
  for (size_t i = 0; i < report.requirements.size(); ++i) {
    const RiskReport::PerRequirement& part = report.requirements[i];
    Section section{fmt::format("Requirement ({}), k = {}: {} in groups below k", short_list(part.columns, kNamesWidth),
                                part.k, counted(part.rows_below_k, "row")),
                    fmt::format("requirements[{}]", i),
                    {}};
    section.blocks.push_back(
        Facts{"",
              {for_machines("columns", Value::texts(part.columns)), for_machines("k", Value::count(part.k)),
               for_machines("rows_below_k", Value::count(part.rows_below_k))}});
    Facts risks = risk_facts(part.risk);
    if (part.columns.size() == quasi.size()) {  // people have read them above
      for (Fact& fact : risks.facts) fact.readers = kMachines;
    }
    section.blocks.push_back(std::move(risks));
    if (part.columns.size() == quasi.size())
      section.blocks.push_back(for_people("  these are all quasi columns: risks as above"));
    if (!part.models.empty()) section.blocks.push_back(asked_models(part.models, {}, "models", kEveryone));
    document.sections.push_back(std::move(section));
  }
  for (Section& section : privacy_sections(&report.privacy, nullptr, kEveryone)) {
    document.sections.push_back(std::move(section));
  }
  if (report.population) document.sections.push_back(population(*report.population));
  if (report.population_counts) document.sections.push_back(counted_people(*report.population_counts));
  if (report.suda) document.sections.push_back(suda(*report.suda));
  return document;
}

}  // namespace shoal
