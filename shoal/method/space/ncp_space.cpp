#include "shoal/method/space/ncp_space.h"

#include <algorithm>

namespace shoal {
namespace {

constexpr size_t kSpreadDraws = 2000;

double mean_pair_cost(const IntervalCost& interval, const Codes& codes, size_t rows) {
  if (rows == 0) return 0;
  SeededRandom random(1);  // the same for every seed: it only ranks the columns
  double sum = 0;
  for (size_t draw = 0; draw < kSpreadDraws; ++draw) {
    const uint32_t a = codes[random.below(rows)], b = codes[random.below(rows)];
    sum += interval(std::min(a, b), std::max(a, b));
  }
  return sum / double(kSpreadDraws);
}

std::vector<uint64_t> rows_per_leaf(const Codes& codes, uint32_t leaves) {
  std::vector<uint64_t> counts(leaves, 0);
  codes.visit([&](auto column) {
    for (auto code : column) ++counts[code];
  });
  return counts;
}

std::vector<IntervalCost> ncp_prices(const Problem& problem, const std::vector<size_t>& columns) {
  std::vector<IntervalCost> prices;
  for (size_t j : columns) prices.emplace_back(problem.hierarchies[j], problem.weights[j]);
  return prices;
}

}  // namespace

NcpSpace::NcpSpace(const Problem& problem, const std::vector<size_t>& columns, double mixing)
    : NcpSpace(problem, columns, mixing, ncp_prices(problem, columns)) {}

NcpSpace::NcpSpace(const Problem& problem, const std::vector<size_t>& columns, double mixing,
                   std::vector<IntervalCost> prices)
    : rows_(problem.table.rows), mixing_(mixing) {
  for (size_t i = 0; i < columns.size(); ++i) {
    const size_t j = columns[i];
    const Hierarchy& hierarchy = problem.hierarchies[j];
    const Codes& codes = problem.table.quasi[j].codes;
    const auto leaves = static_cast<uint32_t>(hierarchy.leaves());
    Place place{j, &hierarchy, &codes, leaves, std::move(prices[i]), {}, 0, {}};
    if (leaves <= kDenseLeaves) {
      place.dense.resize(size_t{leaves} * leaves);
      for (uint32_t lo = 0; lo < leaves; ++lo) {
        for (uint32_t hi = lo; hi < leaves; ++hi) place.dense[size_t{lo} * leaves + hi] = place.interval(lo, hi);
      }
    }
    place.spread = mean_pair_cost(place.interval, codes, rows_);
    place.digits = leaf_digits(hierarchy, place.interval, rows_per_leaf(codes, leaves));
    columns_.push_back(std::move(place));
  }
  std::stable_sort(columns_.begin(), columns_.end(),
                   [](const Place& a, const Place& b) { return a.spread > b.spread; });
  for (const Place& place : columns_) {
    tables_.push_back({place.dense.empty() ? nullptr : place.dense.data(), place.leaves});
  }
  if (mixing_ > 0) {
    target_ = &problem.table.target->codes;
    classes_ = problem.table.target->values.size();
  }
}

double NcpSpace::untabled_cost(size_t column, uint32_t lo, uint32_t hi) const {
  return columns_[column].interval(lo, hi);
}

void NcpSpace::widen(size_t column, uint32_t& lo, uint32_t& hi) const {
  const Hierarchy& tree = *columns_[column].hierarchy;
  if (tree.releases_ranges() || lo == hi) return;
  const Hierarchy::NodeInfo& node = tree.node(tree.common_ancestor(lo, hi));
  lo = node.first;
  hi = node.last;
}

std::vector<GroupKey> NcpSpace::group_keys() const {
  std::vector<GroupKey> keys;
  for (const Place& place : columns_) keys.push_back({place.codes, place.leaves});
  return keys;
}

void NcpSpace::gather(std::span<const uint32_t> rows, uint32_t* codes) const {
  const size_t width = columns_.size();
  for (size_t j = 0; j < width; ++j) {
    columns_[j].codes->visit([&](auto column) {
      for (size_t i = 0; i < rows.size(); ++i) codes[i * width + j] = column[rows[i]];
    });
  }
}

void NcpSpace::gather_classes(std::span<const uint32_t> rows, uint32_t* classes) const {
  target_->visit([&](auto column) {
    for (size_t i = 0; i < rows.size(); ++i) classes[i] = column[rows[i]];
  });
}

double partition_cost(const NcpSpace& space, const RowGroups& groups) {
  const size_t width = space.columns();
  std::vector<uint32_t> codes, classes;
  double total = 0;
  for (size_t g = 0; g < groups.size(); ++g) {
    const auto rows = groups.group(g);
    if (rows.empty()) continue;
    codes.resize(rows.size() * width);
    space.gather(rows, codes.data());
    double price = 0;
    for (size_t j = 0; j < width; ++j) {
      uint32_t lo = codes[j], hi = codes[j];
      for (size_t i = 1; i < rows.size(); ++i) {
        lo = std::min(lo, codes[i * width + j]);
        hi = std::max(hi, codes[i * width + j]);
      }
      price += space.cost(j, lo, hi);
    }
    total += double(rows.size()) * price;
    if (space.mixing() > 0) {
      classes.resize(rows.size());
      space.gather_classes(rows, classes.data());
      std::vector<double> counts(space.classes(), 0);
      for (uint32_t c : classes) ++counts[c];
      double squares = 0;
      for (double count : counts) squares += count * count;
      total += mixing_penalty(space.mixing(), double(rows.size()), squares);
    }
  }
  return total;
}

}  // namespace shoal
