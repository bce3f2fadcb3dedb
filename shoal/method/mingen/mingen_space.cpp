#include "shoal/method/mingen/mingen_space.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "shoal/table/groups.h"

namespace shoal {
namespace {

using BoxCells = std::vector<KacaCell>;
struct BoxBefore {
  bool operator()(const BoxCells& a, const BoxCells& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](KacaCell x, KacaCell y) {
      return std::pair(x.first, x.last) < std::pair(y.first, y.last);
    });
  }
};

bool covers(const KacaCell* box, const uint32_t* leaves, size_t columns) {
  for (size_t j = 0; j < columns; ++j) {
    if (leaves[j] < box[j].first || leaves[j] > box[j].last) return false;
  }
  return true;
}

}  // namespace

MinGenSpace::MinGenSpace(const Problem& problem, uint64_t most, const Progress& progress)
    : k_(problem.requirements.front().k) {
  Problem unweighted = problem;  // Prec counts all columns alike
  unweighted.weights.assign(problem.weights.size(), 1);
  cells_ = std::make_unique<KacaSpace>(unweighted, problem.requirements.front().columns, 0, problem.table.rows);
  std::vector<GroupKey> keys;
  for (size_t j = 0; j < cells_->columns(); ++j) {
    keys.push_back({&problem.table.quasi[cells_->quasi(j)].codes, cells_->leaves(j)});
  }
  Groups distinct = group_rows(problem.table.rows, keys);
  counts_ = std::move(distinct.sizes);
  tuple_of_row_ = std::move(distinct.group_of_row);
  leaves_.resize(counts_.size() * cells_->columns());
  for (uint32_t row = 0; row < tuple_of_row_.size(); ++row) {
    cells_->gather(row, leaves_.data() + tuple_of_row_[row] * cells_->columns());
  }
  enumerate(most, progress);
  if (complete_) list_options();
}

// All closed boxes: from a tuple's own, by joining further tuples.
void MinGenSpace::enumerate(uint64_t most, const Progress& progress) {
  const size_t columns = cells_->columns();
  std::set<BoxCells, BoxBefore> known;
  std::vector<BoxCells> open;
  for (size_t tuple = 0; tuple < tuples(); ++tuple) {
    BoxCells box(columns);
    for (size_t j = 0; j < columns; ++j) box[j] = {leaves_[tuple * columns + j], leaves_[tuple * columns + j]};
    open.push_back(box);
    known.insert(std::move(box));
  }
  while (!open.empty()) {
    progress.check();
    if (known.size() * tuples() > most) return;
    const BoxCells box = std::move(open.back());
    open.pop_back();
    for (size_t tuple = 0; tuple < tuples(); ++tuple) {
      BoxCells joined(columns);
      for (size_t j = 0; j < columns; ++j) {
        const uint32_t leaf = leaves_[tuple * columns + j];
        joined[j] = cells_->join(j, box[j], {leaf, leaf});
      }
      if (known.insert(joined).second) open.push_back(std::move(joined));
    }
  }
  complete_ = true;
  for (const BoxCells& box : known) {  // in order, so that answers do not depend on how boxes were found
    std::vector<Covered> inside;
    uint64_t rows = 0;
    for (uint32_t tuple = 0; tuple < tuples(); ++tuple) {
      if (!covers(box.data(), leaves_.data() + tuple * columns, columns)) continue;
      inside.push_back({tuple, cost(tuple, box.data())});
      rows += counts_[tuple];
    }
    if (rows < k_) continue;
    box_cells_.insert(box_cells_.end(), box.begin(), box.end());
    box_tuples_.push_back(std::move(inside));
  }
}

void MinGenSpace::list_options() {
  options_.resize(tuples());
  for (uint32_t box = 0; box < boxes(); ++box) {
    for (const Covered& covered : box_tuples_[box]) {
      options_[covered.tuple].push_back({covered.cost, box});
      step_ = std::gcd(step_, covered.cost);
    }
    pairs_ += box_tuples_[box].size();
  }
  step_ = std::max<KacaCost>(step_, 1);
  for (auto& options : options_) {
    std::sort(options.begin(), options.end(),
              [](const Option& a, const Option& b) { return std::pair(a.cost, a.box) < std::pair(b.cost, b.box); });
  }
}

KacaCost MinGenSpace::cost(size_t tuple, const KacaCell* box) const {
  KacaCost sum = 0;
  for (size_t j = 0; j < cells_->columns(); ++j) {
    const uint32_t leaf = leaves_[tuple * cells_->columns() + j];
    const KacaCost lost = cells_->kept(j, {leaf, leaf}) - cells_->kept(j, box[j]);
    sum += lost * (cells_->uneven(j) ? cells_->share(j, leaf) : 1);
  }
  return sum;
}

uint32_t MinGenSpace::find_box(const KacaCell* cells) const {
  uint32_t low = 0, high = static_cast<uint32_t>(boxes());  // they are in order
  const size_t columns = cells_->columns();
  const BoxCells wanted(cells, cells + columns);
  while (low + 1 < high) {
    const uint32_t middle = low + (high - low) / 2;
    (BoxBefore()(wanted, BoxCells(box(middle), box(middle) + columns)) ? high : low) = middle;
  }
  return low;
}

double MinGenSpace::digits_of_recodings(bool alike) const {
  double digits = 0;
  for (size_t tuple = 0; tuple < tuples(); ++tuple) {
    double ways = 0;
    for (size_t j = 0; j < cells_->columns(); ++j) {
      const uint32_t leaf = leaves_[tuple * cells_->columns() + j];
      const Hierarchy& tree = cells_->hierarchy(j);
      ways += std::log10(double(tree.node(tree.leaf_node(leaf)).depth) + 1);
    }
    digits += ways * (alike ? 1 : double(counts_[tuple]));
  }
  return digits;
}

}  // namespace shoal
