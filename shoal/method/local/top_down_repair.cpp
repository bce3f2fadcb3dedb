// Section 4.2 of the paper (utility-local-recoding.txt): a group below k either borrows rows from a group that can
// spare them or merges with the nearest, whichever adds less to the penalty of the whole table. The donors are asked in
// an order in which the likely ones come first, and those whose loan costs too much in any case are not asked.
#include "shoal/method/local/top_down_repair.h"

#include <algorithm>

namespace shoal {
namespace {

std::vector<std::vector<uint32_t>> members_of(const RowGroups& sets) {
  std::vector<std::vector<uint32_t>> members;
  for (size_t g = 0; g < sets.size(); ++g) members.emplace_back(sets.group(g).begin(), sets.group(g).end());
  return members;
}

}  // namespace

TopDownRepair::TopDownRepair(const RowCodes& codes, const RowGroups& sets, uint64_t k, const Progress& progress)
    : codes_(codes), k_(k), members_(members_of(sets)), out_of_time_(progress.out_of_time()) {
  if (!out_of_time_) index_.emplace(codes, Nearness::least_growth, sets);  // a second for a million rows
}

void TopDownRepair::run(Progress& progress) {
  for (uint32_t group = 0; group < members_.size(); ++group) {
    progress.check();
    if (group % 64 == 0) {
      progress.update(0.5 + 0.5 * double(group) / double(members_.size()));
      out_of_time_ = out_of_time_ || progress.out_of_time();
    }
    if (members_[group].empty() || members_[group].size() >= k_) continue;
    if (out_of_time_) {
      merge_with_next(group);
    } else {
      repair(group);
    }
  }
}

RowGroups TopDownRepair::groups() const {
  RowGroups result;
  for (const auto& rows : members_) {
    if (rows.empty()) continue;
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
    result.starts.push_back(static_cast<uint32_t>(result.rows.size()));
  }
  return result;
}

// The two alternatives of section 4.2, both counted as what the whole table's penalty grows by.
void TopDownRepair::repair(uint32_t group) {
  while (members_[group].size() < k_) {
    const GroupIndex::Neighbour nearest = index_->nearest(group);
    const Loan loan = cheapest_loan(group);
    const double merging = nearest.distance - index_->penalty(group);
    if (loan.donor != GroupIndex::kNone && growth_by(group, loan) <= merging) return borrow(group, loan);
    group = merge(group, nearest.group);
  }
}

// A box only grows, so that what a row made of it before is a floor of what the row makes of it now: rows are priced
// again only where that floor says that they could be next.
bool TopDownRepair::find_loan(uint32_t group, uint32_t donor, std::pair<double, uint32_t> limit, Loan& loan) {
  const std::vector<uint32_t>& rows = members_[donor];
  const size_t wanted = k_ - members_[group].size();
  grown_.assign(index_->box(group), index_->box(group) + codes_.width());
  double price = index_->price(group);
  floors_.resize(rows.size());
  loan.donor = donor;
  loan.rows.clear();
  const auto price_with = [&](size_t i) { return price_with_row(codes_.space(), grown_.data(), codes_.row(rows[i])); };
  const auto take = [&](size_t i) {
    grow_to_row(grown_.data(), codes_.row(rows[i]), codes_.width());
    loan.rows.push_back(rows[i]);
    floors_[i] = std::numeric_limits<double>::infinity();
  };
  const auto within = [&](double with) { return std::pair(double(k_) * with, donor) < limit; };
  size_t affordable = rows.size();  // by what they cost with the group as it is
  for (size_t i = 0; i < rows.size(); ++i) {
    floors_[i] = price_with(i);
    if (!within(floors_[i]) && --affordable < wanted) return false;
  }
  while (true) {
    // Rows that cost nothing are next, from first to last: none that was passed over becomes cheaper.
    for (size_t i = 0; i < rows.size() && loan.rows.size() < wanted; ++i) {
      if (floors_[i] > price) continue;
      floors_[i] = price_with(i);
      if (floors_[i] <= price) take(i);
    }
    if (loan.rows.size() == wanted) break;
    // The first of the lowest floors, once that is its price: all others cost as much at least.
    auto next = floors_.begin();
    for (bool priced = false; !priced;) {
      next = std::min_element(floors_.begin(), floors_.end());
      price = price_with(static_cast<size_t>(next - floors_.begin()));
      priced = price == *next;
      *next = price;
    }
    take(static_cast<size_t>(next - floors_.begin()));
    if (!within(price)) return false;
  }
  loan.penalty = double(k_) * price;
  return within(price);
}

TopDownRepair::Loan TopDownRepair::cheapest_loan(uint32_t group) {
  Loan best{GroupIndex::kNone, std::numeric_limits<double>::infinity(), {}};
  index_->visit_donors(group, 2 * k_ - members_[group].size(), k_, [&](uint32_t donor) {
    if (find_loan(group, donor, {best.penalty, best.donor}, loan_)) std::swap(best, loan_);
    return std::pair(best.penalty, best.donor);
  });
  return best;
}

double TopDownRepair::growth_by(uint32_t group, const Loan& loan) const {
  const std::vector<uint32_t> rest = without(loan.donor, loan.rows);
  const double rest_penalty = double(rest.size()) * box_price(codes_.space(), codes_.box(rest));
  return loan.penalty - index_->penalty(group) + rest_penalty - index_->penalty(loan.donor);
}

std::vector<uint32_t> TopDownRepair::without(uint32_t group, const std::vector<uint32_t>& rows) const {
  std::vector<uint32_t> gone = rows, rest;
  std::sort(gone.begin(), gone.end());
  std::set_difference(members_[group].begin(), members_[group].end(), gone.begin(), gone.end(),
                      std::back_inserter(rest));
  return rest;
}

void TopDownRepair::set_members(uint32_t group, std::vector<uint32_t> rows) {
  std::sort(rows.begin(), rows.end());
  if (index_) index_->replace(group, codes_.box(rows), static_cast<uint32_t>(rows.size()));
  members_[group] = std::move(rows);
}

void TopDownRepair::borrow(uint32_t group, const Loan& loan) {
  ++borrowed_;
  set_members(loan.donor, without(loan.donor, loan.rows));
  std::vector<uint32_t> rows = members_[group];
  rows.insert(rows.end(), loan.rows.begin(), loan.rows.end());
  set_members(group, std::move(rows));
}

// The lower number stays; a union of 2k rows or more is split, and then both stay.
uint32_t TopDownRepair::merge(uint32_t group, uint32_t other) {
  ++merged_;
  const auto [into, gone] = std::minmax({group, other});
  std::vector<uint32_t> rows = std::move(members_[gone]);
  members_[gone].clear();
  rows.insert(rows.end(), members_[into].begin(), members_[into].end());
  if (rows.size() < 2 * k_) {
    if (index_) index_->merge(into, gone);
    std::sort(rows.begin(), rows.end());
    members_[into] = std::move(rows);
    return into;
  }
  std::sort(rows.begin(), rows.end());
  const uint32_t half = split_evenly(codes_, rows, 2).front();
  set_members(into, {rows.begin(), rows.begin() + half});
  set_members(gone, {rows.begin() + half, rows.end()});
  return into;
}

// No time is left: sets that stand side by side come from the same larger set.
void TopDownRepair::merge_with_next(uint32_t group) {
  while (members_[group].size() < k_) {
    uint32_t other = group + 1;
    while (other < members_.size() && members_[other].empty()) ++other;
    if (other == members_.size()) {
      other = group;
      while (members_[--other].empty()) continue;
    }
    group = merge(group, other);
  }
}

}  // namespace shoal
