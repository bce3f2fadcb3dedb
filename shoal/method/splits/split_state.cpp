// Bounds. Bayardo and Agrawal price a kept row by the size of its cell, at least k. A cell of fewer than k rows cannot
// stay as it is: to be kept it must grow, so at least one of the open splits at its sides must be out. Hence the least
// size that it reaches by any one of them, which is far more than k where values are rare; without such a split the
// cell is lost. Both sides of each open split are then priced in one pass: out by merging the cells that it keeps
// apart, in by parting the groups of the head. A side that costs as much as the best known answer decides the split.
#include "shoal/method/splits/split_state.h"

#include <algorithm>
#include <numeric>

namespace shoal {
namespace {

// As much as can be added to a cost without overflow: costs are at most rows squared, below 2^63.
constexpr uint64_t kNever = uint64_t{1} << 63;

}  // namespace

uint32_t StateExaminer::leaf(size_t tuple, size_t column) const {
  const Hierarchy& tree = space_.hierarchies()[column];
  return tree.node(cells_->node(tuple, cells_->fields()[column])).first;
}

uint64_t StateExaminer::minority(size_t tuple) const {
  const auto classes = cells_->class_rows(tuple);
  return cells_->rows()[tuple] - *std::max_element(classes.begin(), classes.end());
}

ExaminedState StateExaminer::examine(Fates fates, uint64_t best, const TupleTable& tuples, const TupleTable* ruled,
                                     const Progress& progress) {
  ExaminedState state;
  state.fates = std::move(fates);
  for (bool changed = true; changed && !state.dead;) {
    progress.check();
    if (progress.out_of_time()) {
      state.finished = false;
      return state;
    }
    changed = look(state, best, tuples, ruled);
  }
  if (!state.dead) choose_branch(state);
  return state;
}

// One round; true when splits were decided, so that another one may find more.
bool StateExaminer::look(ExaminedState& state, uint64_t& best, const TupleTable& tuples, const TupleTable* ruled) {
  const size_t splits = space_.size();
  head_.assign(splits, 0);
  tail_.assign(splits, 0);
  for (size_t i = 0; i < splits; ++i) {
    head_[i] = state.fates[i] == Fate::in ? 1 : 0;
    tail_[i] = state.fates[i] == Fate::out ? 0 : 1;
  }
  const auto tail_maps = space_.maps(tail_);
  cells_.emplace(tuples.rolled(tail_maps, index_));
  if (ruled) ruled_cells_.emplace(ruled->rolled(tail_maps, index_));
  head_maps_ = space_.maps(head_);
  if (!head_holds(ruled)) {
    state.dead = true;
    return false;
  }
  offer(head_, head_maps_, head_dropped_, state, best);
  const std::vector<TupleTable::NodeMap> as_they_are(head_maps_.size());
  const bool tail_holds = ruled ? scene_.rules_hold(*ruled_cells_, as_they_are, memory_)
                                : scene_.drop(*cells_, as_they_are, memory_) <= scene_.limit();
  if (ruled) memory_.dropped.assign(cells_->size(), 0);
  if (tail_holds) offer(tail_, as_they_are, std::vector<uint8_t>(memory_.dropped), state, best);

  price_cells();
  probe_merges(state.fates);
  state.bound = bound_;
  if (bound_ >= best) {
    state.dead = true;
    return false;
  }
  sum_merges(state.fates);
  probe_parts(state.fates);
  return decide(state, best);
}

bool StateExaminer::head_holds(const TupleTable* ruled) {
  head_dropped_rows_ = 0;
  if (ruled) {
    head_dropped_.assign(cells_->size(), 0);
    return scene_.rules_hold(*ruled_cells_, head_maps_, memory_);
  }
  head_dropped_rows_ = scene_.drop(*cells_, head_maps_, memory_);
  head_dropped_ = memory_.dropped;
  return head_dropped_rows_ <= scene_.limit();
}

// The exact cost of a set between head and tail, counted on the cells.
void StateExaminer::offer(const SplitSet& set, const std::vector<TupleTable::NodeMap>& maps,
                          std::span<const uint8_t> dropped, ExaminedState& state, uint64_t& best) {
  std::vector<size_t> all(space_.hierarchies().size());
  std::iota(all.begin(), all.end(), size_t{0});
  std::vector<uint32_t> of;
  const uint32_t groups = scene_.group(*cells_, maps, all, memory_, of);
  const size_t classes = cells_->classes();
  std::vector<uint64_t> rows(groups, 0), class_rows(groups * classes, 0);
  uint64_t cost = 0;
  for (size_t cell = 0; cell < of.size(); ++cell) {
    const uint64_t count = cells_->rows()[cell];
    if (dropped[cell]) {
      cost += count * (scene_.cost() == SplitCost::dm ? scene_.rows() : 1);
      continue;
    }
    rows[of[cell]] += count;
    for (size_t c = 0; c < classes; ++c) class_rows[of[cell] * classes + c] += cells_->class_rows(cell)[c];
  }
  for (size_t group = 0; group < groups; ++group) {
    if (scene_.cost() == SplitCost::dm) {
      cost += rows[group] * rows[group];
    } else {
      const auto first = class_rows.begin() + static_cast<ptrdiff_t>(group * classes);
      cost += rows[group] - *std::max_element(first, first + static_cast<ptrdiff_t>(classes));
    }
  }
  if (cost >= best) return;
  best = cost;
  state.found = {set, cost};
}

// What a kept cell costs at least, before its neighbours are looked at.
void StateExaminer::price_cells() {
  const size_t cells = cells_->size();
  kept_.clear();
  kept_cost_.assign(cells, 0);
  drop_cost_.assign(cells, 0);
  bound_ = 0;
  for (uint32_t cell = 0; cell < cells; ++cell) {
    const uint64_t rows = cells_->rows()[cell];
    const bool dm = scene_.cost() == SplitCost::dm;
    drop_cost_[cell] = dm ? rows * scene_.rows() : rows;
    if (head_dropped_[cell]) {
      bound_ += drop_cost_[cell];
      continue;
    }
    kept_.push_back(cell);
    kept_cost_[cell] = dm ? rows * rows : minority(cell);
    if (dm && rows < scene_.least_group()) kept_cost_[cell] = drop_cost_[cell];  // unless it can grow
  }
}

// Which rows a cell is released with when one open split is out: for dm, the price of small cells.
void StateExaminer::probe_merges(const Fates& fates) {
  merged_.clear();
  out_more_.assign(space_.size(), 0);
  std::vector<uint32_t> order, next;
  for (size_t column : space_.columns()) {
    const uint32_t first = space_.first_split(column), end = space_.first_split(column + 1);
    if (std::none_of(fates.begin() + first, fates.begin() + end, [](Fate fate) { return fate == Fate::open; }))
      continue;
    const size_t leaves = space_.hierarchies()[column].leaves();
    next.assign(leaves + 1, 0);  // cells by their piece
    for (uint32_t cell : kept_) ++next[leaf(cell, column) + size_t{1}];
    std::partial_sum(next.begin(), next.end(), next.begin());
    order.resize(kept_.size());
    std::vector<uint32_t> place(next.begin(), next.end() - 1);
    for (uint32_t cell : kept_) order[place[leaf(cell, column)]++] = cell;
    const std::vector<uint32_t> pieces = space_.pieces(tail_, column);
    for (uint32_t split = first; split < end; ++split) {
      if (fates[split] != Fate::open) continue;
      const SplitSpace::Split& own = space_.split(split);
      uint32_t from = own.first, to = own.last + 1;
      if (own.border) {  // the pieces on either side of it
        from = pieces[own.starts[0] - 1];
        for (to = own.starts[0] + 1; to <= own.last && pieces[to] == own.starts[0];) ++to;
      }
      merge(split, std::span(order).subspan(next[from], next[to] - next[from]), cells_->fields()[column]);
    }
  }
  if (scene_.cost() == SplitCost::dm) {
    for (const auto& [split, cell, rows] : merged_) {
      const uint64_t own = cells_->rows()[cell];
      if (own >= scene_.least_group()) continue;
      kept_cost_[cell] = std::min(kept_cost_[cell], own * std::max<uint64_t>(rows, scene_.least_group()));
    }
  }
  for (uint32_t cell : kept_) bound_ += kept_cost_[cell];
}

void StateExaminer::merge(uint32_t split, std::span<const uint32_t> cells, const TupleTable::Field& field) {
  const size_t words = cells_->words(), classes = cells_->classes();
  index_.reset(words, cells.size());
  std::vector<uint32_t>& of = memory_.sizes;
  of.resize(cells.size());
  memory_.key.resize(words);
  for (size_t i = 0; i < cells.size(); ++i) {
    std::copy_n(cells_->key(cells[i]), words, memory_.key.data());
    memory_.key[field.word] &= ~(field.mask << field.shift);
    of[i] = index_.id(memory_.key.data());
  }
  if (scene_.cost() == SplitCost::dm) {
    memory_.rows_of_group.assign(index_.size(), 0);
    for (size_t i = 0; i < cells.size(); ++i) memory_.rows_of_group[of[i]] += cells_->rows()[cells[i]];
    for (size_t i = 0; i < cells.size(); ++i) merged_.push_back({split, cells[i], memory_.rows_of_group[of[i]]});
    return;
  }
  memory_.class_rows.assign(index_.size() * classes, 0);
  uint64_t majority_before = 0, majority_after = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    const auto counts = cells_->class_rows(cells[i]);
    for (size_t c = 0; c < classes; ++c) memory_.class_rows[of[i] * classes + c] += counts[c];
    majority_before += *std::max_element(counts.begin(), counts.end());
  }
  for (size_t group = 0; group < index_.size(); ++group) {
    const auto first = memory_.class_rows.begin() + static_cast<ptrdiff_t>(group * classes);
    majority_after += *std::max_element(first, first + static_cast<ptrdiff_t>(classes));
  }
  out_more_[split] = majority_before - majority_after;
}

// By how much the bound rises when a split is out.
void StateExaminer::sum_merges(const Fates& /*fates*/) {
  for (const auto& [split, cell, rows] : merged_) {  // dm alone
    const uint64_t price = uint64_t{cells_->rows()[cell]} * std::max<uint64_t>(rows, scene_.least_group());
    if (price > kept_cost_[cell]) out_more_[split] += price - kept_cost_[cell];
  }
}

// By how much the bound rises when a split is in, with all above it: what becomes too small is lost.
void StateExaminer::probe_parts(const Fates& fates) {
  in_more_.assign(space_.size(), 0);
  in_dropped_.assign(space_.size(), 0);
  useful_.assign(space_.size(), scene_.plain() ? 0 : 1);
  if (!scene_.plain()) {
    probe_parts_one_by_one(fates);
  } else {
    std::vector<uint32_t>& of = memory_.groups[0];
    std::vector<size_t> all(space_.hierarchies().size());
    std::iota(all.begin(), all.end(), size_t{0});
    const uint32_t groups = scene_.group(*cells_, head_maps_, all, memory_, of);
    std::vector<uint32_t> next(groups + size_t{1}, 0), order(kept_.size());
    for (uint32_t cell : kept_) ++next[of[cell] + size_t{1}];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<uint32_t> place(next.begin(), next.end() - 1);
    for (uint32_t cell : kept_) order[place[of[cell]]++] = cell;
    for (uint32_t group = 0; group < groups; ++group) {
      if (next[group] < next[group + 1]) {
        part_group(std::span(order).subspan(next[group], next[group + 1] - next[group]), fates);
      }
    }
  }
  for (uint32_t split = 0; split < space_.size(); ++split) {  // parents stand before their children
    const uint32_t parent = space_.split(split).parent;
    if (parent == SplitSpace::kNone || fates[parent] != Fate::open) continue;
    in_more_[split] = std::min(kNever, in_more_[split] + in_more_[parent]);
    in_dropped_[split] += in_dropped_[parent];
  }
}

void StateExaminer::part_group(std::span<const uint32_t> cells, const Fates& fates) {
  for (size_t column : space_.columns()) part_column(column, cells, fates);
}

void StateExaminer::part_column(size_t column, std::span<const uint32_t> cells, const Fates& fates) {
  // The piece of the head that the whole group has, and what of it lies before each leaf.
  uint32_t from = leaf(cells[0], column), to = from + 1;
  const auto leaves = static_cast<uint32_t>(space_.hierarchies()[column].leaves());
  const auto apart = [&](uint32_t at) {
    const uint32_t split = space_.split_before(column, at);
    return split == SplitSpace::kNone || head_[split];
  };
  while (from > 0 && !apart(from)) --from;
  while (to < leaves && !apart(to)) ++to;
  if (to - from < 2) return;
  count_.assign(to - from + size_t{1}, 0);
  weight_.assign(to - from + size_t{1}, 0);
  for (uint32_t cell : cells) {
    const size_t at = leaf(cell, column) - from + size_t{1};
    count_[at] += cells_->rows()[cell];
    weight_[at] += drop_cost_[cell] - kept_cost_[cell];
  }
  std::partial_sum(count_.begin(), count_.end(), count_.begin());
  std::partial_sum(weight_.begin(), weight_.end(), weight_.begin());
  const uint64_t k = scene_.least_group();
  for (uint32_t split = space_.first_split(column); split < space_.first_split(column + 1); ++split) {
    if (fates[split] != Fate::open) continue;
    const SplitSpace::Split& own = space_.split(split);
    const uint32_t first = own.border ? std::max(own.first, from) : own.first;
    const uint32_t end = own.border ? std::min(own.last + 1, to) : own.last + 1;
    if (first < from || end > to || (own.border && (own.starts[0] <= first || own.starts[0] >= end))) continue;
    if (count_[end - from] - count_[first - from] < k) continue;  // lost already, above
    uint32_t begin = first;
    uint64_t largest = 0, parts = 0;
    for (size_t i = 0; i <= own.starts.size(); ++i) {
      const uint32_t stop = i < own.starts.size() ? own.starts[i] : end;
      const uint64_t rows = count_[stop - from] - count_[begin - from];
      largest = std::max(largest, rows);
      parts += rows > 0 ? 1 : 0;
      if (rows < k) {
        in_dropped_[split] += rows;
        in_more_[split] += weight_[stop - from] - weight_[begin - from];
      }
      begin = stop;
    }
    if (largest >= k && (parts > 1 || !own.border)) useful_[split] = 1;
  }
}

// Several requirements, or rules: each split below the head is tried.
void StateExaminer::probe_parts_one_by_one(const Fates& fates) {
  for (uint32_t split = 0; split < space_.size(); ++split) {
    const uint32_t parent = space_.split(split).parent;
    if (fates[split] != Fate::open || (parent != SplitSpace::kNone && fates[parent] == Fate::open)) continue;
    SplitSet set = head_;
    set[split] = 1;
    const auto maps = space_.maps(set);
    if (ruled_cells_) {
      if (!scene_.rules_hold(*ruled_cells_, maps, memory_)) in_more_[split] = kNever;
      continue;
    }
    in_dropped_[split] = scene_.drop(*cells_, maps, memory_) - head_dropped_rows_;
    for (uint32_t cell : kept_) {
      if (memory_.dropped[cell]) in_more_[split] += drop_cost_[cell] - kept_cost_[cell];
    }
  }
}

bool StateExaminer::decide(ExaminedState& state, uint64_t best) const {
  bool changed = false;
  for (uint32_t split = 0; split < space_.size() && !state.dead; ++split) {
    if (state.fates[split] != Fate::open) continue;
    const bool never_in =
        bound_ + in_more_[split] >= best || !useful_[split] || head_dropped_rows_ + in_dropped_[split] > scene_.limit();
    const bool never_out = bound_ + out_more_[split] >= best;
    if (never_in && never_out && useful_[split]) state.dead = true;
    if (never_in) {
      std::fill(state.fates.begin() + split, state.fates.begin() + space_.split(split).end, Fate::out);
    } else if (never_out) {
      for (uint32_t above = split; above != SplitSpace::kNone; above = space_.split(above).parent) {
        state.fates[above] = Fate::in;
      }
    }
    changed = changed || never_in || never_out;
  }
  return changed;
}

// The split whose two sides promise least together, among those that can be made next.
void StateExaminer::choose_branch(ExaminedState& state) const {
  double most = -1;
  for (uint32_t split = 0; split < space_.size(); ++split) {
    const uint32_t parent = space_.split(split).parent;
    if (state.fates[split] != Fate::open || (parent != SplitSpace::kNone && state.fates[parent] != Fate::in)) continue;
    const double in = double(in_more_[split]) + 1, out = double(out_more_[split]) + 1;
    const double score = std::min(in, out) * std::min(in, out) * std::max(in, out);
    if (score <= most) continue;
    most = score;
    state.branch = split;
    state.in_bound = std::max(state.bound, bound_ + in_more_[split]);
    state.out_bound = std::max(state.bound, bound_ + out_more_[split]);
  }
  state.dead = most < 0;  // nothing open: head and tail are one set, which was offered
}

}  // namespace shoal
