// The attacks against plain versions that list rows, on random tables and random releases; and by hand.
#include "shoal/examine/attack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "shoal/examine/attack_claims.h"
#include "shoal/recode/apply.h"
#include "testing/hand_table.h"
#include "testing/random_recoding.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

// A release as the attacker reads it, from what was released: without texts, and without the code under test.
AttackedRelease attacked(const ReleasedTable& released, const Table& table, const std::vector<Hierarchy>& hierarchies) {
  AttackedRelease result;
  std::map<std::vector<uint32_t>, uint32_t> known;
  result.sensitive.resize(table.sensitive.size());
  for (uint32_t row = 0; row < table.rows; ++row) {
    if (std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), row)) continue;
    std::vector<uint32_t> key;
    for (const ReleasedColumn& column : released.quasi) {
      const Released& cell = column.values[column.codes[row]];
      key.insert(key.end(), {cell.first, cell.last, uint32_t(cell.kind), cell.number});
    }
    const auto [entry, fresh] = known.emplace(std::move(key), static_cast<uint32_t>(known.size()));
    if (fresh) {
      result.sizes.push_back(0);
      for (size_t j = 0; j < released.quasi.size(); ++j) {
        const Released& cell = released.quasi[j].values[released.quasi[j].codes[row]];
        result.boxes.push_back({cell.first, cell.last});
        const bool leaf = cell.is_node(hierarchies[j].leaf_node(cell.first));
        result.forms.push_back(leaf              ? CellForm::value
                               : cell.is_range() ? CellForm::range
                               : cell.is_root()  ? CellForm::nothing
                                                 : CellForm::node);
        result.low_is_value.push_back(true);
        result.high_is_value.push_back(true);
      }
    }
    ++result.sizes[entry->second];
    result.group_of_row.push_back(entry->second);
    for (size_t s = 0; s < table.sensitive.size(); ++s) result.sensitive[s].push_back(table.sensitive[s].codes[row]);
  }
  return result;
}

// A random table, a random release of it, and a scene over both.
struct RandomScene {
  explicit RandomScene(testing::RandomTables& random, size_t rows = 0)
      : drawn(random.table({.rows = rows > 0 ? rows : random.draw(1, 40),
                            .columns = random.draw(1, 4),
                            .max_values = 7,
                            .target_values = 3})) {
    drawn.table.sensitive = {*drawn.table.target};
    shape = std::array{Shape::levels, Shape::cut, Shape::regions, Shape::groups}[random.draw(0, 3)];
    Recoding recoding = testing::random_recoding(random, drawn, shape);
    if (recoding.dropped_rows.size() == drawn.table.rows) recoding.dropped_rows.clear();
    released = apply(recoding, drawn.table, drawn.hierarchies, 1);
  }
  AttackScene scene() const {
    return {drawn.table, drawn.hierarchies, drawn.table.rows, attacked(released, drawn.table, drawn.hierarchies)};
  }
  testing::RandomTable drawn;
  ReleasedTable released;
  Shape shape = Shape::levels;
};

bool covers(const AttackScene& scene, size_t group, size_t row) {
  for (size_t j = 0; j < scene.columns(); ++j) {
    const LeafInterval& box = scene.release.boxes[group * scene.columns() + j];
    const uint32_t leaf = scene.table.quasi[j].codes[row];
    if (leaf < box.first || leaf > box.last) return false;
  }
  return true;
}

TEST(AttackScene, BoxesAndWhatTheyHold) {
  testing::RandomTables random(31);
  for (int round = 0; round < 500; ++round) {
    const RandomScene drawn(random);
    AttackScene scene = drawn.scene();
    scene.threads = 1 + round % 3;
    const BoxIndex index(scene.release, leaf_counts(scene));
    const BoxContents contents = box_contents(scene, index, Progress());
    std::vector<uint64_t> rows(scene.release.groups(), 0);
    for (size_t row = 0; row < scene.members; ++row) {
      std::vector<uint32_t> point;
      for (const Column& column : scene.table.quasi) point.push_back(column.codes[row]);
      std::vector<size_t> found, expected;
      index.covering(point, [&](size_t place) { found.push_back(place); });
      for (size_t group = 0; group < scene.release.groups(); ++group) {
        if (!covers(scene, group, row)) continue;
        expected.push_back(group);
        ++rows[group];
      }
      ASSERT_EQ(found, expected);
    }
    ASSERT_EQ(contents.rows, rows);
    for (size_t group = 0; group < scene.release.groups(); ++group) {
      for (size_t j = 0; j < scene.columns(); ++j) {
        std::map<uint32_t, uint32_t> leaves;
        for (size_t row = 0; row < scene.members; ++row) {
          if (covers(scene, group, row)) ++leaves[scene.table.quasi[j].codes[row]];
        }
        const BoxContents::Ends& ends = contents.ends[group * scene.columns() + j];
        if (leaves.empty()) {
          ASSERT_EQ(ends.low_rows, 0U);
          continue;
        }
        ASSERT_EQ(ends.low, leaves.begin()->first);
        ASSERT_EQ(ends.low_rows, leaves.begin()->second);
        ASSERT_EQ(ends.high, leaves.rbegin()->first);
        ASSERT_EQ(ends.high_rows, leaves.rbegin()->second);
        ASSERT_EQ(ends.any_next, leaves.size() > 1);
        if (leaves.size() < 2) continue;
        ASSERT_EQ(ends.next_low, std::next(leaves.begin())->first);
        ASSERT_EQ(ends.next_high, std::next(leaves.rbegin())->first);
      }
    }
  }
}

TEST(Linkage, AgreesWithListingRows) {
  testing::RandomTables random(32);
  for (int round = 0; round < 500; ++round) {
    const RandomScene drawn(random);
    const AttackScene scene = drawn.scene();
    double sum = 0, highest = 0, journalist = 0;
    size_t linked = 0;
    for (size_t row = 0; row < scene.members; ++row) {
      size_t candidates = 0;
      for (uint32_t group : scene.release.group_of_row) candidates += covers(scene, group, row);
      if (candidates == 0) continue;
      ++linked;
      sum += 1 / double(candidates);
      highest = std::max(highest, 1 / double(candidates));
    }
    for (uint32_t group : scene.release.group_of_row) {
      size_t originals = 0;
      for (size_t row = 0; row < scene.members; ++row) originals += covers(scene, group, row);
      ASSERT_GT(originals, 0U);  // its own
      journalist += 1 / double(originals);
    }
    const LinkageAttack attack = linkage_attack(scene, Progress());
    ASSERT_NEAR(attack.prosecutor.value, sum / double(linked), 1e-12);
    ASSERT_NEAR(attack.highest, highest, 1e-12);
    ASSERT_EQ(attack.unlinked, scene.members - linked);
    ASSERT_NEAR(attack.journalist.value, journalist / double(scene.release.rows()), 1e-12);
    ASSERT_EQ(attack.prosecutor.error, 0);
  }
}

TEST(Values, AgreeWithListingRows) {
  testing::RandomTables random(33);
  for (int round = 0; round < 500; ++round) {
    const RandomScene drawn(random);
    const AttackScene scene = drawn.scene();
    const Codes& truth = scene.table.sensitive[0].codes;
    size_t one_value = 0, guessed = 0, best = 0;
    for (size_t group = 0; group < scene.release.groups(); ++group) {
      std::map<uint32_t, size_t> counts;
      for (size_t row = 0; row < scene.release.rows(); ++row) {
        if (scene.release.group_of_row[row] == group) ++counts[scene.release.sensitive[0][row]];
      }
      size_t most = 0;
      for (const auto& [value, rows] : counts) most = std::max(most, rows);
      best += most;
      if (counts.size() == 1) one_value += most;
    }
    for (size_t row = 0; row < scene.members; ++row) {
      std::map<uint32_t, size_t> counts;
      for (size_t other = 0; other < scene.release.rows(); ++other) {
        if (covers(scene, scene.release.group_of_row[other], row)) ++counts[scene.release.sensitive[0][other]];
      }
      size_t most = 0;
      uint32_t guess = UINT32_MAX;
      for (const auto& [value, rows] : counts) {
        if (rows > most) {
          most = rows;
          guess = value;
        }
      }
      guessed += guess == truth[row];
    }
    const ValueAttack attack = value_attacks(scene, Progress()).at(0);
    ASSERT_EQ(attack.one_value_rows, one_value);
    ASSERT_NEAR(attack.best_guess, double(best) / double(scene.release.rows()), 1e-12);
    ASSERT_NEAR(attack.guessed.value, double(guessed) / double(scene.members), 1e-12);
  }
}

// Groups {20,25} and {30,40} of an age, released as tight as they are.
struct FourAges {
  explicit FourAges(std::vector<Released> releases) {
    const std::vector<std::string> ages{"20", "25", "30", "40"};
    hierarchies.push_back(testing::hand_flat(ages, {20, 25, 30, 40}));
    table.rows = 4;
    table.quasi.push_back(testing::hand_column("age", hierarchies[0], ages));
    table.sensitive.push_back({"ill", Codes(std::vector<uint8_t>{0, 0, 0, 1}), {"flu", "cold"}});
    GroupRecoding recoding;
    recoding.recoded_columns = {0};
    recoding.group_of_row = {0, 0, 1, 1};
    recoding.group_releases = std::move(releases);
    released = apply({recoding}, table, hierarchies, 1);
  }
  AttackScene scene() const { return {table, hierarchies, 4, attacked(released, table, hierarchies)}; }
  Table table;
  std::vector<Hierarchy> hierarchies;
  ReleasedTable released;
};

TEST(Attacks, ByHand) {
  const FourAges apart({released_range(0, 1), released_range(2, 3)});
  const AttackScene by_value = apart.scene();
  EXPECT_DOUBLE_EQ(linkage_attack(by_value, Progress()).prosecutor.value, 0.5);
  // Intervals that are apart could come from a cut: nothing is claimed.
  EXPECT_EQ(downcoding_attack(by_value, Progress()).claimed, 0U);
  EXPECT_DOUBLE_EQ(membership_attack(by_value, Progress()).advantage.value, 0);

  const FourAges overlapping({released_range(0, 2), released_range(2, 3)});
  const AttackScene scene = overlapping.scene();
  const LinkageAttack linkage = linkage_attack(scene, Progress());
  EXPECT_DOUBLE_EQ(linkage.prosecutor.value, (0.5 + 0.5 + 0.25 + 0.5) / 4);  // 30 could be in both groups
  EXPECT_DOUBLE_EQ(linkage.journalist.value, (1 / 3.0 + 1 / 3.0 + 0.5 + 0.5) / 4);
  const DowncodingAttack downcoding = downcoding_attack(scene, Progress());
  EXPECT_EQ(downcoding.recoded_cells, 4U);
  EXPECT_EQ(downcoding.claimed, 4U);  // 20, 30; 30, 40
  EXPECT_EQ(downcoding.right, 4U);
  EXPECT_EQ(downcoding.rows_recovered, 4U);
  const SinglingOutAttack singling = singling_out_attack(scene, Progress());
  EXPECT_EQ(singling.predicates, 4U);
  EXPECT_EQ(singling.isolating, 4U);
  // 20 and 40 stand alone at an end; without 30 neither group would reach it; 25 lies inside.
  EXPECT_DOUBLE_EQ(membership_attack(scene, Progress()).advantage.value, 0.75);
  const ValueAttack values = value_attacks(scene, Progress()).at(0);
  EXPECT_EQ(values.one_value_groups, 1U);
  EXPECT_EQ(values.one_value_rows, 2U);
  EXPECT_DOUBLE_EQ(values.best_guess, 0.75);
  EXPECT_DOUBLE_EQ(values.prior_guess, 0.75);
  EXPECT_DOUBLE_EQ(values.strongest_gain, 2);  // a cold: one of two in the group, one of four in the table
  EXPECT_DOUBLE_EQ(values.worst_skew, 0.25);
}

TEST(Membership, AgreesWithListingRows) {
  testing::RandomTables random(34);
  size_t told_in_all = 0;
  for (int round = 0; round < 500; ++round) {
    const RandomScene drawn(random);
    const AttackScene scene = drawn.scene();
    const bool by_value = scene.release.by_value(scene.columns());
    size_t told = 0, members = 0;
    for (size_t row = 0; row < scene.members; ++row) {
      bool covered = false, still = false;
      for (size_t group = 0; group < scene.release.groups(); ++group) {
        if (!covers(scene, group, row)) continue;
        covered = true;
        std::vector<size_t> others;
        for (size_t other = 0; other < scene.members; ++other) {
          if (other != row && covers(scene, group, other)) others.push_back(other);
        }
        bool reaches = !others.empty();
        for (size_t j = 0; j < scene.columns() && reaches && !by_value; ++j) {
          const CellForm form = scene.release.forms[group * scene.columns() + j];
          const LeafInterval& box = scene.release.boxes[group * scene.columns() + j];
          const uint32_t leaf = scene.table.quasi[j].codes[row];
          std::set<uint32_t> leaves;
          for (size_t other : others) leaves.insert(scene.table.quasi[j].codes[other]);
          if (form == CellForm::range && (leaf == box.first || leaf == box.last)) reaches = leaves.contains(leaf);
          if (form == CellForm::node && !leaves.contains(leaf)) {
            const Hierarchy& tree = drawn.drawn.hierarchies[j];
            reaches = tree.covers(tree.common_ancestor(*leaves.begin(), *leaves.rbegin()), leaf);
          }
        }
        still = still || reaches;
      }
      members += covered;
      told += covered && !still;
    }
    const MembershipAttack attack = membership_attack(scene, Progress());
    ASSERT_NEAR(attack.advantage.value, members == 0 ? 0 : double(told) / double(members), 1e-12) << round;
    told_in_all += told;
  }
  EXPECT_GT(told_in_all, 100U);
}

TEST(Membership, OfPeopleKnownToBeOutside) {
  testing::RandomTables random(35);
  for (int round = 0; round < 200; ++round) {
    const RandomScene drawn(random, 30);
    AttackScene scene = drawn.scene();  // the last ten rows were never in the release
    scene.members = 20;
    double out = 0, in = 0;
    for (size_t row = 0; row < 30; ++row) {
      bool covered = false;
      for (size_t group = 0; group < scene.release.groups(); ++group) covered = covered || covers(scene, group, row);
      (row < 20 ? in : out) += covered ? 0 : 1;
    }
    const MembershipAttack attack = membership_attack(scene, Progress());
    ASSERT_TRUE(attack.outsiders_given);
    ASSERT_NEAR(attack.advantage.value, out / 10 - in / 20, 1e-12);
  }
}

// The count of rows that fit a claim is that of listing them, and claims are mostly right: the groups are drawn with
// tight ranges, apart from those that are raised to a node, or lost rows.
TEST(Downcoding, ClaimsAreCountedAndMostlyRight) {
  testing::RandomTables random(36);
  size_t claimed = 0, right = 0;
  for (int round = 0; round < 500; ++round) {
    const RandomScene drawn(random);
    const AttackScene scene = drawn.scene();
    const BoxIndex index(scene.release, leaf_counts(scene));
    const BoxContents contents = box_contents(scene, index, Progress());
    for (const Claim& claim : claims_of(scene, index, contents)) {
      uint32_t matches = 0;
      for (size_t row = 0; row < scene.members; ++row) {
        matches +=
            covers(scene, index.group(claim.place), row) && scene.table.quasi[claim.column].codes[row] == claim.leaf;
      }
      ASSERT_EQ(claim.matches, matches);
      ++claimed;
      right += matches > 0;
    }
  }
  EXPECT_GT(claimed, 200U);
  EXPECT_GT(2 * right, claimed);
}

// Every way to give the value to `value_rows` of the rows, each as likely; those in which all subgroups keep to the
// bound are struck out.
std::vector<double> listed_credibility(const std::vector<uint32_t>& sizes, uint32_t value_rows, const Fraction& most) {
  uint32_t rows = 0;
  for (uint32_t size : sizes) rows += size;
  double ways = 0;
  std::vector<double> sums(sizes.size(), 0);
  for (uint32_t set = 0; set < uint32_t{1} << rows; ++set) {
    if (static_cast<uint32_t>(std::popcount(set)) != value_rows) continue;
    bool broken = false;
    std::vector<double> shares;
    for (size_t i = 0, from = 0; i < sizes.size(); from += sizes[i], ++i) {
      const auto inside = std::popcount(set >> from & ((uint32_t{1} << sizes[i]) - 1));
      broken = broken || double(inside) * double(most.denominator) > double(sizes[i]) * double(most.numerator);
      shares.push_back(double(inside) / sizes[i]);
    }
    if (!broken) continue;
    ++ways;
    for (size_t i = 0; i < sizes.size(); ++i) sums[i] += shares[i];
  }
  if (ways == 0) return {};
  for (double& sum : sums) sum /= ways;
  return sums;
}

TEST(Minimality, CredibilityAgreesWithListingAllWays) {
  // Two of six have the value, at most half of any group may: only both in the pair break the bound.
  EXPECT_EQ(minimality_credibility({2, 4}, 2, {1, 2}).size(), 2U);
  EXPECT_NEAR(minimality_credibility({2, 4}, 2, {1, 2})[0], 1, 1e-12);
  EXPECT_NEAR(minimality_credibility({2, 4}, 2, {1, 2})[1], 0, 1e-12);
  EXPECT_TRUE(minimality_credibility({2, 4}, 1, {1, 2}).empty());
  testing::RandomTables random(37);
  size_t said = 0;
  for (int round = 0; round < 1000; ++round) {
    std::vector<uint32_t> sizes;
    uint32_t rows = 0;
    while (rows < 8 && sizes.size() < 4) {
      sizes.push_back(static_cast<uint32_t>(random.draw(1, 4)));
      rows += sizes.back();
    }
    const auto value_rows = static_cast<uint32_t>(random.draw(1, rows));
    const Fraction most{random.draw(1, 3), 4};
    const auto found = minimality_credibility(sizes, value_rows, most),
               listed = listed_credibility(sizes, value_rows, most);
    ASSERT_EQ(found.size(), listed.size());
    for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], listed[i], 1e-9);
    said += !found.empty();
  }
  EXPECT_GT(said, 200U);
}

TEST(Minimality, NeedsAGroupWhoseRowsAreKnown) {
  // Ages 20, 20, 30, 30, 30, 30 released as one range; flu twice. With confidence 1/2 both of age 20 have it.
  const std::vector<std::string> ages{"20", "30"};
  std::vector<Hierarchy> hierarchies{testing::hand_flat(ages, {20, 30})};
  Table table;
  table.rows = 6;
  table.quasi.push_back(testing::hand_column("age", hierarchies[0], {"20", "20", "30", "30", "30", "30"}));
  table.sensitive.push_back({"ill", Codes(std::vector<uint8_t>{0, 0, 1, 1, 1, 1}), {"flu", "none"}});
  GroupRecoding recoding;
  recoding.recoded_columns = {0};
  recoding.group_of_row = {0, 0, 0, 0, 0, 0};
  recoding.group_releases = {released_range(0, 1)};
  const AttackScene scene{table, hierarchies, 6,
                          attacked(apply({recoding}, table, hierarchies, 1), table, hierarchies)};
  ModelSpec model;
  model.kind = ModelKind::confidence;
  model.column = "ill";
  model.alpha = {1, 2};
  model.values = {"flu"};
  const auto attacks = minimality_attacks(scene, {model}, 2, Progress());
  ASSERT_EQ(attacks.size(), 1U);
  EXPECT_EQ(attacks[0].groups, 1U);
  EXPECT_EQ(attacks[0].rows, 6U);
  EXPECT_DOUBLE_EQ(attacks[0].highest, 1);
  EXPECT_EQ(attacks[0].rows_above, 2U);
  EXPECT_NEAR(attacks[0].plain, 1 / 3.0, 1e-12);
  EXPECT_NEAR(attacks[0].credibility, 1 / 3.0, 1e-12);
  // With k = 3 the two of age 20 had to be joined anyway: nothing is learned.
  EXPECT_EQ(minimality_attacks(scene, {model}, 3, Progress())[0].groups, 0U);
  EXPECT_TRUE(minimality_attacks(scene, {}, 2, Progress()).empty());
}

TEST(Intersection, ByHand) {
  const FourAges one({released_range(0, 2), released_range(2, 3)});
  AttackScene scene = one.scene();
  FourAges other({released_range(0, 3), released_range(0, 3)});
  scene.earlier.push_back(other.scene().release);
  IntersectionAttack attack = intersection_attacks(scene, 3, Progress()).at(0);
  EXPECT_TRUE(attack.joined_by_line);
  EXPECT_EQ(attack.groups, 2U);
  EXPECT_EQ(attack.rows_below_k, 4U);
  EXPECT_EQ(attack.unique, 0U);
  ASSERT_EQ(attack.sensitive.size(), 1U);
  EXPECT_DOUBLE_EQ(attack.sensitive[0].certain_alone.value, 0.5);  // 20 and 25: flu
  EXPECT_DOUBLE_EQ(attack.sensitive[0].certain.value, 0.5);
  // {20, 30} and {25, 40} the other time: both together leave nobody beside anybody.
  GroupRecoding crossed;
  crossed.recoded_columns = {0};
  crossed.group_of_row = {0, 1, 0, 1};
  crossed.group_releases = {released_range(0, 2), released_range(1, 3)};
  scene.earlier[0] = attacked(apply({crossed}, one.table, one.hierarchies, 1), one.table, one.hierarchies);
  attack = intersection_attacks(scene, 2, Progress()).at(0);
  EXPECT_EQ(attack.unique, 4U);
  EXPECT_EQ(attack.rows_below_k, 4U);
  // In another order lines say nothing.
  std::swap(scene.earlier[0].group_of_row[0], scene.earlier[0].group_of_row[3]);
  std::swap(scene.earlier[0].sensitive[0][0], scene.earlier[0].sensitive[0][3]);
  EXPECT_FALSE(intersection_attacks(scene, 2, Progress()).at(0).joined_by_line);
}

TEST(Reconstruction, RebuildsWhatIsReleasedAsItIsAndTheEndsOfRanges) {
  const FourAges exact({released_range(0, 2), released_range(2, 3)});
  const ReconstructionAttack attack = reconstruction_attack(exact.scene(), Progress());
  EXPECT_EQ(attack.rows, 4U);
  EXPECT_EQ(attack.right, 3U);  // 20, 30, 40; 30 is written twice and 25 not at all
  EXPECT_EQ(attack.unique, 4U);
  EXPECT_EQ(attack.unique_right, 3U);
  testing::RandomTables random(38);
  for (int round = 0; round < 300; ++round) {
    RandomScene drawn(random);
    drawn.released =
        apply(levels_recoding(drawn.drawn.hierarchies, std::vector<int>(drawn.drawn.hierarchies.size(), 0)),
              drawn.drawn.table, drawn.drawn.hierarchies, 1);
    const ReconstructionAttack all = reconstruction_attack(drawn.scene(), Progress());
    ASSERT_EQ(all.right, drawn.drawn.table.rows);
    ASSERT_EQ(all.unique_right, all.unique);
  }
}

TEST(Attacks, SamplesAreNearAndThreadsChangeNothing) {
  testing::RandomTables random(39);
  int far = 0, looked = 0;
  for (int round = 0; round < 60; ++round) {
    const RandomScene drawn(random, 400);
    AttackScene scene = drawn.scene();
    const LinkageAttack exact = linkage_attack(scene, Progress());
    const Estimate membership = membership_attack(scene, Progress()).advantage;
    scene.sample = 100;
    scene.seed = static_cast<uint64_t>(round);
    const LinkageAttack part = linkage_attack(scene, Progress());
    if (part.prosecutor.error > 0) {
      ++looked;
      far += std::abs(part.prosecutor.value - exact.prosecutor.value) > 3 * part.prosecutor.error + 1e-9;
    }
    scene.sample = 50'000;
    scene.threads = 4;
    EXPECT_EQ(linkage_attack(scene, Progress()).prosecutor.value, exact.prosecutor.value);
    EXPECT_EQ(membership_attack(scene, Progress()).advantage.value, membership.value);
  }
  EXPECT_LE(far, std::max(looked / 10, 2));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
