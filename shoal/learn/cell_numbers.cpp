#include "shoal/learn/cell_numbers.h"

#include <algorithm>

namespace shoal {

CellNumbers::CellNumbers(const Attribute& train, std::span<const double> weights) {
  if (!train.has_vague) return;
  std::vector<double> weight_of(train.extents.size(), 0);
  for (size_t row = 0; row < train.codes.size(); ++row) {
    if (!train.missing(row)) weight_of[train.codes[row]] += weights[row];
  }
  auto summed = [&](double Extent::*end) {
    std::vector<Sum> sums;
    for (size_t i = 0; i < train.extents.size(); ++i) {
      const Extent& extent = train.extents[i];
      if (weight_of[i] > 0) sums.push_back({extent.*end, weight_of[i], weight_of[i] * extent.middle()});
    }
    std::sort(sums.begin(), sums.end(), [](const Sum& a, const Sum& b) { return a.at < b.at; });
    for (size_t i = 1; i < sums.size(); ++i) {
      sums[i].weight += sums[i - 1].weight;
      sums[i].middles += sums[i - 1].middles;
    }
    return sums;
  };
  starts_ = summed(&Extent::low);
  ends_ = summed(&Extent::high);
}

double CellNumbers::held(double number) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), number,
                                      [](double value, const Sum& sum) { return value < sum.at; });
  if (after == starts_.begin()) return number;
  const auto gone =
      std::lower_bound(ends_.begin(), ends_.end(), number, [](const Sum& sum, double value) { return sum.at < value; });
  Sum holding = *std::prev(after);
  if (gone != ends_.begin()) {
    holding.weight -= std::prev(gone)->weight;
    holding.middles -= std::prev(gone)->middles;
  }
  // What is left of equal sums after rounding is nobody.
  return holding.weight > 1e-9 * starts_.back().weight ? holding.middles / holding.weight : number;
}

}  // namespace shoal
