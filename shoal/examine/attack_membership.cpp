#include <algorithm>

#include "shoal/examine/attack.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr size_t kBlock = 256;

std::vector<uint32_t> point_of(const AttackScene& scene, uint32_t row) {
  std::vector<uint32_t> point;
  for (const Column& column : scene.table.quasi) point.push_back(column.codes[row]);
  return point;
}

// Share of the rows that no box covers.
Estimate uncovered(const AttackScene& scene, const BoxIndex& index, const RowSample& sample, const Progress& progress) {
  std::vector<uint8_t> outside(sample.rows.size(), 0);
  run_tasks((sample.rows.size() + kBlock - 1) / kBlock, scene.threads, [&](size_t, size_t block) {
    progress.check();
    for (size_t i = block * kBlock; i < std::min((block + 1) * kBlock, sample.rows.size()); ++i) {
      bool covered = false;
      index.covering(point_of(scene, sample.rows[i]), [&](size_t) { covered = true; });
      outside[i] = !covered;
    }
  });
  double sum = 0;
  for (uint8_t hit : outside) sum += hit;
  return mean_estimate(sum, sum, outside.size(), sample.all);
}

// Would the group's box still cover the row if the row were not in the table? A range whose end is this row's alone
// would be narrower, and so would a node that is as high as it is for this row's sake only.
class TakenOut {
 public:
  TakenOut(const AttackScene& scene, const BoxIndex& index, const BoxContents& contents)
      : scene_(scene), index_(index), contents_(contents), by_value_(scene.release.by_value(scene.columns())) {}

  bool still_covers(size_t place, std::span<const uint32_t> point) const {
    if (contents_.rows[place] < 2) return false;  // nobody else is in it
    if (by_value_) return true;                   // cells are as wide as they are for everybody's sake
    for (size_t j = 0; j < point.size(); ++j) {
      if (!still_covers(place, j, point[j])) return false;
    }
    return true;
  }

 private:
  bool still_covers(size_t place, size_t j, uint32_t leaf) const {
    const size_t cell = index_.group(place) * scene_.columns() + j;
    const LeafInterval& box = scene_.release.boxes[cell];
    const BoxContents::Ends& ends = contents_.ends[place * scene_.columns() + j];
    const bool least = ends.low == leaf && ends.low_rows == 1, greatest = ends.high == leaf && ends.high_rows == 1;
    if (scene_.release.forms[cell] == CellForm::range) {
      return !(least && leaf == box.first && scene_.release.low_is_value[cell]) &&
             !(greatest && leaf == box.last && scene_.release.high_is_value[cell]);
    }
    if (scene_.release.forms[cell] != CellForm::node || (!least && !greatest)) return true;
    const Hierarchy& hierarchy = scene_.hierarchies[j];
    const uint32_t low = least ? ends.next_low : ends.low, high = greatest ? ends.next_high : ends.high;
    return hierarchy.covers(hierarchy.common_ancestor(low, high), leaf);
  }

  const AttackScene& scene_;
  const BoxIndex& index_;
  const BoxContents& contents_;
  const bool by_value_;
};

// Members, each taken out in turn: those whom no box would cover then.
Estimate told_when_taken_out(const AttackScene& scene, const RowSample& sample, const BoxIndex& all,
                             const Progress& progress) {
  std::vector<std::vector<uint32_t>> covering(sample.rows.size());
  run_tasks((sample.rows.size() + kBlock - 1) / kBlock, scene.threads, [&](size_t, size_t block) {
    progress.check();
    for (size_t i = block * kBlock; i < std::min((block + 1) * kBlock, sample.rows.size()); ++i) {
      all.covering(point_of(scene, sample.rows[i]),
                   [&](size_t place) { covering[i].push_back(static_cast<uint32_t>(place)); });
    }
  });
  std::vector<uint32_t> chosen;
  for (const auto& places : covering) chosen.insert(chosen.end(), places.begin(), places.end());
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  const BoxIndex index(scene.release, chosen, leaf_counts(scene));
  const BoxContents contents = box_contents(scene, index, progress);
  const TakenOut taken_out(scene, index, contents);
  double told = 0;
  uint64_t members = 0;
  for (size_t i = 0; i < sample.rows.size(); ++i) {
    if (covering[i].empty()) continue;  // was dropped: no member
    ++members;
    const std::vector<uint32_t> point = point_of(scene, sample.rows[i]);
    const bool covered = std::any_of(covering[i].begin(), covering[i].end(), [&](uint32_t group) {
      const auto found = std::lower_bound(chosen.begin(), chosen.end(), group);
      return taken_out.still_covers(static_cast<size_t>(found - chosen.begin()), point);
    });
    told += covered ? 0 : 1;
  }
  return mean_estimate(told, told, members, sample.all);
}

}  // namespace

MembershipAttack membership_attack(const AttackScene& scene, const Progress& progress) {
  MembershipAttack attack;
  const BoxIndex all(scene.release, leaf_counts(scene));
  attack.outsiders_given = scene.table.rows > scene.members;
  if (attack.outsiders_given) {
    const RowSample outsiders = sample_rows(scene.members, scene.table.rows, scene.sample, scene.seed + 3);
    const RowSample members = sample_rows(0, scene.members, scene.sample, scene.seed + 4);
    const Estimate out = uncovered(scene, all, outsiders, progress), in = uncovered(scene, all, members, progress);
    attack.advantage = {out.value - in.value, out.error + in.error};
    attack.looked_at = outsiders.rows.size();
    return attack;
  }
  // Every row looked at brings its boxes, and these are compared with all members: fewer rows where there are many.
  const size_t most = scene.members > scene.sample ? std::max<size_t>(scene.sample / 10, 1) : scene.sample;
  const RowSample sample = sample_rows(0, scene.members, most, scene.seed + 3);
  attack.advantage = told_when_taken_out(scene, sample, all, progress);
  attack.looked_at = sample.rows.size();
  return attack;
}

}  // namespace shoal
