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
  if (counts_pairs(spec)) return pairs(sensitive(spec));
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

const SensitivePairs* CountedTable::pairs_of_whole(const ModelSpec& spec) const {
  if (whole_ == nullptr || !counts_pairs(spec)) return nullptr;
  const auto known = whole_->pairs.find(sensitive(spec));
  return known == whole_->pairs.end() ? nullptr : &known->second;
}

std::shared_ptr<const CountedColumn> CountedTable::pairs(size_t sensitive) {
  const std::string& name = table_.sensitive[sensitive].name;
  auto& made = joint_[name];
  if (made) return made;
  std::vector<GroupKey> keys;
  for (size_t j = 0; j < table_.sensitive.size(); ++j) {
    keys.push_back({&table_.sensitive[j].codes, encoding_.sensitive[j].leaf_texts.size()});
  }
  const Tuples found = distinct_tuples(table_.rows, keys);
  SensitiveTuples tuples{keys.size(), {}, found.counts};
  for (size_t t = 0; t < found.size(); ++t) {
    for (const std::vector<uint32_t>& column : found.columns) tuples.codes.push_back(column[t]);
  }
  const bool known = whole_ != nullptr && whole_->pairs.contains(sensitive);
  std::optional<SensitivePairs> own;
  if (!known) {
    own.emplace(sensitive, static_cast<uint32_t>(encoding_.sensitive[sensitive].leaf_texts.size()), name, tuples);
  }
  const SensitivePairs& pairs = known ? whole_->pairs.at(sensitive) : *own;
  others_[name] = pairs.others();
  std::vector<uint32_t> number_of_tuple;
  for (size_t t = 0; t < found.size(); ++t) {
    number_of_tuple.push_back(pairs.number(std::span(tuples.codes).subspan(t * tuples.columns, tuples.columns)));
  }
  CountedColumn counted{pairs.numbers(), found.tuple_of_row};
  for (uint32_t& code : counted.codes) code = number_of_tuple[code];
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
  } else if (counts_pairs(spec)) {
    const SensitivePairs* const pairs = pairs_of_whole(spec);
    if (pairs == nullptr) return "";
    for (const ValueCount& pair : pairs->counts()) all.add(pair.value, pair.count);
  } else {
    const std::vector<uint32_t>& of_value = whole_->counts[sensitive(spec)];
    for (uint32_t value = 0; value < of_value.size(); ++value) {
      if (of_value[value] > 0) all.add(value, of_value[value]);
    }
  }
  return what_is_possible(spec, whole(spec), all).reason;
}

}  // namespace shoal
