#include "shoal/method/mondrian/mondrian_boxes.h"

#include <utility>

namespace shoal::mondrian {
namespace {

uint64_t scramble(uint64_t key) {
  key ^= key >> 31;
  key *= 0x9E3779B97F4A7C15ULL;
  key ^= key >> 29;
  key *= 0xBF58476D1CE4E5B9ULL;
  return key ^ (key >> 32);
}

// A projection's hash is the sum over its columns, so that one column can be exchanged in one step.
uint64_t hash_of(size_t column, Interval interval) {
  return scramble((uint64_t{interval.first} << 32 | interval.last) + scramble(column + 1));
}

}  // namespace

uint32_t border(const Hierarchy& hierarchy, uint32_t last_left, uint32_t first_right) {
  if (hierarchy.releases_ranges()) return hierarchy.missing() == first_right ? first_right - 1 : last_left;
  Hierarchy::Node node = hierarchy.leaf_node(last_left);
  for (Hierarchy::Node up = node; hierarchy.node(up).last < first_right; up = hierarchy.node(up).parent) node = up;
  return hierarchy.node(node).last;
}

std::pair<Interval, Interval> sides(const Hierarchy& hierarchy, Interval interval, const Cut& cut) {
  if (cut.first_right == cut.last_left) return {{interval.first, cut.last_left}, {cut.last_left, interval.last}};
  const uint32_t end = border(hierarchy, cut.last_left, cut.first_right);
  return {{interval.first, end}, {end + 1, interval.last}};
}

Projections::Projections(Requirement requirement) : requirement_(std::move(requirement)), slots_(64, kNone) {
  contains_.resize(requirement_.columns.empty() ? 0 : requirement_.columns.back() + 1, false);
  for (size_t column : requirement_.columns) contains_[column] = true;
}

uint64_t Projections::hash_without(std::span<const Interval> box, size_t column) const {
  uint64_t hash = 0;
  for (size_t other : requirement_.columns) {
    if (other != column) hash += hash_of(other, box[other]);
  }
  return hash;
}

uint32_t Projections::find(std::span<const Interval> box, size_t column, Interval interval, uint64_t others) const {
  const uint64_t hash = others + hash_of(column, interval);
  const size_t width = requirement_.columns.size();
  for (size_t slot = slot_of(hash); slots_[slot] != kNone; slot = (slot + 1) & (slots_.size() - 1)) {
    const uint32_t number = slots_[slot];
    if (hashes_[number] != hash) continue;
    bool same = true;
    for (size_t i = 0; i < width && same; ++i) {
      const size_t other = requirement_.columns[i];
      same = intervals_[number * width + i] == (other == column ? interval : box[other]);
    }
    if (same) return number;
  }
  return kNone;
}

uint32_t Projections::number_of(std::span<const Interval> box) {
  const size_t column = requirement_.columns.front();
  const uint64_t others = hash_without(box, column);
  const uint32_t known = find(box, column, box[column], others);
  if (known != kNone) return known;
  const auto number = static_cast<uint32_t>(hashes_.size());
  hashes_.push_back(others + hash_of(column, box[column]));
  for (size_t other : requirement_.columns) intervals_.push_back(box[other]);
  rows_.push_back(0);
  size_t slot = slot_of(hashes_.back());
  while (slots_[slot] != kNone) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = number;
  if (2 * hashes_.size() > slots_.size()) grow();
  return number;
}

size_t Projections::slot_of(uint64_t hash) const { return scramble(hash) & (slots_.size() - 1); }

void Projections::grow() {
  slots_.assign(slots_.size() * 2, kNone);
  for (uint32_t number = 0; number < hashes_.size(); ++number) {
    size_t slot = slot_of(hashes_[number]);
    while (slots_[slot] != kNone) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = number;
  }
}

}  // namespace shoal::mondrian
