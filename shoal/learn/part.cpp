// Frank and Witten 1998, figure 2: expand a node's branches by rising entropy, and stop as soon as one of them stays a
// tree; only what was expanded is known, and the best leaf found becomes a rule. No global optimisation follows. Rows
// that a rule covers in part stay with the rest of their weight.
#include "shoal/learn/part.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "shoal/hierarchy/label_text.h"
#include "shoal/learn/c45_errors.h"
#include "shoal/learn/c45_split.h"
#include "shoal/learn/entropy.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

constexpr double kSame = 1e-6;

// One test on the way to a rule's leaf.
struct Condition {
  uint32_t attribute;
  double threshold;
  size_t branch;
  std::vector<double> branches;  // training weight of all branches, for missing cells
};

struct Rule {
  std::vector<Condition> conditions;
  std::vector<double> weights;  // per class, in the leaf
};

// The part of a row that satisfies one condition, given what earlier conditions said of its cells; says so itself.
double share_of(const Condition& condition, const Attribute& attribute, uint32_t code, PathLimits::Limit& limit) {
  if (code != Attribute::kMissing && !attribute.numeric && attribute.known_category(code)) {
    return code == condition.branch ? 1 : 0;
  }
  if (code != Attribute::kMissing && attribute.numeric && attribute.extents[code].exact()) {
    return (attribute.extents[code].low <= condition.threshold ? 0U : 1U) == condition.branch ? 1 : 0;
  }
  std::vector<double> shares(condition.branches.size());
  branch_shares(attribute, code, condition.threshold, limit, condition.branches, shares);
  if (attribute.numeric && condition.branch == 0) limit.high = std::min(limit.high, condition.threshold);
  if (attribute.numeric && condition.branch == 1) limit.low = std::max(limit.low, condition.threshold);
  return shares[condition.branch];
}

// The part of a row that satisfies all conditions. `path` is scratch space, without limits before and after.
double covered(const Rule& rule, const Dataset& data, size_t row, PathLimits& path) {
  double share = 1;
  for (size_t i = 0; i < rule.conditions.size() && share > 0; ++i) {
    const Condition& condition = rule.conditions[i];
    const Attribute& attribute = data.attributes[condition.attribute];
    share *= share_of(condition, attribute, attribute.codes[row], path.limits[condition.attribute]);
  }
  for (const Condition& condition : rule.conditions) path.limits[condition.attribute] = {};
  return share;
}

class RuleMaker {
 public:
  RuleMaker(const Dataset& data, double min_objects, double confidence, Progress& progress)
      : data_(data),
        min_objects_(min_objects),
        progress_(progress),
        search_(data, min_objects),
        extra_errors_(confidence),
        path_(data) {}

  std::vector<Rule> rules() {
    std::vector<Rule> rules;
    NodeRows rows = all_rows(data_);
    const double total = sum_of(rows.weights);
    while (rows.size() > 0) {
      Partial partial = expand(rows);
      std::reverse(partial.rule.conditions.begin(), partial.rule.conditions.end());
      rules.push_back(std::move(partial.rule));
      NodeRows rest;
      PathLimits path(data_);
      for (size_t i = 0; i < rows.size(); ++i) {
        const double left = rows.weights[i] * (1 - covered(rules.back(), data_, rows.rows[i], path));
        if (left > kSame) rest.add(rows.rows[i], left);
      }
      rows = std::move(rest);
      progress_.update(1 - sum_of(rows.weights) / total);
    }
    return rules;
  }

 private:
  // A partial tree: what of it still matters to the node above.
  struct Partial {
    bool leaf = true;
    std::vector<double> weights;  // per class
    Rule rule;                    // the way to its best leaf, the last condition first
    double coverage = 0;          // weight in that leaf
  };

  Partial leaf_of(std::vector<double> weights) const {
    Partial leaf;
    leaf.rule.weights = weights;
    leaf.coverage = sum_of(weights);
    leaf.weights = std::move(weights);
    return leaf;
  }

  Partial expand(const NodeRows& rows) {
    progress_.check();
    auto weights = class_weights(data_, rows);
    const auto split = search_.best(rows, path_);
    if (!split) return leaf_of(std::move(weights));
    std::vector<NodeRows> parts = split_rows(data_, *split, rows, path_);
    std::vector<std::vector<double>> part_weights;
    part_weights.reserve(parts.size());
    for (const NodeRows& part : parts) part_weights.push_back(class_weights(data_, part));
    std::vector<std::optional<Partial>> branches(parts.size());
    // Purest branch first, until one stays a tree. Branches too small to be chosen are leaves.
    bool all_leaves = true;
    for (size_t done = 0; done < branches.size(); ++done) {
      const auto next = purest(part_weights, branches);
      if (!next) {
        if (done == 0) return leaf_of(std::move(weights));
        for (size_t branch = 0; branch < branches.size(); ++branch) {
          if (!branches[branch]) branches[branch] = leaf_of(part_weights[branch]);
        }
        break;
      }
      const BranchLimits limits(path_, data_, split->attribute, split->threshold, *next);
      branches[*next] = expand(parts[*next]);
      all_leaves = branches[*next]->leaf;
      if (!all_leaves) break;
    }
    if (all_leaves && replace_by_leaf(weights, part_weights)) return leaf_of(std::move(weights));
    return best_branch(*split, std::move(weights), part_weights, branches);
  }

  // The unexpanded branch with the least class entropy; the first one on ties.
  std::optional<size_t> purest(const std::vector<std::vector<double>>& part_weights,
                               const std::vector<std::optional<Partial>>& branches) const {
    std::optional<size_t> best;
    double least = std::numeric_limits<double>::infinity();
    for (size_t branch = 0; branch < branches.size(); ++branch) {
      const double weight = sum_of(part_weights[branch]);
      if (branches[branch] || weight < min_objects_ - kSame) continue;
      const double entropy = weight > 0 ? weighted_entropy(part_weights[branch]) / weight : 0;
      if (entropy < least - kSame) {
        least = entropy;
        best = branch;
      }
    }
    return best;
  }

  bool replace_by_leaf(const std::vector<double>& weights, const std::vector<std::vector<double>>& parts) const {
    double as_tree = 0;
    for (const auto& part : parts) as_tree += extra_errors_.of_leaf(part);
    return extra_errors_.of_leaf(weights) <= as_tree + 0.1 + kSame;
  }

  Partial best_branch(const C45Split& split, std::vector<double> weights,
                      const std::vector<std::vector<double>>& part_weights,
                      std::vector<std::optional<Partial>>& branches) const {
    size_t best = 0;
    double most = -1;
    for (size_t branch = 0; branch < branches.size(); ++branch) {
      if (!branches[branch] || sum_of(part_weights[branch]) < min_objects_ - kSame) continue;
      if (branches[branch]->coverage > most + kSame) {
        most = branches[branch]->coverage;
        best = branch;
      }
    }
    Partial partial = std::move(*branches[best]);
    partial.leaf = false;
    partial.weights = std::move(weights);
    partial.rule.conditions.push_back({split.attribute, split.threshold, best, split.branches});
    return partial;
  }

  const Dataset& data_;
  double min_objects_;
  Progress& progress_;
  SplitSearch search_;
  ExtraErrors extra_errors_;
  PathLimits path_;
};

class RuleList : public Classifier {
 public:
  RuleList(std::vector<Rule> rules, const Dataset& data) : rules_(std::move(rules)) {
    for (const Rule& rule : rules_) {
      text_ += words(rule, data);
    }
    text_ += fmt::format("\n{} rules\n", rules_.size());
  }

  // Every rule answers for the part of the row that it covers and that no rule before it did.
  void distribution(const Dataset& data, size_t row, std::span<double> chances) const override {
    std::fill(chances.begin(), chances.end(), 0.0);
    PathLimits path(data);
    double left = 1;
    for (size_t i = 0; i < rules_.size() && left > kSame; ++i) {
      const double share = covered(rules_[i], data, row, path);
      if (share <= kSame) continue;
      const double sum = sum_of(rules_[i].weights);
      for (size_t c = 0; c < chances.size() && sum > 0; ++c) chances[c] += left * share * rules_[i].weights[c] / sum;
      left *= 1 - share;
    }
    const double sum = sum_of(chances);
    for (double& chance : chances) chance = sum > 0 ? chance / sum : 1.0 / static_cast<double>(chances.size());
  }

  std::string text() const override { return text_; }

 private:
  static std::string words(const Rule& rule, const Dataset& data) {
    std::vector<std::string> conditions;
    for (const Condition& condition : rule.conditions) {
      const Attribute& attribute = data.attributes[condition.attribute];
      conditions.push_back(attribute.numeric
                               ? fmt::format("{} {} {}", attribute.name, condition.branch == 0 ? "<=" : ">",
                                             number_label(condition.threshold))
                               : fmt::format("{} = {}", attribute.name, attribute.categories[condition.branch]));
    }
    const auto top = std::max_element(rule.weights.begin(), rule.weights.end());
    const double sum = sum_of(rule.weights);
    std::string text = conditions.empty() ? "otherwise" : fmt::format("{}", fmt::join(conditions, " and "));
    text += fmt::format(": {} ({:.1f}", data.classes[static_cast<size_t>(top - rule.weights.begin())], sum);
    return text + (sum - *top > 0.05 ? fmt::format("/{:.1f})\n", sum - *top) : ")\n");
  }

  std::vector<Rule> rules_;
  std::string text_;
};

std::unique_ptr<Classifier> train_part(const Dataset& data, const Params& params, Progress& progress) {
  RuleMaker maker(data, number_setting(params, "min-objects"), number_setting(params, "confidence"), progress);
  return std::make_unique<RuleList>(maker.rules(), data);
}

}  // namespace

LearnerEntry part_learner() {
  return {"part",
          "PART: a list of rules from partial C4.5 trees",
          "Frank and Witten 1998",
          {{"min-objects", "least weight of rows in two branches of every split", "2", {}, 0, 1e9},
           {"confidence", "of the error estimate that pruning uses; smaller prunes more", "0.25", {}, 1e-6, 0.5}},
          &train_part};
}

}  // namespace shoal
