// The inner loop of all level methods. The tuples of a step are sorted, groups lying side by side; raising the next
// column cuts every group into slices of equal digits, and slices whose digits become one under the level are
// neighbours already (a level never reorders leaves): a group of the next step is a run of slices. So a step is one
// pass without hashing or sorting, and its result stays on the stack for all vectors that begin with the same levels.
#include "shoal/method/levels/sweep.h"

#include <algorithm>
#include <bit>

namespace shoal {

Sweep::Sweep(const LatticeTuples& table, std::span<const LevelColumn> columns,
             std::span<const SweepRequirement> requirements, uint64_t limit, const SweepGains* gains)
    : table_(table),
      columns_(columns),
      limit_(limit),
      gains_(gains),
      steps_(table.positions().size() + 1),
      slices_(table.positions().size()),
      digits_(table.positions().size()) {
  for (const SweepRequirement& requirement : requirements) {
    const GroupRule* rule = table.row_with_tail() ? requirement.rule.get() : nullptr;
    has_rules_ = has_rules_ || rule;
    Partial partial{{}, requirement.k, rule};
    bool full = true;
    for (const LatticeTuples::Position& position : table.positions()) {
      const auto& columns_of = requirement.columns;
      partial.has_position.push_back(std::find(columns_of.begin(), columns_of.end(), position.column) !=
                                     columns_of.end());
      full &= partial.has_position.back();
    }
    if (full) {
      full_k_ = std::max(full_k_, requirement.k);
      if (rule) full_rules_.push_back(rule);
    } else {
      partial_.push_back(std::move(partial));
    }
  }
  for (size_t i = 0; i < digits_.size(); ++i) {
    digits_[i].resize(static_cast<size_t>(columns[table.positions()[i].column].height()) + 1);
  }
  Step& all = steps_.front();
  all.first = {0, static_cast<uint32_t>(table.size())};
  all.sizes = {static_cast<uint32_t>(table.rows())};
  all.part_of.assign(partial_.size(), {0});
  all.parts.assign(partial_.size(), 1);
  if (gains_) all.gains.assign(gains_->components, 0.0);
}

Sweep::Outcome Sweep::evaluate(std::span<const int> levels) {
  size_t shared = 0;
  while (shared < levels_.size() && levels_[shared] == levels[shared]) ++shared;
  if (dead_ && shared == levels_.size()) return Outcome::fails_with_branch;
  levels_.resize(shared);
  dead_ = false;
  for (size_t position = shared; position < levels.size(); ++position) {
    levels_.push_back(levels[position]);
    dead_ = !raise(position, levels[position]);
    if (dead_) return Outcome::fails;
  }
  if (has_rules_ && shared < levels.size()) dead_ = !obey_rules();
  return dead_ ? Outcome::fails : Outcome::satisfies;
}

void Sweep::forget_failure() {
  if (dead_) levels_.pop_back();
  dead_ = false;
}

GroupsView Sweep::groups() const {
  const Step& last = steps_.back();
  GroupsView view{last.dropped, last.sizes, last.gains, {}, {}, {}};
  if (table_.has_tail()) {
    const Entries tail = entries(steps_.size() - 1);
    view.first = last.first;
    view.tails = tail.ids.first(last.first.back());  // the buffers may be longer
    view.tail_counts = tail.counts.first(last.first.back());
  }
  return view;
}

Sweep::Entries Sweep::entries(size_t step) const {
  if (step == 0) return {table_.ids(), table_.counts()};
  return {steps_[step].ids, steps_[step].counts};
}

const std::vector<uint32_t>& Sweep::digits_at(size_t position, int level) {
  std::vector<uint32_t>& digits = digits_[position][static_cast<size_t>(level)];
  if (digits.empty()) {
    const LatticeTuples::Position& from = table_.positions()[position];
    digits = columns_[from.column].raise(from.floor, level);
  }
  return digits;
}

// Makes steps_[position + 1] from steps_[position]; false when too many rows are dropped.
bool Sweep::raise(size_t position, int level) {
  if (slices_[position].empty()) slice(position);
  if (position + 1 < slices_.size()) slices_[position + 1].clear();
  const std::vector<uint32_t>& digits = digits_at(position, level);
  if (!find_runs(position, digits)) return false;
  if (!partial_.empty()) {
    number_parts(position, digits.back() + 1);
    if (!drop_small_parts(steps_[position + 1])) return false;
  }
  Step& next = steps_[position + 1];
  next.sizes.resize(runs_.size());
  for (size_t i = 0; i < runs_.size(); ++i) next.sizes[i] = runs_[i].size;
  if (gains_) add_gains(position, level);
  if (position + 1 < steps_.size() - 1 || table_.has_tail()) carry_entries(position);
  return true;
}

void Sweep::slice(size_t position) {
  const Step& step = steps_[position];
  const Entries entries = this->entries(position);
  const IdColumn& column = table_.id_columns()[position];
  std::vector<Slice>& slices = slices_[position];
  for (uint32_t group = 0; group < step.sizes.size(); ++group) {
    const uint32_t end = step.first[group + 1];
    for (uint32_t i = step.first[group]; i < end;) {
      const uint32_t begin = i, digit = column.digit(entries.ids[i]), last_id = column.last_id(digit);
      uint32_t size = 0;
      do {
        size += entries.counts[i++];
      } while (i < end && entries.ids[i] <= last_id);
      slices.push_back({group, digit, begin, i, size});
    }
  }
}

bool Sweep::find_runs(size_t position, const std::vector<uint32_t>& digits) {
  const std::vector<Slice>& slices = slices_[position];
  if (runs_.size() < slices.size() + 1) runs_.resize(slices.size() + 1);
  // Where runs end cannot be foretold, so there are no branches on it: a run is written again with every slice.
  Run* runs = runs_.data();
  Run run{0, 0, UINT32_MAX, 0, 0};
  uint64_t dropped = steps_[position].dropped;
  for (uint32_t i = 0; i < slices.size(); ++i) {
    const Slice& slice = slices[i];
    const uint32_t digit = digits[slice.digit];
    const bool fresh = (slice.group != run.group) | (digit != run.digit);
    const bool kept = run.size >= full_k_;
    dropped += fresh & !kept ? run.size : 0;
    runs += fresh & kept;
    run.first = fresh ? i : run.first;
    run.size = (fresh ? 0 : run.size) + slice.size;
    run.last = i;
    run.group = slice.group;
    run.digit = digit;
    *runs = run;
  }
  if (run.size >= full_k_) {
    ++runs;
  } else {
    dropped += run.size;
  }
  runs_.resize(static_cast<size_t>(runs - runs_.data()));
  steps_[position + 1].dropped = dropped;
  return dropped <= limit_;
}

// Numbers the projections of the new groups on each partial requirement's columns.
void Sweep::number_parts(size_t position, uint32_t digits) {
  const Step& from = steps_[position];
  Step& next = steps_[position + 1];
  next.part_of.resize(partial_.size());
  next.parts.resize(partial_.size());
  for (size_t p = 0; p < partial_.size(); ++p) {
    auto& part_of = next.part_of[p];
    part_of.clear();
    if (!partial_[p].has_position[position]) {
      next.parts[p] = from.parts[p];
      for (const Run& run : runs_) part_of.push_back(from.part_of[p][run.group]);
      continue;
    }
    words_.clear();
    for (const Run& run : runs_) words_.push_back(uint64_t{from.part_of[p][run.group]} * digits + run.digit);
    const uint64_t space = uint64_t{from.parts[p]} * digits;
    if (space <= 4 * words_.size() + 1024) {
      std::vector<uint32_t> number(space, UINT32_MAX);
      next.parts[p] = 0;
      for (uint64_t key : words_) {
        if (number[key] == UINT32_MAX) number[key] = next.parts[p]++;
        part_of.push_back(number[key]);
      }
    } else {
      std::vector<uint64_t> distinct(words_);
      std::sort(distinct.begin(), distinct.end());
      distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
      next.parts[p] = static_cast<uint32_t>(distinct.size());
      for (uint64_t key : words_) {
        part_of.push_back(
            static_cast<uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), key) - distinct.begin()));
      }
    }
  }
}

// Drops new groups whose projection on a partial requirement's columns is too small, until none is. False when that
// drops too many rows.
bool Sweep::drop_small_parts(Step& to) {
  std::vector<std::vector<uint32_t>> sizes;
  for (size_t p = 0; p < partial_.size(); ++p) {
    sizes.emplace_back(to.parts[p], 0);
    for (size_t i = 0; i < runs_.size(); ++i) sizes[p][to.part_of[p][i]] += runs_[i].size;
  }
  for (bool again = true; again;) {
    again = false;
    size_t kept = 0;
    for (size_t i = 0; i < runs_.size(); ++i) {
      bool small = false;
      for (size_t p = 0; p < partial_.size(); ++p) small |= sizes[p][to.part_of[p][i]] < partial_[p].k;
      for (size_t p = 0; p < partial_.size(); ++p) {
        const uint32_t part = to.part_of[p][i];
        if (small) sizes[p][part] -= runs_[i].size;
        to.part_of[p][kept] = part;
      }
      if (small) {
        to.dropped += runs_[i].size;
        again = true;
      } else {
        runs_[kept++] = runs_[i];
      }
    }
    runs_.resize(kept);
    for (auto& part_of : to.part_of) part_of.resize(kept);
    if (to.dropped > limit_) return false;
  }
  return true;
}

void Sweep::add_gains(size_t position, int level) {
  const size_t column = table_.positions()[position].column;
  const size_t components = gains_->components, component = gains_->component_of[column];
  const std::vector<double>& gains = gains_->gains[column][static_cast<size_t>(level)];
  const Step& from = steps_[position];
  Step& next = steps_[position + 1];
  next.gains.resize(runs_.size() * components);
  for (size_t i = 0; i < runs_.size(); ++i) {
    const size_t to = i * components, source = runs_[i].group * components;
    for (size_t c = 0; c < components; ++c) next.gains[to + c] = from.gains[source + c];
    next.gains[to + component] += gains[runs_[i].digit];
  }
}

// Gives every new group its entries: ids without the raised column, ascending, equal ones joined.
void Sweep::carry_entries(size_t position) {
  const std::vector<Slice>& slices = slices_[position];
  const Entries entries = this->entries(position);
  const IdColumn& column = table_.id_columns()[position];
  Step& next = steps_[position + 1];
  size_t most = 0;
  for (const Run& run : runs_) most += slices[run.last].end - slices[run.first].begin;
  if (next.ids.size() < most) {
    next.ids.resize(most);
    next.counts.resize(most);
  }
  next.first.resize(runs_.size() + 1);
  uint32_t used = 0;
  for (size_t i = 0; i < runs_.size(); ++i) {
    const Run& run = runs_[i];
    const Slice& slice = slices[run.first];
    const uint32_t length = slices[run.last].end - slice.begin;
    next.first[i] = used;
    if (run.first == run.last) {  // in order already, and all different
      uint32_t* ids = next.ids.data() + used;
      column.each_rest(entries.ids.subspan(slice.begin, length), slice.digit,
                       [ids](size_t entry, uint32_t rest) { ids[entry] = rest; });
      std::copy_n(entries.counts.begin() + slice.begin, length, next.counts.begin() + used);
      used += length;
    } else if (column.rests() <= 128 * uint64_t{length}) {
      used = join_by_counting(position, run, used);
    } else {
      used = join_by_sorting(position, run, used);
    }
  }
  next.first.back() = used;
}

// A counter for each possible rest, and one bit that says whether it is in use: emptying and listing them costs little
// more than the run is long.
uint32_t Sweep::join_by_counting(size_t position, const Run& run, uint32_t used) {
  const Entries entries = this->entries(position);
  const IdColumn& column = table_.id_columns()[position];
  const size_t words = (column.rests() + size_t{63}) / 64;
  if (touched_.size() < words) {
    touched_.resize(words, 0);
    counters_.resize(words * 64, 0);
  }
  uint32_t* counters = counters_.data();
  uint64_t* touched = touched_.data();
  size_t word = 0;
  uint64_t bits = 0;  // not yet written to touched[word]
  for (uint32_t s = run.first; s <= run.last; ++s) {
    const Slice& slice = slices_[position][s];
    const uint32_t* counts = entries.counts.data() + slice.begin;
    column.each_rest(entries.ids.subspan(slice.begin, slice.end - slice.begin), slice.digit,
                     [&](size_t entry, uint32_t rest) {
                       counters[rest] += counts[entry];
                       if (rest / 64 != word) {
                         touched[word] |= bits;
                         word = rest / 64;
                         bits = 0;
                       }
                       bits |= uint64_t{1} << rest % 64;
                     });
  }
  touched[word] |= bits;
  uint32_t* ids = steps_[position + 1].ids.data();
  uint32_t* sums = steps_[position + 1].counts.data();
  for (word = 0; word < words; ++word) {
    for (bits = touched[word]; bits != 0; bits &= bits - 1) {
      const uint32_t rest = static_cast<uint32_t>(word * 64) + static_cast<uint32_t>(std::countr_zero(bits));
      ids[used] = rest;
      sums[used++] = counters[rest];
      counters[rest] = 0;
    }
    touched[word] = 0;
  }
  return used;
}

uint32_t Sweep::join_by_sorting(size_t position, const Run& run, uint32_t used) {
  const Entries entries = this->entries(position);
  const IdColumn& column = table_.id_columns()[position];
  words_.clear();
  for (uint32_t s = run.first; s <= run.last; ++s) {
    const Slice& slice = slices_[position][s];
    column.each_rest(entries.ids.subspan(slice.begin, slice.end - slice.begin), slice.digit,
                     [&](size_t entry, uint32_t rest) {
                       words_.push_back(uint64_t{rest} << 32 | entries.counts[slice.begin + entry]);
                     });
  }
  std::sort(words_.begin(), words_.end());
  Step& next = steps_[position + 1];
  const uint32_t begin = used;
  for (uint64_t word : words_) {
    const auto rest = static_cast<uint32_t>(word >> 32), count = static_cast<uint32_t>(word);
    if (used > begin && next.ids[used - 1] == rest) {
      next.counts[used - 1] += count;
    } else {
      next.ids[used] = rest;
      next.counts[used++] = count;
    }
  }
  return used;
}

}  // namespace shoal
