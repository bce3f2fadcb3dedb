// Three kinds of loss, told apart once. Sums over cells come from costs per node that are worked out at the start: a
// cut's loss is then a walk over its raises. Counts of tuples (rows, c_avg) and sums over groups (dm, cm) are counted
// on the tuples of a state; what one more raise would do to them is found by merging, among the tuples below that raise
// alone, those that differ in nothing else (merge_loss). All of them only grow with a raise, which is what makes the
// loss of a state a bound for everything below it (spec: optimal-cut).
#include "shoal/method/cuts/cut_objective.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

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
  if (!view.rest) {
    for (size_t place = 0; place < problem.requirements.size(); ++place) {
      if (problem.requirements[place].columns != view.columns) continue;
      least_rows_ = std::max(least_rows_, static_cast<double>(problem.rule(place)->k()));
    }
  }
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

// What a group of this many rows adds to the counted value. Groups of fewer than k rows cannot stay: each of their rows
// ends in a group of at least k, where it is at most 1/k of a group (rows, c_avg) and adds at least k to the sum of
// squares. For groups that may stay this is exact, and a merger never makes the loss smaller.
double CutObjective::group_value(double rows) const {
  return kind_ == Kind::squares ? rows * std::max(rows, least_rows_) : std::min(rows, least_rows_);
}

double CutObjective::group_loss(double value) const {
  switch (kind_) {
    case Kind::rows:
      return -std::floor(value / least_rows_);
    case Kind::groups: {
      uint64_t k = 1;
      for (const Requirement& requirement : problem_.requirements) k = std::max(k, requirement.k);
      return rows_ / (std::floor(value / least_rows_) * double(k));
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
  return group_loss(counted(*tuples));
}

double CutObjective::counted(const TupleTable& tuples) const {
  double value = 0;
  for (size_t tuple = 0; tuple < tuples.size(); ++tuple) {
    if (kind_ == Kind::classes) {
      const auto classes = tuples.class_rows(tuple);
      value += tuples.rows()[tuple] - *std::max_element(classes.begin(), classes.end());
    } else {
      value += group_value(tuples.rows()[tuple]);
    }
  }
  return value;
}

// How the counted value changes when these tuples give up their difference in one column. `beside`: a number for each
// tuple, the same where all other columns agree. `sums` has room for each of these numbers (and class), and is all zero
// before and after.
double CutObjective::merge_loss(const TupleTable& tuples, std::span<const uint32_t> merged,
                                const std::vector<uint32_t>& beside, std::vector<uint32_t>& sums) const {
  double change = 0;
  if (kind_ == Kind::classes) {
    const size_t classes = tuples.classes();
    for (uint32_t tuple : merged) {
      const auto counts = tuples.class_rows(tuple);
      for (size_t c = 0; c < classes; ++c) sums[beside[tuple] * classes + c] += counts[c];
      change += *std::max_element(counts.begin(), counts.end());
    }
    for (uint32_t tuple : merged) {
      const auto first = sums.begin() + static_cast<ptrdiff_t>(beside[tuple] * classes);
      const auto last = first + static_cast<ptrdiff_t>(classes);
      change -= *std::max_element(first, last);  // 0 from the second tuple of a group on
      std::fill(first, last, 0);
    }
    return change;
  }
  for (uint32_t tuple : merged) {
    const uint32_t rows = tuples.rows()[tuple];
    sums[beside[tuple]] += rows;
    change -= group_value(rows);
  }
  for (uint32_t tuple : merged) {
    change += group_value(std::exchange(sums[beside[tuple]], 0));  // a group of no rows adds nothing
  }
  return change;
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
  const double now = counted(*tuples);
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
    const std::vector<uint32_t> beside = tuples->numbers_beside(field, index);
    std::vector<uint32_t> sums(index.size() * std::max<size_t>(tuples->classes(), 1), 0);
    for (auto raise = first; raise != last; ++raise) {
      const auto& node = tree.node(space_.raise(*raise).node);
      const std::span<const uint32_t> merged(ordered.begin() + begin_of_leaf[node.first],
                                             ordered.begin() + begin_of_leaf[node.last + size_t{1}]);
      losses[*raise] = group_loss(now + merge_loss(*tuples, merged, beside, sums));
    }
  }
}

double CutObjective::shown(double loss) const {
  if (kind_ == Kind::rows) return -loss;
  if (name_ == "prec") return 1 - loss;
  return loss;
}

}  // namespace shoal
