// The search for blocks: tides over the whole table, then passes in which pools of neighbouring blocks are tried anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/method/blocks/overlap.h"
#include "shoal/method/blocks/shared_cells.h"
#include "shoal/method/blocks/tide.h"
#include "shoal/run/progress.h"

namespace shoal {

struct BlockPlan {
  size_t trees = 1;    // for the start, each with
  size_t thetas = 5;   // as many thresholds and
  size_t alphas = 3;   // guesses, where there is something to guess (BlockPricing)
  size_t passes = 15;  // over all blocks
  size_t tries = 3;    // tides per pool and pass
  size_t lines = 2;    // along which own columns are cut
  size_t pool = 8000;  // rows of a pool, at most
};
// effort: 0 fast, 1 normal, 2 best. Fewer passes for many rows, so that time per row stays about the same.
BlockPlan block_plan(int effort, size_t rows);

class BlockSearch {
 public:
  // Both must outlive it. Requires as many rows as the largest k.
  BlockSearch(const Overlap& overlap, const BlockPlan& plan, Progress& progress);

  // Tides over all rows, with several thetas and trees; keeps the cheapest.
  void start();
  // Tries pools of neighbouring blocks anew. Never dearer.
  void pass();

  const std::vector<Block>& blocks() const { return blocks_; }
  double cost() const { return cost_; }  // expected
  double expected(const SharedCells& cells) { return expected_.of(cells); }
  size_t passes_done() const { return passes_done_; }

 private:
  BlockPricing pricing(double alpha) const { return {plan_.lines, alpha}; }
  std::vector<std::vector<uint32_t>> pools();
  std::vector<Block> tried_anew(Tide& tide, std::span<const uint32_t> pool, double alpha, uint64_t seed) const;
  bool accept(std::span<const std::vector<uint32_t>> pools, std::span<const std::vector<Block>> better);
  std::vector<Block> merged_alike(std::vector<Block> blocks) const;

  const Overlap& overlap_;
  const BlockPlan plan_;
  Progress& progress_;
  SeededRandom random_;
  ExpectedCost expected_;
  std::vector<Block> blocks_;
  double cost_ = 0;
  size_t alpha_ = 0;  // which of kAlphas did well last
  size_t passes_done_ = 0;
};

}  // namespace shoal
