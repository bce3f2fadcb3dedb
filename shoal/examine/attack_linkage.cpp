#include <algorithm>

#include "shoal/examine/attack.h"
#include "shoal/measure/risk.h"
#include "shoal/run/tasks.h"

namespace shoal {

LinkageAttack linkage_attack(const AttackScene& scene, const Progress& progress) {
  const size_t width = scene.columns();
  const auto leaves = leaf_counts(scene);
  LinkageAttack attack;

  const BoxIndex index(scene.release, leaves);
  const RowSample sample = sample_rows(0, scene.members, scene.sample, scene.seed);
  std::vector<uint64_t> candidates(sample.rows.size(), 0);
  constexpr size_t kBlock = 1024;
  run_tasks((sample.rows.size() + kBlock - 1) / kBlock, scene.threads, [&](size_t, size_t block) {
    progress.check();
    std::vector<uint32_t> point(width);
    for (size_t i = block * kBlock; i < std::min((block + 1) * kBlock, sample.rows.size()); ++i) {
      for (size_t j = 0; j < width; ++j) point[j] = scene.table.quasi[j].codes[sample.rows[i]];
      index.covering(point, [&](size_t place) { candidates[i] += scene.release.sizes[index.group(place)]; });
    }
  });
  double chances = 0, chance_squares = 0, many = 0, many_squares = 0, above = 0;
  uint64_t linked = 0;
  for (const uint64_t rows : candidates) {
    if (rows == 0) {
      ++attack.unlinked;
      continue;
    }
    ++linked;
    const double chance = 1 / double(rows);
    chances += chance;
    chance_squares += chance * chance;
    many += double(rows);
    many_squares += double(rows) * double(rows);
    above += chance > kRiskThreshold ? 1 : 0;
    attack.highest = std::max(attack.highest, chance);
  }
  attack.prosecutor = mean_estimate(chances, chance_squares, linked, sample.all);
  attack.candidates = mean_estimate(many, many_squares, linked, sample.all);
  attack.above_threshold = mean_estimate(above, above, linked, sample.all);

  // The other way round: of all originals that a released row covers, one is its person.
  const RowSample released = sample_rows(0, scene.release.rows(), scene.sample, scene.seed + 1);
  std::vector<uint32_t> chosen;
  for (uint32_t row : released.rows) chosen.push_back(scene.release.group_of_row[row]);
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  const BoxIndex looked_at(scene.release, chosen, leaves);
  const BoxContents contents = box_contents(scene, looked_at, progress);
  double sum = 0, squares = 0;
  for (uint32_t row : released.rows) {
    const auto found = std::lower_bound(chosen.begin(), chosen.end(), scene.release.group_of_row[row]);
    const uint64_t covered = contents.rows[static_cast<size_t>(found - chosen.begin())];
    const double chance = covered == 0 ? 0 : 1 / double(covered);
    sum += chance;
    squares += chance * chance;
    attack.journalist_highest = std::max(attack.journalist_highest, chance);
  }
  attack.journalist = mean_estimate(sum, squares, released.rows.size(), released.all);
  return attack;
}

}  // namespace shoal
