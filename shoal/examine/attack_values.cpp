// Homogeneity and skew: what groups tell about sensitive values.
#include <algorithm>
#include <cmath>

#include "shoal/examine/attack.h"
#include "shoal/examine/attack_value_counts.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

// What every group says by itself.
void look_at_groups(const ValueCountsOfGroups& counts, const std::vector<double>& prior, ValueAttack& attack) {
  const double rows = double(counts.values.size());
  uint64_t guessed = 0;
  double skew = 0;
  for (size_t group = 0; group < counts.groups(); ++group) {
    const auto entries = counts.of(group);
    uint64_t size = 0, most = 0;
    for (const auto& entry : entries) {
      size += entry.rows;
      most = std::max<uint64_t>(most, entry.rows);
    }
    if (size == 0) continue;
    guessed += most;
    if (entries.size() == 1) {
      ++attack.one_value_groups;
      attack.one_value_rows += size;
    }
    // Half the sum of |q - p| is the sum of what exceeds the table's share.
    double distance = 0;
    for (const auto& entry : entries) {
      const double share = double(entry.rows) / double(size);
      const double usual = entry.value < prior.size() ? prior[entry.value] : 0;
      distance += std::max(0.0, share - usual);
      if (usual > 0) attack.strongest_gain = std::max(attack.strongest_gain, share / usual);
    }
    skew += distance * double(size);
    attack.worst_skew = std::max(attack.worst_skew, distance);
  }
  attack.best_guess = rows == 0 ? 0 : double(guessed) / rows;
  attack.skew = rows == 0 ? 0 : skew / rows;
}

}  // namespace

ValueCountsOfGroups value_counts(const AttackedRelease& release, size_t column) {
  ValueCountsOfGroups counts;
  counts.values = release.sensitive[column];
  std::vector<uint32_t> rows(release.rows());
  for (uint32_t row = 0; row < rows.size(); ++row) rows[row] = row;
  std::sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(release.group_of_row[a], counts.values[a]) < std::pair(release.group_of_row[b], counts.values[b]);
  });
  counts.starts.assign(release.groups() + 1, 0);
  for (size_t i = 0; i < rows.size(); ++i) {
    const uint32_t group = release.group_of_row[rows[i]], value = counts.values[rows[i]];
    const bool same = i > 0 && release.group_of_row[rows[i - 1]] == group && counts.values[rows[i - 1]] == value;
    if (!same) {
      counts.entries.push_back({value, 0});
      ++counts.starts[group + 1];
    }
    ++counts.entries.back().rows;
  }
  for (size_t group = 0; group < release.groups(); ++group) counts.starts[group + 1] += counts.starts[group];
  return counts;
}

std::vector<double> value_shares(const AttackScene& scene, size_t column) {
  const Column& sensitive = scene.table.sensitive[column];
  std::vector<double> shares(sensitive.values.size(), 0);
  for (size_t row = 0; row < scene.members; ++row) shares[sensitive.codes[row]] += 1;
  for (double& share : shares) share /= double(std::max<size_t>(scene.members, 1));
  return shares;
}

void CandidateValues::add(std::span<const ValueCountsOfGroups::Entry> entries) {
  for (const auto& entry : entries) rows_[entry.value] += entry.rows;
}

std::optional<uint32_t> CandidateValues::most_frequent() const {
  std::optional<uint32_t> best;
  uint64_t most = 0;
  for (const auto& [value, rows] : rows_) {  // ascending: of equally frequent ones the first
    if (rows > most) {
      most = rows;
      best = value;
    }
  }
  return best;
}

std::vector<ValueAttack> value_attacks(const AttackScene& scene, const Progress& progress) {
  std::vector<ValueAttack> attacks;
  const size_t width = scene.columns();
  const BoxIndex index(scene.release, leaf_counts(scene));
  for (size_t s = 0; s < scene.table.sensitive.size(); ++s) {
    if (scene.release.sensitive[s].empty()) continue;
    ValueAttack attack;
    attack.column = scene.table.sensitive[s].name;
    const ValueCountsOfGroups counts = value_counts(scene.release, s);
    const std::vector<double> prior = value_shares(scene, s);
    attack.prior_guess = prior.empty() ? 0 : *std::max_element(prior.begin(), prior.end());
    look_at_groups(counts, prior, attack);

    const RowSample sample = sample_rows(0, scene.members, scene.sample, scene.seed);
    std::vector<uint8_t> guessed(sample.rows.size(), 0), certain(sample.rows.size(), 0);
    constexpr size_t kBlock = 1024;
    run_tasks((sample.rows.size() + kBlock - 1) / kBlock, scene.threads, [&](size_t, size_t block) {
      progress.check();
      std::vector<uint32_t> point(width);
      for (size_t i = block * kBlock; i < std::min((block + 1) * kBlock, sample.rows.size()); ++i) {
        for (size_t j = 0; j < width; ++j) point[j] = scene.table.quasi[j].codes[sample.rows[i]];
        CandidateValues values;
        index.covering(point, [&](size_t place) { values.add(counts.of(index.group(place))); });
        guessed[i] = values.most_frequent() == scene.table.sensitive[s].codes[sample.rows[i]];
        certain[i] = values.different() == 1;
      }
    });
    const auto share = [&](const std::vector<uint8_t>& hits) {
      double sum = 0;
      for (uint8_t hit : hits) sum += hit;
      return mean_estimate(sum, sum, hits.size(), sample.all);
    };
    attack.guessed = share(guessed);
    attack.certain = share(certain);
    attacks.push_back(std::move(attack));
  }
  return attacks;
}

}  // namespace shoal
