// Downcoding and what rests on the same claims: singling out.
//
// Cohen ("Attacks on Deidentification's Defenses", USENIX Security 2022) calls Z a downcoding of a release Y of X when
// Z generalises X and is strictly finer than Y somewhere, and shows that every minimal hierarchical release can be
// downcoded: had it been possible to release a cell finer it would have been. For a group that is released as the least
// range or node over its rows the argument needs no distribution: someone stands at each end.
#include <algorithm>
#include <cmath>

#include "shoal/examine/attack.h"
#include "shoal/examine/attack_claims.h"

namespace shoal {
namespace {

void add_claims(const AttackedRelease& release, const BoxContents& contents, Claim at, size_t cell,
                std::vector<Claim>& claims) {
  const LeafInterval& box = release.boxes[cell];
  const BoxContents::Ends& ends = contents.ends[at.place * (contents.ends.size() / contents.rows.size()) + at.column];
  const bool range = release.forms[cell] == CellForm::range;
  const bool low_known = !range || release.low_is_value[cell], high_known = !range || release.high_is_value[cell];
  const bool any = ends.low_rows > 0 && box.first <= box.last;
  const auto claim = [&](bool known, uint32_t leaf, uint32_t matches) {
    at.leaf = known && box.first <= box.last ? std::optional(leaf) : std::nullopt;
    at.matches = known ? matches : 0;
    claims.push_back(at);
  };
  claim(low_known, box.first, any && ends.low == box.first ? ends.low_rows : 0);
  claim(high_known, box.last, any && ends.high == box.last ? ends.high_rows : 0);
}

// What one row drawn from the columns' distributions, each on its own, satisfies: the box, and the claimed value.
double weight_of(const Claim& claim, const AttackedRelease& release, uint32_t group,
                 const std::vector<std::vector<double>>& below) {
  const size_t width = below.size();
  double weight = 1;
  for (size_t j = 0; j < width; ++j) {
    LeafInterval box = release.boxes[group * width + j];
    if (j == claim.column) {
      if (!claim.leaf) return 0;
      box = {*claim.leaf, *claim.leaf};
    }
    if (box.first > box.last) return 0;
    weight *= below[j][box.last + 1] - below[j][box.first];
  }
  return weight;
}

// [column][leaf] share of the members below that leaf.
std::vector<std::vector<double>> shares_below(const AttackScene& scene) {
  std::vector<std::vector<double>> below;
  for (size_t j = 0; j < scene.columns(); ++j) {
    std::vector<double> rows(scene.hierarchies[j].leaves() + 1, 0);
    for (size_t row = 0; row < scene.members; ++row) rows[scene.table.quasi[j].codes[row] + 1] += 1;
    for (size_t leaf = 1; leaf < rows.size(); ++leaf) rows[leaf] += rows[leaf - 1];
    for (double& share : rows) share /= double(std::max<size_t>(scene.members, 1));
    below.push_back(std::move(rows));
  }
  return below;
}

}  // namespace

GroupSample sample_groups(const AttackScene& scene) {
  GroupSample sample;
  sample.groups = sample_rows(0, scene.release.groups(), scene.sample, scene.seed + 2).rows;
  uint64_t rows = 0;
  for (uint32_t group : sample.groups) rows += scene.release.sizes[group];
  sample.rows = scene.release.rows() == 0 ? 1 : double(rows) / double(scene.release.rows());
  return sample;
}

std::vector<Claim> claims_of(const AttackScene& scene, const BoxIndex& index, const BoxContents& contents) {
  std::vector<Claim> claims;
  const size_t width = scene.columns();
  if (scene.release.by_value(width)) return claims;
  for (size_t place = 0; place < index.size(); ++place) {
    if (scene.release.sizes[index.group(place)] < 2) continue;  // nobody beside the one row
    for (size_t j = 0; j < width; ++j) {
      const size_t cell = index.group(place) * width + j;
      const LeafInterval& box = scene.release.boxes[cell];
      const CellForm form = scene.release.forms[cell];
      const bool two_values = form != CellForm::range && form != CellForm::value && box.last == box.first + 1;
      if (form == CellForm::range || two_values) {
        add_claims(scene.release, contents, {place, j, std::nullopt, 0}, cell, claims);
      }
    }
  }
  return claims;
}

DowncodingAttack downcoding_attack(const AttackScene& scene, const Progress& progress) {
  const size_t width = scene.columns();
  const GroupSample sample = sample_groups(scene);
  const BoxIndex index(scene.release, sample.groups, leaf_counts(scene));
  const BoxContents contents = box_contents(scene, index, progress);
  DowncodingAttack attack;
  attack.rows_looked_at = sample.rows;
  std::vector<uint32_t> recoded(index.size(), 0), right(index.size(), 0);
  for (size_t place = 0; place < index.size(); ++place) {
    for (size_t j = 0; j < width; ++j) {
      if (scene.release.forms[index.group(place) * width + j] != CellForm::value) ++recoded[place];
    }
    attack.recoded_cells += uint64_t{recoded[place]} * scene.release.sizes[index.group(place)];
  }
  for (const Claim& claim : claims_of(scene, index, contents)) {
    ++attack.claimed;
    if (claim.matches == 0) continue;
    ++attack.right;
    ++right[claim.place];
  }
  // With one recoded column the other cells stand beside the told one: the whole row is known.
  for (size_t place = 0; place < index.size(); ++place) {
    if (recoded[place] == 1) attack.rows_recovered += right[place];
  }
  return attack;
}

SinglingOutAttack singling_out_attack(const AttackScene& scene, const Progress& progress) {
  const GroupSample sample = sample_groups(scene);
  const BoxIndex index(scene.release, sample.groups, leaf_counts(scene));
  const BoxContents contents = box_contents(scene, index, progress);
  const auto below = shares_below(scene);
  SinglingOutAttack attack;
  attack.rows_looked_at = sample.rows;
  double chance = 0;
  const double rows = double(scene.members);
  for (const Claim& claim : claims_of(scene, index, contents)) {
    ++attack.predicates;
    attack.isolating += claim.matches == 1;
    // One of n rows drawn alike, and none of the others.
    const double weight = weight_of(claim, scene.release, index.group(claim.place), below);
    chance += rows * weight * std::pow(1 - weight, rows - 1);
  }
  attack.by_chance = attack.predicates == 0 ? 0 : chance / double(attack.predicates);
  return attack;
}

}  // namespace shoal
