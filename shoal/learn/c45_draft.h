// A C4.5 tree while it is grown and pruned: nodes come and go, and rows travel through it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shoal/learn/c45.h"
#include "shoal/learn/c45_errors.h"
#include "shoal/learn/c45_split.h"
#include "shoal/run/progress.h"

namespace shoal {

class C45Draft {
 public:
  // Requires: data outlives this.
  C45Draft(const Dataset& data, const C45Options& options, Progress& progress);

  void grow();
  // Makes a leaf of every node whose subtree makes no fewer errors on the training rows, from the root down.
  void collapse();
  // From the leaves up: a leaf, or the heaviest child, takes a node's place when its estimated errors are not worse.
  void prune();
  C45Tree tree() const;

 private:
  struct Node {
    uint32_t attribute = C45Tree::Node::kLeaf;
    double threshold = 0;
    std::vector<uint32_t> children;
    std::vector<double> weights;  // per class
    bool leaf() const { return children.empty(); }
  };

  // A subtree whose turn comes when all large nodes are split.
  struct Later {
    uint32_t node = 0;
    NodeRows rows;
    PathLimits path;
  };

  uint32_t grow(NodeRows rows);
  std::optional<C45Split> best_split(const NodeRows& rows);
  // Grows what was put off, a subtree a task.
  void grow_later();
  void collapse(uint32_t node);
  double prune(uint32_t node, const NodeRows& rows);
  // The split of a node as these rows would go through it.
  C45Split split_of(const Node& node, const NodeRows& rows) const;
  double training_errors(uint32_t node) const;
  // Estimated errors of the subtree if exactly these rows came to it; gives up once they exceed `enough`.
  double branch_estimate(uint32_t node, const NodeRows& rows, double enough);
  void redistribute(uint32_t node, const NodeRows& rows);
  void make_leaf(Node& node) const;

  const Dataset& data_;
  C45Options options_;
  Progress& progress_;
  SplitSearch search_;
  ExtraErrors extra_errors_;
  PathLimits path_;
  std::vector<Node> nodes_;  // root 0; nodes cut off stay here unused
  double grown_ = 0;         // weight in finished leaves, for progress
  bool part_ = false;        // grows a subtree of somebody else's, who tells the progress
  // On several threads: nodes of more rows are split with their columns shared out, smaller ones put off.
  size_t large_ = 0;
  std::vector<SplitSearch> workers_;
  std::vector<Later> later_;
};

}  // namespace shoal
