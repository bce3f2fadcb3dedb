// Binds a tree to the values that a column really has.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "shoal/error.h"
#include "shoal/hierarchy/label_text.h"
#include "shoal/hierarchy/tree.h"
#include "shoal/nearest_word.h"
#include "shoal/table/decimal.h"

namespace shoal {
namespace {

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

// One leaf of the bound tree while it is made: a value, or all spellings of one number.
struct BoundLeaf {
  uint32_t tree_node = kNone;  // kNone: not in the tree
  size_t value = 0;            // first of its spellings
  size_t spellings = 0;
  uint32_t place = 0;  // numeric columns only: in the exact order of all numbers; missing has the last one
};

// Nodes are counted through: first those of the tree, then one for each leaf that hangs directly under the root without
// being in the tree, at last the one for missing cells.
class Binder {
 public:
  Binder(const Tree& tree, const ColumnValues& values, const ValuePlace& place)
      : tree_(tree), values_(values), place_(place), numeric_(!values.numbers.empty()) {}

  BoundHierarchy bind(UnknownValues unknown) {
    match_values();
    if (unknown == UnknownValues::refuse && tree_.nodes.size() > 1) refuse_unknown();
    connect();
    if (numeric_) sort_children_by_number();
    number_leaves();
    refuse_ambiguous_labels();
    return finish();
  }

 private:
  // Which leaf of the tree each value is: by text, in a numeric column else by number.
  void match_values() {
    std::unordered_map<std::string_view, uint32_t> by_text;
    by_text.reserve(tree_.nodes.size());
    for (uint32_t node = 0; node < tree_.nodes.size(); ++node) {
      if (tree_.nodes[node].leaf) by_text.try_emplace(tree_.nodes[node].label, node);
    }
    const std::vector<uint32_t> node_at_place = numeric_ ? order_numbers() : std::vector<uint32_t>{};
    std::vector<uint32_t> leaf_at_place(node_at_place.size(), kNone);
    leaf_of_value_.resize(values_.values.size());
    for (size_t value = 0; value < values_.values.size(); ++value) {
      const auto text = by_text.find(values_.values[value]);
      uint32_t node = text == by_text.end() ? kNone : text->second;
      if (!numeric_) {
        leaf_of_value_[value] = static_cast<uint32_t>(leaves_.size());
        leaves_.push_back({node, value, 1, 0});
        continue;
      }
      const uint32_t place = places_[value];
      if (node == kNone) node = node_at_place[place];
      uint32_t& leaf = leaf_at_place[place];
      if (leaf == kNone) {
        leaf = static_cast<uint32_t>(leaves_.size());
        leaves_.push_back({node, value, 1, place});
      } else {
        add_spelling(leaves_[leaf], node);
      }
      leaf_of_value_[value] = leaf;
    }
  }

  // Puts the numbers of the values and of the tree's leaves into one exact order: numbers that differ anywhere, be it
  // beyond what a double holds, get different places. Returns the first leaf of the tree at each place, or kNone.
  std::vector<uint32_t> order_numbers() {
    std::vector<std::string_view> texts(values_.values.begin(), values_.values.end());
    std::vector<double> numbers = values_.numbers;
    std::vector<uint32_t> nodes;
    for (uint32_t node = 0; node < tree_.nodes.size(); ++node) {
      const std::string_view label = without_blanks(tree_.nodes[node].label);
      const auto number = tree_.nodes[node].leaf ? label_number(label) : std::nullopt;
      if (!number) continue;
      texts.push_back(label);
      numbers.push_back(*number);
      nodes.push_back(node);
    }
    places_ = exact_places(texts, numbers);
    uint32_t places = 0;
    for (uint32_t place : places_) places = std::max(places, place + 1);
    last_place_ = places;
    std::vector<uint32_t> node_at_place(places, kNone);
    for (size_t i = nodes.size(); i-- > 0;) node_at_place[places_[values_.values.size() + i]] = nodes[i];
    return node_at_place;
  }

  // The tree may spell one number twice; as both are one leaf here, they must hang together.
  void add_spelling(BoundLeaf& leaf, uint32_t node) {
    ++leaf.spellings;
    if (node == leaf.tree_node || node == kNone) return;
    if (leaf.tree_node == kNone) {
      leaf.tree_node = node;
      return;
    }
    const Tree::Node &one = tree_.nodes[leaf.tree_node], &other = tree_.nodes[node];
    if (one.parent != other.parent) {
      throw Error(
          ErrorKind::input,
          fmt::format("{} and {} are the same number, but stand under {} and under {} in the hierarchy {} of "
                      "numeric column {}; put them under one parent, or take the column as categorical",
                      quoted_label(one.label), quoted_label(other.label), quoted_label(tree_.nodes[one.parent].label),
                      quoted_label(tree_.nodes[other.parent].label), tree_.source, quoted_label(values_.column)),
          Advice{Setting::type, values_.column});
    }
    leaf.tree_node = std::min(leaf.tree_node, node);
  }

  std::string place_of(size_t value) const {
    const std::string place = place_ ? place_(value) : "";
    return place.empty() ? "" : " (" + place + ")";
  }

  void refuse_unknown() const {
    std::vector<size_t> unknown;
    for (size_t value = 0; value < values_.values.size(); ++value) {
      if (leaves_[leaf_of_value_[value]].tree_node == kNone) unknown.push_back(value);
    }
    if (unknown.empty()) return;
    std::vector<std::string_view> labels;
    std::unordered_set<std::string_view> inner;
    for (const Tree::Node& node : tree_.nodes) {
      if (node.leaf) {
        labels.push_back(node.label);
      } else {
        inner.insert(node.label);
      }
    }
    std::string named;
    for (size_t i = 0; i < std::min(unknown.size(), kValuesNamed); ++i) {
      const std::string& value = values_.values[unknown[i]];
      named += (i == 0 ? "" : ", ") + quoted_label(value) + place_of(unknown[i]);
      if (inner.contains(value)) {
        named += ", which is an inner label there";
      } else if (const auto meant = nearest_word(value, labels, WordKind::value)) {
        named += ", did you mean " + quoted_label(*meant) + "?";
      }
    }
    throw Error(ErrorKind::input,
                fmt::format("{} of column {} {} not in the hierarchy {}: {}{}; add {} to the hierarchy, or set "
                            "`unknown_values: root` in the job to put {} directly under the root",
                            unknown.size() == 1 ? "1 value" : fmt::format("{} values", unknown.size()),
                            quoted_label(values_.column), unknown.size() == 1 ? "is" : "are", tree_.source, named,
                            unknown.size() > kValuesNamed ? ", ..." : "", unknown.size() == 1 ? "it" : "them",
                            unknown.size() == 1 ? "it" : "them"));
  }

  // Children of every node that has a leaf below it, in file order; what is not in the tree comes after, missing last.
  void connect() {
    const auto in_tree = static_cast<uint32_t>(std::max<size_t>(tree_.nodes.size(), 1));
    leaf_of_node_.assign(in_tree, kNone);
    std::vector<bool> used(in_tree, false);
    for (uint32_t i = 0; i < leaves_.size(); ++i) {
      if (leaves_[i].tree_node == kNone) continue;
      leaf_of_node_[leaves_[i].tree_node] = i;
      used[leaves_[i].tree_node] = true;
    }
    for (uint32_t node = in_tree; node-- > 1;) {
      if (used[node]) used[tree_.nodes[node].parent] = true;
    }
    children_.resize(in_tree);
    for (uint32_t node = 1; node < in_tree; ++node) {
      if (used[node]) children_[tree_.nodes[node].parent].push_back(node);
    }
    for (uint32_t i = 0; i < leaves_.size(); ++i) {
      if (leaves_[i].tree_node == kNone) hang_under_root(i);
    }
    if (values_.has_missing) {
      leaves_.push_back({kNone, 0, 0, last_place_});
      hang_under_root(static_cast<uint32_t>(leaves_.size() - 1));
    }
  }
  void hang_under_root(uint32_t leaf) {
    children_[0].push_back(static_cast<uint32_t>(leaf_of_node_.size()));
    leaf_of_node_.push_back(leaf);
    children_.emplace_back();
  }
  uint32_t parent(uint32_t node) const { return node < tree_.nodes.size() ? tree_.nodes[node].parent : 0; }

  void sort_children_by_number() {
    std::vector<uint32_t> least(leaf_of_node_.size(), last_place_);
    for (uint32_t node = static_cast<uint32_t>(least.size()); node-- > 1;) {
      const uint32_t leaf = leaf_of_node_[node];
      if (leaf != kNone) least[node] = leaves_[leaf].place;
      least[parent(node)] = std::min(least[parent(node)], least[node]);
    }
    for (auto& siblings : children_) {
      std::stable_sort(siblings.begin(), siblings.end(), [&](uint32_t a, uint32_t b) { return least[a] < least[b]; });
    }
  }

  // Depth-first: gives every node its number in the hierarchy and every leaf its position.
  void number_leaves() {
    new_node_.assign(leaf_of_node_.size(), kNone);
    position_.assign(leaves_.size(), kNone);
    std::vector<uint32_t> to_visit{0};
    uint32_t positions = 0;
    while (!to_visit.empty()) {
      const uint32_t node = to_visit.back();
      to_visit.pop_back();
      new_node_[node] = static_cast<uint32_t>(infos_.size());
      Hierarchy::NodeInfo info;
      if (node == 0) {
        info.label = "*";
      } else {
        info.parent = new_node_[parent(node)];
        info.depth = infos_[info.parent].depth + 1;
        info.first = positions;
        info.last = positions;
      }
      if (const uint32_t leaf = leaf_of_node_[node]; leaf != kNone) {
        info.label = leaf_text(leaf);
        check_ascending(leaf);
        by_position_.push_back(leaf);
        position_[leaf] = positions++;
      } else if (node != 0) {
        info.label = tree_.nodes[node].label;
      }
      infos_.push_back(std::move(info));
      to_visit.insert(to_visit.end(), children_[node].rbegin(), children_[node].rend());
    }
    for (size_t node = infos_.size(); node-- > 1;) {
      auto& last = infos_[infos_[node].parent].last;
      last = std::max(last, infos_[node].last);
    }
  }

  std::string leaf_text(uint32_t leaf) const {
    const BoundLeaf& bound = leaves_[leaf];
    if (bound.spellings == 0) return values_.missing_text;
    if (bound.spellings == 1) return values_.values[bound.value];
    return number_label(*Decimal::parse(values_.values[bound.value]));
  }

  void check_ascending(uint32_t leaf) const {
    if (!numeric_ || by_position_.empty()) return;
    const BoundLeaf &before = leaves_[by_position_.back()], &after = leaves_[leaf];
    if (before.place < after.place) return;
    const auto described = [&](const BoundLeaf& bound) {
      const std::string value = quoted_label(values_.values[bound.value]) + place_of(bound.value);
      return value + (bound.tree_node == kNone ? ", attached under the root"
                                               : ", under " + quoted_label(tree_.nodes[parent(bound.tree_node)].label));
    };
    throw Error(
        ErrorKind::input,
        fmt::format("the hierarchy {} does not keep neighbouring numbers of numeric column {} together: {} comes "
                    "before {}; mend the file so that every label covers numbers without gaps, or take "
                    "the column as categorical",
                    tree_.source, quoted_label(values_.column), described(before), described(after)),
        Advice{Setting::type, values_.column});
  }

  // Released text must say what it stands for: a value may not look like a group of others.
  void refuse_ambiguous_labels() const {
    std::unordered_set<std::string_view> inner;
    for (uint32_t node = 1; node < tree_.nodes.size(); ++node) {
      if (new_node_[node] != kNone && leaf_of_node_[node] == kNone) inner.insert(tree_.nodes[node].label);
    }
    for (uint32_t leaf : by_position_) {
      const std::string text = leaf_text(leaf);
      if (!inner.contains(text)) continue;
      const std::string place = leaves_[leaf].spellings == 0 ? "" : place_of(leaves_[leaf].value);
      throw Error(
          ErrorKind::input,
          fmt::format("value {} of column {}{} is also an inner label of the hierarchy {}: released text would be "
                      "ambiguous; rename the inner label, or mend the value",
                      quoted_label(text), quoted_label(values_.column), place, tree_.source));
    }
  }

  // level_nodes[level][leaf position] of the hierarchy.
  std::vector<std::vector<uint32_t>> levels() const {
    const size_t height = file_height();
    std::vector<std::vector<uint32_t>> levels(height + 1, std::vector<uint32_t>(by_position_.size(), 0));
    std::vector<size_t> index_of_leaf;  // in Tree::level_nodes, by tree node
    if (!tree_.level_nodes.empty()) {
      index_of_leaf.resize(tree_.nodes.size());
      size_t index = 0;
      for (size_t node = 0; node < tree_.nodes.size(); ++node) {
        if (tree_.nodes[node].leaf) index_of_leaf[node] = index++;
      }
    }
    for (size_t position = 0; position < by_position_.size(); ++position) {
      const uint32_t tree_node = leaves_[by_position_[position]].tree_node;
      uint32_t node = leaf_node_of_position(position);
      for (size_t level = 0; level < height; ++level) {
        if (tree_node != kNone && !tree_.level_nodes.empty()) {
          node = new_node_[tree_.level_nodes[level][index_of_leaf[tree_node]]];
        } else {
          while (infos_[node].depth > height - level) node = infos_[node].parent;
        }
        levels[level][position] = node;
      }
    }
    return levels;
  }
  uint32_t leaf_node_of_position(size_t position) const { return leaf_nodes_[position]; }

  // Of the whole file, so that a level means the same whatever values a table has.
  size_t file_height() const {
    if (!tree_.level_nodes.empty()) return std::max<size_t>(tree_.level_nodes.size() - 1, 1);
    std::vector<size_t> depth(tree_.nodes.size(), 0);
    size_t height = 1;
    for (size_t node = 1; node < tree_.nodes.size(); ++node) {
      depth[node] = depth[tree_.nodes[node].parent] + 1;
      height = std::max(height, depth[node]);
    }
    return height;
  }

  BoundHierarchy finish() {
    leaf_nodes_.resize(by_position_.size());
    for (size_t node = 0; node < leaf_of_node_.size(); ++node) {
      if (leaf_of_node_[node] != kNone) leaf_nodes_[position_[leaf_of_node_[node]]] = new_node_[node];
    }
    std::vector<std::string> texts;
    std::vector<double> numbers;
    for (uint32_t leaf : by_position_) {
      texts.push_back(leaf_text(leaf));
      if (!numeric_) continue;
      const bool missing = leaves_[leaf].spellings == 0;
      numbers.push_back(missing ? std::numeric_limits<double>::quiet_NaN() : values_.numbers[leaves_[leaf].value]);
    }
    for (uint32_t& leaf : leaf_of_value_) leaf = position_[leaf];
    std::optional<Hierarchy::Leaf> missing;
    if (values_.has_missing) missing = static_cast<uint32_t>(by_position_.size() - 1);
    auto level_nodes = levels();
    return {Hierarchy(std::move(infos_), std::move(level_nodes), std::move(numbers), missing),
            std::move(leaf_of_value_), std::move(texts), missing.value_or(0)};
  }

  const Tree& tree_;
  const ColumnValues& values_;
  const ValuePlace& place_;
  const bool numeric_;
  std::vector<uint32_t> places_;  // numeric columns: of each value, then of the tree's numbers
  uint32_t last_place_ = 0;       // behind all numbers
  std::vector<BoundLeaf> leaves_;
  std::vector<uint32_t> leaf_of_value_;           // index into leaves_; at the end the position
  std::vector<uint32_t> leaf_of_node_;            // index into leaves_, or kNone for inner nodes
  std::vector<std::vector<uint32_t>> children_;   // of nodes in use
  std::vector<uint32_t> new_node_;                // node of the hierarchy, kNone when not in use
  std::vector<uint32_t> position_, by_position_;  // of each of leaves_, and back
  std::vector<uint32_t> leaf_nodes_;              // node of the hierarchy, by position
  std::vector<Hierarchy::NodeInfo> infos_;
};

}  // namespace

BoundHierarchy bind_tree(const Tree& tree, const ColumnValues& values, UnknownValues unknown, const ValuePlace& place) {
  return Binder(tree, values, place).bind(unknown);
}

BoundHierarchy bind_flat(const ColumnValues& values) {
  Tree root;
  root.source = "(none)";
  root.nodes.push_back({"*", 0, 0, false});
  return Binder(root, values, {}).bind(UnknownValues::under_root);
}

}  // namespace shoal
