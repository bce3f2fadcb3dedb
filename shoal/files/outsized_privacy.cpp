#include "shoal/files/outsized_privacy.h"

#include <algorithm>
#include <utility>

#include "shoal/job/requirements.h"
#include "shoal/release/before_and_after.h"
#include "shoal/write/sorted_records.h"

namespace shoal {

OutsizedGroup::OutsizedGroup(const OutsizedTable& table) : asked_(table.asked()), numbers_(table.asked_columns()) {
  codes_.sensitive.resize(table.streamed().sensitive.size());
}

void OutsizedGroup::add_codes(const uint32_t* codes) {
  ++codes_.rows;
  for (size_t j = 0; j < codes_.sensitive.size(); ++j) codes_.sensitive[j].push_back(codes[j]);
  if (numbers_.size() > codes_.sensitive.size()) codes_.persons.push_back(codes[numbers_.size() - 1]);
}

void OutsizedGroup::add(const uint64_t* asked) {
  if (asked_ != nullptr) asked_->unpack(asked, numbers_.data());
  add_codes(numbers_.data());
}

OutsizedPrivacy::OutsizedPrivacy(const OutsizedTable& table, const Job& job, const OutsizedPlace& place)
    : table_(table),
      job_(job),
      place_(place),
      columns_(table.columns()),
      counted_(columns_, table.streamed().encoding, &table.streamed().whole),
      requirements_(requirements_of(job, table.streamed().quasi)),
      before_(side()),
      after_(side()) {
  for (size_t i = 0; i < requirements_.size(); ++i) {
    if (!asked() || requirements_[i].models.empty()) continue;
    (requirements_[i].columns.size() == table.quasi() ? all_ : others_).push_back(i);
  }
}

OutsizedPrivacy::Side OutsizedPrivacy::side() {
  Side side{PrivacyTally(counted_, columns_, table_.streamed().encoding), {}};
  for (const Requirement& requirement : requirements_) side.requirements.emplace_back(counted_, columns_, requirement);
  return side;
}

void OutsizedPrivacy::add(Side& side, const GroupCodes& group) {
  if (!asked()) return;
  side.privacy.add_group(group);
  for (size_t i : all_) side.requirements[i].add_group(group);
}

void OutsizedPrivacy::count(Side& side, const NumberedRows& rows, const Progress& progress) {
  for (size_t i : others_) {
    const std::vector<size_t>& columns = requirements_[i].columns;
    std::vector<size_t> cardinalities;
    for (size_t j : columns) cardinalities.push_back(rows.cardinalities[j]);
    const PackedNumbers packed(cardinalities);
    const size_t keys = packed.words();
    SortedRecords sorting(keys + table_.asked_words(), place_.folder, place_.most_bytes, progress);
    std::vector<uint64_t> record(keys + table_.asked_words());
    std::vector<uint32_t> numbers(columns.size());
    rows.rows.each([&](const uint64_t* row) {
      if (rows.left_out != nullptr && rows.left_out(row)) return;
      for (size_t c = 0; c < columns.size(); ++c) numbers[c] = rows.number(row, columns[c]);
      packed.pack(numbers.data(), record.data());
      std::copy_n(row + rows.asked_word, table_.asked_words(), record.begin() + static_cast<ptrdiff_t>(keys));
      sorting.add(record.data());
    });
    OutsizedGroup group(table_);
    std::vector<uint64_t> key;
    sorting.sorted().each([&](const uint64_t* row) {
      if (!key.empty() && !std::equal(key.begin(), key.end(), row)) {
        side.requirements[i].add_group(group.codes());
        group.clear();
      }
      key.assign(row, row + keys);
      group.add(row + keys);
    });
    if (group.codes().rows > 0) side.requirements[i].add_group(group.codes());
  }
}

void OutsizedPrivacy::fill(Report& report) {
  if (!asked()) return;
  report.privacy_before = before_.privacy.values(kRiskThreshold);
  report.privacy = after_.privacy.values(kRiskThreshold);
  for (size_t i = 0; i < requirements_.size(); ++i) {
    if (requirements_[i].models.empty()) continue;
    report.requirements[i].models_before = before_.requirements[i].values();
    report.requirements[i].models = after_.requirements[i].values();
  }
  report.distributions = distributions_of(job_, counted_);
}

}  // namespace shoal
