// The table is too large to refine at once, so it is refined in windows: groups that stand together on a line. Every
// pass draws another line, so that groups meet other neighbours each time.
#include "shoal/method/shoal/shoal_search.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>

#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr size_t kSampleRows = 8192;  // for choosing the first line
constexpr size_t kThinnest = 8;
constexpr size_t kLineBlock = 1 << 15;  // rows cut at a time

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

  const double most_passes[] = {2, 50, 500}, least_passes[] = {1, 6, 24};
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
    : space_(space), k_(k), plan_(plan), random_(seed), progress_(progress), lines_(space, threads, progress) {}

// What cutting the sample costs along each order, with k thinned out like the rows.
std::vector<double> ShoalSearch::sample_costs(const std::vector<LineOrder>& orders) {
  const size_t stride = std::max<size_t>(1, space_.rows() / kSampleRows);
  std::vector<uint32_t> sample;
  for (size_t row = 0; row < space_.rows(); row += stride) sample.push_back(static_cast<uint32_t>(row));
  const uint64_t k = std::min<uint64_t>(std::max<uint64_t>(2, k_ / stride), sample.size());
  std::vector<double> costs(orders.size());
  run_tasks_with(
      orders.size(), lines_.threads(), [&] { return std::make_unique<CutWorker>(space_); },
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
  const KeyedRows keys = lines_.rows_along(promising_order());
  partition_ = {};
  partition_.rows.resize(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) partition_.rows[i] = keys[i].second;
  // The last block takes in what would be too short to stand alone.
  const size_t block_rows = std::max<size_t>(kLineBlock, 8 * k_);
  const size_t blocks = std::max<size_t>(1, keys.size() / block_rows);
  std::vector<std::vector<uint32_t>> ends(blocks);
  run_tasks_with(
      blocks, lines_.threads(), [&] { return std::make_unique<CutWorker>(space_); },
      [&](CutWorker& worker, size_t block) {
        progress_.check();
        const size_t first = block * block_rows, last = block + 1 == blocks ? keys.size() : first + block_rows;
        worker.load(space_, std::span(partition_.rows).subspan(first, last - first));
        worker.cutter.cut(worker.codes.data(), worker.classes.data(), worker.line, k_);
        for (uint32_t end : worker.cutter.ends()) ends[block].push_back(static_cast<uint32_t>(first + end));
      });
  for (const auto& block : ends) partition_.starts.insert(partition_.starts.end(), block.begin(), block.end());
}

void ShoalSearch::pass() {
  const LineOrder order = random_line(space_, random_);
  const uint64_t pass_seed = random_();
  const WindowPlan windows(lines_, partition_, order, pass_seed, plan_.window);
  std::mutex counts_mutex;
  partition_ = pass_over_windows(
      lines_, partition_, windows, [&] { return std::make_unique<Worker>(space_, k_); },
      [&](Worker& worker, SeededRandom& random) {
        if (!progress_.out_of_time()) worker.refiner.refine(plan_.refine, random);  // else groups stay as they are
        const std::lock_guard lock(counts_mutex);
        counts_ += worker.refiner.take_counts();
      });
  if (!progress_.out_of_time()) ++passes_done_;
}

}  // namespace shoal
