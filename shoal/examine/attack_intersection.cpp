#include <algorithm>

#include "shoal/examine/attack.h"
#include "shoal/examine/attack_value_counts.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

// Can line i of both be the same row, for every i? The cells must have values in common, sensitive values be the same.
bool same_lines(const AttackScene& scene, const AttackedRelease& earlier) {
  const AttackedRelease& release = scene.release;
  const size_t width = scene.columns();
  if (release.rows() != earlier.rows()) return false;
  for (size_t s = 0; s < release.sensitive.size(); ++s) {
    const bool both = !release.sensitive[s].empty() && !earlier.sensitive[s].empty();
    if (both && release.sensitive[s] != earlier.sensitive[s]) return false;
  }
  for (size_t row = 0; row < release.rows(); ++row) {
    const LeafInterval* const one = release.boxes.data() + release.group_of_row[row] * width;
    const LeafInterval* const other = earlier.boxes.data() + earlier.group_of_row[row] * width;
    for (size_t j = 0; j < width; ++j) {
      if (std::max(one[j].first, other[j].first) > std::min(one[j].last, other[j].last)) return false;
    }
  }
  return true;
}

void join_lines(const AttackedRelease& release, const AttackedRelease& earlier, uint64_t k,
                IntersectionAttack& attack) {
  const Codes one(release.group_of_row), other(earlier.group_of_row);
  const std::vector<GroupKey> keys{{&one, release.groups()}, {&other, earlier.groups()}};
  const Groups joint = group_rows(release.rows(), keys);
  attack.groups = joint.sizes.size();
  for (uint32_t size : joint.sizes) {
    if (size < k) attack.rows_below_k += size;
    if (size == 1) ++attack.unique;
  }
}

// Values that both hold possible, with how likely each is by both.
struct Common {
  size_t different = 0;
  std::optional<uint32_t> likeliest;
};
Common common_values(const CandidateValues& one, const CandidateValues& other) {
  Common common;
  double most = 0;
  for (const auto& [value, rows] : one.rows()) {
    const auto found = other.rows().find(value);
    if (found == other.rows().end()) continue;
    ++common.different;
    const double likely = double(rows) * double(found->second);
    if (likely > most) {
      most = likely;
      common.likeliest = value;
    }
  }
  return common;
}

IntersectionAttack::Column intersect_values(const AttackScene& scene, const AttackedRelease& earlier, size_t s,
                                            const Progress& progress) {
  const auto leaves = leaf_counts(scene);
  const BoxIndex now(scene.release, leaves), before(earlier, leaves);
  const ValueCountsOfGroups counts_now = value_counts(scene.release, s), counts_before = value_counts(earlier, s);
  const Column& sensitive = scene.table.sensitive[s];
  const RowSample sample = sample_rows(0, scene.members, scene.sample, scene.seed);
  std::vector<uint8_t> alone(sample.rows.size(), 0), certain(sample.rows.size(), 0), guessed(sample.rows.size(), 0);
  constexpr size_t kBlock = 1024;
  run_tasks((sample.rows.size() + kBlock - 1) / kBlock, scene.threads, [&](size_t, size_t block) {
    progress.check();
    std::vector<uint32_t> point(scene.columns());
    for (size_t i = block * kBlock; i < std::min((block + 1) * kBlock, sample.rows.size()); ++i) {
      for (size_t j = 0; j < point.size(); ++j) point[j] = scene.table.quasi[j].codes[sample.rows[i]];
      CandidateValues here, there;
      now.covering(point, [&](size_t place) { here.add(counts_now.of(place)); });
      before.covering(point, [&](size_t place) { there.add(counts_before.of(place)); });
      const Common common = common_values(here, there);
      alone[i] = here.different() == 1;
      certain[i] = common.different == 1;
      guessed[i] = common.likeliest == sensitive.codes[sample.rows[i]];
    }
  });
  const auto share = [&](const std::vector<uint8_t>& hits) {
    double sum = 0;
    for (uint8_t hit : hits) sum += hit;
    return mean_estimate(sum, sum, hits.size(), sample.all);
  };
  return {sensitive.name, share(alone), share(certain), share(guessed)};
}

}  // namespace

std::vector<IntersectionAttack> intersection_attacks(const AttackScene& scene, uint64_t k, const Progress& progress) {
  std::vector<IntersectionAttack> attacks;
  for (const AttackedRelease& earlier : scene.earlier) {
    IntersectionAttack attack;
    attack.earlier = earlier.name;
    attack.joined_by_line = same_lines(scene, earlier);
    if (attack.joined_by_line) join_lines(scene.release, earlier, k, attack);
    for (size_t s = 0; s < scene.table.sensitive.size(); ++s) {
      if (scene.release.sensitive[s].empty() || earlier.sensitive[s].empty()) continue;
      attack.sensitive.push_back(intersect_values(scene, earlier, s, progress));
    }
    attacks.push_back(std::move(attack));
  }
  return attacks;
}

}  // namespace shoal
