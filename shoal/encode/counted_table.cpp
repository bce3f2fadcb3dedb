#include "shoal/encode/counted_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "shoal/error.h"
#include "shoal/job/requirements.h"
#include "shoal/model/possible.h"
#include "shoal/table/groups.h"

namespace shoal {
namespace {

std::vector<uint32_t> wide(const Codes& codes) {
  std::vector<uint32_t> result(codes.size());
  codes.visit([&](auto narrow) { std::copy(narrow.begin(), narrow.end(), result.begin()); });
  return result;
}

}  // namespace

size_t CountedTable::sensitive(const ModelSpec& spec) const {
  for (size_t j = 0; j < table_.sensitive.size(); ++j) {
    if (table_.sensitive[j].name == spec.column) return j;
  }
  throw std::logic_error("a model of a column that is not sensitive: " + spec.column);
}

std::shared_ptr<const CountedColumn> CountedTable::column(const ModelSpec& spec) {
  if (!model_entry(spec.kind).has_column) return nullptr;
  if (spec.joint && spec.kind != ModelKind::persons) return pairs(sensitive(spec));
  auto& made = alone_[spec.column];
  if (made) return made;
  CountedColumn counted;
  if (spec.kind == ModelKind::persons) {
    counted.codes = wide(table_.person.value().codes);
    counted.values = whole_ != nullptr       ? whole_->persons
                     : counted.codes.empty() ? 0
                                             : *std::max_element(counted.codes.begin(), counted.codes.end()) + 1;
  } else {
    const size_t j = sensitive(spec);
    counted.codes = wide(table_.sensitive[j].codes);
    counted.values = static_cast<uint32_t>(encoding_.sensitive[j].leaf_texts.size());
  }
  return made = std::make_shared<const CountedColumn>(std::move(counted));
}

// Pairs of a value and a tuple of all other sensitive columns: tuple * values + value.
std::shared_ptr<const CountedColumn> CountedTable::pairs(size_t sensitive) {
  const std::string& name = table_.sensitive[sensitive].name;
  auto& made = joint_[name];
  if (made) return made;
  std::vector<GroupKey> keys;
  for (size_t j = 0; j < table_.sensitive.size(); ++j) {
    if (j != sensitive) keys.push_back({&table_.sensitive[j].codes, encoding_.sensitive[j].leaf_texts.size()});
  }
  const Groups tuples = group_rows(table_.rows, keys);
  const size_t values = encoding_.sensitive[sensitive].leaf_texts.size();
  if (tuples.sizes.size() * values > UINT32_MAX) {
    throw Error(ErrorKind::job,
                fmt::format("a model of '{}' cannot be joint: the other sensitive columns have {} different tuples, "
                            "too many beside {} values",
                            name, tuples.sizes.size(), values));
  }
  others_[name] = static_cast<uint32_t>(tuples.sizes.size());
  CountedColumn counted{static_cast<uint32_t>(tuples.sizes.size() * values), wide(table_.sensitive[sensitive].codes)};
  for (size_t row = 0; row < table_.rows; ++row) {
    counted.codes[row] += tuples.group_of_row[row] * static_cast<uint32_t>(values);
  }
  return made = std::make_shared<const CountedColumn>(std::move(counted));
}

WholeColumn CountedTable::whole(const ModelSpec& spec) {
  WholeColumn whole;
  if (!model_entry(spec.kind).has_column || spec.kind == ModelKind::persons) return whole;
  const size_t j = sensitive(spec);
  const ColumnEncoding& encoding = encoding_.sensitive[j];
  if (whole_ != nullptr) {
    whole.counts = whole_->counts[j];
  } else {
    whole.counts.assign(encoding.leaf_texts.size(), 0);
    table_.sensitive[j].codes.visit([&](auto codes) {
      for (size_t row = 0; row < codes.size(); ++row) whole.counts[codes[row]] += table_.times_of(row);
    });
  }
  whole.values = encoding.leaf_texts;
  whole.order = encoding.order;
  if (encoding.has_tree) whole.tree = &encoding_.sensitive_hierarchies[j];
  if (!spec.joint) return whole;
  pairs(j);
  whole.others = others_.at(spec.column);
  return whole;
}

std::optional<uint32_t> CountedTable::missing(const ModelSpec& spec) const {
  if (!model_entry(spec.kind).has_column || spec.kind == ModelKind::persons || spec.joint) return std::nullopt;
  return encoding_.sensitive_hierarchies[sensitive(spec)].missing();
}

CountedModel CountedTable::counted(const ModelSpec& spec) { return {make_model(spec, whole(spec)), column(spec)}; }

std::shared_ptr<const GroupRule> CountedTable::rule(const Requirement& requirement) {
  std::vector<CountedModel> models;
  std::optional<AverageRisk> average_risk;
  for (const ModelSpec& spec : requirement.models) {
    if (of_population(spec)) continue;
    if (spec.kind != ModelKind::average_risk) {
      models.push_back(counted(spec));
    } else if (AverageRisk risk(spec);
               !average_risk || risk.most_groups(Fraction::kLimit) < average_risk->most_groups(Fraction::kLimit)) {
      average_risk = risk;  // the strictest
    }
  }
  return std::make_shared<const GroupRule>(requirement.k, std::move(models), average_risk);
}

std::string CountedTable::impossible(const ModelSpec& spec) {
  if (spec.kind == ModelKind::average_risk) {
    const uint64_t rows = whole_ != nullptr ? whole_->rows : table_.input_rows();
    if (AverageRisk(spec).holds(1, rows)) return "";
    return fmt::format("{} cannot hold: all {} rows as one group have {:.4g}, the smallest risk possible",
                       model_text(spec), rows, AverageRisk::value(1, rows));
  }
  const auto counts = column(spec);
  if (!counts) return "";
  HistogramShape shape{counts->values, nullptr};
  Histogram all(shape);
  if (whole_ == nullptr && table_.times.empty()) {
    all.add_all(counts->codes);
  } else if (whole_ == nullptr) {
    for (size_t row = 0; row < table_.rows; ++row) all.add(counts->codes[row], table_.times[row]);
  } else if (spec.kind == ModelKind::persons) {
    for (uint32_t person = 0; person < whole_->persons; ++person) all.add(person);
  } else {
    const std::vector<uint32_t>& of_value = whole_->counts[sensitive(spec)];
    for (uint32_t value = 0; value < of_value.size(); ++value) {
      if (of_value[value] > 0) all.add(value, of_value[value]);
    }
  }
  return what_is_possible(spec, whole(spec), all).reason;
}

}  // namespace shoal
