// Downcoding with a known cluster, the first attack of Cohen's paper ("Attacks on Deidentification's Defenses"): in
// clustered tables whose rows lie either close to the middle of their cluster or far out in all columns, a minimal
// release puts a far row into a group with near ones. Who knows where the cluster is knows which ends of the group's
// ranges are away from it, and all of these are the far row's: the row is told as a whole.
#include <algorithm>
#include <optional>

#include "shoal/examine/attack.h"

namespace shoal {
namespace {

constexpr size_t kMostInBox = 512;    // people in a box beyond which nobody would speak of one cluster
constexpr size_t kMostGroups = 8192;  // looked at one by one, with all the people in them
constexpr uint32_t kFarther = 2;      // the far end is at least so many times as far from the middle as the near one

// [place] rows first .. last-1 that the box covers, up to one more than kMostInBox.
std::vector<std::vector<uint32_t>> rows_in_boxes(const AttackScene& scene, const BoxIndex& index, size_t first,
                                                 size_t last, const Progress& progress) {
  std::vector<std::vector<uint32_t>> rows(index.size());
  std::vector<uint32_t> point(scene.columns());
  for (size_t row = first; row < last; ++row) {
    if (row % 1024 == 0) progress.check();
    for (size_t j = 0; j < point.size(); ++j) point[j] = scene.table.quasi[j].codes[row];
    index.covering(point, [&](size_t place) {
      if (rows[place].size() <= kMostInBox) rows[place].push_back(static_cast<uint32_t>(row));
    });
  }
  return rows;
}

// Whether both ends of the cell are known to be values of rows: a range that ends in values, a node over two of them.
bool ends_are_values(const AttackedRelease& release, size_t cell) {
  const LeafInterval& box = release.boxes[cell];
  if (box.first > box.last) return false;
  if (release.forms[cell] == CellForm::range) return release.low_is_value[cell] && release.high_is_value[cell];
  return box.last == box.first + 1;
}

// The end of each recoded cell that is away from the middle of the people known; nothing where some cell has none.
std::optional<std::vector<uint32_t>> far_ends(const AttackScene& scene, uint32_t group,
                                              const std::vector<size_t>& recoded, const std::vector<uint32_t>& people) {
  std::vector<uint32_t> ends;
  std::vector<uint32_t> leaves(people.size());
  for (size_t j : recoded) {
    const LeafInterval& box = scene.release.boxes[group * scene.columns() + j];
    for (size_t i = 0; i < people.size(); ++i) leaves[i] = scene.table.quasi[j].codes[people[i]];
    const auto middle = leaves.begin() + static_cast<ptrdiff_t>(leaves.size() / 2);
    std::nth_element(leaves.begin(), middle, leaves.end());
    const uint32_t below = *middle - box.first, above = box.last - *middle;
    if (above >= kFarther * below && above > 0) {
      ends.push_back(box.last);
    } else if (below >= kFarther * above) {
      ends.push_back(box.first);
    } else {
      return std::nullopt;
    }
  }
  return ends;
}

// How many of the corners of the box are rows, and whether `claimed` is.
struct Corners {
  uint64_t rows = 0;
  bool claimed = false;
};
Corners corners(const AttackScene& scene, uint32_t group, const std::vector<size_t>& recoded,
                const std::vector<uint32_t>& members, const std::vector<uint32_t>& claimed) {
  std::vector<uint64_t> found;  // a bit for each column: at its upper end
  Corners answer;
  for (uint32_t row : members) {
    uint64_t corner = 0;
    bool is_corner = true, is_claimed = true;
    for (size_t i = 0; i < recoded.size() && is_corner; ++i) {
      const LeafInterval& box = scene.release.boxes[group * scene.columns() + recoded[i]];
      const uint32_t leaf = scene.table.quasi[recoded[i]].codes[row];
      is_corner = leaf == box.first || leaf == box.last;
      is_claimed = is_claimed && leaf == claimed[i];
      corner |= uint64_t{leaf == box.last} << i;
    }
    if (!is_corner) continue;
    found.push_back(corner);
    answer.claimed = answer.claimed || is_claimed;
  }
  std::sort(found.begin(), found.end());
  answer.rows = static_cast<uint64_t>(std::unique(found.begin(), found.end()) - found.begin());
  return answer;
}

}  // namespace

ClusterAttack cluster_attack(const AttackScene& scene, const Progress& progress) {
  ClusterAttack attack;
  const size_t width = scene.columns();
  attack.outsiders_known = scene.table.rows > scene.members;
  if (width > 63 || scene.release.by_value(width)) return attack;
  const std::vector<uint32_t> groups =
      sample_rows(0, scene.release.groups(), std::min(scene.sample, kMostGroups), scene.seed + 2).rows;
  uint64_t rows = 0;
  for (uint32_t group : groups) rows += scene.release.sizes[group];
  if (scene.release.rows() > 0) attack.rows_looked_at = double(rows) / double(scene.release.rows());
  const BoxIndex index(scene.release, groups, leaf_counts(scene));
  const auto members = rows_in_boxes(scene, index, 0, scene.members, progress);
  std::vector<std::vector<uint32_t>> outsiders;
  if (attack.outsiders_known) outsiders = rows_in_boxes(scene, index, scene.members, scene.table.rows, progress);
  for (size_t place = 0; place < index.size(); ++place) {
    const uint32_t group = index.group(place);
    const std::vector<uint32_t>& people = attack.outsiders_known ? outsiders[place] : members[place];
    std::vector<size_t> recoded;
    bool known = true;
    for (size_t j = 0; j < width; ++j) {
      if (scene.release.forms[group * width + j] == CellForm::value) continue;
      recoded.push_back(j);
      known = known && ends_are_values(scene.release, group * width + j);
    }
    if (recoded.size() < 2 || !known || people.empty()) continue;
    if (std::max(people.size(), members[place].size()) > kMostInBox) continue;
    const auto claimed = far_ends(scene, group, recoded, people);
    if (!claimed) continue;
    const Corners found = corners(scene, group, recoded, members[place], *claimed);
    ++attack.claimed;
    attack.right += found.claimed ? 1 : 0;
    attack.right_blindly += double(found.rows) / double(uint64_t{1} << recoded.size());
  }
  return attack;
}

}  // namespace shoal
