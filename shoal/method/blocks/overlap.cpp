// Which columns are shared, and a quick way to part rows on the others. Rows are parted anew thousands of times while
// blocks are searched for: a line and its best cut are near enough to what windows would make of it, and so much faster
// that the search can ask.
#include "shoal/method/blocks/overlap.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace shoal {
namespace {

constexpr size_t kLinesTried = 40;
constexpr size_t kLineSampleRows = 2048;
// Of the price along a line, what is left after windows have improved the groups. Blocks that were searched for with
// the line's full price are too wide: on two sets of requirements over Adult they lost 0 to 5 % more.
constexpr double kLeftByWindows = 0.85;

std::vector<size_t> columns_of_several(const std::vector<Requirement>& requirements) {
  std::vector<size_t> all;
  for (const Requirement& requirement : requirements) {
    all.insert(all.end(), requirement.columns.begin(), requirement.columns.end());
  }
  std::sort(all.begin(), all.end());
  std::vector<size_t> shared;
  for (size_t i = 1; i < all.size(); ++i) {
    if (all[i] == all[i - 1] && (shared.empty() || shared.back() != all[i])) shared.push_back(all[i]);
  }
  return shared;
}

// Those lines, of random ones and the worthiest, along which some rows of the table are cut best. The rows are as
// dense as those of a block: as many as stand together there.
std::vector<LineOrder> promising_lines(const NcpSpace& space, uint64_t k, size_t count, uint64_t seed) {
  SeededRandom random(seed);
  std::vector<LineOrder> lines{worthiest_line(space)};
  if (lines[0].size() < 2) return lines;
  while (lines.size() < kLinesTried) lines.push_back(random_line(space, random));
  const size_t rows = std::max<size_t>(std::min(space.rows(), kLineSampleRows), 1);
  std::vector<uint32_t> sample(rows), codes(rows * space.columns()), line(rows);
  for (size_t i = 0; i < rows; ++i) sample[i] = static_cast<uint32_t>(i * space.rows() / rows);
  space.gather(sample, codes.data());
  LineCutter cutter(space);
  std::vector<std::pair<double, size_t>> costs;
  std::vector<std::pair<uint64_t, uint32_t>> keys(rows);
  for (size_t l = 0; l < lines.size(); ++l) {
    const Walk walk(space, lines[l]);
    for (uint32_t i = 0; i < rows; ++i) keys[i] = {walk.key(codes.data() + i * space.columns()), i};
    std::sort(keys.begin(), keys.end());
    for (size_t i = 0; i < rows; ++i) line[i] = keys[i].second;
    costs.emplace_back(cutter.cut(codes.data(), nullptr, line, std::min<uint64_t>(k, rows)), l);
  }
  std::sort(costs.begin(), costs.end());
  std::vector<LineOrder> best;
  for (size_t i = 0; i < std::min(count, costs.size()); ++i) best.push_back(lines[costs[i].second]);
  return best;
}

}  // namespace

Overlap::Overlap(const Problem& problem, const std::vector<Requirement>& requirements, size_t lines)
    : problem_(problem),
      shared_columns_(columns_of_several(requirements)),
      shared_(problem, shared_columns_, 0),
      has_models_(problem.has_models()) {
  for (const Requirement& requirement : requirements) {
    OverlapPart part;
    part.k = requirement.k;
    largest_k_ = std::max(largest_k_, part.k);
    for (size_t place = 0; place < shared_.columns(); ++place) {
      if (std::binary_search(requirement.columns.begin(), requirement.columns.end(), shared_.quasi(place))) {
        part.shared.push_back(place);
      }
    }
    part.sees_all_shared = part.shared.size() == shared_.columns();
    std::set_difference(requirement.columns.begin(), requirement.columns.end(), shared_columns_.begin(),
                        shared_columns_.end(), std::back_inserter(part.own_columns));
    if (!part.own_columns.empty()) {
      part.own.emplace(problem, part.own_columns, 0);
      part.lines = promising_lines(*part.own, part.k, lines, problem.seed + parts_.size());
      classes_are_blocks_ = classes_are_blocks_ && part.sees_all_shared;
    }
    parts_.push_back(std::move(part));
  }
}

bool Overlap::may_be_block(std::span<const uint32_t> rows) const {
  if (rows.size() < largest_k_) return false;
  return !has_models_ ||
         std::all_of(problem_.rules.begin(), problem_.rules.end(), [&](const auto& rule) { return rule->holds(rows); });
}

OwnCutter::OwnCutter(const Overlap& overlap) : overlap_(overlap), cutters_(overlap.parts().size()) {
  for (size_t r = 0; r < cutters_.size(); ++r) {
    if (overlap.parts()[r].own) cutters_[r].emplace(*overlap.parts()[r].own);
  }
}

double OwnCutter::cut(size_t part, std::span<const uint32_t> rows, uint64_t k, size_t lines, std::span<double> paid) {
  if (!cutters_[part]) return 0;
  const NcpSpace& space = *overlap_.parts()[part].own;
  const std::vector<LineOrder>& orders = overlap_.parts()[part].lines;
  codes_.resize(rows.size() * space.columns());
  space.gather(rows, codes_.data());
  double best = std::numeric_limits<double>::infinity();
  keys_.resize(rows.size());
  line_.resize(rows.size());
  for (size_t l = 0; l < std::min(lines, orders.size()) && best > 0; ++l) {
    const Walk walk(space, orders[l]);
    for (uint32_t i = 0; i < rows.size(); ++i) keys_[i] = {walk.key(codes_.data() + i * space.columns()), i};
    std::sort(keys_.begin(), keys_.end());
    for (size_t i = 0; i < rows.size(); ++i) line_[i] = keys_[i].second;
    const double cost = cutters_[part]->cut(codes_.data(), nullptr, line_, k);
    if (cost >= best) continue;
    best = cost;
    best_line_.assign(line_.begin(), line_.end());
    best_ends_ = cutters_[part]->ends();
  }
  if (!paid.empty() && best > 0) add_prices(space, paid);
  return kLeftByWindows * best;
}

void OwnCutter::add_prices(const NcpSpace& space, std::span<double> paid) {
  const size_t width = space.columns();
  size_t first = 0;
  for (const uint32_t end : best_ends_) {
    double price = 0;
    for (size_t j = 0; j < width; ++j) {
      uint32_t lo = UINT32_MAX, hi = 0;
      for (size_t i = first; i < end; ++i) {
        const uint32_t code = codes_[best_line_[i] * width + j];
        lo = std::min(lo, code);
        hi = std::max(hi, code);
      }
      price += space.cost(j, lo, hi);
    }
    for (size_t i = first; i < end; ++i) paid[best_line_[i]] += kLeftByWindows * price;
    first = end;
  }
}

}  // namespace shoal
