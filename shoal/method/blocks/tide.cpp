#include "shoal/method/blocks/tide.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace shoal {
namespace {

constexpr int kRounds = 4;  // in which rows rise out of one box: fewer rows left make other groups, and other prices
constexpr size_t kTideSampleRows = 2048;

}  // namespace

Tide::Tide(const Overlap& overlap, const Progress& progress)
    : overlap_(overlap), shared_(overlap.shared()), progress_(progress), cutter_(overlap) {
  if (overlap.classes_are_blocks()) return;
  const size_t rows = std::min(shared_.rows(), kTideSampleRows);
  std::vector<uint32_t> numbers(rows);
  for (size_t i = 0; i < rows; ++i) numbers[i] = static_cast<uint32_t>(i * shared_.rows() / rows);
  sample_.resize(rows * shared_.columns());
  shared_.gather(numbers, sample_.data());
}

Tide::Box Tide::box_of(std::span<const uint32_t> rows) {
  const size_t width = shared_.columns();
  codes_.resize(rows.size() * width);
  shared_.gather(rows, codes_.data());
  Box box{std::vector<uint32_t>(width, UINT32_MAX), std::vector<uint32_t>(width, 0), 0};
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t j = 0; j < width; ++j) {
      box.lo[j] = std::min(box.lo[j], codes_[i * width + j]);
      box.hi[j] = std::max(box.hi[j], codes_[i * width + j]);
    }
  }
  for (size_t j = 0; j < width; ++j) box.price += shared_.cost(j, box.lo[j], box.hi[j]);
  return box;
}

uint64_t Tide::thinned_k(const OverlapPart& part, const Box& box, size_t rows, double alpha) const {
  const uint64_t k = std::min<uint64_t>(part.k, rows);
  if (part.sees_all_shared || alpha == 0) return k;
  const size_t width = shared_.columns();
  size_t in_box = 0, in_class = 0;
  for (size_t at = 0; at < sample_.size(); at += width) {
    auto inside = [&](size_t j) { return box.lo[j] <= sample_[at + j] && sample_[at + j] <= box.hi[j]; };
    if (!std::all_of(part.shared.begin(), part.shared.end(), inside)) continue;
    ++in_class;
    bool all = true;
    for (size_t j = 0; j < width && all; ++j) all = inside(j);
    in_box += all ? 1 : 0;
  }
  // The sample may have missed the box: half a row counts always.
  const double share = (double(in_box) + 0.5) / (double(in_class) + 0.5);
  return std::clamp<uint64_t>(static_cast<uint64_t>(std::ceil(double(k) * std::pow(share, alpha))), 1, k);
}

void Tide::price(Block& block, const BlockPricing& pricing, std::vector<double>* paid) {
  const Box box = box_of(block.rows);
  block.shared_price = box.price;
  block.cost = double(block.rows.size()) * box.price;
  if (paid != nullptr) paid->assign(block.rows.size(), 0);
  for (size_t r = 0; r < overlap_.parts().size(); ++r) {
    const OverlapPart& part = overlap_.parts()[r];
    if (!part.own) continue;
    const uint64_t k = thinned_k(part, box, block.rows.size(), pricing.alpha);
    if (k < 2) continue;
    block.cost +=
        cutter_.cut(r, block.rows, k, pricing.lines, paid != nullptr ? std::span<double>(*paid) : std::span<double>());
  }
}

// Where the rows, cut in two on this column, would pay least there. False when no cut leaves both sides the largest k.
bool Tide::cut_on(std::span<const uint32_t> rows, const Box& box, size_t column, Cut& cut) {
  const size_t width = shared_.columns();
  counts_.assign(box.hi[column] - box.lo[column] + 1, 0);
  for (size_t i = 0; i < rows.size(); ++i) ++counts_[codes_[i * width + column] - box.lo[column]];
  double least = std::numeric_limits<double>::infinity();
  size_t left = 0;
  uint32_t last_left = box.lo[column];
  for (uint32_t code = box.lo[column]; code <= box.hi[column]; ++code) {
    const size_t here = counts_[code - box.lo[column]];
    if (here == 0) continue;
    if (left >= overlap_.largest_k() && rows.size() - left >= overlap_.largest_k()) {
      const double cost = double(left) * shared_.cost(column, box.lo[column], last_left) +
                          double(rows.size() - left) * shared_.cost(column, code, box.hi[column]);
      if (cost < least) {
        least = cost;
        cut = {column, last_left};
      }
    }
    left += here;
    last_left = code;
  }
  return least < std::numeric_limits<double>::infinity();
}

// Dear columns first, but not always the same: other trees make other blocks. Requires codes_ of these rows.
Tide::Cut Tide::choose_cut(std::span<const uint32_t> rows, const Box& box) {
  std::vector<std::pair<double, size_t>> columns;
  for (size_t j = 0; j < shared_.columns(); ++j) {
    const double draw = 0.5 + random_.unit();
    if (box.lo[j] < box.hi[j]) columns.emplace_back(-shared_.cost(j, box.lo[j], box.hi[j]) * draw, j);
  }
  std::sort(columns.begin(), columns.end());
  Cut cut;
  for (const auto& [worth, column] : columns) {
    if (cut_on(rows, box, column, cut)) return cut;
  }
  return {};
}

std::vector<uint32_t> Tide::rise(std::vector<uint32_t> rows, double price_above) {
  progress_.check();
  if (rows.size() >= 2 * overlap_.largest_k() && !progress_.out_of_time()) {
    const Box box = box_of(rows);
    const Cut cut = box.price > 0 ? choose_cut(rows, box) : Cut{};
    if (cut.column != SIZE_MAX) {
      std::vector<uint32_t> left, right;
      const size_t width = shared_.columns();
      for (size_t i = 0; i < rows.size(); ++i) {
        (codes_[i * width + cut.column] <= cut.last_left ? left : right).push_back(rows[i]);
      }
      rows = rise(std::move(left), box.price);
      const std::vector<uint32_t> more = rise(std::move(right), box.price);
      rows.insert(rows.end(), more.begin(), more.end());
    }
  }
  return settle(std::move(rows), price_above);
}

// The rows that stay become a block; the others are returned.
std::vector<uint32_t> Tide::settle(std::vector<uint32_t> here, double price_above) {
  std::vector<uint32_t> risen;
  Block block;
  for (int round = 0;; ++round) {
    if (!overlap_.may_be_block(here)) {
      risen.insert(risen.end(), here.begin(), here.end());
      return risen;
    }
    block.rows = std::move(here);
    price(block, settings_.pricing, &paid_);
    const double limit = settings_.theta * (price_above - block.shared_price);
    if (round == kRounds || price_above == std::numeric_limits<double>::infinity()) break;
    here.clear();
    const size_t before = risen.size();
    for (size_t i = 0; i < block.rows.size(); ++i) (paid_[i] > limit ? risen : here).push_back(block.rows[i]);
    if (risen.size() == before) break;
  }
  found_.push_back(std::move(block));
  return risen;
}

// Rows that are no block by themselves have come to the top: they join the one that this costs least on shared columns.
bool Tide::join_block(std::span<const uint32_t> rows) {
  size_t best = SIZE_MAX;
  double least = std::numeric_limits<double>::infinity();
  std::vector<uint32_t> both;
  for (size_t b = 0; b < found_.size(); ++b) {
    both = found_[b].rows;
    both.insert(both.end(), rows.begin(), rows.end());
    const double added =
        double(both.size()) * box_of(both).price - double(found_[b].rows.size()) * found_[b].shared_price;
    if (added >= least || !overlap_.may_be_block(both)) continue;
    least = added;
    best = b;
  }
  if (best == SIZE_MAX) return false;
  found_[best].rows.insert(found_[best].rows.end(), rows.begin(), rows.end());
  price(found_[best], settings_.pricing);
  return true;
}

// Where no block will have them, one block after the other joins them until they may be one: all rows together may.
void Tide::settle_last(std::vector<uint32_t> rows) {
  if (rows.empty() || join_block(rows)) return;
  while (!found_.empty() && !overlap_.may_be_block(rows)) {
    rows.insert(rows.end(), found_.back().rows.begin(), found_.back().rows.end());
    found_.pop_back();
  }
  found_.push_back({std::move(rows)});
  price(found_.back(), settings_.pricing);
}

std::vector<Block> Tide::blocks(std::vector<uint32_t> rows, const TideSettings& settings) {
  settings_ = settings;
  random_ = SeededRandom(settings.seed);
  found_.clear();
  settle_last(rise(std::move(rows), std::numeric_limits<double>::infinity()));
  return std::move(found_);
}

}  // namespace shoal
