// Changes to a hierarchy as a person makes them by hand, each giving a new tree. Leaves are values of the table: they
// can be moved and joined, never renamed. All throw Error(job) for what cannot be done, with the reason.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/shoal.h"

namespace shoal::web {

// The node (not the root, not a leaf) is called `label` from now on.
Tree renamed(const Tree& tree, uint32_t node, const std::string& label);
// Nodes with one parent get a new node `label` above them, in the place of the first of them.
Tree joined(const Tree& tree, const std::vector<uint32_t>& nodes, const std::string& label);
// Some of the children of an inner node leave it for a new node `label` beside it.
Tree split_off(const Tree& tree, const std::vector<uint32_t>& nodes, const std::string& label);
// The inner node goes; its children stand in its place.
Tree dissolved(const Tree& tree, uint32_t node);
// The nodes become the last children of `target`, an inner node that is not below any of them.
Tree moved(const Tree& tree, const std::vector<uint32_t>& nodes, uint32_t target);

}  // namespace shoal::web
