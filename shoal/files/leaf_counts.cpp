#include "shoal/files/leaf_counts.h"

#include <algorithm>

namespace shoal {
namespace {

// Of all rules.
size_t most_persons_asked(const Problem& problem) {
  size_t most = 0;
  for (const auto& rule : problem.rules) {
    for (const CountedModel& model : rule->models()) {
      const ModelSpec& spec = model.model->spec();
      if (spec.kind == ModelKind::persons) most = std::max<size_t>(most, spec.k.numerator);
    }
  }
  return most;
}

}  // namespace

LeafCounts::LeafCounts(const Problem& problem, const StreamedTable& table, size_t leaves)
    : problem_(problem), table_(table), rows_(leaves, 0) {
  for (const std::vector<uint32_t>& counts : table.whole.counts) {
    counted_.push_back({{static_cast<uint32_t>(counts.size()), nullptr}, SIZE_MAX, {}});
  }
  if (table.person) counted_.push_back({{table.whole.persons, nullptr}, most_persons_asked(problem), {}});
  for (const auto& [j, pairs] : table.whole.pairs) {
    pairs_of_column_[table.sensitive[j]] = counted_.size();
    counted_.push_back({{pairs.numbers(), nullptr}, SIZE_MAX, {}, &pairs});
  }
  for (Counted& counted : counted_) counted.of_leaf.assign(leaves, Histogram(counted.shape));
}

void LeafCounts::add(uint32_t leaf, const uint32_t* asked) {
  ++rows_[leaf];
  for (size_t i = 0; i < counted_.size(); ++i) {
    Histogram& histogram = counted_[i].of_leaf[leaf];
    const SensitivePairs* const pairs = counted_[i].pairs;
    if (histogram.distinct() >= counted_[i].most_values) continue;
    histogram.add(pairs == nullptr ? asked[i] : pairs->number({asked, table_.sensitive.size()}));
  }
}

size_t LeafCounts::place_of(const ModelSpec& spec) const {
  if (counts_pairs(spec)) return pairs_of_column_.at(spec.column);
  if (spec.kind == ModelKind::persons) return table_.sensitive.size();
  const auto column = std::find(table_.sensitive.begin(), table_.sensitive.end(), spec.column);
  return static_cast<size_t>(column - table_.sensitive.begin());
}

bool LeafCounts::hold(std::span<const uint32_t> leaves) const {
  uint64_t rows = 0;
  std::vector<Histogram> together;
  for (const Counted& counted : counted_) together.emplace_back(counted.shape);
  for (uint32_t leaf : leaves) {
    rows += rows_[leaf];
    for (size_t i = 0; i < together.size(); ++i) together[i].merge(counted_[i].of_leaf[leaf]);
  }
  const auto holds = [&](const CountedModel& counted) {
    return counted.model->holds(together[place_of(counted.model->spec())]);
  };
  return std::all_of(problem_.rules.begin(), problem_.rules.end(), [&](const auto& rule) {
    return rows >= rule->k() && std::all_of(rule->models().begin(), rule->models().end(), holds) &&
           (!rule->average_risk() || rule->average_risk()->holds(1, rows));
  });
}

}  // namespace shoal
