// Kept apart by what a loss needs: sums over cells are gains per (column, level, node), added up over groups by the
// sweep; group counts need sizes; cm needs classes, and rows the fingerprints, which ride along in the tail. What a
// vector loses is the loss of a fully suppressed table less the gains, so that dropped rows need no case of their own.
#include "shoal/method/levels/level_loss.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "shoal/error.h"
#include "shoal/measure/cell_loss.h"
#include "shoal/table/groups.h"

namespace shoal {
namespace {

constexpr double kRounding = 1e-12;  // of the loss of a fully suppressed table

}  // namespace

// One quasi column with how often its leaves and nodes occur, and what a cell of it loses.
class LevelLoss::CellLoss {
 public:
  CellLoss(const Problem& problem, size_t quasi, const std::string& measure)
      : hierarchy_(problem.hierarchies[quasi]), measure_(measure), rows_before_(hierarchy_.leaves() + 1, 0) {
    if (measure == "ncp" || measure == "gcp") weight_ = problem.weights[quasi];
    problem.table.quasi[quasi].codes.visit([&](auto codes) {
      for (size_t row = 0; row < codes.size(); ++row) {
        rows_before_[codes[row] + size_t{1}] += problem.table.times_of(row);
      }
    });
    std::partial_sum(rows_before_.begin(), rows_before_.end(), rows_before_.begin());
  }

  double weight() const { return weight_; }
  double rows(uint32_t leaf) const { return double(rows_before_[leaf + size_t{1}] - rows_before_[leaf]); }
  bool by_depth() const { return measure_ == "prec" || measure_ == "distortion"; }
  uint32_t leaf_depth(uint32_t leaf) const { return hierarchy_.node(hierarchy_.leaf_node(leaf)).depth; }
  bool even() const {
    for (uint32_t leaf = 1; leaf < hierarchy_.leaves(); ++leaf) {
      if (leaf_depth(leaf) != leaf_depth(0)) return false;
    }
    return true;
  }

  // Requires that the leaf occurs.
  double loss(uint32_t leaf, Hierarchy::Node node) const {
    const Released released = released_node(hierarchy_, node);
    if (measure_ == "lm") return iyengar_loss(hierarchy_, released);
    if (measure_ == "prec") return precision_loss(hierarchy_, leaf, released);
    if (measure_ == "distortion") return weighted_hierarchical_distance(hierarchy_, leaf, released, 0);
    if (measure_ == "modification_rate") return modified(hierarchy_, leaf, released) ? 1 : 0;
    if (measure_ == "entropy") {
      return std::log2(double(rows_before_[released.last + size_t{1}] - rows_before_[released.first]) / rows(leaf));
    }
    return weight_ * ncp(hierarchy_, released);
  }
  // What a cell that is kept gains over a suppressed one.
  double gain(uint32_t leaf, Hierarchy::Node node) const { return loss(leaf, Hierarchy::kRoot) - loss(leaf, node); }
  // The gain of every leaf that occurs, when it is not recoded; nothing when they differ.
  std::optional<double> common_gain() const {
    std::optional<double> common;
    for (uint32_t leaf = 0; leaf < hierarchy_.leaves(); ++leaf) {
      if (rows(leaf) == 0) continue;
      const double here = gain(leaf, hierarchy_.leaf_node(leaf));
      if (common && *common != here) return std::nullopt;
      common = here;
    }
    return common.value_or(0);
  }
  double full_loss() const {
    double sum = 0;
    for (uint32_t leaf = 0; leaf < hierarchy_.leaves(); ++leaf) {
      if (rows(leaf) > 0) sum += rows(leaf) * loss(leaf, Hierarchy::kRoot);
    }
    return sum;
  }
  const Hierarchy& hierarchy() const { return hierarchy_; }

 private:
  const Hierarchy& hierarchy_;
  const std::string& measure_;
  double weight_ = 1;
  std::vector<uint64_t> rows_before_;  // [leaf]: rows with a smaller leaf
};

namespace {

// Keys as numbers 0, 1, ... in ascending order of the keys that occur.
struct Numbered {
  std::vector<uint32_t> of_row;
  std::vector<uint64_t> distinct;
};
Numbered number_keys(const std::vector<uint64_t>& keys) {
  Numbered numbered{std::vector<uint32_t>(keys.size()), keys};
  std::sort(numbered.distinct.begin(), numbered.distinct.end());
  numbered.distinct.erase(std::unique(numbered.distinct.begin(), numbered.distinct.end()), numbered.distinct.end());
  for (size_t row = 0; row < keys.size(); ++row) {
    const auto found = std::lower_bound(numbered.distinct.begin(), numbered.distinct.end(), keys[row]);
    numbered.of_row[row] = static_cast<uint32_t>(found - numbered.distinct.begin());
  }
  return numbered;
}

Tail number_rows(size_t rows, std::span<const GroupKey> keys) {
  Groups groups = group_rows(rows, keys);
  return {std::move(groups.group_of_row), static_cast<uint32_t>(groups.sizes.size())};
}

// The depth of each row's leaf, numbered.
template <typename CellLoss>
Codes depth_codes(const CellLoss& cell, const Codes& leaves, size_t& depths) {
  std::map<uint32_t, uint32_t> code_of_depth;
  std::vector<uint32_t> code_of_leaf;
  for (uint32_t leaf = 0; leaf < cell.hierarchy().leaves(); ++leaf) {
    const auto next = static_cast<uint32_t>(code_of_depth.size());
    code_of_leaf.push_back(code_of_depth.emplace(cell.leaf_depth(leaf), next).first->second);
  }
  depths = code_of_depth.size();
  Codes codes(leaves.size(), depths);
  for (size_t row = 0; row < leaves.size(); ++row) codes.set(row, code_of_leaf[leaves[row]]);
  return codes;
}

std::vector<size_t> columns_outside(const Problem& problem, std::span<const LevelColumn> columns) {
  std::vector<size_t> outside;
  for (size_t quasi = 0; quasi < problem.table.quasi.size(); ++quasi) {
    if (std::none_of(columns.begin(), columns.end(), [&](const LevelColumn& c) { return c.quasi == quasi; })) {
      outside.push_back(quasi);
    }
  }
  return outside;
}

}  // namespace

Parameter level_measure_parameter() {
  return {"measure",
          "what decides between vectors that satisfy the requirements",
          "gcp",
          {"prec", "rows", "dm", "c_avg", "ncp", "gcp", "distortion", "modification_rate", "lm", "cm", "entropy"},
          0,
          0};
}

AlikeRows level_alike_rows(const Params& params) { return {.rest = setting(params, "measure") == "rows"}; }

LevelLoss::LevelLoss(const Problem& problem, std::span<const LevelColumn> columns, const std::string& measure)
    : rows_(double(problem.table.input_rows())) {
  for (const Requirement& requirement : problem.requirements) k_ = std::max(k_, double(requirement.k));
  if (measure == "dm" || measure == "c_avg" || measure == "rows" || measure == "cm") {
    prepare_groups(problem, columns, measure);
  } else {
    prepare_cells(problem, columns, measure);
  }
}

void LevelLoss::prepare_groups(const Problem& problem, std::span<const LevelColumn> columns,
                               const std::string& measure) {
  kind_ = measure == "dm"      ? Kind::squares
          : measure == "c_avg" ? Kind::group_count
          : measure == "rows"  ? Kind::tuple_count
                               : Kind::misclassified;
  const Table& table = problem.table;
  std::vector<GroupKey> keys;
  for (size_t quasi : columns_outside(problem, columns)) {
    keys.push_back({&table.quasi[quasi].codes, problem.hierarchies[quasi].leaves()});
  }
  Codes rest;
  if (kind_ == Kind::tuple_count && !table.rest.empty()) {
    const Numbered numbered = number_keys(table.rest);
    rest = Codes(table.rows, numbered.distinct.size());
    for (size_t row = 0; row < table.rows; ++row) rest.set(row, numbered.of_row[row]);
    keys.push_back({&rest, numbered.distinct.size()});
  }
  if (!keys.empty()) tail_ = number_rows(table.rows, keys);
  if (kind_ == Kind::misclassified) add_classes(table);
}

// The tail gets the class as its lower part: tails that differ in the class only are neighbours.
void LevelLoss::add_classes(const Table& table) {
  if (!table.target) {
    throw Error(ErrorKind::job,
                "measure 'cm' counts misclassified rows, and there is no target column; name the target column, or "
                "choose another measure");
  }
  const uint64_t classes = std::max<size_t>(table.target->values.size(), 1);
  std::vector<uint64_t> keys(table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    keys[row] = (tail_ ? tail_->of_row[row] : 0) * classes + table.target->codes[row];
  }
  Numbered numbered = number_keys(keys);
  tail_ = Tail{std::move(numbered.of_row), static_cast<uint32_t>(std::max<size_t>(numbered.distinct.size(), 1))};
  for (uint64_t key : numbered.distinct) tail_without_class_.push_back(static_cast<uint32_t>(key / classes));
}

void LevelLoss::prepare_cells(const Problem& problem, std::span<const LevelColumn> columns,
                              const std::string& measure) {
  const Table& table = problem.table;
  double weights = 0;
  std::vector<CellLoss> cells;
  for (size_t quasi = 0; quasi < table.quasi.size(); ++quasi) {
    cells.emplace_back(problem, quasi, measure);
    weights += cells.back().weight();
    full_loss_ += cells.back().full_loss();
  }
  const bool mean = measure != "ncp" && measure != "distortion" && measure != "entropy";
  if (mean && rows_ * weights > 0) scale_ = 1 / (rows_ * weights);
  tolerance_ = kRounding * scale_ * full_loss_;
  gains_.components = 1;
  for (const LevelColumn& column : columns) {
    const CellLoss& cell = cells[column.quasi];
    const bool uneven = cell.by_depth() && !cell.even();
    gains_.component_of.push_back(uneven ? gains_.components++ : 0);
    add_column(column, cell, uneven);
  }

  // What the tail must tell apart: leaf depths in uneven columns, leaves outside the lattice where gains differ.
  std::vector<GroupKey> keys;
  std::vector<size_t> outside;
  for (size_t quasi : columns_outside(problem, columns)) {
    if (const auto gain = cells[quasi].common_gain()) {
      gain_of_row_ += *gain;
    } else {
      outside.push_back(quasi);
      keys.push_back({&table.quasi[quasi].codes, problem.hierarchies[quasi].leaves()});
    }
  }
  std::vector<Codes> depths;
  depths.reserve(columns.size());
  for (size_t column = 0; column < columns.size(); ++column) {
    if (gains_.component_of[column] == 0) continue;
    size_t count = 0;
    const size_t quasi = columns[column].quasi;
    depths.push_back(depth_codes(cells[quasi], table.quasi[quasi].codes, count));
    keys.push_back({&depths.back(), count});
  }
  if (keys.empty()) return;
  tail_ = number_rows(table.rows, keys);
  tail_factors_.assign(gains_.components, std::vector<double>(tail_->size, 0));
  std::vector<uint32_t> sample(tail_->size);  // a row for each tail
  for (uint32_t row = 0; row < table.rows; ++row) sample[tail_->of_row[row]] = row;
  for (uint32_t tail = 0; tail < tail_->size; ++tail) {
    for (size_t quasi : outside) {
      const uint32_t leaf = table.quasi[quasi].codes[sample[tail]];
      tail_factors_[0][tail] += cells[quasi].gain(leaf, problem.hierarchies[quasi].leaf_node(leaf));
    }
    for (size_t column = 0; column < columns.size(); ++column) {
      const size_t component = gains_.component_of[column], quasi = columns[column].quasi;
      if (component == 0) continue;
      tail_factors_[component][tail] = 1.0 / cells[quasi].leaf_depth(table.quasi[quasi].codes[sample[tail]]);
    }
  }
}

// Gains by node and losses by level of one lattice column. In an uneven column the gain is the depth of the node; the
// tail has the other factor.
void LevelLoss::add_column(const LevelColumn& column, const CellLoss& cell, bool uneven) {
  auto& gains = gains_.gains.emplace_back();
  auto& losses = column_loss_.emplace_back();
  for (int level = 0; level <= column.height(); ++level) {
    gains.emplace_back(column.values(level), 0.0);
    losses.push_back(0);
    const auto& digits = column.digits[static_cast<size_t>(level)];
    for (uint32_t leaf = 0; leaf < column.digit_of_leaf.size(); ++leaf) {
      if (cell.rows(leaf) == 0) continue;
      const uint32_t digit = digits[column.digit_of_leaf[leaf]];
      const Hierarchy::Node node = column.nodes[static_cast<size_t>(level)][digit];
      gains.back()[digit] = uneven ? double(cell.hierarchy().node(node).depth) : cell.gain(leaf, node);
      losses.back() += cell.rows(leaf) * cell.loss(leaf, node);
    }
  }
}

double LevelLoss::of_levels(std::span<const int> levels) const {
  double sum = 0;
  for (size_t column = 0; column < levels.size(); ++column) {
    sum += column_loss_[column][static_cast<size_t>(levels[column])];
  }
  return scale_ * sum;
}

double LevelLoss::of_cells(const GroupsView& groups) const {
  const size_t components = gains_.components;
  double gain = gain_of_row_ * (rows_ - double(groups.dropped));
  for (size_t group = 0; group < groups.sizes.size(); ++group) {
    const double* gains = groups.gains.data() + group * components;
    gain += groups.sizes[group] * gains[0];
    if (!tail_) continue;
    for (uint32_t i = groups.first[group]; i < groups.first[group + 1]; ++i) {
      double of_row = tail_factors_[0][groups.tails[i]];
      for (size_t c = 1; c < components; ++c) of_row += gains[c] * tail_factors_[c][groups.tails[i]];
      gain += groups.tail_counts[i] * of_row;
    }
  }
  return std::max(0.0, scale_ * (full_loss_ - gain));
}

double LevelLoss::of_groups(const GroupsView& groups) const {
  if (kind_ == Kind::cells) return of_cells(groups);
  const std::span<const uint32_t> sizes = tail_ ? groups.tail_counts : groups.sizes;
  uint64_t sum = 0;
  switch (kind_) {
    case Kind::squares:
      for (uint32_t size : sizes) sum += uint64_t{size} * size;
      return double(sum) + double(groups.dropped) * rows_;
    case Kind::group_count:
      return rows_ / double(std::max<size_t>(sizes.size(), 1)) / k_;
    case Kind::tuple_count:
      return -double(sizes.size());
    case Kind::misclassified:
      for (size_t group = 0; group < groups.sizes.size(); ++group) {
        for (uint32_t i = groups.first[group], end = groups.first[group + 1]; i < end;) {
          const uint32_t like = tail_without_class_[groups.tails[i]];
          uint32_t majority = 0;
          for (; i < end && tail_without_class_[groups.tails[i]] == like; ++i) {
            majority = std::max(majority, groups.tail_counts[i]);
          }
          sum += majority;
        }
      }
      return rows_ == 0 ? 0 : (rows_ - double(sum)) / rows_;
    case Kind::cells:
      break;
  }
  return 0;
}

}  // namespace shoal
