#include "shoal/method/space/leaf_digits.h"

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

constexpr int kHalvings = 5;

// A partition of the leaves into intervals: where each begins.
using Pieces = std::vector<uint32_t>;

uint32_t piece_end(const Pieces& pieces, size_t piece, uint32_t leaves) {
  return piece + 1 < pieces.size() ? pieces[piece + 1] : leaves;
}

// Every interval of two leaves or more is cut where its rows are halved best.
Pieces halved(const Pieces& pieces, std::span<const uint64_t> counts) {
  const auto leaves = static_cast<uint32_t>(counts.size());
  Pieces finer;
  for (size_t p = 0; p < pieces.size(); ++p) {
    const uint32_t first = pieces[p], end = piece_end(pieces, p, leaves);
    finer.push_back(first);
    if (end - first < 2) continue;
    uint64_t rows = 0;
    for (uint32_t leaf = first; leaf < end; ++leaf) rows += counts[leaf];
    uint32_t cut = first + 1;
    uint64_t below = counts[first];
    // The border moves up as long as that brings the two sides nearer to each other.
    while (cut + 1 < end && 2 * below + counts[cut] <= rows) below += counts[cut++];
    finer.push_back(cut);
  }
  return finer;
}

Pieces nodes_at_depth(const Hierarchy& hierarchy, uint32_t depth) {
  Pieces pieces;
  Hierarchy::Node before = UINT32_MAX;
  for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
    Hierarchy::Node node = hierarchy.leaf_node(leaf);
    while (hierarchy.node(node).depth > depth) node = hierarchy.node(node).parent;
    if (node != before) pieces.push_back(leaf);
    before = node;
  }
  return pieces;
}

// What a row pays on average when it is known up to its piece, and how many bits that takes.
struct Knowledge {
  double price = 0, bits = 0;
};

Knowledge knowledge(const Pieces& pieces, const IntervalCost& cost, std::span<const uint64_t> counts) {
  Knowledge known;
  double rows = 0;
  for (uint64_t count : counts) rows += double(count);
  if (rows == 0) return known;
  for (size_t p = 0; p < pieces.size(); ++p) {
    const uint32_t end = piece_end(pieces, p, static_cast<uint32_t>(counts.size()));
    double inside = 0;
    for (uint32_t leaf = pieces[p]; leaf < end; ++leaf) inside += double(counts[leaf]);
    if (inside == 0) continue;
    known.price += inside / rows * cost(pieces[p], end - 1);
    known.bits -= inside / rows * std::log2(inside / rows);
  }
  return known;
}

LeafDigit digit_between(const Pieces& coarse, const Pieces& fine, uint32_t leaves) {
  LeafDigit digit;
  digit.of_leaf.resize(leaves);
  size_t outer = 0;
  uint32_t value = 0;
  for (size_t p = 0; p < fine.size(); ++p, ++value) {
    if (outer + 1 < coarse.size() && fine[p] == coarse[outer + 1]) {
      ++outer;
      value = 0;
    }
    digit.radix = std::max(digit.radix, value + 1);
    for (uint32_t leaf = fine[p]; leaf < piece_end(fine, p, leaves); ++leaf) digit.of_leaf[leaf] = value;
  }
  return digit;
}

}  // namespace

std::vector<LeafDigit> leaf_digits(const Hierarchy& hierarchy, const IntervalCost& cost,
                                   std::span<const uint64_t> counts) {
  const auto leaves = static_cast<uint32_t>(counts.size());
  std::vector<LeafDigit> digits;
  Pieces coarse{0};
  for (uint32_t depth = 1; coarse.size() < leaves; ++depth) {
    Pieces fine;
    if (!hierarchy.releases_ranges()) {
      fine = nodes_at_depth(hierarchy, depth);
    } else if (depth <= kHalvings) {
      fine = halved(coarse, counts);
    } else {
      for (uint32_t leaf = 0; leaf < leaves; ++leaf) fine.push_back(leaf);
    }
    if (fine.size() == coarse.size()) continue;
    LeafDigit digit = digit_between(coarse, fine, leaves);
    const Knowledge before = knowledge(coarse, cost, counts), after = knowledge(fine, cost, counts);
    const double bits = std::max(after.bits - before.bits, 1e-6);
    digit.worth = std::max(before.price - after.price, 1e-6) / std::max(bits, 1e-3);
    digits.push_back(std::move(digit));
    coarse = std::move(fine);
  }
  return digits;
}

}  // namespace shoal
