// The finished tree: how it answers. A row with a cell that is missing or vague goes down several branches, each with
// the part of it that belongs there, and the leaves' class frequencies are added up by these parts (Quinlan 1993,
// chapter 3). Most rows have exact cells only and take one path, which is tried first.
#include "shoal/learn/c45.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "shoal/hierarchy/label_text.h"
#include "shoal/learn/c45_draft.h"
#include "shoal/learn/entropy.h"
#include "shoal/table/number.h"

namespace shoal {

double C45Tree::weight(uint32_t node) const {
  if (nodes[node].empty) return 0;
  return sum_of(weights(node));
}

uint32_t C45Tree::majority(uint32_t node) const {
  const auto all = weights(node);
  return static_cast<uint32_t>(std::max_element(all.begin(), all.end()) - all.begin());
}

size_t C45Tree::leaves() const {
  return static_cast<size_t>(std::count_if(nodes.begin(), nodes.end(), [](const Node& node) { return node.leaf(); }));
}

size_t C45Tree::depth() const {
  std::vector<size_t> depths(nodes.size(), 0);
  size_t most = 0;
  for (size_t i = 1; i < nodes.size(); ++i) most = std::max(most, depths[i] = depths[nodes[i].parent] + 1);
  return most;
}

namespace {

C45Tree grow_rows(const Dataset& data, const C45Options& options, Progress& progress) {
  C45Draft draft(data, options, progress);
  draft.grow();
  if (options.pruned) {
    draft.collapse();
    draft.prune();
  }
  return draft.tree();
}

}  // namespace

C45Tree grow_c45(const Dataset& data, const C45Options& options, Progress& progress) {
  progress.check();
  if (const auto merged = data.merged_by_half()) return grow_rows(*merged, options, progress);
  return grow_rows(data, options, progress);
}

namespace {

// Weights of a node's children.
void child_weights(const C45Tree& tree, const C45Tree::Node& node, std::vector<double>& weights) {
  weights.clear();
  for (uint32_t i = 0; i < node.children; ++i) weights.push_back(tree.weight(node.first_child + i));
}

// The branch an exact cell takes; nothing for the others.
std::optional<uint32_t> exact_branch(const C45Tree::Node& node, const Attribute& attribute, uint32_t code) {
  if (code == Attribute::kMissing) return std::nullopt;
  if (attribute.numeric) {
    const Extent& extent = attribute.extents[code];
    if (extent.high <= node.threshold) return 0;
    if (extent.low > node.threshold) return 1;
    return std::nullopt;
  }
  if (attribute.known_category(code)) return code;
  return std::nullopt;
}

// The labels of a node's branches: `age <= 41`, `sex = Male`.
std::string branch_label(const C45Tree::Node& node, uint32_t branch, const Dataset& data) {
  const Attribute& attribute = data.attributes[node.attribute];
  if (!attribute.numeric) return fmt::format("{} = {}", attribute.name, attribute.categories[branch]);
  return fmt::format("{} {} {}", attribute.name, branch == 0 ? "<=" : ">", number_label(node.threshold));
}

class TreeClassifier : public Classifier {
 public:
  TreeClassifier(C45Tree tree, std::string text, size_t attributes)
      : tree_(std::move(tree)), text_(std::move(text)), attributes_(attributes) {
    for (uint32_t node = 0; node < tree_.nodes.size(); ++node) weights_.push_back(tree_.weight(node));
  }

  void distribution(const Dataset& data, size_t row, std::span<double> chances) const override {
    std::fill(chances.begin(), chances.end(), 0.0);
    uint32_t at = 0;
    while (!tree_.nodes[at].leaf()) {
      const C45Tree::Node& node = tree_.nodes[at];
      const Attribute& attribute = data.attributes[node.attribute];
      const auto branch = exact_branch(node, attribute, attribute.codes[row]);
      if (!branch) break;
      at = node.first_child + *branch;
    }
    if (tree_.nodes[at].leaf()) {
      add_leaf(at, 1, chances);
    } else {
      // From the root again: limits on vague cells come from the whole path.
      Walk walk{data, row, std::vector<PathLimits::Limit>(attributes_), chances};
      descend(0, 1, walk);
    }
    const double sum = sum_of(chances);
    for (double& chance : chances) chance = sum > 0 ? chance / sum : 1.0 / static_cast<double>(chances.size());
  }

  std::string text() const override { return text_; }

 private:
  struct Walk {
    const Dataset& data;
    size_t row;
    std::vector<PathLimits::Limit> limits;
    std::span<double> chances;
  };

  void add_leaf(uint32_t node, double share, std::span<double> chances) const {
    const auto weights = tree_.weights(node);
    const double sum = sum_of(weights);
    for (size_t c = 0; c < weights.size() && sum > 0; ++c) chances[c] += share * weights[c] / sum;
  }

  void descend(uint32_t index, double share, Walk& walk) const {
    const C45Tree::Node& node = tree_.nodes[index];
    if (node.leaf()) {
      add_leaf(index, share, walk.chances);
      return;
    }
    const Attribute& attribute = walk.data.attributes[node.attribute];
    const uint32_t code = attribute.codes[walk.row];
    if (const auto branch = exact_branch(node, attribute, code)) {
      descend(node.first_child + *branch, share, walk);
      return;
    }
    PathLimits::Limit& limit = walk.limits[node.attribute];
    const std::span<const double> branches(weights_.data() + node.first_child, node.children);
    std::vector<double> shares(node.children);
    branch_shares(attribute, code, node.threshold, limit, branches, shares);
    const PathLimits::Limit saved = limit;
    for (uint32_t branch = 0; branch < node.children; ++branch) {
      if (shares[branch] <= 0) continue;
      if (attribute.numeric && branch == 0) limit.high = std::min(limit.high, node.threshold);
      if (attribute.numeric && branch == 1) limit.low = std::max(limit.low, node.threshold);
      descend(node.first_child + branch, share * shares[branch], walk);
      limit = saved;
    }
  }

  C45Tree tree_;
  std::string text_;
  size_t attributes_;
  std::vector<double> weights_;  // [node]
};

std::unique_ptr<Classifier> train_c45(const Dataset& data, const Params& params, Progress& progress) {
  C45Options options;
  options.min_objects = number_setting(params, "min-objects");
  options.confidence = number_setting(params, "confidence");
  options.pruned = setting(params, "pruning") != "none";
  options.subtree_raising = setting(params, "pruning") == "raising";
  return c45_classifier(grow_c45(data, options, progress), data);
}

}  // namespace

std::vector<uint32_t> leaf_of_rows(const C45Tree& tree, const Dataset& data) {
  std::vector<uint32_t> leaves(data.rows);
  std::vector<double> branches, shares;
  for (size_t row = 0; row < data.rows; ++row) {
    uint32_t at = 0;
    while (!tree.nodes[at].leaf()) {
      const C45Tree::Node& node = tree.nodes[at];
      const Attribute& attribute = data.attributes[node.attribute];
      auto branch = exact_branch(node, attribute, attribute.codes[row]);
      if (!branch) {
        child_weights(tree, node, branches);
        shares.resize(branches.size());
        branch_shares(attribute, attribute.codes[row], node.threshold, {}, branches, shares);
        branch = static_cast<uint32_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
      }
      at = node.first_child + *branch;
    }
    leaves[row] = at;
  }
  return leaves;
}

std::string c45_text(const C45Tree& tree, const Dataset& data) {
  std::string text;
  auto leaf = [&](uint32_t node) {
    const double weight = tree.weight(node);
    const double errors = tree.nodes[node].empty ? 0 : weight - tree.weights(node)[tree.majority(node)];
    text += fmt::format(": {} ({:.1f}", data.classes[tree.majority(node)], weight);
    text += errors > 0.05 ? fmt::format("/{:.1f})", errors) : ")";
  };
  const std::function<void(uint32_t, size_t)> show = [&](uint32_t index, size_t depth) {
    const C45Tree::Node& node = tree.nodes[index];
    for (uint32_t branch = 0; branch < node.children; ++branch) {
      for (size_t i = 0; i < depth; ++i) text += "|   ";
      text += branch_label(node, branch, data);
      if (tree.nodes[node.first_child + branch].leaf()) {
        leaf(node.first_child + branch);
        text += "\n";
      } else {
        text += "\n";
        show(node.first_child + branch, depth + 1);
      }
    }
  };
  if (tree.nodes[0].leaf()) {
    leaf(0);
    text += "\n";
  }
  show(0, 0);
  return text;
}

std::unique_ptr<Classifier> c45_classifier(C45Tree tree, const Dataset& data) {
  std::string text = c45_text(tree, data);
  return std::make_unique<TreeClassifier>(std::move(tree), std::move(text), data.attributes.size());
}

LearnerEntry c45_learner() {
  return {"c45",
          "C4.5 decision tree",
          "Quinlan 1993, 1996",
          {{"min-objects", "least weight of rows in two branches of every split", "2", {}, 0, 1e9},
           {"confidence", "of the error estimate that pruning uses; smaller prunes more", "0.25", {}, 1e-6, 0.5},
           {"pruning",
            "raising: leaves and raised subtrees; replacing: leaves only",
            "raising",
            {"raising", "replacing", "none"}}},
          &train_c45};
}

}  // namespace shoal
