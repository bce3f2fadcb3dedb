// Wong, Fu, Wang, Pei: "Minimality Attack in Privacy Preserving Data Publishing" (VLDB 2007).
//
// The attacker knows who is in a group (an outside list of people with their quasi values) and that the publisher
// generalises no more than needed. Rows with equal quasi values are a subgroup. Had every subgroup kept to the model,
// it would have been released as it was; the group was made, so some subgroup did not. Of all ways to give the group's
// sensitive values to its rows, each as likely, only those stay in which a subgroup breaks the bound.
#include <algorithm>
#include <cmath>

#include "shoal/examine/attack.h"
#include "shoal/examine/attack_claims.h"
#include "shoal/examine/attack_value_counts.h"

namespace shoal {
namespace {

using Weight = long double;  // its exponents are large enough for the binomials of kLargestGroup
constexpr uint64_t kLargestGroup = 1000;

Weight log_choose(uint32_t n, uint32_t k) {
  return std::lgamma(Weight(n) + 1) - std::lgamma(Weight(k) + 1) - std::lgamma(Weight(n - k) + 1);
}

bool breaks(uint32_t value_rows, uint32_t size, const Fraction& most) {
  return uint64_t{value_rows} * most.denominator > uint64_t{size} * most.numerator;
}

// Ways to put the value on n of a subgroup's rows, n ascending, as far as the subgroup keeps to the bound.
std::vector<Weight> keeping_ways(uint32_t size, uint32_t value_rows, const Fraction& most) {
  std::vector<Weight> ways;
  for (uint32_t n = 0; n <= std::min(size, value_rows) && !breaks(n, size, most); ++n) {
    ways.push_back(std::exp(log_choose(size, n)));
  }
  return ways;
}

// Ways to put it on n rows of two sets together, for n up to `value_rows`.
std::vector<Weight> together(const std::vector<Weight>& one, const std::vector<Weight>& other, uint32_t value_rows) {
  std::vector<Weight> ways(std::min<size_t>(one.size() + other.size() - 1, size_t{value_rows} + 1), 0);
  for (size_t i = 0; i < one.size(); ++i) {
    for (size_t j = 0; j < other.size() && i + j < ways.size(); ++j) ways[i + j] += one[i] * other[j];
  }
  return ways;
}

struct Subgroups {
  std::vector<uint32_t> sizes;
  uint64_t rows = 0;
};

// The subgroups of every group that is looked at: members whom its box covers, by their quasi values.
std::vector<Subgroups> subgroups_of(const AttackScene& scene, const BoxIndex& index, const Progress& progress) {
  std::vector<GroupKey> keys;
  for (size_t j = 0; j < scene.columns(); ++j) {
    keys.push_back({&scene.table.quasi[j].codes, scene.hierarchies[j].leaves()});
  }
  const Tuples tuples = distinct_tuples(scene.members, keys);
  std::vector<Subgroups> found(index.size());
  std::vector<uint32_t> point(scene.columns());
  for (size_t tuple = 0; tuple < tuples.size(); ++tuple) {
    if (tuple % 1024 == 0) progress.check();
    for (size_t j = 0; j < point.size(); ++j) point[j] = tuples.columns[j][tuple];
    index.covering(point, [&](size_t place) {
      found[place].rows += tuples.counts[tuple];
      if (found[place].rows <= kLargestGroup) found[place].sizes.push_back(tuples.counts[tuple]);
    });
  }
  return found;
}

// The largest share of a value that the model allows; nothing for models that bound none.
std::optional<Fraction> largest_share(const ModelSpec& model) {
  switch (model.kind) {
    case ModelKind::confidence:
      return model.alpha;
    case ModelKind::distinct_l:
    case ModelKind::entropy_l:
    case ModelKind::recursive_l:
      if (model.l.numerator == 0) return std::nullopt;
      return Fraction{model.l.denominator, model.l.numerator};
    default:
      return std::nullopt;
  }
}

void look_at_group(const Subgroups& group, std::span<const ValueCountsOfGroups::Entry> values,
                   const std::vector<bool>& hidden, const Fraction& most, MinimalityAttack& attack) {
  std::vector<double> best(group.sizes.size(), 0);
  double plain = 0;
  bool says_something = false;
  for (const auto& entry : values) {
    if (entry.value >= hidden.size() || !hidden[entry.value]) continue;
    plain = std::max(plain, double(entry.rows) / double(group.rows));
    const std::vector<double> chances = minimality_credibility(group.sizes, entry.rows, most);
    if (chances.empty()) continue;
    says_something = true;
    for (size_t i = 0; i < best.size(); ++i) best[i] = std::max(best[i], chances[i]);
  }
  if (!says_something) return;
  ++attack.groups;
  attack.rows += group.rows;
  for (size_t i = 0; i < best.size(); ++i) {
    attack.credibility += best[i] * group.sizes[i];
    attack.plain += plain * group.sizes[i];
    attack.highest = std::max(attack.highest, best[i]);
    if (best[i] > most.number()) attack.rows_above += group.sizes[i];
  }
}

}  // namespace

std::vector<double> minimality_credibility(const std::vector<uint32_t>& sizes, uint32_t value_rows,
                                           const Fraction& most) {
  uint32_t rows = 0;
  for (uint32_t size : sizes) rows += size;
  // Ways in which all keep to the bound: of the subgroups before i, from i on, and so of all but one.
  std::vector<std::vector<Weight>> ways, before{{1}}, behind(sizes.size() + 1);
  for (uint32_t size : sizes) ways.push_back(keeping_ways(size, value_rows, most));
  for (size_t i = 0; i < sizes.size(); ++i) before.push_back(together(before[i], ways[i], value_rows));
  behind.back() = {1};
  for (size_t i = sizes.size(); i > 0; --i) behind[i - 1] = together(behind[i], ways[i - 1], value_rows);
  const auto at = [&](const std::vector<Weight>& of, size_t n) { return n < of.size() ? of[n] : Weight{0}; };
  const Weight all = std::exp(log_choose(rows, value_rows));
  const Weight broken = all - at(before.back(), value_rows);
  if (broken <= all * 1e-12L) return {};  // they must have kept to it
  std::vector<double> chances;
  for (size_t i = 0; i < sizes.size(); ++i) {
    // Sum of n over all ways, less that over the ways in which all keep to the bound.
    Weight sum = Weight(sizes[i]) * std::exp(log_choose(rows - 1, value_rows - 1));
    const std::vector<Weight> others = together(before[i], behind[i + 1], value_rows);
    for (size_t n = 1; n < ways[i].size(); ++n) sum -= Weight(n) * ways[i][n] * at(others, value_rows - n);
    const Weight chance = sum / broken / Weight(sizes[i]);
    chances.push_back(static_cast<double>(std::clamp(chance, Weight{0}, Weight{1})));
  }
  return chances;
}

std::vector<MinimalityAttack> minimality_attacks(const AttackScene& scene, const std::vector<ModelSpec>& models,
                                                 uint64_t k, const Progress& progress) {
  std::vector<MinimalityAttack> attacks;
  std::optional<BoxIndex> index;
  std::vector<Subgroups> subgroups;
  for (const ModelSpec& model : models) {
    const std::optional<Fraction> most = largest_share(model);
    size_t s = 0;
    while (s < scene.table.sensitive.size() && scene.table.sensitive[s].name != model.column) ++s;
    if (!most || s == scene.table.sensitive.size() || scene.release.sensitive[s].empty()) continue;
    if (!index) {
      index.emplace(scene.release, sample_groups(scene).groups, leaf_counts(scene));
      subgroups = subgroups_of(scene, *index, progress);
    }
    const Column& column = scene.table.sensitive[s];
    std::vector<bool> hidden(column.values.size(), model.values.empty());
    for (size_t value = 0; value < hidden.size(); ++value) {
      if (std::find(model.values.begin(), model.values.end(), column.values[value]) != model.values.end()) {
        hidden[value] = true;
      }
    }
    MinimalityAttack attack;
    attack.column = model.column;
    attack.bound = most->number();
    const ValueCountsOfGroups counts = value_counts(scene.release, s);
    for (size_t place = 0; place < index->size(); ++place) {
      progress.check();
      const Subgroups& group = subgroups[place];
      const uint32_t number = index->group(place);
      // Who is in the group must be known, and k alone must not have been reason enough to make it.
      if (group.rows != scene.release.sizes[number] || group.rows > kLargestGroup || group.sizes.size() < 2) continue;
      if (*std::min_element(group.sizes.begin(), group.sizes.end()) < k) continue;
      look_at_group(group, counts.of(number), hidden, *most, attack);
    }
    if (attack.rows > 0) {
      attack.credibility /= double(attack.rows);
      attack.plain /= double(attack.rows);
    }
    attacks.push_back(std::move(attack));
  }
  return attacks;
}

}  // namespace shoal
