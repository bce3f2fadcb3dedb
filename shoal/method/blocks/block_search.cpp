// Pools share no rows, and a pool's random numbers come from the pass and the pool's number: threads take them in any
// order with the same result.
#include "shoal/method/blocks/block_search.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr double kThetas[] = {2.5, 1.5, 4, 0.7, 7};    // those that do well most often first
constexpr double kAlphas[] = {0, 0.5, 1, 0.25, 0.75};  // few of them: those far apart
constexpr size_t kAlphaCount = std::size(kAlphas);
constexpr double kLeastTheta = 0.5, kMostTheta = 8;  // of a pool: any between
constexpr size_t kMostPooled = 8;                    // blocks
constexpr size_t kBatches = 8;                       // of pools, taken or left together
constexpr size_t kTinyRows = 400, kLargeRows = 200'000;
constexpr double kWorthwhile = 1e-9;

uint64_t hashed(uint64_t seed, uint64_t number) { return SeededRandom(seed ^ (number * 0xD1342543DE82EF95ULL))(); }

double sum_of_costs(const std::vector<Block>& blocks) {
  return std::accumulate(blocks.begin(), blocks.end(), 0.0,
                         [](double sum, const Block& block) { return sum + block.cost; });
}

}  // namespace

BlockPlan block_plan(int effort, size_t rows) {
  BlockPlan plan;
  const bool tiny = rows <= kTinyRows, large = rows > kLargeRows;
  const size_t trees[] = {1, 1, 3}, tiny_trees[] = {2, 4, 8}, thetas[] = {2, 5, 5}, alphas[] = {2, 3, 5};
  plan.trees = (tiny ? tiny_trees : trees)[effort];
  plan.thetas = large ? 2 : thetas[effort];
  plan.alphas = large ? 2 : alphas[effort];
  plan.lines = effort == 2 ? 3 : 2;
  const double most_passes[] = {4, 25, 150}, least_passes[] = {1, 3, 12};
  const double passes = most_passes[effort] * std::min(1.0, 32768.0 / double(std::max<size_t>(rows, 1)));
  plan.passes = static_cast<size_t>(std::max(passes, least_passes[effort]));
  return plan;
}

BlockSearch::BlockSearch(const Overlap& overlap, const BlockPlan& plan, Progress& progress)
    : overlap_(overlap),
      plan_(plan),
      progress_(progress),
      random_(overlap.problem().seed),
      expected_(overlap, plan.lines, progress) {}

void BlockSearch::start() {
  const size_t alphas = overlap_.classes_are_blocks() ? 1 : std::min(plan_.alphas, kAlphaCount);
  const size_t thetas = std::min(plan_.thetas, std::size(kThetas));
  const uint64_t seed = random_();
  std::vector<std::vector<Block>> found(plan_.trees * thetas * alphas);
  std::vector<uint32_t> rows(overlap_.shared().rows());
  std::iota(rows.begin(), rows.end(), 0);
  run_tasks_with(
      found.size(), overlap_.problem().threads, [&] { return std::make_unique<Tide>(overlap_, progress_); },
      [&](Tide& tide, size_t task) {
        if (task > 0 && progress_.out_of_time()) return;
        const TideSettings settings{pricing(kAlphas[task % alphas]), kThetas[task / alphas % thetas],
                                    hashed(seed, task / alphas / thetas)};
        found[task] = tide.blocks(rows, settings);
      });
  for (size_t task = 0; task < found.size(); ++task) {
    if (found[task].empty()) continue;
    const double cost = expected_.of(cells_of_blocks(overlap_, found[task]));
    if (!blocks_.empty() && cost >= cost_) continue;
    cost_ = cost;
    blocks_ = std::move(found[task]);
    alpha_ = task % alphas;
  }
}

// Blocks that stand together along a random line through the shared columns, where one of their rows, drawn at random,
// stands.
std::vector<std::vector<uint32_t>> BlockSearch::pools() {
  const NcpSpace& shared = overlap_.shared();
  const LineOrder order = random_line(shared, random_);
  const Walk walk(shared, order);
  std::vector<std::pair<uint64_t, uint32_t>> keys;
  std::vector<uint32_t> codes(shared.columns());
  for (uint32_t b = 0; b < blocks_.size(); ++b) {
    const uint32_t row = blocks_[b].rows[random_.below(blocks_[b].rows.size())];
    shared.gather({&row, 1}, codes.data());
    keys.emplace_back(walk.key(codes.data()), b);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::vector<uint32_t>> pools;
  size_t rows = 0, most = 0;
  for (const auto& [key, b] : keys) {
    const size_t added = blocks_[b].rows.size();
    if (pools.empty() || pools.back().size() >= most || (rows + added > plan_.pool && !pools.back().empty())) {
      pools.emplace_back();
      rows = 0;
      most = 2 + random_.below(kMostPooled - 1);
    }
    pools.back().push_back(b);
    rows += added;
  }
  return pools;
}

// Something cheaper, as far as the pool alone can tell; else nothing.
std::vector<Block> BlockSearch::tried_anew(Tide& tide, std::span<const uint32_t> pool, double alpha,
                                           uint64_t seed) const {
  std::vector<Block> best, now;
  std::vector<uint32_t> rows;
  for (uint32_t b : pool) {
    now.push_back(blocks_[b]);
    tide.price(now.back(), pricing(alpha));
    rows.insert(rows.end(), now.back().rows.begin(), now.back().rows.end());
  }
  double least = sum_of_costs(now);
  if (rows.size() > plan_.pool || least <= 0) return best;
  SeededRandom random(seed);
  for (size_t attempt = 0; attempt < plan_.tries && !progress_.out_of_time(); ++attempt) {
    const double theta = kLeastTheta * std::pow(kMostTheta / kLeastTheta, random.unit());
    std::vector<Block> blocks = tide.blocks(rows, {pricing(alpha), theta, random()});
    const double cost = sum_of_costs(blocks);
    if (cost >= least - kWorthwhile) continue;
    least = cost;
    best = std::move(blocks);
  }
  return best;
}

std::vector<Block> BlockSearch::merged_alike(std::vector<Block> blocks) const {
  std::erase_if(blocks, [](const Block& block) { return block.rows.empty(); });
  const SharedCells cells = cells_of_blocks(overlap_, blocks);
  const size_t width = overlap_.shared().columns();
  std::map<std::vector<uint64_t>, size_t> known;
  std::vector<Block> merged;
  for (size_t b = 0; b < blocks.size(); ++b) {
    std::vector<uint64_t> key;
    for (size_t j = 0; j < width; ++j) {
      const Released& cell = cells.cells[b * width + j];
      key.push_back(uint64_t{cell.first} << 32 | cell.last);
    }
    const auto [entry, fresh] = known.emplace(key, merged.size());
    if (fresh) {
      merged.push_back(std::move(blocks[b]));
    } else {
      Block& into = merged[entry->second];
      into.rows.insert(into.rows.end(), blocks[b].rows.begin(), blocks[b].rows.end());
    }
  }
  return merged;
}

// Takes what was found for these pools (nothing: no change) if all of it together pays. Blocks that are replaced lose
// their rows, and new ones come last, so that the numbers in other pools stay right.
bool BlockSearch::accept(std::span<const std::vector<uint32_t>> pools, std::span<const std::vector<Block>> better) {
  std::vector<Block> next = blocks_;
  bool changed = false;
  for (size_t p = 0; p < pools.size(); ++p) {
    if (better[p].empty()) continue;
    changed = true;
    for (uint32_t b : pools[p]) next[b].rows.clear();
    next.insert(next.end(), better[p].begin(), better[p].end());
  }
  if (!changed) return false;
  const double cost = expected_.of(cells_of_blocks(overlap_, next));
  if (cost >= cost_ - kWorthwhile) return false;
  cost_ = cost;
  blocks_ = std::move(next);
  return true;
}

void BlockSearch::pass() {
  const std::vector<std::vector<uint32_t>> pools = this->pools();
  // A requirement that does not see all shared columns is priced by a guess. Whether the guess was good shows only in
  // the classes of the whole table, so that few pools at a time are taken or left: the last good guess half of the
  // time.
  const size_t batches = overlap_.classes_are_blocks() ? 1 : std::min(kBatches, pools.size());
  std::vector<size_t> alphas(batches, 0);
  for (size_t& alpha : alphas) {
    if (!overlap_.classes_are_blocks()) alpha = random_.below(2) == 0 ? alpha_ : random_.below(kAlphaCount);
  }
  const uint64_t seed = random_();
  std::vector<std::vector<Block>> tried(pools.size());
  auto batch_of = [&](size_t pool) { return pool * batches / pools.size(); };
  run_tasks_with(
      pools.size(), overlap_.problem().threads, [&] { return std::make_unique<Tide>(overlap_, progress_); },
      [&](Tide& tide, size_t p) {
        tried[p] = tried_anew(tide, pools[p], kAlphas[alphas[batch_of(p)]], hashed(seed, p));
      });
  for (size_t batch = 0, first = 0; batch < batches; ++batch) {
    size_t last = first;
    while (last < pools.size() && batch_of(last) == batch) ++last;
    if (accept(std::span(pools).subspan(first, last - first), std::span(tried).subspan(first, last - first))) {
      alpha_ = alphas[batch];
    }
    first = last;
  }
  blocks_ = merged_alike(std::move(blocks_));
  ++passes_done_;
}

}  // namespace shoal
