// What is left out, and why nothing is lost. Let p be what the cells chosen so far cost. Boxes inside cost p or more
// and hold a part of the rows at hand, so
//  - where the k dearest rows carry p or less on average, no box inside is overpaid;
//  - a row that, with the k-1 dearest, carries k p or less belongs to no overpaying set: the list is cut off there;
//  - where all rows that are left lie in one child, the box of the child holds every overpaying set and costs less.
#include "shoal/method/shoal/lp_boxes.h"

#include <algorithm>
#include <numeric>

namespace shoal {
namespace {

constexpr uint64_t kCheckEvery = 1 << 16;  // tuples looked at between two questions whether to stop
constexpr int kNarrowings = 4;             // of the ranges that begin at a value
constexpr size_t kScanShare = 4;           // passing a tuple by is so much cheaper than looking at it
constexpr size_t kSparse = 8;              // fewer tuples than one in so many cells: sorting beats counting
constexpr size_t kFewMembers = 32;         // fewer than one tuple of a cell in so many: sorting beats looking for them

}  // namespace

RankedTuples::RankedTuples(const NcpSpace& space, const DistinctTuples& tuples, const std::vector<uint32_t>& rows_of,
                           const std::vector<double>& duals) {
  for (uint32_t t = 0; t < tuples.size(); ++t) {
    if (rows_of[t] > 0) tuple.push_back(t);
  }
  std::sort(tuple.begin(), tuple.end(),
            [&](uint32_t a, uint32_t b) { return duals[a] != duals[b] ? duals[a] > duals[b] : a < b; });
  codes.resize(space.columns());
  for (uint32_t t : tuple) {
    dual.push_back(duals[t]);
    rows.push_back(rows_of[t]);
  }
  for (size_t j = 0; j < space.columns(); ++j) {
    codes[j].reserve(tuple.size());
    for (uint32_t t : tuple) codes[j].push_back(tuples.codes[size_t{t} * space.columns() + j]);
  }
}

BoxWalk::BoxWalk(const NcpSpace& space, const BoxCells& cells, const RankedTuples& tuples, const Settings& settings,
                 const Progress& progress)
    : space_(space), cells_(cells), tuples_(tuples), settings_(settings), progress_(progress) {
  size_t deepest = 1;
  for (const CellColumn& column : cells.columns) deepest += column.child_at.size() + 2;
  levels_.resize(deepest);
  if (!cells.columns.empty() && cells.columns.front().is_tree()) sort_by_leaf();
}

// There is a part for every cell of the first column, thousands where it has dates: each must find its tuples without
// looking at all of them.
void BoxWalk::sort_by_leaf() {
  const CellColumn& column = cells_.columns.front();
  const std::vector<uint32_t>& codes = tuples_.codes[column.column];
  leaf_begins_.assign(size_t{column.cells.front().last_leaf} + 2, 0);
  for (uint32_t code : codes) ++leaf_begins_[code + 1];
  std::partial_sum(leaf_begins_.begin(), leaf_begins_.end(), leaf_begins_.begin());
  std::vector<uint32_t> next(leaf_begins_.begin(), leaf_begins_.end() - 1);
  by_leaf_.resize(codes.size());
  for (uint32_t rank = 0; rank < codes.size(); ++rank) by_leaf_[next[codes[rank]]++] = rank;
}

size_t BoxWalk::parts(const BoxCells& cells) {
  if (cells.columns.empty()) return 1;
  const CellColumn& first = cells.columns.front();
  return first.is_tree() ? first.cells.size() : size_t{first.bins} * first.bins;
}

void BoxWalk::walk(size_t part, BoxVisitor& visitor) {
  visitor_ = &visitor;
  depth_ = 0;
  part_began_at_ = looked_at_;
  Level& level = levels_[depth_++];
  level.sorted.clear();
  if (cells_.columns.empty()) {
    level.sorted.resize(tuples_.size());
    std::iota(level.sorted.begin(), level.sorted.end(), 0);
    return enter(0, level.sorted, 0);
  }
  const CellColumn& column = cells_.columns.front();
  const std::vector<uint32_t>& codes = tuples_.codes[column.column];
  if (!column.is_tree()) {
    const auto first = static_cast<uint32_t>(part / column.bins), last = static_cast<uint32_t>(part % column.bins);
    if (first > last) return;
    level.sorted.resize(tuples_.size());
    std::iota(level.sorted.begin(), level.sorted.end(), 0);
    std::span<const uint32_t> all(level.sorted);
    if (promising(all, 0)) visit_run(0, first, last, all, 0);
    return;
  }
  const CellColumn::Cell& cell = column.cells[part];
  const auto begin = [&](uint32_t leaf) { return by_leaf_.begin() + leaf_begins_[leaf]; };
  level.sorted.assign(begin(cell.first_leaf), begin(cell.last_leaf + 1));
  std::sort(level.sorted.begin(), level.sorted.end());
  std::span<const uint32_t> inside(level.sorted);
  if (!promising(inside, cell.charge)) return;
  if (!cell.children.empty()) {
    const std::vector<uint32_t>& child_of = column.child_at[cell.depth];
    const uint32_t child = child_of[codes[inside.front()]];
    if (std::all_of(inside.begin(), inside.end(), [&](uint32_t rank) { return child_of[codes[rank]] == child; })) {
      return;
    }
  }
  enter(1, inside, cell.charge);
}

// Is any box inside overpaid, perhaps? Cuts off the tuples that no overpaying set can have.
bool BoxWalk::promising(std::span<const uint32_t>& inside, double price) {
  const uint64_t k = settings_.k;
  const double limit = price + settings_.tolerance;
  double sum = 0;
  uint64_t rows = 0;
  size_t i = 0;
  for (; i < inside.size() && rows < k; ++i) {
    const uint64_t taken = std::min<uint64_t>(tuples_.rows[inside[i]], k - rows);
    sum += double(taken) * tuples_.dual[inside[i]];
    rows += taken;
  }
  if (rows < k || sum <= double(k) * limit) {
    looked_at_ += i / kScanShare;
    return false;
  }
  const double least = double(k) * limit - (sum - tuples_.dual[inside[i - 1]]);
  const auto end = std::partition_point(inside.begin() + static_cast<ptrdiff_t>(i), inside.end(),
                                        [&](uint32_t rank) { return tuples_.dual[rank] > least; });
  inside = inside.first(static_cast<size_t>(end - inside.begin()));
  top_mean_ = sum / double(k);
  looked_at_ += inside.size() + i / kScanShare;
  if (looked_at_ - checked_at_ > kCheckEvery) {
    if (settings_.looked_at_by_all != nullptr) {
      const uint64_t more = looked_at_ - checked_at_;
      gave_up_ |= settings_.looked_at_by_all->fetch_add(more) + more > settings_.most_looked_at;
    }
    checked_at_ = looked_at_;
    progress_.check();
    gave_up_ |= progress_.out_of_time();
  }
  gave_up_ |= looked_at_ - part_began_at_ > settings_.most_looked_at;
  return !gave_up_;
}

// Chooses cells on the columns from `place` on.
void BoxWalk::enter(size_t place, std::span<const uint32_t> inside, double price) {
  if (!promising(inside, price)) return;
  if (place == cells_.columns.size()) return finish(inside, price);
  if (cells_.columns[place].is_tree()) return visit_tree(place, 0, inside, price);
  visit_runs(place, inside, price);
}

// Fills level.sorted with `inside` by child, and level.begins with where each child begins.
void BoxWalk::sort_by_child(Level& level, std::span<const uint32_t> inside, size_t children,
                            const std::vector<uint32_t>& codes, const std::vector<uint32_t>& child_of) {
  level.begins.assign(children + 1, 0);
  level.sorted.resize(std::max(level.sorted.size(), inside.size()));
  for (uint32_t rank : inside) ++level.begins[child_of[codes[rank]] + 1];
  std::partial_sum(level.begins.begin(), level.begins.end(), level.begins.begin());
  for (uint32_t rank : inside) level.sorted[level.begins[child_of[codes[rank]]]++] = rank;
  for (size_t child = children; child > 0; --child) level.begins[child] = level.begins[child - 1];
  level.begins[0] = 0;
}

// All cells from `cell` down. `inside` has been found promising at `price`, the price of the columns before.
void BoxWalk::visit_tree(size_t place, uint32_t cell, std::span<const uint32_t> inside, double price) {
  const CellColumn& column = cells_.columns[place];
  const std::vector<uint32_t>& codes = tuples_.codes[column.column];
  // Down to the first cell whose children share the tuples.
  for (;;) {
    const CellColumn::Cell& here = column.cells[cell];
    if (here.children.empty()) return enter(place + 1, inside, price + here.charge);
    const std::vector<uint32_t>& child_of = column.child_at[here.depth];
    const uint32_t child = child_of[codes[inside.front()]];
    if (!std::all_of(inside.begin(), inside.end(), [&](uint32_t rank) { return child_of[codes[rank]] == child; })) {
      break;
    }
    cell = here.children[child];
  }
  const CellColumn::Cell& here = column.cells[cell];
  const std::vector<uint32_t>& child_of = column.child_at[here.depth];
  Level& level = levels_[depth_++];
  const size_t children = here.children.size();
  enter(place + 1, inside, price + here.charge);
  if (inside.size() * kSparse < children) {
    level.sorted.assign(inside.begin(), inside.end());
    std::stable_sort(level.sorted.begin(), level.sorted.end(),
                     [&](uint32_t a, uint32_t b) { return child_of[codes[a]] < child_of[codes[b]]; });
    for (size_t first = 0, end = 0; first < inside.size(); first = end) {
      const uint32_t child = child_of[codes[level.sorted[first]]];
      while (end < inside.size() && child_of[codes[level.sorted[end]]] == child) ++end;
      std::span<const uint32_t> part(level.sorted.data() + first, end - first);
      if (promising(part, price)) visit_tree(place, here.children[child], part, price);
    }
  } else {
    sort_by_child(level, inside, children, codes, child_of);
    for (size_t child = 0; child < children; ++child) {
      std::span<const uint32_t> part(level.sorted.data() + level.begins[child],
                                     level.begins[child + 1] - level.begins[child]);
      if (!part.empty() && promising(part, price)) visit_tree(place, here.children[child], part, price);
    }
  }
  --depth_;
}

void BoxWalk::visit_runs(size_t place, std::span<const uint32_t> inside, double price) {
  const CellColumn& column = cells_.columns[place];
  const std::vector<uint32_t>& codes = tuples_.codes[column.column];
  std::vector<uint32_t> present;
  for (uint32_t rank : inside) present.push_back(column.bin_of[codes[rank]]);
  std::sort(present.begin(), present.end());
  present.erase(std::unique(present.begin(), present.end()), present.end());
  const double mean = top_mean_;
  for (size_t a = 0; a < present.size(); ++a) {
    for (size_t b = a; b < present.size(); ++b) {
      const double charge = column.charge[size_t{present[a]} * column.bins + present[b]];
      if (price + charge + settings_.tolerance >= mean) break;
      visit_run(place, present[a], present[b], inside, price);
    }
  }
}

// The cell of the bins first .. last. A run in whose first or last bin no row is left is as good as a shorter one.
void BoxWalk::visit_run(size_t place, uint32_t first, uint32_t last, std::span<const uint32_t> inside, double price) {
  const CellColumn& column = cells_.columns[place];
  const std::vector<uint32_t>& codes = tuples_.codes[column.column];
  const double charged = price + column.charge[size_t{first} * column.bins + last];
  auto bin = [&](uint32_t rank) { return column.bin_of[codes[rank]]; };
  Level& level = levels_[depth_++];
  level.sorted.clear();
  for (uint32_t rank : inside) {
    if (first <= bin(rank) && bin(rank) <= last) level.sorted.push_back(rank);
  }
  looked_at_ += inside.size();
  std::span<const uint32_t> part(level.sorted);
  if (promising(part, charged)) {
    bool at_first = false, at_last = false;
    for (uint32_t rank : part) {
      at_first |= bin(rank) == first;
      at_last |= bin(rank) == last;
    }
    if (at_first && at_last) enter(place + 1, part, charged);
  }
  --depth_;
}

void BoxWalk::finish(std::span<const uint32_t> inside, double price) {
  boxes_.clear();
  if (cells_.slid) {
    slide(inside, price);
  } else {
    boxes_.push_back({0, UINT32_MAX, price, top_mean_ - price});
  }
  if (!boxes_.empty()) visitor_->cell(inside, boxes_);
}

// Lays the cell's tuples out by value. They come by falling dual value, and stay so within a value.
void BoxWalk::lay_out(std::span<const uint32_t> inside) {
  const std::vector<uint32_t>& values = tuples_.codes[*cells_.slid];
  const size_t size = inside.size();
  value_of_.resize(size);
  rows_of_.resize(size);
  dual_of_.resize(size);
  by_value_.resize(size);
  uint32_t least = UINT32_MAX, greatest = 0;
  for (size_t place = 0; place < size; ++place) {
    const uint32_t rank = inside[place], value = values[rank];
    value_of_[place] = value;
    rows_of_[place] = tuples_.rows[rank];
    dual_of_[place] = tuples_.dual[rank];
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  if (greatest - least < kSparse * size) {
    counts_.assign(size_t{greatest - least} + 2, 0);
    for (uint32_t value : value_of_) ++counts_[value - least + 1];
    std::partial_sum(counts_.begin(), counts_.end(), counts_.begin());
    for (uint32_t place = 0; place < size; ++place) by_value_[counts_[value_of_[place] - least]++] = place;
  } else {
    std::iota(by_value_.begin(), by_value_.end(), 0);
    std::stable_sort(by_value_.begin(), by_value_.end(),
                     [&](uint32_t a, uint32_t b) { return value_of_[a] < value_of_[b]; });
  }
  runs_.clear();
  uint64_t rows = 0;
  for (uint32_t i = 0; i < size; ++i) {
    const uint32_t place = by_value_[i];
    if (runs_.empty() || runs_.back().value != value_of_[place]) runs_.push_back({value_of_[place], i, rows});
    rows += rows_of_[place];
  }
  runs_.push_back({UINT32_MAX, static_cast<uint32_t>(size), rows});
}

void BoxWalk::slide(std::span<const uint32_t> inside, double price) {
  lay_out(inside);
  const double mean = top_mean_;
  for (size_t run = 0; run + 1 < runs_.size(); ++run) {
    top_mean_ = mean;
    if (worth_sliding(run, price)) slide_from(run, price);
  }
}

// Can a range that begins at this value be overpaid? It ends where it costs as much as the k dearest rows carry; but
// these then are the k dearest of fewer rows, carry less, and so on. Leaves their mean in top_mean_.
bool BoxWalk::worth_sliding(size_t run, double price) {
  const uint32_t first = runs_[run].value;
  size_t end = runs_.size() - 1;
  for (int attempt = 0; attempt < kNarrowings; ++attempt) {
    const size_t before = end;
    while (end > run &&
           price + space_.cost(*cells_.slid, first, runs_[end - 1].value) + settings_.tolerance >= top_mean_) {
      --end;
    }
    if (runs_[end].rows_before - runs_[run].rows_before < settings_.k) return false;
    if (end == before && (attempt > 0 || run == 0)) return true;
    if (!mean_of_dearest(run, end, price + settings_.tolerance)) return false;
  }
  return true;
}

// Leaves in top_mean_ what the k dearest rows of these runs carry on average; false where it is no more than `least`.
// Requires k rows in them. Where they are few they are sorted, else found among all, which have an order already.
bool BoxWalk::mean_of_dearest(size_t run, size_t end, double least) {
  const std::span<const uint32_t> members(by_value_.data() + runs_[run].begin, runs_[end].begin - runs_[run].begin);
  const uint64_t k = settings_.k;
  double sum = 0;
  uint64_t rows = 0;
  const auto enough = [&](size_t place) {  // takes the place's rows; true: no more are needed, or they would not do
    const uint64_t taken = std::min<uint64_t>(rows_of_[place], k - rows);
    sum += double(taken) * dual_of_[place];
    rows += taken;
    return rows == k || sum + double(k - rows) * dual_of_[place] <= double(k) * least;
  };
  size_t seen = 0;
  if (members.size() * kFewMembers < by_value_.size()) {
    few_.assign(members.begin(), members.end());
    std::sort(few_.begin(), few_.end());
    for (bool done = false; !done; ++seen) done = enough(few_[seen]);
    looked_at_ += members.size();
  } else {
    const uint32_t first = runs_[run].value, width = runs_[end - 1].value - first;
    for (bool done = false; !done; ++seen) done = value_of_[seen] - first <= width && enough(seen);
    looked_at_ += seen / kScanShare;
  }
  top_mean_ = sum / double(k);
  return rows == k && top_mean_ > least;
}

// All ranges that begin at this value. Within a value the dearest tuple comes first.
void BoxWalk::slide_from(size_t run, double price) {
  const uint64_t k = settings_.k;
  const size_t column = *cells_.slid;
  const uint32_t first = runs_[run].value, dearest_at_first = by_value_[runs_[run].begin];
  dearest_.clear();
  uint64_t rows = 0;
  double sum = 0;  // of all tuples in the heap, the last one counted whole
  for (size_t end = run; end + 1 < runs_.size(); ++end) {
    const uint32_t last = runs_[end].value;
    const double charged = price + space_.cost(column, first, last);
    if (charged + settings_.tolerance >= top_mean_) break;
    const uint32_t dearest_at_last = by_value_[runs_[end].begin];
    looked_at_ += runs_[end + 1].begin - runs_[end].begin;
    for (size_t i = runs_[end].begin; i < runs_[end + 1].begin; ++i) {
      const uint32_t place = by_value_[i];
      if (rows >= k && place > dearest_.front()) break;  // so are all others of this value
      dearest_.push_back(place);
      std::push_heap(dearest_.begin(), dearest_.end());
      rows += rows_of_[place];
      sum += double(rows_of_[place]) * dual_of_[place];
      while (rows - rows_of_[dearest_.front()] >= k) {
        rows -= rows_of_[dearest_.front()];
        sum -= double(rows_of_[dearest_.front()]) * dual_of_[dearest_.front()];
        std::pop_heap(dearest_.begin(), dearest_.end());
        dearest_.pop_back();
      }
    }
    if (rows < k) continue;
    const uint32_t cheapest = dearest_.front();
    const double top = sum - double(rows - k) * dual_of_[cheapest];
    const double limit = double(k) * (charged + settings_.tolerance);
    if (top <= limit) continue;
    if (settings_.choice == BoxChoice::dearest) {
      // Rows at both ends must be among the k dearest. Those at the first value never come back.
      if (dearest_at_first > cheapest) break;
      if (dearest_at_last > cheapest) continue;
    } else {
      // A row at each end must be able to belong to some overpaying set.
      const double others = top - dual_of_[cheapest];
      if (others + dual_of_[dearest_at_first] <= limit || others + dual_of_[dearest_at_last] <= limit) continue;
    }
    boxes_.push_back({first, last, charged, top / double(k) - charged});
  }
}

}  // namespace shoal
