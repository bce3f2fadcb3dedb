// Where to cut is tried on a sample of a large pool, and the cut made on all of it. A pool's random numbers come from
// its place in the table, so it does not matter which thread cuts it when.
#include "shoal/method/shoal/rules/fair_start.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "shoal/method/shoal/rules/fair_cut.h"
#include "shoal/run/growing_tasks.h"

namespace shoal {
namespace {

constexpr size_t kSample = 256;           // rows on which places to cut are tried
constexpr size_t kKept = 4096;            // smaller pools are cut by the thread that made them
constexpr size_t kWalks = 3;              // lines tried besides one by each column
constexpr double kPlaces[] = {0.5, 0.3};  // and the nearest change of the value
constexpr size_t kMadeTries = 3;          // cuts that looked best on the sample, tried on all rows

struct Stretch {
  size_t first, last;  // of the rows in their present order
};

// A line and a place on it.
struct Cut {
  size_t column = SIZE_MAX;  // none: the walk alone
  LineOrder order;
  double share = 0;
  double cost = FairCutter::kNever;
};

class StartWorker {
 public:
  StartWorker(const NcpSpace& space, const GroupRule& rule, const RowKinds& kinds, double purest)
      : space_(space), cutter_(space, rule, kinds), purest_(purest) {}

  // Cuts the rows in two, left side first; returns its size, 0 when no cut holds.
  size_t cut(std::span<uint32_t> rows, SeededRandom& random) {
    pool_ = loaded(rows);
    if (cutter_.cost(pool_, pool_.rows) <= 0) return 0;
    std::vector<Cut> cuts = tried_cuts(random);
    const size_t sampled = std::min(cuts.size(), kMadeTries);
    std::stable_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.cost < b.cost; });
    for (size_t i = 0; i < sampled && cuts[i].cost < FairCutter::kNever; ++i) {
      line_up(pool_, cuts[i]);
      const auto left = static_cast<size_t>(cuts[i].share * double(rows.size()));
      if (left == 0 || cutter_.cut(pool_, left, random, purest_) == FairCutter::kNever) continue;
      size_t place = 0;
      for (const auto* side : {&cutter_.left(), &cutter_.right()}) {
        for (uint32_t row : *side) rows[place++] = table_rows_[row];
      }
      return cutter_.left().size();
    }
    return 0;
  }

 private:
  Pool loaded(std::span<const uint32_t> rows) {
    table_rows_.assign(rows.begin(), rows.end());
    codes_.resize(rows.size() * space_.columns());
    space_.gather(rows, codes_.data());
    if (space_.mixing() > 0) {
      classes_.resize(rows.size());
      space_.gather_classes(rows, classes_.data());
    }
    Pool pool{codes_.data(), classes_.data(), table_rows_.data(), std::vector<uint32_t>(rows.size())};
    std::iota(pool.rows.begin(), pool.rows.end(), 0);
    return pool;
  }

  void line_up(Pool& pool, const Cut& cut) {
    if (cut.column == SIZE_MAX) {
      cutter_.line_up(pool, cut.order);
    } else {
      cutter_.line_up(pool, cut.order, cut.column);
    }
  }

  // Every column and some walks, at some places each, on the sample.
  std::vector<Cut> tried_cuts(SeededRandom& random) {
    std::vector<Cut> cuts;
    Pool sample = pool_;
    if (pool_.rows.size() > kSample) {
      sample.rows.clear();
      for (size_t i = 0; i < kSample; ++i) {
        sample.rows.push_back(static_cast<uint32_t>(i * pool_.rows.size() / kSample));
      }
    }
    for (size_t line = 0; line < space_.columns() + kWalks; ++line) {
      Cut cut;
      if (line < space_.columns()) cut.column = line;
      cut.order = random_line(space_, random);
      line_up(sample, cut);
      for (double share : kPlaces) {
        const auto left = static_cast<size_t>(share * double(sample.rows.size()));
        if (left == 0) continue;
        cut.share = double(left) / double(sample.rows.size());
        cut.cost = cutter_.cut(sample, left, random, purest_);
        cuts.push_back(cut);
        const size_t border = value_border(sample, cut.column, left);
        if (border == left || border == 0) continue;
        cut.share = (double(border) + 0.5 / double(pool_.rows.size())) / double(sample.rows.size());
        cut.cost = cutter_.cut(sample, border, random, purest_);
        cuts.push_back(cut);
      }
    }
    return cuts;
  }

  // The nearest place where the column's value changes; `left` itself for walks.
  size_t value_border(const Pool& pool, size_t column, size_t left) const {
    if (column == SIZE_MAX) return left;
    auto code = [&](size_t i) { return pool.codes[pool.rows[i] * space_.columns() + column]; };
    size_t low = left, high = left;
    while (low > 0 && code(low - 1) == code(left)) --low;
    while (high < pool.rows.size() && code(high) == code(left)) ++high;
    if (low == 0) return high == pool.rows.size() ? left : high;
    return high == pool.rows.size() || left - low <= high - left ? low : high;
  }

  const NcpSpace& space_;
  FairCutter cutter_;
  const double purest_;
  std::vector<uint32_t> codes_, classes_, table_rows_;
  Pool pool_;
};

}  // namespace

RowGroups fair_start(const TableLines& lines, const GroupRule& rule, const RowKinds& kinds, uint64_t seed,
                     double purest) {
  RowGroups groups;
  groups.rows.resize(lines.space().rows());
  std::iota(groups.rows.begin(), groups.rows.end(), 0);
  std::vector<uint8_t> begins(groups.rows.size(), 0);  // whether a group begins at this row
  const size_t workers = task_workers(groups.rows.size() / kKept + 1, lines.threads());
  std::vector<std::unique_ptr<StartWorker>> memory(workers);
  run_growing_tasks(Stretch{0, groups.rows.size()}, workers, [&](size_t worker, Stretch task, auto& waiting) {
    if (!memory[worker]) memory[worker] = std::make_unique<StartWorker>(lines.space(), rule, kinds, purest);
    std::vector<Stretch> own{task};
    while (!own.empty()) {
      lines.progress().check();
      const Stretch stretch = own.back();
      own.pop_back();
      SeededRandom random(hashed(hashed(seed, stretch.first), stretch.last));
      const std::span<uint32_t> rows = std::span(groups.rows).subspan(stretch.first, stretch.last - stretch.first);
      const size_t left = lines.progress().out_of_time() ? 0 : memory[worker]->cut(rows, random);
      if (left == 0) {
        begins[stretch.first] = 1;
        continue;
      }
      const size_t middle = stretch.first + left;
      for (const Stretch side : {Stretch{stretch.first, middle}, Stretch{middle, stretch.last}}) {
        if (side.last - side.first > kKept) {
          waiting.add(side);
        } else {
          own.push_back(side);
        }
      }
    }
  });
  for (size_t row = 1; row <= groups.rows.size(); ++row) {
    if (row == groups.rows.size() || begins[row]) groups.starts.push_back(static_cast<uint32_t>(row));
  }
  return groups;
}

}  // namespace shoal
