#include "shoal/method/mondrian/mondrian_rules.h"

#include <algorithm>
#include <limits>

namespace shoal::mondrian {

SideTallies::SideTallies(std::vector<const GroupRule*> rules) : rules_(std::move(rules)) {}

void SideTallies::start(const Rows& rows, Region region, size_t column) {
  leaves_.resize(region.size());
  rows.copy(region, column, leaves_);
  const std::span<const uint32_t> numbers = rows.numbers(region);
  order_.resize(region.size());
  for (size_t i = 0; i < order_.size(); ++i) order_[i] = uint64_t{leaves_[i]} << 32 | numbers[i];
  std::sort(order_.begin(), order_.end());
  times_ = rows.times();
  rows_ = rows.rows(region);
  border_ = 0;
  left_rows_ = 0;
  counted_ = false;
}

void SideTallies::count_all() {
  numbers_.resize(order_.size());
  for (size_t i = 0; i < order_.size(); ++i) numbers_[i] = static_cast<uint32_t>(order_[i]);
  left_.clear();
  right_.clear();
  for (const GroupRule* rule : rules_) {
    left_.push_back(rule->tally());
    right_.push_back(rule->tally(numbers_, times_));
  }
  counted_ = true;
}

void SideTallies::move_to(uint64_t left_rows) {
  if (!counted_) count_all();
  for (; left_rows_ < left_rows; ++border_) {
    for (size_t i = 0; i < rules_.size(); ++i) {
      rules_[i]->remove(right_[i], numbers_[border_], times(border_));
      rules_[i]->add(left_[i], numbers_[border_], times(border_));
    }
    left_rows_ += times(border_);
  }
  for (; left_rows_ > left_rows; --border_) {
    for (size_t i = 0; i < rules_.size(); ++i) {
      rules_[i]->remove(left_[i], numbers_[border_ - 1], times(border_ - 1));
      rules_[i]->add(right_[i], numbers_[border_ - 1], times(border_ - 1));
    }
    left_rows_ -= times(border_ - 1);
  }
}

bool SideTallies::both_hold(uint64_t left_rows) {
  const uint64_t smaller = std::min(left_rows, rows_ - left_rows);
  // Too few rows is known without counting anything.
  if (std::any_of(rules_.begin(), rules_.end(), [&](const GroupRule* rule) { return smaller < rule->k(); }))
    return false;
  move_to(left_rows);
  for (size_t i = 0; i < rules_.size(); ++i) {
    if (!rules_[i]->holds(left_[i]) || !rules_[i]->holds(right_[i])) return false;
  }
  return true;
}

std::optional<Scope> SidesHold::scope(size_t column) {
  if (rows_.rows(region_) < 2 * rule_.k()) return std::nullopt;
  tallies_.start(rows_, region_, column);
  return Scope{{&region_, 1}, std::numeric_limits<uint64_t>::max()};
}

bool SidesHold::allows(const Cut& cut) { return tallies_.both_hold(cut.left_rows); }

}  // namespace shoal::mondrian
