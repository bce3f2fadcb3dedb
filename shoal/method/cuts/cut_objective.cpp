// Three kinds of loss, told apart once. Sums over cells come from costs per node that are worked out at the start: a
// cut's loss is then a walk over its raises. Counts of tuples (rows, c_avg) and sums over groups (dm, cm) are counted
// on the tuples of a state; what one more raise would do to them is found by merging, among the tuples below that raise
// alone, those that differ in nothing else (merge_loss). All of them only grow with a raise, which is what makes the
// loss of a state a bound for everything below it (spec: optimal-cut).
#include "shoal/method/cuts/cut_objective.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "shoal/error.h"
#include "shoal/measure/cell_loss.h"

namespace shoal {
namespace {

// What one cell with this leaf loses when released as this node. `node_rows`, `leaf_rows`: cells below each.
double cell_cost(const std::string& name, const Hierarchy& tree, uint32_t leaf, Hierarchy::Node node, double node_rows,
                 double leaf_rows) {
  const Released released = released_node(tree, node);
  if (name == "gcp" || name == "ncp") return ncp(tree, released);
  if (name == "lm") return iyengar_loss(tree, released);
  if (name == "modification_rate") return modified(tree, leaf, released) ? 1 : 0;
  if (name == "entropy") return std::log2(node_rows / leaf_rows);
  if (name == "distortion") return weighted_hierarchical_distance(tree, leaf, released, 0);
  return precision_loss(tree, leaf, released);
}

}  // namespace

std::vector<std::string> CutObjective::names() {
  return {"rows", "prec", "gcp", "ncp", "lm", "distortion", "modification_rate", "entropy", "dm", "c_avg", "cm"};
}

CutObjective::CutObjective(const std::string& name, const Problem& problem, const CutSpace& space)
    : problem_(problem), space_(space), name_(name), rows_(double(problem.table.input_rows())) {
  if (name == "rows") kind_ = Kind::rows;
  if (name == "c_avg") kind_ = Kind::groups;
  if (name == "dm") kind_ = Kind::squares;
  if (name == "cm") kind_ = Kind::classes;
  if (kind_ == Kind::cells) {
    set_cell_costs(problem);
    return;
  }
  if (kind_ == Kind::classes && !problem.table.target) {
    throw Error(ErrorKind::job,
                "objective 'cm' counts misclassified rows and no target column is given; name the target column, or "
                "choose another objective");
  }
  TupleTable::View view;
  for (size_t column = 0; column < problem.hierarchies.size(); ++column) view.columns.push_back(column);
  view.rest = kind_ == Kind::rows && !problem.table.rest.empty();
  view.classes = kind_ == Kind::classes;
  view_ = std::move(view);
}

void CutObjective::set_cell_costs(const Problem& problem) {
  const double weights = std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0);
  raise_cost_.assign(space_.size(), 0);
  for (size_t column : space_.columns()) {
    const Hierarchy& tree = problem.hierarchies[column];
    std::vector<double> rows_before(tree.leaves() + 1, 0);
    problem.table.quasi[column].codes.visit([&](auto codes) {
      for (size_t row = 0; row < codes.size(); ++row) {
        rows_before[codes[row] + size_t{1}] += problem.table.times_of(row);
      }
    });
    std::partial_sum(rows_before.begin(), rows_before.end(), rows_before.begin());
    double scale = 1 / (rows_ * double(problem.hierarchies.size()));
    if (name_ == "gcp") scale = problem.weights[column] / (rows_ * weights);
    if (name_ == "ncp") scale = problem.weights[column];
    if (name_ == "entropy" || name_ == "distortion") scale = 1;
    for (uint32_t raise = space_.first_raise(column); raise < space_.first_raise(column + 1); ++raise) {
      const Hierarchy::Node node = space_.raise(raise).node;
      const auto& [first, last] = std::pair(tree.node(node).first, tree.node(node).last);
      const double node_rows = rows_before[last + size_t{1}] - rows_before[first];
      for (uint32_t leaf = first; leaf <= last; ++leaf) {
        const double leaf_rows = rows_before[leaf + size_t{1}] - rows_before[leaf];
        if (leaf_rows == 0) continue;
        raise_cost_[raise] += scale * leaf_rows * cell_cost(name_, tree, leaf, node, node_rows, leaf_rows);
      }
    }
  }
}

double CutObjective::column_loss(const Cut& cut, size_t column) const {
  double loss = 0;
  for (uint32_t raise = space_.first_raise(column); raise < space_.first_raise(column + 1);) {
    if (cut.has(raise)) {
      loss += raise_cost_[raise];
      raise = space_.raise(raise).end;  // what lies below is released as this node
    } else {
      ++raise;
    }
  }
  return loss;
}

double CutObjective::group_loss(double value) const {
  switch (kind_) {
    case Kind::rows:
      return -value;
    case Kind::groups: {
      uint64_t k = 1;
      for (const Requirement& requirement : problem_.requirements) k = std::max(k, requirement.k);
      return rows_ / (value * double(k));
    }
    case Kind::classes:
      return value / rows_;
    default:
      return value;
  }
}

double CutObjective::loss(const Cut& cut, const TupleTable* tuples) const {
  double value = 0;
  if (kind_ == Kind::cells) {
    for (size_t column : space_.columns()) value += column_loss(cut, column);
    return value;
  }
  if (kind_ == Kind::rows || kind_ == Kind::groups) return group_loss(double(tuples->size()));
  for (size_t tuple = 0; tuple < tuples->size(); ++tuple) {
    const double rows = tuples->rows()[tuple];
    if (kind_ == Kind::squares) {
      value += rows * rows;
    } else {
      const auto classes = tuples->class_rows(tuple);
      value += rows - *std::max_element(classes.begin(), classes.end());
    }
  }
  return group_loss(value);
}

// How the counted value changes when these tuples give up their difference in the field's column.
double CutObjective::merge_loss(const TupleTable& tuples, std::span<const uint32_t> merged, KeyIndex& index,
                                const TupleTable::Field& field) const {
  const size_t words = tuples.words(), classes = tuples.classes();
  index.reset(words, merged.size());
  std::vector<uint64_t> key(words);
  std::vector<double> sums;          // rows (squares) per merged group
  std::vector<uint32_t> class_sums;  // rows per class and merged group
  double before = 0, after = 0;
  for (uint32_t tuple : merged) {
    std::copy_n(tuples.key(tuple), words, key.data());
    key[field.word] &= ~(field.mask << field.shift);
    const uint32_t group = index.id(key.data());
    if (kind_ == Kind::squares) {
      if (group == sums.size()) sums.push_back(0);
      const double rows = tuples.rows()[tuple];
      sums[group] += rows;
      before += rows * rows;
    } else if (kind_ == Kind::classes) {
      if (group * classes == class_sums.size()) class_sums.resize(class_sums.size() + classes, 0);
      const auto counts = tuples.class_rows(tuple);
      for (size_t c = 0; c < classes; ++c) class_sums[group * classes + c] += counts[c];
      before -= *std::max_element(counts.begin(), counts.end());
    }
  }
  if (kind_ == Kind::rows || kind_ == Kind::groups) return double(index.size()) - double(merged.size());
  for (double sum : sums) after += sum * sum;
  for (size_t group = 0; group * classes < class_sums.size(); ++group) {
    const auto first = class_sums.begin() + static_cast<ptrdiff_t>(group * classes);
    after -= *std::max_element(first, first + static_cast<ptrdiff_t>(classes));
  }
  return after - before;
}

void CutObjective::probe(const Cut& cut, const TupleTable* tuples, const std::vector<uint32_t>& open, KeyIndex& index,
                         std::vector<double>& losses, const Progress& progress) const {
  if (kind_ == Kind::cells) {
    const double now = loss(cut, nullptr);
    for (uint32_t raise : open) {
      double below = 0;
      for (uint32_t r = raise; r < space_.raise(raise).end;) {
        if (cut.has(r)) {
          below += raise_cost_[r];
          r = space_.raise(r).end;
        } else {
          ++r;
        }
      }
      losses[raise] = now + (raise_cost_[raise] - below);
    }
    return;
  }
  double now = double(tuples->size());
  if (kind_ == Kind::squares || kind_ == Kind::classes) {
    now = loss(cut, tuples) * (kind_ == Kind::classes ? rows_ : 1);
  }
  for (const TupleTable::Field& field : tuples->fields()) {
    const auto first = std::lower_bound(open.begin(), open.end(), space_.first_raise(field.column));
    const auto last = std::lower_bound(open.begin(), open.end(), space_.first_raise(field.column + 1));
    if (first == last) continue;
    progress.check();
    if (progress.out_of_time()) {  // a raise never lowers the loss
      for (auto raise = first; raise != last; ++raise) losses[*raise] = group_loss(now);
      continue;
    }
    // Tuples in the order of the column's leaves: those below a raise are a range.
    const Hierarchy& tree = problem_.hierarchies[field.column];
    std::vector<uint32_t> begin_of_leaf(tree.leaves() + 2, 0), ordered(tuples->size());
    auto leaf_of = [&](size_t tuple) { return tree.node(tuples->node(tuple, field)).first; };
    for (size_t tuple = 0; tuple < tuples->size(); ++tuple) ++begin_of_leaf[leaf_of(tuple) + size_t{2}];
    std::partial_sum(begin_of_leaf.begin(), begin_of_leaf.end(), begin_of_leaf.begin());
    for (uint32_t tuple = 0; tuple < tuples->size(); ++tuple)
      ordered[begin_of_leaf[leaf_of(tuple) + size_t{1}]++] = tuple;
    for (auto raise = first; raise != last; ++raise) {
      const auto& node = tree.node(space_.raise(*raise).node);
      const std::span<const uint32_t> merged(ordered.begin() + begin_of_leaf[node.first],
                                             ordered.begin() + begin_of_leaf[node.last + size_t{1}]);
      losses[*raise] = group_loss(now + merge_loss(*tuples, merged, index, field));
    }
  }
}

double CutObjective::shown(double loss) const {
  if (kind_ == Kind::rows) return -loss;
  if (name_ == "prec") return 1 - loss;
  return loss;
}

}  // namespace shoal
