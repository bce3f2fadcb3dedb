#include "shoal/method/shoal/shoal_floors.h"

#include <algorithm>
#include <limits>

namespace shoal {
namespace {

// Sums of floats are off by less than this part of themselves.
constexpr float kFloatRounding = 1 - 4e-6F;

}  // namespace

void JoinFloors::load(const uint32_t* codes, size_t rows) {
  slots_.resize(rows * width_);
  slot_.clear();
  first_slot_.assign(1, 0);
  for (size_t j = 0; j < width_; ++j) make_slots(j, codes, rows);
  groups_ = stride_ = 0;
  boxes_.clear();
}

// Neighbouring values share a slot where there are too many.
void JoinFloors::make_slots(size_t column, const uint32_t* codes, size_t rows) {
  distinct_.clear();
  for (size_t row = 0; row < rows; ++row) distinct_.push_back(codes[row * width_ + column]);
  std::sort(distinct_.begin(), distinct_.end());
  distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
  const size_t used = std::min(distinct_.size(), kSlots), first = slot_.size();
  slot_.resize(first + used);
  if (slot_of_leaf_.size() < space_.leaves(column)) slot_of_leaf_.resize(space_.leaves(column));
  for (size_t i = 0; i < distinct_.size(); ++i) {
    const size_t slot = first + i * used / distinct_.size();
    slot_[slot].lo = std::min(slot_[slot].lo, distinct_[i]);
    slot_[slot].hi = std::max(slot_[slot].hi, distinct_[i]);
    slot_of_leaf_[distinct_[i]] = static_cast<uint32_t>(slot);
  }
  for (size_t row = 0; row < rows; ++row) slots_[row * width_ + column] = slot_of_leaf_[codes[row * width_ + column]];
  first_slot_.push_back(slot_.size());
}

void JoinFloors::set_groups(size_t groups) {
  const size_t before = groups_;
  groups_ = groups;
  boxes_.resize(groups * width_);
  if (groups > stride_) {
    // New room: the table is laid out again and filled from the boxes.
    stride_ = (groups + groups / 4 + kLane) / kLane * kLane;
    added_.assign(slot_.size() * stride_, 0);
    price_.resize(stride_);
    joined_rows_.resize(stride_);
    floors_.resize(stride_);
    const std::vector<Interval> known = std::move(boxes_);
    boxes_.assign(groups * width_, {});
    for (uint32_t group = 0; group < before; ++group) {
      for (size_t j = 0; j < width_; ++j) {
        const Interval& box = known[group * width_ + j];
        if (box.lo <= box.hi) set_box(group, j, box.lo, box.hi);
      }
    }
  }
  for (size_t group = before; group < stride_; ++group) {
    price_[group] = std::numeric_limits<float>::infinity();
    joined_rows_[group] = 0;
  }
}

void JoinFloors::set_box(uint32_t group, size_t column, uint32_t lo, uint32_t hi) {
  Interval& box = boxes_[group * width_ + column];
  if (box.lo == lo && box.hi == hi) return;
  box = {lo, hi};
  const double own = space_.cost(column, lo, hi);
  for (size_t slot = first_slot_[column]; slot < first_slot_[column + 1]; ++slot) {
    double added = 0;
    if (slot_[slot].hi < lo) added = space_.cost(column, slot_[slot].hi, hi) - own;
    if (slot_[slot].lo > hi) added = space_.cost(column, lo, slot_[slot].lo) - own;
    added_[slot * stride_ + group] = static_cast<float>(added);
  }
}

void JoinFloors::set_group(uint32_t group, size_t rows, double price) {
  price_[group] = rows == 0 ? std::numeric_limits<float>::infinity() : static_cast<float>(price) * kFloatRounding;
  joined_rows_[group] = rows == 0 ? 0 : static_cast<float>(rows + 1) * kFloatRounding;
}

std::span<const float> JoinFloors::of_row(uint32_t row) {
  const uint32_t* const slots = slots_.data() + size_t{row} * width_;
  for (size_t group = 0; group < groups_; group += kLane) {
    float sum[kLane] = {};
    for (size_t j = 0; j < width_; ++j) {
      const float* const added = added_.data() + slots[j] * stride_ + group;
      for (size_t i = 0; i < kLane; ++i) sum[i] += added[i];
    }
    for (size_t i = 0; i < kLane; ++i) {
      floors_[group + i] = price_[group + i] + joined_rows_[group + i] * sum[i];
    }
  }
  return {floors_.data(), groups_};
}

}  // namespace shoal
