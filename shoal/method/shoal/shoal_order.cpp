// Lines through the space of values, as a space-filling curve is one: the digits of all columns (coarse to fine) in
// some order make a number per row, and rows with near numbers share their first digits. Digits are walked to and fro
// like a Gray code, so that neighbours on the line differ little. Cutting a line into groups of least cost is a dynamic
// programme over where the last group ends; groups of 2k rows or more need not be tried.
#include "shoal/method/shoal/shoal_order.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shoal/method/shoal/shoal_window.h"

namespace shoal {

namespace {

// Calls choose(columns that have digits left) until all digits are placed.
template <typename Choose>
LineOrder lined_up(const NcpSpace& space, Choose&& choose) {
  std::vector<uint32_t> open, next(space.columns(), 0);
  for (uint32_t j = 0; j < space.columns(); ++j) {
    if (!space.digits(j).empty()) open.push_back(j);
  }
  LineOrder order;
  while (!open.empty()) {
    const size_t chosen = choose(open, next);
    const uint32_t column = open[chosen];
    order.push_back({column, next[column]++});
    if (next[column] == space.digits(column).size()) open.erase(open.begin() + static_cast<ptrdiff_t>(chosen));
  }
  return order;
}

}  // namespace

LineOrder worthiest_line(const NcpSpace& space) {
  return lined_up(space, [&](const std::vector<uint32_t>& open, const std::vector<uint32_t>& next) {
    size_t best = 0;
    auto worth = [&](size_t i) { return space.digits(open[i])[next[open[i]]].worth; };
    for (size_t i = 1; i < open.size(); ++i) {
      if (worth(i) > worth(best)) best = i;
    }
    return best;
  });
}

LineOrder random_line(const NcpSpace& space, SeededRandom& random) {
  return lined_up(space, [&](const std::vector<uint32_t>& open, const std::vector<uint32_t>& next) {
    // The root makes lines more varied than the worth itself would: windows see more kinds of neighbours.
    auto lots = [&](size_t i) { return std::sqrt(space.digits(open[i])[next[open[i]]].worth); };
    double all = 0;
    for (size_t i = 0; i < open.size(); ++i) all += lots(i);
    double ticket = random.unit() * all;
    size_t drawn = 0;
    while (drawn + 1 < open.size() && ticket >= lots(drawn)) ticket -= lots(drawn++);
    return drawn;
  });
}

LineOrder varied_line(const LineOrder& order, SeededRandom& random) {
  const size_t from = random.below(order.size());
  const LineDigit moved = order[from];
  size_t least = from, most = from;
  while (least > 0 && order[least - 1].column != moved.column) --least;
  while (most + 1 < order.size() && order[most + 1].column != moved.column) ++most;
  const size_t to = least + random.below(most - least + 1);
  LineOrder varied = order;
  varied.erase(varied.begin() + static_cast<ptrdiff_t>(from));
  varied.insert(varied.begin() + static_cast<ptrdiff_t>(to), moved);
  return varied;
}

Walk::Walk(const NcpSpace& space, const LineOrder& order) {
  uint64_t room = UINT64_MAX;
  for (const auto& [column, place] : order) {
    const LeafDigit& digit = space.digits(column)[place];
    room /= digit.radix;
    if (room == 0) return;
    steps_.push_back({digit.of_leaf.data(), column, digit.radix});
  }
}

void Walk::keys(const uint32_t* codes, size_t width, std::span<uint64_t> keys) const {
  constexpr size_t kTogether = 8;
  size_t first = 0;
  for (; first + kTogether <= keys.size(); first += kTogether) {
    const uint32_t* const points = codes + first * width;
    uint64_t key[kTogether] = {};
    uint32_t parity[kTogether] = {};
    for (const Step& step : steps_) {
      for (size_t i = 0; i < kTogether; ++i) {
        const uint32_t value = step.of_leaf[points[i * width + step.column]];
        key[i] = key[i] * step.radix + (parity[i] & 1 ? step.radix - 1 - value : value);
        parity[i] += value;
      }
    }
    std::copy_n(key, kTogether, keys.begin() + static_cast<ptrdiff_t>(first));
  }
  for (; first < keys.size(); ++first) keys[first] = key(codes + first * width);
}

// The run that is being extended backwards: its price per row and its classes.
struct LineCutter::Run {
  double price = 0;
  double squares = 0;  // sum of squared class counts
};

void LineCutter::make_stretches(const uint32_t* codes, std::span<const uint32_t> line, size_t rows_each) {
  const size_t width = space_.columns(), stretches = std::max<size_t>(1, line.size() / rows_each);
  begins_.resize(stretches + 1);
  stretch_lo_.resize(stretches * width);
  stretch_hi_.resize(stretches * width);
  for (size_t s = 0; s < stretches; ++s) begins_[s] = static_cast<uint32_t>(s * rows_each);
  begins_[stretches] = static_cast<uint32_t>(line.size());  // the last one takes in the odd rows
  for (size_t s = 0; s < stretches; ++s) {
    uint32_t* const lo = stretch_lo_.data() + s * width;
    uint32_t* const hi = stretch_hi_.data() + s * width;
    std::copy_n(codes + size_t{line[begins_[s]]} * width, width, lo);
    std::copy_n(lo, width, hi);
    for (size_t i = begins_[s] + 1; i < begins_[s + 1]; ++i) {
      const uint32_t* const row = codes + size_t{line[i]} * width;
      for (size_t j = 0; j < width; ++j) {
        lo[j] = std::min(lo[j], row[j]);
        hi[j] = std::max(hi[j], row[j]);
      }
    }
  }
}

void LineCutter::slide_boxes(size_t least) {
  const size_t width = space_.columns(), stretches = begins_.size() - 1;
  ahead_lo_ = back_lo_ = stretch_lo_;
  ahead_hi_ = back_hi_ = stretch_hi_;
  for (size_t i = 1; i < stretches; ++i) {
    if (i % least == 0) continue;
    for (size_t at = i * width; at < (i + 1) * width; ++at) {
      ahead_lo_[at] = std::min(ahead_lo_[at], ahead_lo_[at - width]);
      ahead_hi_[at] = std::max(ahead_hi_[at], ahead_hi_[at - width]);
    }
  }
  for (size_t i = stretches - 1; i-- > 0;) {
    if ((i + 1) % least == 0) continue;
    for (size_t at = i * width; at < (i + 1) * width; ++at) {
      back_lo_[at] = std::min(back_lo_[at], back_lo_[at + width]);
      back_hi_[at] = std::max(back_hi_[at], back_hi_[at + width]);
    }
  }
}

void LineCutter::count_classes(Run& run, size_t stretch) {
  for (size_t i = begins_[stretch]; i < begins_[stretch + 1]; ++i) {
    run.squares += double(2 * class_counts_[classes_[i]]++ + 1);
  }
}

void LineCutter::begin_run(Run& run, size_t end, size_t least) {
  const size_t width = space_.columns(), first = (end - least) * width, last = (end - 1) * width;
  run = {};
  for (size_t j = 0; j < width; ++j) {
    lo_[j] = std::min(back_lo_[first + j], ahead_lo_[last + j]);
    hi_[j] = std::max(back_hi_[first + j], ahead_hi_[last + j]);
    run.price += column_cost_[j] = space_.cost(j, lo_[j], hi_[j]);
  }
  if (space_.mixing() == 0) return;
  std::fill(class_counts_.begin(), class_counts_.end(), 0);
  for (size_t stretch = end - least; stretch < end; ++stretch) count_classes(run, stretch);
}

void LineCutter::extend(Run& run, size_t first) {
  const size_t width = space_.columns();
  const uint32_t* const lo = stretch_lo_.data() + first * width;
  const uint32_t* const hi = stretch_hi_.data() + first * width;
  for (size_t j = 0; j < width; ++j) {
    if (lo[j] >= lo_[j] && hi[j] <= hi_[j]) continue;
    lo_[j] = std::min(lo_[j], lo[j]);
    hi_[j] = std::max(hi_[j], hi[j]);
    const double cost = space_.cost(j, lo_[j], hi_[j]);
    run.price += cost - column_cost_[j];
    column_cost_[j] = cost;
  }
  if (space_.mixing() > 0) count_classes(run, first);
}

double LineCutter::cut(const uint32_t* codes, const uint32_t* classes, std::span<const uint32_t> line, uint64_t k) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const size_t width = space_.columns(), rows_each = std::max<size_t>(1, k / 10);
  make_stretches(codes, line, rows_each);
  const size_t stretches = begins_.size() - 1;
  // So many stretches have k rows for certain; where there are not as many, there is one run.
  const size_t least = std::min<size_t>((k + rows_each - 1) / rows_each, stretches);
  lo_.resize(width);
  hi_.resize(width);
  column_cost_.resize(width);
  class_counts_.resize(space_.classes());
  classes_.clear();
  if (space_.mixing() > 0) {
    for (uint32_t row : line) classes_.push_back(classes[row]);
  }
  slide_boxes(least);
  best_.assign(stretches + 1, kNever);
  last_run_.assign(stretches + 1, 0);
  best_[0] = 0;
  least_.clear();
  size_t head = 0;
  Run run;
  for (size_t end = least; end <= stretches; ++end) {
    // Where the last run may begin: end-(2 least-1) .. end-least. least_[head] is the cheapest of these beginnings.
    while (least_.size() > head && best_[least_.back()] >= best_[end - least]) least_.pop_back();
    least_.push_back(static_cast<uint32_t>(end - least));
    while (size_t{least_[head]} + 2 * least - 1 < end) ++head;
    const double floor = best_[least_[head]];
    if (floor == kNever) continue;
    begin_run(run, end, least);
    const size_t longest = std::min(end, 2 * least - 1);
    for (size_t size = least;; extend(run, end - ++size)) {
      const double rows = double(begins_[end] - begins_[end - size]), own = rows * run.price;
      const double total = best_[end - size] + own + mixing_penalty(space_.mixing(), rows, run.squares);
      if (total < best_[end]) {
        best_[end] = total;
        last_run_[end] = static_cast<uint32_t>(size);
      }
      // A longer run costs at least its rows x the price so far, after at least the cheapest beginning.
      if (size == longest || floor + own + double(rows_each) * run.price >= best_[end]) break;
    }
  }
  ends_.clear();
  for (size_t end = stretches; end > 0; end -= last_run_[end]) ends_.push_back(begins_[end]);
  std::reverse(ends_.begin(), ends_.end());
  return best_[stretches];
}

}  // namespace shoal
