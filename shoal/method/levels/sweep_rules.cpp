// The last word about a vector where requirements ask for more than k rows: see sweep.h for what is dropped, and why.
#include <algorithm>

#include "shoal/method/levels/sweep.h"

namespace shoal {

// Drops what breaks a rule from the last step; false when that is too much.
bool Sweep::obey_rules() {
  Step& last = steps_.back();
  if (last.sizes.empty()) return true;  // nothing is left that could break a rule
  fate_.assign(last.sizes.size(), Fate::stays);
  for (bool first = true;; first = false) {
    bool breaking = false;
    // A group of all columns only ever goes as a whole: what held once holds.
    for (const GroupRule* rule : full_rules_) {
      if (!first || rule->models().empty()) continue;
      breaking |= mark_breaking(*rule, {}, static_cast<uint32_t>(last.sizes.size()));
      if (breaking && limit_ == 0) return false;
    }
    for (size_t p = 0; p < partial_.size(); ++p) {
      if (!partial_[p].rule || partial_[p].rule->models().empty()) continue;
      breaking |= mark_breaking(*partial_[p].rule, last.part_of[p], last.parts[p]);
      if (breaking && limit_ == 0) return false;
    }
    if (!breaking) break;
    drop_marked(last);
    if (last.dropped > limit_) return false;
  }
  if (!average_risks_hold()) return false;
  forget_dropped(last);
  return true;
}

// Marks the groups of every part that breaks the rule: part_of[group] is a group's part, or the group itself where that
// is empty. With no row to be dropped the first one is enough.
bool Sweep::mark_breaking(const GroupRule& rule, std::span<const uint32_t> part_of, uint32_t parts) {
  const Step& last = steps_.back();
  const Entries tails = entries(steps_.size() - 1);
  const std::vector<uint32_t>& row_with = *table_.row_with_tail();
  std::vector<uint32_t> order, first;  // groups by part
  if (!part_of.empty()) {
    first.assign(parts + 1, 0);
    for (uint32_t part : part_of) ++first[part + 1];
    for (uint32_t part = 0; part < parts; ++part) first[part + 1] += first[part];
    order.resize(part_of.size());
    std::vector<uint32_t> next(first.begin(), first.end() - 1);
    for (uint32_t group = 0; group < part_of.size(); ++group) order[next[part_of[group]]++] = group;
  }
  bool breaking = false;
  GroupTally tally = rule.tally();
  // One tally for all parts: what one has added is taken out again.
  auto each_tail = [&](std::span<const uint32_t> groups, auto&& visit) {
    for (uint32_t group : groups) {
      if (fate_[group] == Fate::gone) continue;
      for (uint32_t i = last.first[group]; i < last.first[group + 1]; ++i) {
        visit(row_with[tails.ids[i]], tails.counts[i]);
      }
    }
  };
  for (uint32_t part = 0; part < parts; ++part) {
    const std::span<const uint32_t> groups =
        part_of.empty() ? std::span(&part, 1) : std::span(order).subspan(first[part], first[part + 1] - first[part]);
    each_tail(groups, [&](uint32_t row, uint32_t times) { rule.add(tally, row, times); });
    const bool breaks = !rule.holds(tally);
    if (breaks && limit_ == 0) return true;
    for (uint32_t group : groups) {
      if (breaks && fate_[group] == Fate::stays) fate_[group] = Fate::goes;
    }
    breaking |= breaks;
    each_tail(groups, [&](uint32_t row, uint32_t times) { rule.remove(tally, row, times); });
  }
  return breaking;
}

// The marked groups go, and then whatever is too small without them.
void Sweep::drop_marked(Step& last) {
  std::vector<std::vector<uint64_t>> sizes;
  for (size_t p = 0; p < partial_.size(); ++p) {
    sizes.emplace_back(last.parts[p], 0);
    for (size_t group = 0; group < fate_.size(); ++group) {
      if (fate_[group] != Fate::gone) sizes[p][last.part_of[p][group]] += last.sizes[group];
    }
  }
  for (bool again = true; again;) {
    again = false;
    for (size_t group = 0; group < fate_.size(); ++group) {
      if (fate_[group] == Fate::gone) continue;
      bool goes = fate_[group] == Fate::goes;
      for (size_t p = 0; p < partial_.size(); ++p) goes |= sizes[p][last.part_of[p][group]] < partial_[p].k;
      if (!goes) continue;
      fate_[group] = Fate::gone;
      last.dropped += last.sizes[group];
      for (size_t p = 0; p < partial_.size(); ++p) sizes[p][last.part_of[p][group]] -= last.sizes[group];
      again = true;
    }
  }
}

bool Sweep::average_risks_hold() const {
  const Step& last = steps_.back();
  const uint64_t rows = table_.rows() - last.dropped;
  auto holds = [&](const GroupRule* rule, std::span<const uint32_t> part_of, uint32_t parts) {
    if (!rule || !rule->average_risk()) return true;
    std::vector<bool> there(parts, false);
    for (uint32_t group = 0; group < fate_.size(); ++group) {
      if (fate_[group] == Fate::stays) there[part_of.empty() ? group : part_of[group]] = true;
    }
    const auto groups = static_cast<uint64_t>(std::count(there.begin(), there.end(), true));
    return rule->average_risk()->holds(groups, rows);
  };
  for (const GroupRule* rule : full_rules_) {
    if (!holds(rule, {}, static_cast<uint32_t>(fate_.size()))) return false;
  }
  for (size_t p = 0; p < partial_.size(); ++p) {
    if (!holds(partial_[p].rule, last.part_of[p], last.parts[p])) return false;
  }
  return true;
}

// Moves the groups that stay together.
void Sweep::forget_dropped(Step& last) {
  if (std::find(fate_.begin(), fate_.end(), Fate::gone) == fate_.end()) return;
  const size_t components = gains_ ? gains_->components : 0;
  uint32_t kept = 0, used = 0;
  for (uint32_t group = 0; group < fate_.size(); ++group) {
    if (fate_[group] == Fate::gone) continue;
    const uint32_t begin = last.first[group], end = last.first[group + 1];
    last.first[kept] = used;
    for (uint32_t i = begin; i < end; ++i, ++used) {
      last.ids[used] = last.ids[i];
      last.counts[used] = last.counts[i];
    }
    for (size_t c = 0; c < components; ++c) last.gains[kept * components + c] = last.gains[group * components + c];
    for (auto& part_of : last.part_of) part_of[kept] = part_of[group];
    last.sizes[kept++] = last.sizes[group];
  }
  last.first[kept] = used;
  last.first.resize(kept + 1);
  last.sizes.resize(kept);
  if (gains_) last.gains.resize(kept * components);
  for (auto& part_of : last.part_of) part_of.resize(kept);
}

}  // namespace shoal
