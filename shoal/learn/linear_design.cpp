#include <algorithm>
#include <cmath>
#include <numeric>

#include "shoal/learn/logistic.h"

namespace shoal {

LinearDesign::LinearDesign(const Dataset& train) {
  for (const Attribute& attribute : train.attributes) {
    ColumnCode code = attribute.numeric ? numeric_code(attribute, train) : categorical_code(attribute, train);
    code.first = static_cast<uint32_t>(names_.size());
    for (size_t i = 0; i < code.count; ++i) {
      const size_t category = i + (attribute.categories.size() == 2 ? 1 : 0);
      names_.push_back(attribute.numeric ? attribute.name : attribute.name + " = " + attribute.categories[category]);
    }
    columns_.push_back(std::move(code));
  }
}

LinearDesign::ColumnCode LinearDesign::numeric_code(const Attribute& attribute, const Dataset& train) {
  ColumnCode code;
  code.numeric = true;
  code.numbers = CellNumbers(attribute, train.weights);
  double sum = 0, weight = 0, squares = 0, total = 0;
  for (size_t row = 0; row < train.rows; ++row) {
    total += train.weights[row];
    if (attribute.missing(row)) continue;
    weight += train.weights[row];
    sum += train.weights[row] * attribute.extents[attribute.codes[row]].middle();
  }
  if (weight <= 0) return code;
  code.mean = sum / weight;
  for (size_t row = 0; row < train.rows; ++row) {
    if (attribute.missing(row)) continue;
    const double off = attribute.extents[attribute.codes[row]].middle() - code.mean;
    squares += train.weights[row] * off * off;
  }
  const double deviation = std::sqrt(squares / total);
  if (deviation <= 1e-12 * std::abs(code.mean)) return code;
  code.scale = 1 / deviation;
  code.count = 1;
  return code;
}

LinearDesign::ColumnCode LinearDesign::categorical_code(const Attribute& attribute, const Dataset& train) {
  ColumnCode code;
  const size_t categories = attribute.categories.size();
  code.weights.assign(categories, 0);
  for (size_t row = 0; row < train.rows; ++row) {
    if (attribute.known_category(attribute.codes[row])) code.weights[attribute.codes[row]] += train.weights[row];
  }
  const double known = std::accumulate(code.weights.begin(), code.weights.end(), 0.0);
  if (known <= 0) return code;
  code.known = known;
  // Two categories need one indicator: that of the second.
  for (size_t category = categories == 2 ? 1 : 0; category < categories; ++category) {
    const double share = code.weights[category] / known;
    code.scales.push_back(share > 0 && share < 1 ? 1 / std::sqrt(share * (1 - share)) : 0);
  }
  code.count = static_cast<uint32_t>(code.scales.size());
  return code;
}

void LinearDesign::encode(const Dataset& data, size_t row, std::vector<Cell>& cells) const {
  for (size_t j = 0; j < columns_.size(); ++j) {
    const ColumnCode& code = columns_[j];
    const Attribute& attribute = data.attributes[j];
    const uint32_t cell = attribute.codes[row];
    if (code.count == 0) continue;
    if (code.numeric) {
      if (cell == Attribute::kMissing) continue;  // the mean is 0 here
      const double number = code.numbers.number(attribute.extents[cell], data.as_collected);
      cells.emplace_back(code.first, (number - code.mean) * code.scale);
      continue;
    }
    const uint32_t skipped = code.weights.size() == 2 ? 1 : 0;
    auto add = [&](uint32_t category, double share) {
      if (category >= skipped && code.scales[category - skipped] > 0) {
        cells.emplace_back(code.first + category - skipped, share * code.scales[category - skipped]);
      }
    };
    if (attribute.known_category(cell) && code.weights[cell] > 0) {
      add(cell, 1);
      continue;
    }
    if (cell == Attribute::kMissing || attribute.known_category(cell)) {  // nothing is known: the mean row
      for (uint32_t category = 0; category < code.weights.size(); ++category) {
        add(category, code.weights[category] / code.known);
      }
      continue;
    }
    const auto& set = attribute.set(cell);
    double sum = 0;
    for (uint32_t category : set) sum += code.weights[category];
    for (uint32_t category : set) {
      add(category, sum > 0 ? code.weights[category] / sum : 1.0 / static_cast<double>(set.size()));
    }
  }
}

}  // namespace shoal
