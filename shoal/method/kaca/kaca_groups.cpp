// Merging by the rules of kaca.txt section 4: what both groups would be released as is the closest common
// generalisation, cell by cell; the distance is what that takes from the rows that move. Two groups that come to look
// alike are one group from then on (settle_look), as the paper's classes are. A group's rows are a linked list through
// next_, so that a merge joins two lists and a stub is cut off the front of one. In uneven trees what a step costs
// depends on a leaf's own depth: a group keeps the mean share of its rows there (shares_), which is all that the
// distance asks for.
#include "shoal/method/kaca/kaca_groups.h"

#include <algorithm>

#include "shoal/table/groups.h"

namespace shoal {

size_t KacaGroups::Look::operator()(uint32_t group) const {
  uint64_t value = 0;
  for (const KacaCell& cell : groups->cells(group)) {
    value = (value ^ (uint64_t{cell.first} << 32 | cell.last)) * 0x9E3779B97F4A7C15ULL;
    value ^= value >> 29;
  }
  return static_cast<size_t>(value);
}

bool KacaGroups::Look::operator()(uint32_t a, uint32_t b) const {
  const auto one = groups->cells(a), other = groups->cells(b);
  return std::equal(one.begin(), one.end(), other.begin());
}

KacaGroups::KacaGroups(const KacaSpace& space, const Problem& problem)
    : space_(space), next_(problem.table.rows, kEnd), by_look_(0, Look{this}, Look{this}) {
  std::vector<GroupKey> keys;
  for (size_t j = 0; j < space.columns(); ++j) {
    keys.push_back({&problem.table.quasi[space.quasi(j)].codes, space.leaves(j)});
  }
  const Groups distinct = group_rows(problem.table.rows, keys);
  std::vector<uint32_t> leaves(space.columns());
  for (uint32_t row = 0; row < problem.table.rows; ++row) {
    const uint32_t group = distinct.group_of_row[row];
    if (group == size()) {  // numbered by first appearance
      open_group();
      space.gather(row, leaves.data());
      for (size_t j = 0; j < leaves.size(); ++j) cells_[group * leaves.size() + j] = {leaves[j], leaves[j]};
      for (size_t j = 0; j < space.uneven_trees(); ++j) {
        shares_[group * space.uneven_trees() + j] = space.share(space.even_trees() + j, leaves[space.even_trees() + j]);
      }
      settle(group);
    }
    append_rows(group, row, row, 1);
  }
  distinct_ = static_cast<uint32_t>(size());
}

uint32_t KacaGroups::open_group() {
  const auto group = static_cast<uint32_t>(size());
  cells_.resize(cells_.size() + space_.columns());
  shares_.resize(shares_.size() + space_.uneven_trees());
  kept_.push_back(0);
  plain_kept_.push_back(0);
  rows_.push_back(0);
  head_.push_back(kEnd);
  tail_.push_back(kEnd);
  return group;
}

void KacaGroups::settle(uint32_t group) {
  const auto own = cells(group);
  const auto share = shares(group);
  KacaCost plain = 0, uneven = 0;
  for (size_t j = 0; j < own.size(); ++j) {
    const KacaCost kept = space_.kept(j, own[j]);
    if (space_.uneven(j)) {
      uneven += kept * share[j - space_.even_trees()];
    } else {
      plain += kept;
    }
  }
  kept_[group] = plain + uneven;
  plain_kept_[group] = plain;
}

void KacaGroups::append_rows(uint32_t group, uint32_t head, uint32_t tail, uint32_t count) {
  if (rows_[group] == 0) {
    head_[group] = head;
  } else {
    next_[tail_[group]] = head;
  }
  tail_[group] = tail;
  next_[tail] = kEnd;
  rows_[group] += count;
}

void KacaGroups::vacate(uint32_t group) {
  if (group >= distinct_) by_look_.erase(group);
  rows_[group] = 0;
  head_[group] = kEnd;
}

KacaCost KacaGroups::distance(uint32_t a, uint32_t b, uint64_t k) const {
  const auto one = cells(a), other = cells(b);
  KacaCost kept_a = 0, kept_b = 0;
  for (size_t j = 0; j < one.size(); ++j) {
    const KacaCost kept = space_.kept(j, space_.join(j, one[j], other[j]));
    kept_a += kept * (space_.uneven(j) ? shares(a)[j - space_.even_trees()] : 1);
    kept_b += kept * (space_.uneven(j) ? shares(b)[j - space_.even_trees()] : 1);
  }
  const auto taken = static_cast<KacaCost>(rows_taken(rows(a), rows(b), k));
  return KacaCost{rows(a)} * (kept_[a] - kept_a) + taken * (kept_[b] - kept_b);
}

uint32_t KacaGroups::merge(uint32_t a, uint32_t b, uint64_t taken) {
  const size_t columns = space_.columns(), uneven = space_.uneven_trees();
  const uint32_t target = open_group();
  for (size_t j = 0; j < columns; ++j) cells_[target * columns + j] = space_.join(j, cells(a)[j], cells(b)[j]);
  const auto from_a = KacaCost{rows_[a]}, from_b = static_cast<KacaCost>(taken);
  for (size_t j = 0; j < uneven; ++j) {
    shares_[target * uneven + j] = (from_a * shares(a)[j] + from_b * shares(b)[j]) / (from_a + from_b);
  }
  append_rows(target, head_[a], tail_[a], rows_[a]);
  vacate(a);
  uint32_t last = head_[b];
  for (uint64_t i = 1; i < taken && taken < rows_[b]; ++i) last = next_[last];
  if (taken == rows_[b]) last = tail_[b];
  const uint32_t rest = next_[last];
  append_rows(target, head_[b], last, static_cast<uint32_t>(taken));
  if (rest == kEnd) {
    vacate(b);
  } else {
    head_[b] = rest;
    rows_[b] -= static_cast<uint32_t>(taken);
  }
  return settle_look(target);
}

uint32_t KacaGroups::settle_look(uint32_t group) {
  const auto [found, fresh] = by_look_.insert(group);
  if (fresh) {
    settle(group);
    return group;
  }
  const uint32_t older = *found;
  const size_t uneven = space_.uneven_trees();
  const KacaCost own = rows_[older], more = rows_[group];
  for (size_t j = 0; j < uneven; ++j) {
    KacaCost& share = shares_[older * uneven + j];
    share = (own * share + more * shares_[group * uneven + j]) / (own + more);
  }
  settle(older);
  append_rows(older, head_[group], tail_[group], rows_[group]);
  cells_.resize(group * space_.columns());  // it is the newest one
  shares_.resize(group * uneven);
  for (auto* list : {&rows_, &head_, &tail_}) list->pop_back();
  kept_.pop_back();
  plain_kept_.pop_back();
  return older;
}

std::vector<uint32_t> KacaGroups::rows_of(uint32_t group) const {
  std::vector<uint32_t> rows;
  for (uint32_t row = head_[group]; row != kEnd; row = next_[row]) rows.push_back(row);
  return rows;
}

std::vector<uint32_t> KacaGroups::drop(uint32_t group) {
  std::vector<uint32_t> rows = rows_of(group);
  vacate(group);
  return rows;
}

}  // namespace shoal
