// The groups of one requirement under a cut that is raised: which tuples of values there are, and how many rows each.
//
// Raising the values under a node only merges groups that have one of them, so that the others are never looked at
// again; and a raise that leaves one smallest group as it is cannot change A(QID), which a few of them (witnesses)
// show at once for nearly every node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/method/method.h"
#include "shoal/table/table.h"

namespace shoal {

class MergedGroups {
 public:
  // Starts with the raw values. Requires: hierarchies (one per quasi column) outlive this. Cost: linear in rows.
  // Memory: 4 bytes x columns + 12 per distinct tuple.
  MergedGroups(const Table& table, const std::vector<Hierarchy>& hierarchies, const Requirement& requirement);

  bool has_column(size_t column) const;
  uint64_t anonymity() const { return anonymity_; }  // A(QID): rows of the smallest group
  bool satisfied() const { return anonymity_ >= k_; }
  size_t groups() const { return rows_.size(); }

  // A(QID) if every value under `node` were raised to it. Requires: a column of the requirement; every value in use is
  // a node at or below a child of `node`, or not under it at all. Cost: a few reads nearly always, else the groups.
  uint64_t anonymity_after(size_t column, uint32_t node) const;
  // Raises them. Cost: groups.
  void raise(size_t column, uint32_t node);

 private:
  struct Merge {
    std::vector<uint32_t> groups;    // the first group of each merged one
    std::vector<uint64_t> rows;      // of each merged one
    uint64_t smallest = UINT64_MAX;  // over these and the groups not touched
  };

  size_t position(size_t column) const;
  bool under(size_t position, uint32_t node, uint32_t group) const;
  bool alike_elsewhere(size_t position, uint32_t a, uint32_t b) const;
  uint64_t hash_elsewhere(size_t position, uint32_t group) const;
  bool stays_alone(size_t position, uint32_t node, uint32_t group) const;
  Merge merge(size_t position, uint32_t node) const;
  void find_smallest();

  uint64_t k_;
  std::vector<size_t> columns_;
  std::vector<const Hierarchy*> trees_;        // per column of the requirement
  std::vector<std::vector<uint32_t>> values_;  // [position][group]: hierarchy node
  std::vector<uint64_t> rows_;                 // [group]
  uint64_t anonymity_ = 0;
  std::vector<uint32_t> witnesses_;  // some of the smallest groups
};

}  // namespace shoal
