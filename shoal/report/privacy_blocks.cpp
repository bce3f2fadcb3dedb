#include "shoal/report/privacy_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shoal/report/format.h"
#include "shoal/verify/promise_sql.h"

namespace shoal {
namespace {

Value number_or_nothing(double value) { return std::isfinite(value) ? Value::number(value) : Value::nothing(); }

const char* closure_words(const ModelSpec& spec) {
  const Closure alone = model_entry(spec.kind).closure;
  const bool any = alone == Closure::any_superset && !counts_pairs(spec);
  return any ? "stays true when groups grow" : "stays true when groups that hold unite";
}

// What a model is called where only its value counts.
std::string value_label(const ModelSpec& spec) {
  switch (spec.kind) {
    case ModelKind::distinct_l:
      return "different values, at least (distinct-l)";
    case ModelKind::entropy_l:
      return "entropy, as so many equal values (entropy-l)";
    case ModelKind::recursive_l:
      return "holds for c above (recursive-l, l=2)";
    case ModelKind::confidence:
      return "largest share of a value (confidence)";
    case ModelKind::t_closeness:
      return spec.distance == Distance::equal     ? "distance from the table (t-closeness)"
             : spec.distance == Distance::ordered ? "distance by order (t-closeness ordered)"
                                                  : "distance by hierarchy (t-closeness hierarchical)";
    case ModelKind::beta_likeness:
      return "largest relative gain of a value (beta-likeness)";
    case ModelKind::delta_disclosure:
      return "largest change of a share, powers of 2 (delta-disclosure)";
    default:
      return std::string(model_entry(spec.kind).word);
  }
}

// In JSON: the model's word, and its distance where it has one.
std::string value_key(const ModelSpec& spec) {
  std::string word(model_entry(spec.kind).word);
  if (spec.kind != ModelKind::t_closeness || spec.distance == Distance::equal) return word;
  return word + (spec.distance == Distance::ordered ? "-ordered" : "-hierarchical");
}

std::vector<double> shares(const RowsByDiversity& rows) {
  uint64_t all = 0;
  for (uint64_t part : rows) all += part;
  std::vector<double> result;
  for (uint64_t part : rows) result.push_back(all == 0 ? 0 : double(part) / double(all));
  return result;
}

Section sensitive_section(const SensitiveValues* before, const SensitiveValues* after, const std::string& path,
                          Readers readers) {
  const SensitiveValues& any = before ? *before : *after;
  Section section{fmt::format("Sensitive column {}", any.column), path, {}, readers};
  section.blocks.push_back(Facts{"", {{"column", "", Value::text(any.column), "", Direction::neutral, kMachines}}});
  FactTable table{"", {{"", "the worst group has"}}, {}, true};
  Chart chart{Chart::Kind::bars, fmt::format("Rows by how many values of {} their group has", any.column), {}, {}};
  std::vector<const SensitiveValues*> series;
  const char* alone = "now";  // a table as it stands
  for (const auto& [values, key, words] :
       {std::tuple{before, "before", after ? "before" : alone}, std::tuple{after, "after", "after"}}) {
    if (values == nullptr) continue;
    series.push_back(values);
    table.columns.push_back({key, words});
    chart.series.push_back(words);
  }
  for (size_t i = 0; i < any.models.size(); ++i) {
    Row row{{Value::text(value_label(any.models[i].spec))}, value_key(any.models[i].spec)};
    for (const SensitiveValues* values : series) row.cells.push_back(number_or_nothing(values->models[i].worst));
    table.rows.push_back(std::move(row));
  }
  Row one_value{{Value::text("rows in groups of one value")}, "rows_in_one_value_groups"};
  for (const SensitiveValues* values : series) one_value.cells.push_back(Value::count(values->rows_by_diversity[0]));
  table.rows.push_back(std::move(one_value));
  for (size_t step = 0; step < kDiversityWords.size(); ++step) {
    Chart::Bar bar{kDiversityWords[step], {}};
    for (const SensitiveValues* values : series) {
      bar.values.push_back(Value::share(shares(values->rows_by_diversity)[step]));
    }
    chart.bars.push_back(std::move(bar));
  }
  FactTable diversity{"", {{"", "rows in groups with"}}, {}, true};
  for (const Heading& heading : table.columns) {
    if (heading.key.empty()) continue;
    diversity.columns.push_back({heading.key + ".rows_by_diversity", heading.label, kPageAndMachines});
  }
  for (size_t step = 0; step < kDiversityWords.size(); ++step) {
    Row row{{Value::text(kDiversityWords[step])}, kDiversityWords[step], kPageAndMachines};
    for (const SensitiveValues* values : series) row.cells.push_back(Value::count(values->rows_by_diversity[step]));
    diversity.rows.push_back(std::move(row));
  }
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(std::move(chart));
  section.blocks.push_back(std::move(diversity));
  return section;
}

Section persons_section(const Risk* before, const Risk* after, Readers readers) {
  FactTable table{"persons", {{"", "counted by persons"}}, {}, true};
  std::vector<const Risk*> series;
  for (const auto& [risk, word] : {std::pair{before, "before"}, std::pair{after, "after"}}) {
    if (risk == nullptr) continue;
    series.push_back(risk);
    table.columns.push_back({word, after ? word : "now"});
  }
  const auto add = [&](const char* key, const char* words, auto value) {
    Row row{{Value::text(words)}, key};
    for (const Risk* risk : series) row.cells.push_back(risk->groups > 0 ? value(*risk) : Value::nothing());
    table.rows.push_back(std::move(row));
  };
  add("prosecutor_max", "highest risk of a person (prosecutor)",
      [](const Risk& r) { return Value::share(r.prosecutor_max); });
  add("prosecutor_average", "average risk of a person (prosecutor)",
      [](const Risk& r) { return Value::share(r.prosecutor_average); });
  add("groups_of_one", "groups of one person", [](const Risk& r) { return Value::count(r.uniques); });
  add("smallest_group", "fewest persons of a group", [](const Risk& r) { return Value::count(r.smallest_group); });
  add("average_group", "persons of a group, on average", [](const Risk& r) { return Value::number(r.average_group); });
  return {"Persons", "", {std::move(table)}, readers};
}

}  // namespace

FactTable asked_models(const std::vector<ModelValues>& before, const std::vector<ModelValues>& after,
                       const std::string& path, Readers readers) {
  const std::vector<ModelValues>& any = after.empty() ? before : after;
  FactTable table{path, {{"model", "model", readers}, {"promise", "", kMachines}, {"closure", "", kMachines}}, {}};
  if (!before.empty()) table.columns.push_back({"before", after.empty() ? "now" : "before", readers});
  if (!after.empty()) table.columns.push_back({"after", "after", readers});
  table.columns.push_back({"value", "", kMachines});
  table.columns.push_back({"groups_broken", "groups that break it", readers});
  table.columns.push_back({"rows_broken", "rows", readers});
  table.columns.push_back({"groups_by_missing", "hold by missing cells alone", readers});
  for (size_t i = 0; i < any.size(); ++i) {
    // The values that a model names are values of the table.
    const bool names_values = !any[i].spec.values.empty();
    Value promise = Value::text(promise_words(any[i].spec));
    Row row{{Value::text(model_name(any[i].spec)), names_values ? std::move(promise).as_data() : promise,
             Value::text(closure_words(any[i].spec))}};
    if (!before.empty()) row.cells.push_back(Value::text(value_words(any[i].spec, before[i].worst)));
    if (!after.empty()) row.cells.push_back(Value::text(value_words(any[i].spec, after[i].worst)));
    row.cells.push_back(number_or_nothing(any[i].worst));
    row.cells.push_back(Value::count(any[i].groups_broken));
    row.cells.push_back(Value::count(any[i].rows_broken));
    row.cells.push_back(Value::count(any[i].groups_by_missing));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<Section> privacy_sections(const PrivacyValues* before, const PrivacyValues* after, Readers readers) {
  std::vector<Section> sections;
  const PrivacyValues& any = before ? *before : *after;
  for (size_t i = 0; i < any.sensitive.size(); ++i) {
    sections.push_back(sensitive_section(before ? &before->sensitive[i] : nullptr,
                                         after ? &after->sensitive[i] : nullptr, fmt::format("sensitive[{}]", i),
                                         readers));
  }
  if (any.persons) {
    sections.push_back(
        persons_section(before ? &*before->persons : nullptr, after ? &*after->persons : nullptr, readers));
  }
  return sections;
}

}  // namespace shoal
