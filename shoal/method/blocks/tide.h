// Blocks from a pool of rows, by a tide: a tree of boxes on the shared columns, from narrow to wide. Rows that pay
// little on their own columns stay in the narrow box where they are and make a block there; rows for which a group of
// like rows is hard to find rise to the next wider box, where more rows meet. So common rows keep exact shared cells,
// and rare ones share wider ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/method/blocks/overlap.h"
#include "shoal/run/progress.h"

namespace shoal {

// Rows that release the same shared cells.
struct Block {
  std::vector<uint32_t> rows;
  double shared_price = 0;  // what each row pays on the shared columns
  double cost = 0;          // of all its rows on shared and own columns, as far as the block alone can tell
};

// How the cost of a block is estimated.
struct BlockPricing {
  size_t lines = 2;  // of each requirement
  // A requirement that does not see all shared columns has larger classes than the block: for the block it is priced
  // with k x share^alpha, where share is how many of the rows in the class's box lie in the block's.
  double alpha = 0;
};

struct TideSettings {
  BlockPricing pricing;
  // A row rises when what it pays on own columns is more than theta x what the wider box adds to its shared cells.
  double theta = 1;
  uint64_t seed = 1;  // of the tree
};

// One per thread. Keeps its working memory between calls.
class Tide {
 public:
  // Both must outlive it.
  Tide(const Overlap& overlap, const Progress& progress);

  // The shared price of these rows as one block, and its estimated cost; `paid`: one per row, what it pays on own
  // columns. Requires at least one row.
  void price(Block& block, const BlockPricing& pricing, std::vector<double>* paid = nullptr);

  // Blocks of all of `rows`. Requires rows that may be a block together. Out of time: fewer, larger blocks.
  std::vector<Block> blocks(std::vector<uint32_t> rows, const TideSettings& settings);

 private:
  struct Box {
    std::vector<uint32_t> lo, hi;  // [place in the shared space]
    double price = 0;
  };
  struct Cut {
    size_t column = SIZE_MAX;
    uint32_t last_left = 0;
  };
  Box box_of(std::span<const uint32_t> rows);
  uint64_t thinned_k(const OverlapPart& part, const Box& box, size_t rows, double alpha) const;
  Cut choose_cut(std::span<const uint32_t> rows, const Box& box);
  bool cut_on(std::span<const uint32_t> rows, const Box& box, size_t column, Cut& cut);
  std::vector<uint32_t> rise(std::vector<uint32_t> rows, double price_above);
  std::vector<uint32_t> settle(std::vector<uint32_t> here, double price_above);
  void settle_last(std::vector<uint32_t> rows);
  bool join_block(std::span<const uint32_t> rows);

  const Overlap& overlap_;
  const NcpSpace& shared_;
  const Progress& progress_;
  OwnCutter cutter_;
  std::vector<uint32_t> sample_;  // shared codes of rows all over the table, for shares
  TideSettings settings_;
  SeededRandom random_{1};
  std::vector<Block> found_;
  std::vector<uint32_t> codes_;
  std::vector<uint64_t> counts_;
  std::vector<double> paid_;
};

}  // namespace shoal
