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

// What one thread needs to cut lines.
struct ShoalSearch::CutWorker {
  explicit CutWorker(const NcpSpace& space) : cutter(space) {}
  LineCutter cutter;
  std::vector<uint32_t> codes, classes, line;
  std::vector<uint64_t> keys;
  KeyedRows keyed, spare;
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

// Some rows spread over the table, and k thinned out like them.
struct ShoalSearch::Sample {
  Sample(const NcpSpace& space, uint64_t whole_k) {
    const size_t stride = std::max<size_t>(1, space.rows() / kSampleRows);
    std::vector<uint32_t> sampled;
    for (size_t row = 0; row < space.rows(); row += stride) sampled.push_back(static_cast<uint32_t>(row));
    rows = sampled.size();
    k = std::min<uint64_t>(std::max<uint64_t>(2, whole_k / stride), rows);
    codes.resize(rows * space.columns());
    space.gather(sampled, codes.data());
    if (space.mixing() == 0) return;
    classes.resize(rows);
    space.gather_classes(sampled, classes.data());
  }
  size_t rows;
  uint64_t k;
  std::vector<uint32_t> codes, classes;
  std::vector<std::unique_ptr<CutWorker>> workers;  // kept between rounds: fresh memory takes as long as half a cut
};

// What cutting the sample costs along each order.
std::vector<double> ShoalSearch::sample_costs(Sample& sample, const std::vector<LineOrder>& orders) {
  std::vector<double> costs(orders.size());
  sample.workers.resize(std::max(sample.workers.size(), task_workers(orders.size(), lines_.threads())));
  run_tasks(orders.size(), lines_.threads(), [&](size_t number, size_t block) {
    if (!sample.workers[number]) sample.workers[number] = std::make_unique<CutWorker>(space_);
    CutWorker& worker = *sample.workers[number];
    progress_.check();
    worker.keys.resize(sample.rows);
    Walk(space_, orders[block]).keys(sample.codes.data(), space_.columns(), worker.keys);
    worker.keyed.resize(sample.rows);
    for (uint32_t i = 0; i < sample.rows; ++i) worker.keyed[i] = {worker.keys[i], i};
    sort_keyed(worker.keyed, worker.spare);
    worker.line.resize(sample.rows);
    for (size_t i = 0; i < sample.rows; ++i) worker.line[i] = worker.keyed[i].second;
    costs[block] = worker.cutter.cut(sample.codes.data(), sample.classes.data(), worker.line, sample.k);
  });
  return costs;
}

// The best of some random orders, then hill climbing: one column at a time goes to another place.
LineOrder ShoalSearch::promising_order() {
  LineOrder best = worthiest_line(space_);
  // In a thin sample rows lie too far apart to tell what is good for all of them.
  if (best.size() < 2 || space_.rows() > kThinnest * kSampleRows) return best;
  Sample sample(space_, k_);
  std::vector<LineOrder> tried;  // none of them costs less than the best
  double best_cost = ShoalWindow::kUnlimited;
  for (size_t round = 0; round <= plan_.climbs && !(round > 0 && progress_.out_of_time()); ++round) {
    std::vector<LineOrder> orders;
    if (round == 0) orders.push_back(best);
    for (size_t drawn = 1; drawn < plan_.orders; ++drawn) {
      LineOrder order = round == 0 ? random_line(space_, random_) : varied_line(best, random_);
      if (std::find(tried.begin(), tried.end(), order) == tried.end()) orders.push_back(std::move(order));
    }
    if (orders.empty()) continue;
    const std::vector<double> costs = sample_costs(sample, orders);
    tried.insert(tried.end(), orders.begin(), orders.end());
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
