// Finds the group nearest to a group without looking at all of them.
//
// A tree over the groups' boxes: each node knows, per column, how far every box below it reaches for certain, how near
// at most, and the least size, so that the penalty of a union with any of its groups has a floor. Floors and penalties
// are sums of the same monotone terms in the same order: a floor never exceeds a penalty, not even by rounding, and the
// answer is that of a scan over all groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "shoal/method/local/row_boxes.h"
#include "shoal/run/progress.h"

namespace shoal {

// Which group is nearest to G: the one whose union with G has the least penalty, or the one whose union adds least to
// the penalty of the table (the same less the penalty the other group has already).
enum class Nearness { least_union, least_growth };

class GroupIndex {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // Groups 0 .. rows.size()-1; `boxes` holds one after the other, `rows` how many rows each has (> 0). The space must
  // outlive the index. Cost: groups x log(groups) x columns; about 8 bytes per group and column, and a third on top.
  // With a Progress: throws when the run is cancelled; when time is up the index stays unfinished and may not be used.
  GroupIndex(const NcpSpace& space, Nearness nearness, std::span<const LeafSpan> boxes, std::span<const uint32_t> rows,
             const Progress* progress = nullptr);

  // Group g of the partition is group g here.
  GroupIndex(const RowCodes& codes, Nearness nearness, const RowGroups& groups, const Progress* progress = nullptr);

  bool finished() const { return progress_ == nullptr; }

  uint32_t rows(uint32_t group) const { return rows_[slot_[group]]; }  // 0 once removed
  const LeafSpan* box(uint32_t group) const { return boxes_.data() + size_t{slot_[group]} * width_; }
  double price(uint32_t group) const { return price_[slot_[group]]; }
  double penalty(uint32_t group) const { return double(rows(group)) * price(group); }

  // Another group and how far it is.
  struct Neighbour {
    double distance = std::numeric_limits<double>::infinity();
    uint32_t rows = kNone;   // of the other group
    uint32_t group = kNone;  // kNone: there is no other
    // Of equal distances the group with fewer rows, then the one with the lower number.
    bool operator<(const Neighbour& other) const {
      if (distance != other.distance) return distance < other.distance;
      return rows != other.rows ? rows < other.rows : group < other.group;
    }
  };
  // The nearest group. Safe to call from several threads while nothing changes.
  Neighbour nearest(uint32_t group) const;
  // The nearest of those that are accepted. Groups are asked about only where they would be the nearest so far.
  using Accept = std::function<bool(uint32_t other)>;
  Neighbour nearest_where(uint32_t group, const Accept& accept) const;
  // The same by looking at every group.
  Neighbour nearest_by_scan(uint32_t group) const;
  // `best`, or `other` if that is nearer to `group`. Requires two different groups that are still there.
  Neighbour nearer(uint32_t group, uint32_t other, Neighbour best) const;

  // Calls `visit(other)` for groups of more than `more_than` rows, from near to far, as long as some of their rows
  // could make a union of `union_rows` rows with `group` of a penalty not above `visit`'s last answer, a pair of
  // penalty and group number (of two equal penalties, the lower number wins).
  template <typename Visit>
  void visit_donors(uint32_t group, uint64_t more_than, uint64_t union_rows, Visit&& visit) const;

  // `into` takes in `group`, which is gone then.
  void merge(uint32_t into, uint32_t group);
  // The group has another box and other rows now. Requires rows > 0.
  void replace(uint32_t group, std::span<const LeafSpan> box, uint32_t rows);

 private:
  static constexpr size_t kBucket = 8;
  // How far the boxes below a node reach on a column.
  struct Reach {
    uint32_t max_lo, min_hi;  // the union with any of them takes in at least these
    uint32_t min_lo, max_hi;  // their rows lie between these
  };
  struct Node {
    uint32_t begin, end;  // slots
    uint32_t right;       // the left child is the next node; 0: a bucket
    uint32_t parent;
    uint32_t min_rows, max_rows;  // kNone, 0: no group is left here
    uint32_t min_group;
    double min_price, max_price;
  };
  uint32_t build(std::span<uint32_t> order, uint32_t begin, uint32_t parent);
  bool stop_building() const;
  size_t part(std::span<uint32_t> order) const;
  void refresh(uint32_t node);
  void refresh_above(uint32_t slot);
  double distance(double price, uint32_t rows, uint32_t other_rows, double other_price) const;
  template <typename Accepted>
  Neighbour find_nearest(uint32_t group, const Accepted& accept) const;
  template <typename Accepted>
  void consider(uint32_t slot, const LeafSpan* box, uint32_t rows, Neighbour& best, const Accepted& accept) const;
  double floor(uint32_t node, const LeafSpan* box, uint32_t rows, double limit) const;
  double donor_floor(uint32_t node, const LeafSpan* box) const;
  double row_floor(uint32_t slot, const LeafSpan* box) const;

  const NcpSpace& space_;
  const Nearness nearness_;
  const size_t width_;
  const Progress* progress_;            // null once the index is built
  std::vector<uint32_t> slot_, group_;  // of group, of slot
  std::vector<uint32_t> bucket_;        // node of slot
  std::vector<LeafSpan> boxes_;         // [slot * width + column]
  std::vector<uint32_t> rows_;          // [slot]
  std::vector<double> price_;           // [slot]
  std::vector<Node> nodes_;
  std::vector<Reach> reach_;  // [node * width + column]
};

template <typename Visit>
void GroupIndex::visit_donors(uint32_t group, uint64_t more_than, uint64_t union_rows, Visit&& visit) const {
  const LeafSpan* const mine = box(group);
  std::pair<double, uint32_t> best{std::numeric_limits<double>::infinity(), kNone};
  std::vector<std::pair<double, uint32_t>> open{{0, 0}};  // floor and node
  while (!open.empty()) {
    const auto [floor, at] = open.back();
    open.pop_back();
    const Node& node = nodes_[at];
    if (node.max_rows <= more_than || std::pair(floor, node.min_group) >= best) continue;
    if (node.right == 0) {
      for (uint32_t slot = node.begin; slot < node.end; ++slot) {
        if (rows_[slot] <= more_than || group_[slot] == group) continue;
        const std::pair least{double(union_rows) * row_floor(slot, mine), group_[slot]};
        if (least < best) best = visit(group_[slot]);
      }
      continue;
    }
    std::pair near{double(union_rows) * donor_floor(at + 1, mine), at + 1};
    std::pair far{double(union_rows) * donor_floor(node.right, mine), node.right};
    if (far.first < near.first) std::swap(near, far);
    open.push_back(far);
    open.push_back(near);
  }
}

}  // namespace shoal
