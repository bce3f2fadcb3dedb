// Values that a release gives away because it generalises no more than needed.
#pragma once

#include <optional>
#include <vector>

#include "shoal/examine/attack_scene.h"

namespace shoal {

// "Some row of this group has this value in this column." A range has such a row at each end, a node (or *) over just
// two values one with each. Of releases that recode by value an attacker claims nothing: there a cell is as wide as it
// is for the sake of other groups.
struct Claim {
  size_t place;  // of the group, in the index
  size_t column;
  std::optional<uint32_t> leaf;  // nothing: the value that the attacker names is none of the original's
  uint32_t matches;              // original rows in the group's box that have it
};
std::vector<Claim> claims_of(const AttackScene& scene, const BoxIndex& index, const BoxContents& contents);

// Groups to look at one by one, and the share of the released rows in them.
struct GroupSample {
  std::vector<uint32_t> groups;
  double rows = 1;
};
GroupSample sample_groups(const AttackScene& scene);

}  // namespace shoal
