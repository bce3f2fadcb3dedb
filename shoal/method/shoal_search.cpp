#include "shoal/method/shoal_search.h"

#include <algorithm>
#include <memory>
#include <numeric>

namespace shoal {
namespace {

constexpr size_t kSampleRows = 8192;  // for choosing the first line
constexpr size_t kThinnest = 8;
constexpr size_t kLineBlock = 1 << 15;  // rows cut at a time
constexpr size_t kSortBlock = 1 << 18;  // keys sorted at a time
constexpr size_t kKeyBlock = 1 << 14;   // keys made at a time

uint64_t hashed(uint64_t seed, uint64_t number) { return SeededRandom(seed ^ (number * 0xD1342543DE82EF95ULL))(); }

// What one thread needs to cut lines.
struct CutWorker {
  explicit CutWorker(const NcpSpace& space) : cutter(space) {}
  LineCutter cutter;
  std::vector<uint32_t> rows, codes, classes, line;
  void load(const NcpSpace& space, std::span<const uint32_t> table_rows) {
    codes.resize(table_rows.size() * space.columns());
    space.gather(table_rows, codes.data());
    if (space.mixing() > 0) {
      classes.resize(table_rows.size());
      space.gather_classes(table_rows, classes.data());
    }
    line.resize(table_rows.size());
    std::iota(line.begin(), line.end(), 0);
  }
};

}  // namespace

ShoalPlan shoal_plan(int effort, size_t rows, size_t columns, uint64_t k) {
  ShoalPlan plan;
  const auto size = static_cast<size_t>(std::min<uint64_t>(k, 100'000));
  plan.window = std::min(300 + 100 * size, 1800 + 30 * size);  // some dozens of groups
  plan.refine.mutations = std::min(20.0, 1.0 + double(k) / 5);

  const double most_passes[] = {2, 50, 1100}, least_passes[] = {1, 6, 24};
  const size_t climbs[] = {3, 12, 30};
  plan.climbs = climbs[effort];
  const double share = 32768.0 / double(std::max<size_t>(rows, 1));
  const double passes = most_passes[effort] * std::min(1.0, share * share) * std::min(1.0, 8.0 / double(columns));
  plan.passes = static_cast<size_t>(std::max(passes, least_passes[effort]));
  return plan;
}

struct ShoalSearch::Worker {
  Worker(const NcpSpace& space, uint64_t k) : window(space, k), refiner(window) {}
  ShoalWindow window;
  ShoalRefiner refiner;
};

ShoalSearch::ShoalSearch(const NcpSpace& space, uint64_t k, const ShoalPlan& plan, uint64_t seed, int threads,
                         Progress& progress)
    : space_(space), k_(k), plan_(plan), random_(seed), threads_(threads), progress_(progress) {}

// (key, row) pairs are all different, so the result does not depend on how the work is split.
void ShoalSearch::sort_keys(KeyedRows& keys) {
  const size_t blocks = (keys.size() + kSortBlock - 1) / kSortBlock;
  auto bound = [&](size_t block) {
    return keys.begin() + static_cast<ptrdiff_t>(std::min(keys.size(), block * kSortBlock));
  };
  auto no_worker = [] { return std::make_unique<int>(0); };
  run_blocks(threads_, blocks, no_worker, [&](int&, size_t block) { std::sort(bound(block), bound(block + 1)); });
  for (size_t width = 1; width < blocks; width *= 2) {
    run_blocks(threads_, (blocks + 2 * width - 1) / (2 * width), no_worker, [&](int&, size_t pair) {
      const size_t first = pair * 2 * width;
      std::inplace_merge(bound(first), bound(first + width), bound(first + 2 * width));
    });
    progress_.check();
  }
}

ShoalSearch::KeyedRows ShoalSearch::row_keys(const LineOrder& order) {
  KeyedRows keys(space_.rows());
  const Walk walk(space_, order);
  run_blocks(
      threads_, (keys.size() + kKeyBlock - 1) / kKeyBlock, [&] { return std::make_unique<CutWorker>(space_); },
      [&](CutWorker& worker, size_t block) {
        progress_.check();
        const size_t first = block * kKeyBlock, last = std::min(keys.size(), first + kKeyBlock);
        worker.rows.resize(last - first);
        std::iota(worker.rows.begin(), worker.rows.end(), static_cast<uint32_t>(first));
        worker.load(space_, worker.rows);
        for (size_t i = first; i < last; ++i) {
          const uint32_t* const codes = worker.codes.data() + (i - first) * space_.columns();
          keys[i] = {walk.key(codes), static_cast<uint32_t>(i)};
        }
      });
  sort_keys(keys);
  return keys;
}

// What cutting the sample costs along each order, with k thinned out like the rows.
std::vector<double> ShoalSearch::sample_costs(const std::vector<LineOrder>& orders) {
  const size_t stride = std::max<size_t>(1, space_.rows() / kSampleRows);
  std::vector<uint32_t> sample;
  for (size_t row = 0; row < space_.rows(); row += stride) sample.push_back(static_cast<uint32_t>(row));
  const uint64_t k = std::min<uint64_t>(std::max<uint64_t>(2, k_ / stride), sample.size());
  std::vector<double> costs(orders.size());
  run_blocks(
      threads_, orders.size(), [&] { return std::make_unique<CutWorker>(space_); },
      [&](CutWorker& worker, size_t block) {
        progress_.check();
        worker.load(space_, sample);
        KeyedRows keys(sample.size());
        const Walk walk(space_, orders[block]);
        for (uint32_t i = 0; i < sample.size(); ++i) {
          keys[i] = {walk.key(worker.codes.data() + i * space_.columns()), i};
        }
        std::sort(keys.begin(), keys.end());
        for (size_t i = 0; i < keys.size(); ++i) worker.line[i] = keys[i].second;
        costs[block] = worker.cutter.cut(worker.codes.data(), worker.classes.data(), worker.line, k);
      });
  return costs;
}

// The best of some random orders, then hill climbing: one column at a time goes to another place.
LineOrder ShoalSearch::promising_order() {
  LineOrder best = worthiest_line(space_);
  // In a thin sample rows lie too far apart to tell what is good for all of them.
  if (best.size() < 2 || space_.rows() > kThinnest * kSampleRows) return best;
  double best_cost = ShoalWindow::kUnlimited;
  for (size_t round = 0; round <= plan_.climbs && !(round > 0 && progress_.out_of_time()); ++round) {
    std::vector<LineOrder> orders{best};
    while (orders.size() < plan_.orders) {
      orders.push_back(round == 0 ? random_line(space_, random_) : varied_line(best, random_));
    }
    const std::vector<double> costs = sample_costs(orders);
    const auto least = std::min_element(costs.begin(), costs.end());
    if (*least >= best_cost) continue;
    best_cost = *least;
    best = orders[static_cast<size_t>(least - costs.begin())];
  }
  return best;
}

void ShoalSearch::start() {
  const KeyedRows keys = row_keys(promising_order());
  partition_ = {};
  partition_.rows.resize(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) partition_.rows[i] = keys[i].second;
  // The last block takes in what would be too short to stand alone.
  const size_t block_rows = std::max<size_t>(kLineBlock, 8 * k_);
  const size_t blocks = std::max<size_t>(1, keys.size() / block_rows);
  std::vector<std::vector<uint32_t>> ends(blocks);
  run_blocks(
      threads_, blocks, [&] { return std::make_unique<CutWorker>(space_); },
      [&](CutWorker& worker, size_t block) {
        progress_.check();
        const size_t first = block * block_rows, last = block + 1 == blocks ? keys.size() : first + block_rows;
        worker.load(space_, std::span(partition_.rows).subspan(first, last - first));
        worker.cutter.cut(worker.codes.data(), worker.classes.data(), worker.line, k_);
        for (uint32_t end : worker.cutter.ends()) ends[block].push_back(static_cast<uint32_t>(first + end));
      });
  for (const auto& block : ends) partition_.starts.insert(partition_.starts.end(), block.begin(), block.end());
}

// A group stands where one of its rows, drawn at random, stands.
ShoalSearch::KeyedRows ShoalSearch::group_keys(const LineOrder& order, uint64_t pass_seed) {
  KeyedRows keys(partition_.size());
  const Walk walk(space_, order);
  run_blocks(
      threads_, (keys.size() + kKeyBlock - 1) / kKeyBlock, [&] { return std::make_unique<CutWorker>(space_); },
      [&](CutWorker& worker, size_t block) {
        const size_t first = block * kKeyBlock, last = std::min(keys.size(), first + kKeyBlock);
        worker.rows.clear();
        for (size_t g = first; g < last; ++g) {
          worker.rows.push_back(partition_.group(g)[hashed(pass_seed, g) % partition_.rows_in(g)]);
        }
        worker.load(space_, worker.rows);
        for (size_t g = first; g < last; ++g) {
          const uint32_t* const codes = worker.codes.data() + (g - first) * space_.columns();
          keys[g] = {walk.key(codes), static_cast<uint32_t>(g)};
        }
      });
  sort_keys(keys);
  return keys;
}

void ShoalSearch::pass() {
  const LineOrder order = random_line(space_, random_);
  const uint64_t pass_seed = random_();
  std::vector<uint32_t> sequence;
  sequence.reserve(partition_.size());
  for (const auto& [key, group] : group_keys(order, pass_seed)) sequence.push_back(group);
  std::vector<size_t> bounds{0};
  std::vector<size_t> first_row{0};
  size_t rows = 0;
  for (size_t i = 0; i < sequence.size(); ++i) {
    rows += partition_.rows_in(sequence[i]);
    if (rows - first_row.back() < plan_.window && i + 1 < sequence.size()) continue;
    bounds.push_back(i + 1);
    first_row.push_back(rows);
  }
  const size_t windows = bounds.size() - 1;
  RowGroups next;
  next.rows.resize(rows);
  std::vector<std::vector<uint32_t>> ends(windows);
  std::mutex counts_mutex;
  run_blocks(
      threads_, windows, [&] { return std::make_unique<Worker>(space_, k_); },
      [&](Worker& worker, size_t block) {
        progress_.check();
        worker.window.load(partition_, std::span(sequence).subspan(bounds[block], bounds[block + 1] - bounds[block]));
        SeededRandom random(hashed(pass_seed + 1, block));
        worker.refiner.refine(plan_.refine, random);
        RowGroups refined;
        worker.window.store(refined);
        std::copy(refined.rows.begin(), refined.rows.end(),
                  next.rows.begin() + static_cast<ptrdiff_t>(first_row[block]));
        for (size_t g = 1; g < refined.starts.size(); ++g) {
          ends[block].push_back(static_cast<uint32_t>(first_row[block] + refined.starts[g]));
        }
        const std::lock_guard lock(counts_mutex);
        counts_ += worker.refiner.take_counts();
      });
  for (const auto& block : ends) next.starts.insert(next.starts.end(), block.begin(), block.end());
  partition_ = std::move(next);
  ++passes_done_;
}

}  // namespace shoal
