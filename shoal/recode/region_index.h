// Boxes arranged so that a row finds its own without being compared with all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/recode/new_rows.h"

namespace shoal {

// A tree over the boxes: every node knows the box around those below it and the least of their losses. Gives exactly
// what RegionBoxes::region_of gives. Cost: building regions x columns x log(regions); a row that some box covers about
// as many boxes as overlap there, one that none covers more, at worst all.
class RegionIndex {
 public:
  explicit RegionIndex(const RegionBoxes& boxes);  // which must outlive it; at least one region
  uint32_t region_of(std::span<const uint32_t> row) const;

 private:
  struct Node {
    uint32_t begin = 0, end = 0;   // regions below it, in order_
    uint32_t left = 0, right = 0;  // children; 0: none, for the root is nobody's child
    double least_loss = 0;
  };
  struct Best;
  uint32_t build(uint32_t begin, uint32_t end);
  size_t widest_column(uint32_t begin, uint32_t end) const;
  void look(uint32_t node, double gap, std::span<const uint32_t> row, Best& best) const;
  double gap_of_node(uint32_t node, std::span<const uint32_t> row) const;

  const RegionBoxes& boxes_;
  size_t width_;
  std::vector<uint32_t> order_;
  std::vector<Node> nodes_;
  std::vector<LeafInterval> around_;  // [node * columns + i]
};

}  // namespace shoal
