// Downcoding with a known cluster: on tables like those of the paper, by hand, and against a plain version.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>

#include "shoal/examine/attack.h"
#include "testing/hand_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using Row = std::vector<uint32_t>;
constexpr uint32_t kValues = 1000;

// Groups of rows, each released as the least ranges over its rows.
struct Clusters {
  Clusters(size_t width, std::vector<std::vector<Row>> rows_of_groups, const std::vector<Row>& outsiders)
      : groups(std::move(rows_of_groups)) {
    std::vector<std::string> labels;
    std::vector<double> numbers;
    for (uint32_t value = 0; value < kValues; ++value) {
      labels.push_back(std::to_string(value));
      numbers.push_back(value);
    }
    std::vector<Row> rows;
    for (const auto& group : groups) rows.insert(rows.end(), group.begin(), group.end());
    members = rows.size();
    rows.insert(rows.end(), outsiders.begin(), outsiders.end());
    table.rows = rows.size();
    for (size_t j = 0; j < width; ++j) {
      hierarchies.push_back(testing::hand_flat(labels, numbers));
      table.quasi.push_back({"c" + std::to_string(j), Codes(rows.size(), kValues), labels});
      for (size_t row = 0; row < rows.size(); ++row) table.quasi[j].codes.set(row, rows[row][j]);
    }
  }
  AttackScene scene() const {
    AttackedRelease release;
    for (uint32_t group = 0; group < groups.size(); ++group) {
      release.sizes.push_back(static_cast<uint32_t>(groups[group].size()));
      release.group_of_row.insert(release.group_of_row.end(), groups[group].size(), group);
      for (size_t j = 0; j < hierarchies.size(); ++j) {
        LeafInterval box{kValues, 0};
        for (const Row& row : groups[group]) box = {std::min(box.first, row[j]), std::max(box.last, row[j])};
        release.boxes.push_back(box);
        release.forms.push_back(box.first == box.last ? CellForm::value : CellForm::range);
        release.low_is_value.push_back(true);
        release.high_is_value.push_back(true);
      }
    }
    return {table, hierarchies, members, std::move(release)};
  }
  std::vector<std::vector<Row>> groups;
  Table table;
  std::vector<Hierarchy> hierarchies;
  size_t members = 0;
};

// A table as the paper draws it: clusters of k to 2k-1 rows, close to the middle but one in 2k, which are far out in
// all columns. `lone` counts the clusters with one far row.
struct Drawn {
  std::vector<std::vector<Row>> groups;
  std::vector<Row> outsiders;
  size_t lone = 0;
};
Drawn draw_clusters(std::mt19937_64& random, size_t width, uint32_t k, size_t clusters) {
  Drawn drawn;
  for (size_t i = 0; i < clusters; ++i) {
    Row middle;
    for (size_t j = 0; j < width; ++j) middle.push_back(200 + static_cast<uint32_t>(random() % 600));
    const auto row = [&](bool far) {
      Row cells = middle;
      for (uint32_t& cell : cells) {
        const auto away = static_cast<uint32_t>(far ? 40 + random() % 100 : random() % 4);
        cell = random() % 2 == 0 ? cell + away : cell - away;
      }
      return cells;
    };
    std::vector<Row> group;
    size_t far_rows = 0;
    for (uint64_t left = k + random() % k; left > 0; --left) {
      const bool far = random() % (uint64_t{2} * k) == 0;
      far_rows += far;
      group.push_back(row(far));
    }
    drawn.lone += far_rows == 1;
    drawn.groups.push_back(std::move(group));
    for (int people = 0; people < 30; ++people) drawn.outsiders.push_back(row(random() % (uint64_t{2} * k) == 0));
  }
  return drawn;
}

// Who knows the clusters, from other people or from the table, writes down most of the lone far rows as a whole. (Boxes
// with a far row are wide, and hold people of other clusters, too.)
TEST(ClusterDowncoding, FarRowsOfClustersAreToldAsAWhole) {
  std::mt19937_64 random(41);
  for (const bool with_outsiders : {false, true}) {
    for (const uint32_t k : {3U, 5U, 10U}) {
      const Drawn drawn = draw_clusters(random, 4, k, 300);
      const Clusters clusters(4, drawn.groups, with_outsiders ? drawn.outsiders : std::vector<Row>{});
      const ClusterAttack attack = cluster_attack(clusters.scene(), Progress());
      EXPECT_EQ(attack.outsiders_known, with_outsiders);
      // The paper: a constant share of all clusters.
      EXPECT_GT(drawn.lone, 300U / 4);
      EXPECT_GE(attack.right, drawn.lone * 80 / 100) << "k " << k;
      RecordProperty(fmt::format("k{}{}", k, with_outsiders ? "_outsiders" : ""),
                     fmt::format("{} right of {} claimed, {} lone, blindly {:.1f}", attack.right, attack.claimed,
                                 drawn.lone, attack.right_blindly));
      EXPECT_LT(attack.right_blindly, double(attack.right) / 2);
    }
  }
}

TEST(ClusterDowncoding, ByHand) {
  // The far row of the first group is (90, 10): told. In the second the ends are of different rows: the claim (90, 10)
  // is wrong. The third has its middle halfway, the fourth one recoded column only: nothing is claimed.
  const Clusters clusters(2,
                          {{{50, 50}, {51, 50}, {50, 51}, {90, 10}},
                           {{50, 50}, {51, 50}, {50, 10}, {90, 50}},
                           {{150, 150}, {170, 170}, {190, 190}},
                           {{50, 50}, {50, 50}, {50, 90}}},
                          {});
  const ClusterAttack attack = cluster_attack(clusters.scene(), Progress());
  EXPECT_EQ(attack.claimed, 2U);
  EXPECT_EQ(attack.right, 2U);  // (90, 10) stands in the box of the second group, too
  EXPECT_FALSE(attack.outsiders_known);
  const Clusters alone(2, {{{50, 50}, {51, 50}, {50, 10}, {90, 50}}, {{0, 0}, {60, 60}}}, {});
  EXPECT_EQ(cluster_attack(alone.scene(), Progress()).right, 1U);  // of the two rows each is far from the other
}

// Rows at random, in groups at random; claims made again by sorting and listing.
TEST(ClusterDowncoding, AgreesWithListing) {
  std::mt19937_64 random(42);
  size_t claims = 0;
  for (int round = 0; round < 200; ++round) {
    const size_t width = 2 + random() % 2;
    std::vector<std::vector<Row>> groups(2 + random() % 6);
    std::vector<Row> outsiders;
    const auto row = [&] {
      Row cells;
      for (size_t j = 0; j < width; ++j) cells.push_back(static_cast<uint32_t>(random() % 8));
      return cells;
    };
    for (auto& group : groups) {
      for (uint64_t left = 1 + random() % 5; left > 0; --left) group.push_back(row());
    }
    for (uint64_t left = round % 2 == 0 ? 0 : 20; left > 0; --left) outsiders.push_back(row());
    const Clusters clusters(width, groups, outsiders);
    const AttackScene scene = clusters.scene();
    if (scene.release.by_value(width)) continue;
    uint64_t claimed = 0, right = 0;
    double blindly = 0;
    for (uint32_t group = 0; group < groups.size(); ++group) {
      const LeafInterval* box = &scene.release.boxes[group * width];
      std::vector<Row> inside, known;
      for (size_t i = 0; i < clusters.table.rows; ++i) {
        Row cells;
        bool in = true;
        for (size_t j = 0; j < width; ++j) {
          cells.push_back(clusters.table.quasi[j].codes[i]);
          in = in && box[j].first <= cells[j] && cells[j] <= box[j].last;
        }
        if (!in) continue;
        if (i < clusters.members) inside.push_back(cells);
        if (i >= clusters.members || outsiders.empty()) known.push_back(cells);
      }
      Row claim;
      size_t wide = 0;
      bool sure = !known.empty();
      for (size_t j = 0; j < width && sure; ++j) {
        std::vector<int> cells;
        for (const Row& one : known) cells.push_back(static_cast<int>(one[j]));
        std::sort(cells.begin(), cells.end());
        const int low = static_cast<int>(box[j].first), high = static_cast<int>(box[j].last);
        const int middle = cells[cells.size() / 2];
        wide += low < high;
        sure = low == high || high - middle >= 2 * (middle - low) || middle - low >= 2 * (high - middle);
        claim.push_back(static_cast<uint32_t>(high - middle >= 2 * (middle - low) ? high : low));
      }
      if (!sure || wide < 2) continue;
      ++claimed;
      right += std::find(inside.begin(), inside.end(), claim) != inside.end();
      std::set<Row> corners;
      for (const Row& one : inside) {
        bool corner = true;
        for (size_t j = 0; j < width; ++j) corner = corner && (one[j] == box[j].first || one[j] == box[j].last);
        if (corner) corners.insert(one);
      }
      blindly += double(corners.size()) / double(1 << wide);
    }
    const ClusterAttack attack = cluster_attack(scene, Progress());
    ASSERT_EQ(attack.claimed, claimed);
    ASSERT_EQ(attack.right, right);
    ASSERT_NEAR(attack.right_blindly, blindly, 1e-9);
    claims += claimed;
  }
  EXPECT_GT(claims, 100U);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
