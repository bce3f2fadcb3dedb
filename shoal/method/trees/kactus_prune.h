// Second phase of kACTUS: from the rows in the leaves of a decision tree to groups of at least k rows.
//
// Bottom-up over the inner nodes (Kisilevich, Rokach, Elovici, Shapira 2010, Fig. 5). A child of k rows or more
// complies. The rows of the other children of a node stay with the node; when they are fewer than k and the complying
// children have enough rows above k, randomly chosen ones of those join them to make k. What is left of the complying
// children is released there. The node is then a leaf with the rows that stayed.
//
// The tree may be anybody's: only its shape and where each row came to rest count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/run/progress.h"

namespace shoal::kactus {

// Rows released with what the path to `node` tells about them.
struct Group {
  uint32_t node = 0;
  std::vector<uint32_t> rows;  // in no particular order
};

// What happened at one inner node.
struct Step {
  uint32_t node = 0;
  uint64_t complying = 0;  // children with at least k rows
  uint64_t stayed = 0;     // rows of the other children
  uint64_t moved = 0;      // rows of complying children that joined them
  uint64_t released = 0;   // rows released from complying children
};

struct Pruned {
  std::vector<Group> groups;   // each of at least k rows; in the order of the steps, then of the children
  std::vector<uint32_t> left;  // the root's own rows in the end: any number, in any order
  std::vector<Step> steps;     // inner nodes, children before parents
};

// parents[node] < node for all nodes but the root 0; `node_of_row` names leaves only. Same seed, same answer. Cost: the
// rows, times how often they stay with a parent. Requires k >= 1.
Pruned prune(std::span<const uint32_t> parents, std::span<const uint32_t> node_of_row, uint64_t k, uint64_t seed,
             Progress& progress);

// The root's rows when they are fewer than k and may not be dropped: rows of other groups join them, first randomly
// chosen ones that their groups can spare, then, where that is not enough, the last group, whole. Returns the rows that
// joined. Requires left < k and at least one group.
std::vector<uint32_t> fill_up(std::vector<Group>& groups, size_t left, uint64_t k, uint64_t seed);

}  // namespace shoal::kactus
