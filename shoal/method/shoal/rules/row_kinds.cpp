#include "shoal/method/shoal/rules/row_kinds.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace shoal {
namespace {

constexpr uint32_t kMostValues = 32;  // of one column, told apart

// Tuples numbered as they first appear, those that do not left out: what is done with a part of a table then does not
// depend on whether they have their numbers from the whole table.
CountedColumn with_own_tuples(const CountedColumn& pairs, uint32_t paired_values) {
  CountedColumn own{0, pairs.codes};
  std::unordered_map<uint32_t, uint32_t> number_of;
  for (uint32_t& code : own.codes) {
    const auto tuple = number_of.emplace(code / paired_values, static_cast<uint32_t>(number_of.size())).first;
    code = tuple->second * paired_values + code % paired_values;
  }
  own.values = static_cast<uint32_t>(number_of.size()) * paired_values;
  return own;
}

// Codes as they are, or as places among about equally frequent stretches of codes: codes stand in the order of the
// numbers or of the tree, so that neighbours are alike for every distance.
std::vector<uint32_t> few_values(const CountedColumn& column) {
  if (column.values <= kMostValues) return column.codes;
  std::vector<uint64_t> upto(column.values + 1, 0);
  for (uint32_t code : column.codes) ++upto[code + 1];
  for (size_t value = 0; value < column.values; ++value) upto[value + 1] += upto[value];
  std::vector<uint32_t> stretch(column.codes.size());
  const uint64_t rows = std::max<uint64_t>(1, column.codes.size());
  for (size_t row = 0; row < stretch.size(); ++row) {
    const uint32_t code = column.codes[row];
    const uint64_t middle = (upto[code] + upto[code + 1]) / 2;
    stretch[row] = static_cast<uint32_t>(std::min<uint64_t>(kMostValues - 1, middle * kMostValues / rows));
  }
  return stretch;
}

}  // namespace

RowKinds::RowKinds(const GroupRule& rule, size_t rows) : of_row_(rows, 0) {
  std::vector<const CountedColumn*> seen;
  for (const CountedModel& model : rule.models()) {
    const CountedColumn* const column = model.counted.get();
    if (!column) continue;
    if (model.model->spec().kind == ModelKind::persons) {
      exact_ = false;
      continue;
    }
    if (std::find(seen.begin(), seen.end(), column) != seen.end()) continue;
    seen.push_back(column);
    std::optional<CountedColumn> own;
    if (const uint32_t paired_values = model.model->paired_values(); paired_values > 0) {
      own = with_own_tuples(*column, paired_values);
    }
    const CountedColumn& told_apart = own ? *own : *column;
    exact_ = exact_ && told_apart.values <= kMostValues;
    const std::vector<uint32_t> values = few_values(told_apart);
    std::vector<uint64_t> pairs(rows);
    for (size_t row = 0; row < rows; ++row) pairs[row] = uint64_t{of_row_[row]} << 32 | values[row];
    std::vector<uint64_t> occurring = pairs;
    std::sort(occurring.begin(), occurring.end());
    occurring.erase(std::unique(occurring.begin(), occurring.end()), occurring.end());
    for (size_t row = 0; row < rows; ++row) {
      const auto place = std::lower_bound(occurring.begin(), occurring.end(), pairs[row]);
      of_row_[row] = static_cast<uint32_t>(place - occurring.begin());
    }
    kinds_ = static_cast<uint32_t>(std::max<size_t>(1, occurring.size()));
  }
}

}  // namespace shoal
