#include "shoal/learn/boosted_tree.h"

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

constexpr size_t kBoostedBins = 32;
constexpr double kLeastPart = 0.02;       // of a row; less goes with the rest of it
constexpr double kLeastCurvature = 1e-3;  // on either side of a split
constexpr double kLeastGain = 1e-9;
constexpr double kTie = 1e-7;  // gains this close are the same: sums depend on the order of rows, trees must not

double gain_of(const Pull& pull, double ridge) { return pull.slope * pull.slope / (pull.curvature + ridge); }

Pull difference(const Pull& all, const Pull& part) {
  return {all.slope - part.slope, all.curvature - part.curvature, all.weight - part.weight};
}

}  // namespace

Pull& Pull::operator+=(const Pull& other) {
  slope += other.slope;
  curvature += other.curvature;
  weight += other.weight;
  return *this;
}

BinnedRows::BinnedRows(const Dataset& data) : rows_(data.rows) {
  for (const Attribute& attribute : data.attributes) {
    BinnedColumn column{.shares = ColumnShares(attribute, data.weights, kBoostedBins), .numeric = attribute.numeric};
    const size_t known =
        attribute.numeric ? attribute.extents.size() : attribute.categories.size() + attribute.sets.size();
    column.cells.reserve(data.rows);
    for (uint32_t code : attribute.codes) column.cells.push_back(static_cast<uint32_t>(std::min<size_t>(code, known)));
    column.bins.assign(known + 1, kSpread);
    column.spreads.resize(known + 1);
    for (size_t cell = 0; cell <= known && column.shares.bins() > 0; ++cell) {
      std::vector<double> covered;
      column.shares.covered(attribute, cell == known ? Attribute::kMissing : static_cast<uint32_t>(cell), covered);
      const auto some = [](double share) { return share > 0; };
      if (std::count_if(covered.begin(), covered.end(), some) == 1) {
        column.bins[cell] = static_cast<uint32_t>(std::find_if(covered.begin(), covered.end(), some) - covered.begin());
      } else {
        column.spreads[cell] = std::move(covered);
      }
    }
    columns_.push_back(std::move(column));
  }
}

// Grows one tree, depth first.
class BoostedTree::Growth {
 public:
  Growth(BoostedTree& tree, const BinnedRows& rows, std::span<const Pull> pulls, const TreeSettings& settings)
      : tree_(tree), rows_(rows), pulls_(pulls), settings_(settings), left_of_(rows.columns()) {}

  struct Part {
    uint32_t row;
    double share;  // of the row that came here
  };

  uint32_t grow(std::vector<Part> parts, int depth, std::span<double> answers, std::span<double> gains) {
    const auto place = static_cast<uint32_t>(tree_.nodes_.size());
    tree_.nodes_.emplace_back();
    Pull all;
    for (const Part& part : parts) add(all, part);
    Split best;
    if (depth > 0) {
      for (size_t column = 0; column < rows_.columns(); ++column) look_for_split(column, parts, best);
    }
    if (best.goes_left.empty()) {
      const double value = all.slope / (all.curvature + settings_.ridge);
      tree_.nodes_[place].value = value;
      for (const Part& part : parts) answers[part.row] += part.share * value;
      return place;
    }
    gains[best.column] += best.gain;
    std::vector<Part> left, right;
    for (const Part& part : parts) {
      double share = left_share(best, rows_.cell(best.column, part.row));
      if (share < kLeastPart) share = 0;
      if (share > 1 - kLeastPart) share = 1;
      if (share > 0) left.push_back({part.row, part.share * share});
      if (share < 1) right.push_back({part.row, part.share * (1 - share)});
    }
    parts = {};
    // What the tests so far leave of the column's bins, for each branch while it grows.
    const std::vector<uint8_t> before = left_of_[best.column];
    auto narrow = [&](uint8_t side) {
      std::vector<uint8_t>& allowed = left_of_[best.column];
      allowed.resize(best.goes_left.size(), 1);
      for (size_t bin = 0; bin < allowed.size(); ++bin) {
        allowed[bin] = (before.empty() || before[bin]) && best.goes_left[bin] == side ? 1 : 0;
      }
    };
    narrow(1);
    const uint32_t on_left = grow(std::move(left), depth - 1, answers, gains);
    narrow(0);
    const uint32_t on_right = grow(std::move(right), depth - 1, answers, gains);
    left_of_[best.column] = before;
    TreeNode& node = tree_.nodes_[place];
    node.column = static_cast<uint32_t>(best.column);
    node.goes_left = std::move(best.goes_left);
    node.left_share = best.left_weight;
    node.left = on_left;
    node.right = on_right;
    return place;
  }

 private:
  struct Split {
    double gain = 0;
    size_t column = 0;
    std::vector<uint8_t> goes_left;
    double left_weight = 0;  // share
  };

  void add(Pull& to, const Part& part) const {
    const Pull& pull = pulls_[part.row];
    to += {part.share * pull.slope, part.share * pull.curvature, part.share * pull.weight};
  }
  bool allowed(size_t column, size_t bin) const { return left_of_[column].empty() || left_of_[column][bin]; }

  // The share of a cell on the left of a split, within what the tests above leave of it.
  double left_share(const Split& split, uint32_t cell) const {
    const uint32_t bin = rows_.bin(split.column, cell);
    if (bin != BinnedRows::kSpread) return split.goes_left[bin];
    const auto spread = rows_.spread(split.column, cell);
    double left = 0, sum = 0;
    for (size_t b = 0; b < spread.size(); ++b) {
      if (!allowed(split.column, b)) continue;
      sum += spread[b];
      if (split.goes_left[b]) left += spread[b];
    }
    return sum > 0 ? left / sum : split.left_weight;
  }

  // The pulls of the parts in each bin of a column; what says nothing about the column takes no part.
  std::vector<Pull> by_bin(size_t column, const std::vector<Part>& parts) {
    std::vector<Pull> bins(rows_.shares(column).bins());
    cell_pulls_.assign(rows_.cells(column), Pull{});
    for (const Part& part : parts) {
      const uint32_t cell = rows_.cell(column, part.row), bin = rows_.bin(column, cell);
      add(bin != BinnedRows::kSpread ? bins[bin] : cell_pulls_[cell], part);
    }
    for (uint32_t cell = 0; cell < cell_pulls_.size(); ++cell) {
      const Pull& pull = cell_pulls_[cell];
      if (pull.weight <= 0) continue;
      const auto spread = rows_.spread(column, cell);
      double sum = 0;
      for (size_t b = 0; b < spread.size(); ++b) sum += allowed(column, b) ? spread[b] : 0;
      for (size_t b = 0; b < spread.size() && sum > 0; ++b) {
        if (!allowed(column, b) || spread[b] == 0) continue;
        const double share = spread[b] / sum;
        bins[b] += {share * pull.slope, share * pull.curvature, share * pull.weight};
      }
    }
    return bins;
  }

  void look_for_split(size_t column, const std::vector<Part>& parts, Split& best) {
    if (rows_.shares(column).bins() < 2) return;
    const std::vector<Pull> bins = by_bin(column, parts);
    std::vector<uint32_t> order;
    Pull all;
    for (uint32_t b = 0; b < bins.size(); ++b) {
      all += bins[b];
      if (bins[b].weight > 0) order.push_back(b);
    }
    if (order.size() < 2) return;
    // Categories stand by what they pull towards: then some prefix is the best of all subsets.
    if (!rows_.numeric(column)) {
      auto towards = [&](uint32_t b) {
        return std::round(bins[b].slope / (bins[b].curvature + settings_.ridge) / kTie);
      };
      std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return towards(a) < towards(b); });
    }
    const double before = gain_of(all, settings_.ridge);
    Pull left;
    size_t best_end = 0;
    for (size_t end = 1; end < order.size(); ++end) {
      left += bins[order[end - 1]];
      const Pull right = difference(all, left);
      if (std::min(left.weight, right.weight) < settings_.least_rows) continue;
      if (std::min(left.curvature, right.curvature) < kLeastCurvature) continue;
      const double gain = gain_of(left, settings_.ridge) + gain_of(right, settings_.ridge) - before;
      if (gain <= best.gain * (1 + kTie) + kLeastGain) continue;
      best.gain = gain;
      best.left_weight = left.weight / all.weight;
      best_end = end;
    }
    if (best_end == 0) return;
    best.column = column;
    best.goes_left.assign(bins.size(), 0);
    if (rows_.numeric(column)) {  // bins without rows go with their neighbours
      for (uint32_t b = 0; b <= order[best_end - 1]; ++b) best.goes_left[b] = 1;
    } else {
      for (size_t i = 0; i < best_end; ++i) best.goes_left[order[i]] = 1;
    }
  }

  BoostedTree& tree_;
  const BinnedRows& rows_;
  std::span<const Pull> pulls_;
  const TreeSettings& settings_;
  std::vector<std::vector<uint8_t>> left_of_;  // [column][bin] still possible here; empty: all
  std::vector<Pull> cell_pulls_;
};

BoostedTree::BoostedTree(const BinnedRows& rows, std::span<const Pull> pulls, const TreeSettings& settings,
                         std::span<double> answers, std::span<double> gains) {
  std::vector<Growth::Part> parts;
  for (uint32_t row = 0; row < rows.rows(); ++row) parts.push_back({row, 1});
  Growth(*this, rows, pulls, settings).grow(std::move(parts), settings.depth, answers, gains);
}

double BoostedTree::answer_below(uint32_t place, std::span<std::vector<double>> covered) const {
  const TreeNode& node = nodes_[place];
  if (node.goes_left.empty()) return node.value;
  std::vector<double>& cell = covered[node.column];
  double left = 0, sum = 0;
  for (size_t b = 0; b < cell.size(); ++b) {
    sum += cell[b];
    if (node.goes_left[b]) left += cell[b];
  }
  double share = sum > 0 ? left / sum : node.left_share;
  if (share < kLeastPart) share = 0;
  if (share > 1 - kLeastPart) share = 1;
  if (share == 1) return answer_below(node.left, covered);
  if (share == 0) return answer_below(node.right, covered);
  const std::vector<double> before = cell;
  double answer = 0;
  for (const bool on_left : {true, false}) {
    for (size_t b = 0; b < cell.size(); ++b) cell[b] = (node.goes_left[b] != 0) == on_left ? before[b] : 0;
    answer += (on_left ? share : 1 - share) * answer_below(on_left ? node.left : node.right, covered);
  }
  covered[node.column] = before;
  return answer;
}

size_t BoostedTree::leaves() const {
  return static_cast<size_t>(
      std::count_if(nodes_.begin(), nodes_.end(), [](const TreeNode& node) { return node.goes_left.empty(); }));
}

}  // namespace shoal
