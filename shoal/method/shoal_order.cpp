#include "shoal/method/shoal_order.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shoal/method/shoal_window.h"

namespace shoal {

ColumnOrder random_column_order(const ShoalSpace& space, ShoalRandom& random) {
  ColumnOrder order(space.columns());
  // The root makes orders more varied than the spread itself would: windows see more kinds of neighbours.
  auto lots = [&](uint32_t column) { return std::sqrt(space.spread(column)); };
  double left = 0;
  for (uint32_t j = 0; j < order.size(); ++j) {
    order[j] = j;
    left += lots(j);
  }
  for (size_t place = 0; place + 1 < order.size(); ++place) {
    double ticket = random.unit() * left;
    size_t drawn = place;
    while (drawn + 1 < order.size() && ticket >= lots(order[drawn])) ticket -= lots(order[drawn++]);
    left -= lots(order[drawn]);
    std::swap(order[place], order[drawn]);
  }
  return order;
}

uint64_t walk_key(const ShoalSpace& space, const ColumnOrder& order, const uint32_t* codes) {
  uint64_t key = 0, room = UINT64_MAX;
  uint32_t parity = 0;
  for (uint32_t column : order) {
    const uint32_t leaves = space.leaves(column), code = codes[column];
    if (room / leaves == 0) break;
    room /= leaves;
    key = key * leaves + (parity & 1 ? leaves - 1 - code : code);
    parity += code;
  }
  return key;
}

// The run that is being extended backwards: its price per row and its classes.
struct LineCutter::Run {
  double price = 0;
  double squares = 0;  // sum of squared class counts
};

void LineCutter::slide_boxes(size_t k) {
  const size_t width = space_.columns(), rows = codes_.size() / width;
  ahead_lo_ = ahead_hi_ = back_lo_ = back_hi_ = codes_;
  for (size_t i = 1; i < rows; ++i) {
    if (i % k == 0) continue;
    for (size_t at = i * width; at < (i + 1) * width; ++at) {
      ahead_lo_[at] = std::min(ahead_lo_[at], ahead_lo_[at - width]);
      ahead_hi_[at] = std::max(ahead_hi_[at], ahead_hi_[at - width]);
    }
  }
  for (size_t i = rows - 1; i-- > 0;) {
    if ((i + 1) % k == 0) continue;
    for (size_t at = i * width; at < (i + 1) * width; ++at) {
      back_lo_[at] = std::min(back_lo_[at], back_lo_[at + width]);
      back_hi_[at] = std::max(back_hi_[at], back_hi_[at + width]);
    }
  }
}

void LineCutter::begin_run(Run& run, size_t end, size_t k, const uint32_t* classes, std::span<const uint32_t> line) {
  const size_t width = space_.columns(), first = (end - k) * width, last = (end - 1) * width;
  run = {};
  for (size_t j = 0; j < width; ++j) {
    lo_[j] = std::min(back_lo_[first + j], ahead_lo_[last + j]);
    hi_[j] = std::max(back_hi_[first + j], ahead_hi_[last + j]);
    run.price += column_cost_[j] = space_.cost(j, lo_[j], hi_[j]);
  }
  if (space_.mixing() == 0) return;
  std::fill(class_counts_.begin(), class_counts_.end(), 0);
  for (size_t i = end - k; i < end; ++i) run.squares += double(2 * class_counts_[classes[line[i]]]++ + 1);
}

void LineCutter::extend(Run& run, size_t first, const uint32_t* classes, std::span<const uint32_t> line) {
  const size_t width = space_.columns();
  const uint32_t* const codes = codes_.data() + first * width;
  for (size_t j = 0; j < width; ++j) {
    if (codes[j] >= lo_[j] && codes[j] <= hi_[j]) continue;
    lo_[j] = std::min(lo_[j], codes[j]);
    hi_[j] = std::max(hi_[j], codes[j]);
    const double cost = space_.cost(j, lo_[j], hi_[j]);
    run.price += cost - column_cost_[j];
    column_cost_[j] = cost;
  }
  if (space_.mixing() > 0) run.squares += double(2 * class_counts_[classes[line[first]]]++ + 1);
}

double LineCutter::cut(const uint32_t* codes, const uint32_t* classes, std::span<const uint32_t> line, uint64_t k64) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const size_t width = space_.columns(), rows = line.size(), k = k64;
  codes_.resize(rows * width);
  for (size_t i = 0; i < rows; ++i) std::copy_n(codes + size_t{line[i]} * width, width, codes_.data() + i * width);
  lo_.resize(width);
  hi_.resize(width);
  column_cost_.resize(width);
  class_counts_.resize(space_.classes());
  slide_boxes(k);
  best_.assign(rows + 1, kNever);
  last_run_.assign(rows + 1, 0);
  best_[0] = 0;
  least_.clear();
  size_t head = 0;
  Run run;
  for (size_t end = k; end <= rows; ++end) {
    // Where the last run may begin: end-(2k-1) .. end-k. least_[head] is the cheapest of these beginnings.
    while (least_.size() > head && best_[least_.back()] >= best_[end - k]) least_.pop_back();
    least_.push_back(static_cast<uint32_t>(end - k));
    while (size_t{least_[head]} + 2 * k - 1 < end) ++head;
    const double floor = best_[least_[head]];
    if (floor == kNever) continue;
    begin_run(run, end, k, classes, line);
    const size_t longest = std::min(end, 2 * k - 1);
    for (size_t size = k;; extend(run, end - ++size, classes, line)) {
      const double own = double(size) * run.price;
      const double total = best_[end - size] + own + mixing_penalty(space_.mixing(), double(size), run.squares);
      if (total < best_[end]) {
        best_[end] = total;
        last_run_[end] = static_cast<uint32_t>(size);
      }
      // A longer run costs at least (size + 1) x the price so far, after at least the cheapest beginning.
      if (size == longest || floor + own + run.price >= best_[end]) break;
    }
  }
  ends_.clear();
  for (size_t end = rows; end > 0; end -= last_run_[end]) ends_.push_back(static_cast<uint32_t>(end));
  std::reverse(ends_.begin(), ends_.end());
  return best_[rows];
}

}  // namespace shoal
