#include "shoal/examine/privacy.h"

#include "shoal/encode/encoding.h"
#include "shoal/job/requirements.h"

namespace shoal {

// Parameters do not change Model::value, but for the l of recursive-l: 2 is the least that says something.
std::vector<ModelSpec> every_model(const ColumnEncoding& column) {
  std::vector<ModelSpec> specs;
  const auto add = [&](const std::string& rest) {
    ModelSpec spec = parse_model(rest);
    spec.column = column.name;
    specs.push_back(std::move(spec));
  };
  for (const char* text : {"distinct-l:c:l=1", "entropy-l:c:l=1", "recursive-l:c:c=1,l=2", "confidence:c:alpha=1",
                           "t-closeness:c:t=1", "beta-likeness:c:beta=1,form=basic", "delta-disclosure:c:delta=1"}) {
    add(text);
  }
  if (!column.order.empty()) add("t-closeness:c:t=1,distance=ordered");
  if (column.has_tree) add("t-closeness:c:t=1,distance=hierarchical");
  return specs;
}

PrivacyValues privacy_of(const Table& table, const Encoding& encoding, const Groups& groups, double threshold,
                         const WholeTable* whole) {
  PrivacyValues values;
  CountedTable counted(table, encoding, whole);
  for (const ColumnEncoding& column : encoding.sensitive) {
    SensitiveValues of_column{column.name, {}, {}};
    for (const ModelSpec& spec : every_model(column)) {
      const CountedModel model = counted.counted(spec);
      of_column.models.push_back(model_values(model, std::nullopt, groups, table.times));
      if (spec.kind == ModelKind::distinct_l) {
        of_column.rows_by_diversity = rows_by_diversity(*model.counted, groups, table.times);
      }
    }
    values.sensitive.push_back(std::move(of_column));
  }
  if (table.person) {
    ModelSpec persons = parse_model("persons:c:k=1");
    persons.column = table.person->name;
    values.persons = risk(different_per_group(*counted.counted(persons).counted, groups), threshold);
  }
  return values;
}

std::vector<ModelValues> asked_values(CountedTable& table, const Requirement& requirement, const Groups& groups) {
  std::vector<ModelValues> values;
  for (const ModelSpec& spec : requirement.models) {
    if (of_population(spec)) continue;
    values.push_back(spec.kind == ModelKind::average_risk
                         ? average_risk_values(spec, groups, table.times())
                         : model_values(table.counted(spec), table.missing(spec), groups, table.times()));
  }
  return values;
}

}  // namespace shoal
