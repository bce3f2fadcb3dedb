#include "shoal/examine/privacy_tally.h"

#include <algorithm>

#include "shoal/examine/privacy.h"
#include "shoal/job/requirements.h"

namespace shoal {
namespace {

size_t different_codes(std::vector<uint32_t> codes) {
  std::sort(codes.begin(), codes.end());
  return static_cast<size_t>(std::unique(codes.begin(), codes.end()) - codes.begin());
}

}  // namespace

void GroupCodes::clear() {
  rows = 0;
  for (std::vector<uint32_t>& codes : sensitive) codes.clear();
  persons.clear();
}

PrivacyTally::PrivacyTally(CountedTable& counted, const Table& table, const Encoding& encoding)
    : has_persons_(table.person.has_value()) {
  for (const ColumnEncoding& column : encoding.sensitive) {
    OfColumn of{column.name, {}, {}, {}};
    for (const ModelSpec& spec : every_model(column)) of.models.push_back(counted.counted(spec));
    for (const CountedModel& model : of.models) {
      of.tallies.emplace_back(*model.model, model.counted->values, std::nullopt);
    }
    columns_.push_back(std::move(of));
  }
}

void PrivacyTally::add_group(const GroupCodes& group) {
  for (size_t j = 0; j < columns_.size(); ++j) {
    for (ModelTally& tally : columns_[j].tallies) tally.add_group(group.sensitive[j]);
    columns_[j].rows_by_diversity[diversity_place(different_codes(group.sensitive[j]))] += group.rows;
  }
  if (has_persons_) ++persons_[static_cast<uint32_t>(different_codes(group.persons))];
}

PrivacyValues PrivacyTally::values(double threshold) const {
  PrivacyValues values;
  for (const OfColumn& column : columns_) {
    SensitiveValues of{column.name, {}, column.rows_by_diversity};
    for (const ModelTally& tally : column.tallies) of.models.push_back(tally.values());
    values.sensitive.push_back(std::move(of));
  }
  if (has_persons_) values.persons = risk(persons_, threshold);
  return values;
}

AskedTally::AskedTally(CountedTable& counted, const Table& table, const Requirement& requirement) {
  for (const ModelSpec& spec : requirement.models) {
    Asked asked{spec, {}, std::nullopt, 0, counted.pairs_of_whole(spec)};
    if (spec.kind != ModelKind::average_risk) {
      asked.model = counted.counted(spec);
      asked.tally.emplace(*asked.model.model, asked.model.counted->values, counted.missing(spec));
      for (size_t j = 0; j < table.sensitive.size(); ++j) {
        if (table.sensitive[j].name == spec.column) asked.sensitive = j;
      }
    }
    asked_.push_back(std::move(asked));
  }
}

const std::vector<uint32_t>& AskedTally::counted_of(const Asked& asked, const GroupCodes& group) {
  if (asked.spec.kind == ModelKind::persons) return group.persons;
  if (asked.pairs == nullptr) return group.sensitive[asked.sensitive];
  pairs_.clear();
  tuple_.resize(group.sensitive.size());
  for (size_t row = 0; row < group.rows; ++row) {
    for (size_t j = 0; j < tuple_.size(); ++j) tuple_[j] = group.sensitive[j][row];
    pairs_.push_back(asked.pairs->number(tuple_));
  }
  return pairs_;
}

void AskedTally::add_group(const GroupCodes& group) {
  ++groups_;
  rows_ += group.rows;
  for (Asked& asked : asked_) {
    if (asked.tally) asked.tally->add_group(counted_of(asked, group));
  }
}

std::vector<ModelValues> AskedTally::values() const {
  std::vector<ModelValues> values;
  for (const Asked& asked : asked_) {
    values.push_back(asked.tally ? asked.tally->values() : average_risk_values(asked.spec, groups_, rows_));
  }
  return values;
}

}  // namespace shoal
