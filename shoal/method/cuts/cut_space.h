// Cuts through the trees of all columns that a requirement names, as sets of bits: the states of the cut searches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/method/method.h"
#include "shoal/recode/recoding.h"

namespace shoal {

// A set of raises (see CutSpace), one bit each. Two cuts are the same recoding exactly when their bits are equal, so
// the words are also the key by which duplicate states are found.
struct Cut {
  std::vector<uint64_t> words;

  bool has(uint32_t raise) const { return (words[raise >> 6] >> (raise & 63)) & 1; }
  void add(uint32_t raise) { words[raise >> 6] |= uint64_t{1} << (raise & 63); }
  void remove(uint32_t raise) { words[raise >> 6] &= ~(uint64_t{1} << (raise & 63)); }
  bool operator==(const Cut&) const = default;
};
struct CutHash {
  size_t operator()(const Cut& cut) const;
};

// All cuts of a problem. A raise is an inner node: "everything below this node is released as it, or as something above
// it". A cut holds, with a raise, every raise below it. Raises are numbered column by column in preorder, so that those
// below raise r are the range r .. end(r)-1. Columns outside every requirement have no raises: they stay as they are.
// A column without hierarchy has one raise, its root. Immutable; safe to share between threads.
class CutSpace {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Raise {
    uint32_t column;
    Hierarchy::Node node;
    uint32_t parent;  // the raise one step higher; kNone at the root
    uint32_t end;
  };

  // `hierarchies` must outlive this.
  CutSpace(const std::vector<Hierarchy>& hierarchies, const std::vector<Requirement>& requirements);

  size_t size() const { return raises_.size(); }  // number of raises
  const Raise& raise(uint32_t raise) const { return raises_[raise]; }
  const std::vector<Hierarchy>& hierarchies() const { return *hierarchies_; }
  // Columns that some requirement names, ascending.
  const std::vector<size_t>& columns() const { return columns_; }
  // The raises of a column are first_raise(column) .. first_raise(column + 1) - 1; its root is the first.
  uint32_t first_raise(size_t column) const { return first_raise_[column]; }
  // The raise of an inner node; kNone for a leaf, and in columns that have no raises.
  uint32_t raise_of(size_t column, Hierarchy::Node node) const { return raise_of_[column][node]; }
  // The raise that takes this node one step up; kNone at the root, and in columns that have no raises.
  uint32_t raise_above(size_t column, Hierarchy::Node node) const {
    return node == Hierarchy::kRoot ? kNone : raise_of_[column][(*hierarchies_)[column].node(node).parent];
  }

  Cut lowest() const;   // nothing raised
  Cut highest() const;  // everything at the root
  // Adds a raise with all below it.
  void raise_to(Cut& cut, uint32_t raise) const;
  // Removes a raise with all above it.
  void keep_below(Cut& cut, uint32_t raise) const;

  // map[node] = what the cut releases the node as, for every node of the column.
  void release_map(const Cut& cut, size_t column, std::vector<Hierarchy::Node>& map) const;
  Recoding recoding(const Cut& cut) const;

 private:
  const std::vector<Hierarchy>* hierarchies_;
  std::vector<Raise> raises_;
  std::vector<size_t> columns_;
  std::vector<uint32_t> first_raise_;            // [column], and one more
  std::vector<std::vector<uint32_t>> raise_of_;  // [column][node]
};

}  // namespace shoal
