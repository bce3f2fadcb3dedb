#include <algorithm>

#include "shoal/examine/attack.h"
#include "shoal/run/seeded_random.h"

namespace shoal {
namespace {

// Rows of both tables that are the same, each counted once.
struct Overlap {
  uint64_t rows = 0, unique = 0, unique_right = 0;
};
Overlap overlap(const AttackScene& scene, const std::vector<std::vector<uint32_t>>& rebuilt) {
  const size_t members = scene.members, rows = rebuilt.empty() ? 0 : rebuilt.front().size();
  std::vector<Codes> codes;
  std::vector<GroupKey> keys;
  for (size_t j = 0; j < scene.columns(); ++j) {
    Codes joined(members + rows, scene.hierarchies[j].leaves());
    for (size_t row = 0; row < members; ++row) joined.set(row, scene.table.quasi[j].codes[row]);
    for (size_t row = 0; row < rows; ++row) joined.set(members + row, rebuilt[j][row]);
    codes.push_back(std::move(joined));
  }
  for (size_t j = 0; j < codes.size(); ++j) keys.push_back({&codes[j], scene.hierarchies[j].leaves()});
  const Groups groups = group_rows(members + rows, keys);
  std::vector<uint32_t> originals(groups.sizes.size(), 0);
  for (size_t row = 0; row < members; ++row) ++originals[groups.group_of_row[row]];
  Overlap result;
  for (size_t group = 0; group < originals.size(); ++group) {
    const uint32_t written = groups.sizes[group] - originals[group];
    result.rows += std::min(originals[group], written);
    if (originals[group] != 1) continue;
    ++result.unique;
    result.unique_right += written > 0;
  }
  return result;
}

// Leaves of a column with how many members have each, so that a share of them can be found.
class Distribution {
 public:
  Distribution(const AttackScene& scene, size_t column) : below_(scene.hierarchies[column].leaves() + 1, 0) {
    for (size_t row = 0; row < scene.members; ++row) ++below_[scene.table.quasi[column].codes[row] + 1];
    for (size_t leaf = 1; leaf < below_.size(); ++leaf) below_[leaf] += below_[leaf - 1];
  }
  // The leaf at `share` of the members within the interval.
  uint32_t at(const LeafInterval& interval, double share) const {
    const double from = double(below_[interval.first]), to = double(below_[interval.last + 1]);
    if (from == to) return interval.first;
    const double wanted = from + share * (to - from);
    const auto found =
        std::upper_bound(below_.begin() + interval.first + 1, below_.begin() + interval.last + 1, wanted);
    const auto leaf = static_cast<uint32_t>(found - below_.begin() - 1);
    return std::min(leaf, interval.last);
  }

 private:
  std::vector<uint64_t> below_;
};

}  // namespace

// Every group is written down as many times as it has rows. In each column a range gives its two ends away; the other
// cells are spread as the column's values are within the cell, and stand beside those of other columns at random.
ReconstructionAttack reconstruction_attack(const AttackScene& scene, const Progress& progress) {
  const size_t width = scene.columns();
  const AttackedRelease& release = scene.release;
  const bool by_value = release.by_value(width);
  SeededRandom random(scene.seed);
  std::vector<std::vector<uint32_t>> rebuilt(width), drawn(width);
  for (size_t j = 0; j < width; ++j) {
    const Distribution distribution(scene, j);
    for (size_t group = 0; group < release.groups(); ++group) {
      if (group % 4096 == 0) progress.check();
      const size_t cell = group * width + j;
      LeafInterval box = release.boxes[cell];
      if (box.first > box.last)
        box = {0, 0};  // a range without any value of the original: whatever is written is wrong
      const uint32_t rows = release.sizes[group];
      std::vector<uint32_t> values;
      if (release.forms[cell] == CellForm::range && !by_value && rows > 1) values = {box.first, box.last};
      const auto told = static_cast<uint32_t>(values.size());
      for (uint32_t i = told; i < rows; ++i) {
        values.push_back(distribution.at(box, (i - told + 0.5) / (rows - told)));
      }
      shuffle(values, random);
      rebuilt[j].insert(rebuilt[j].end(), values.begin(), values.end());
    }
    for (size_t row = 0; row < scene.members; ++row) drawn[j].push_back(scene.table.quasi[j].codes[row]);
    shuffle(drawn[j], random);
    drawn[j].resize(std::min(drawn[j].size(), release.rows()));
  }
  const Overlap found = overlap(scene, rebuilt), chance = overlap(scene, drawn);
  return {release.rows(), found.rows, found.unique_right, found.unique, chance.rows};
}

}  // namespace shoal
