// C4.5 decision trees (Quinlan 1993, release 8's numeric correction of 1996), the tree open as data.
//
// Splits by gain ratio among the splits whose gain is at least the average: one branch per category, or numeric
// `value <= threshold`, whose gain pays log2(thresholds tried)/rows. Rows with a missing or vague cell go down several
// branches with fractions of their weight, in training and in prediction. Pruning by the upper confidence bound of
// the error, with subtree raising. docs/learners.md has all rules.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shoal/learn/dataset.h"
#include "shoal/learn/learner.h"

namespace shoal {

struct C45Options {
  double min_objects = 2;       // least weight in at least two branches of every split
  bool pruned = true;           // else: as grown, not even collapsed
  double confidence = 0.25;     // of the error estimate, in (0, 0.5]; smaller prunes more
  bool subtree_raising = true;  // a node may be replaced by its heaviest child
  int threads = 1;              // that grow it; the same tree for any number
};

// Plain data. Node 0 is the root; parents stand before their children; siblings stand together.
struct C45Tree {
  struct Node {
    static constexpr uint32_t kLeaf = UINT32_MAX;
    uint32_t attribute = kLeaf;  // split on; kLeaf: none
    double threshold = 0;        // numeric: the first child takes value <= threshold, the second the rest
    uint32_t first_child = 0;    // categorical: child i takes category i
    uint32_t children = 0;
    uint32_t parent = 0;  // the root's is itself
    bool empty = false;   // no training row came here: class_weights are the parent's
    bool leaf() const { return attribute == kLeaf; }
  };
  std::vector<Node> nodes;
  size_t classes = 0;
  std::vector<double> class_weights;  // [node * classes + class]: training weight that came here

  std::span<const double> weights(uint32_t node) const { return {class_weights.data() + node * classes, classes}; }
  double weight(uint32_t node) const;      // sum of weights(node); 0 for an empty one
  uint32_t majority(uint32_t node) const;  // the first heaviest class
  size_t leaves() const;
  size_t depth() const;  // edges on the longest path
};

// Grows (and prunes) a tree. Cost: about rows x columns per level; numeric columns of many values are sorted per node.
C45Tree grow_c45(const Dataset& data, const C45Options& options, Progress& progress);

// Where every row of `data` comes to rest when it must go one way: a missing or vague cell takes the branch that would
// get most of it (the first one on ties). Node numbers, leaves only. Empty leaves can be reached.
std::vector<uint32_t> leaf_of_rows(const C45Tree& tree, const Dataset& data);

// The tree as indented text, one line per branch: `age <= 41: yes (12.0/3.0)`, weight and weight of other classes.
std::string c45_text(const C45Tree& tree, const Dataset& data);

// A classifier over a tree (also one that was changed after growing). Keeps copies of the names it needs.
std::unique_ptr<Classifier> c45_classifier(C45Tree tree, const Dataset& data);

LearnerEntry c45_learner();

}  // namespace shoal
