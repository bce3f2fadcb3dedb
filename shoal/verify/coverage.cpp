#include "shoal/verify/coverage.h"

#include "shoal/table/number.h"

namespace shoal {
namespace {

constexpr size_t kRecentPairs = 4096;

// Pairs of codes as one number that is never 0.
uint64_t pair_key(uint32_t original, uint32_t released) { return (uint64_t{original} << 32 | released) + 1; }

size_t slot_of(uint64_t key, size_t slots) { return (key * 0x9E3779B97F4A7C15ULL >> 20) & (slots - 1); }

void put(std::vector<uint64_t>& slots, uint64_t key) {
  size_t slot = slot_of(key, slots.size());
  while (slots[slot] != 0) slot = (slot + 1) & (slots.size() - 1);
  slots[slot] = key;
}

}  // namespace

CellCoverage::CellCoverage(ColumnType type, const std::optional<Tree>& tree, std::set<std::string, std::less<>> missing)
    : type_(type), tree_(tree), missing_(std::move(missing)), recent_(kRecentPairs), accepted_slots_(256, 0) {
  if (!tree_) return;
  for (uint32_t node = 0; node < tree_->nodes.size(); ++node) {
    if (!tree_->nodes[node].leaf) continue;
    leaf_by_label_.emplace(tree_->nodes[node].label, node);
    if (const auto number = Decimal::parse(tree_->nodes[node].label)) leaf_by_number_.emplace(*number, node);
  }
}

bool CellCoverage::covers(std::string_view original, std::string_view released) {
  RecentPair& recent = recent_[(hash_text(original) * 31 + hash_text(released)) & (kRecentPairs - 1)];
  if (recent.used && same_text(recent.original, original) && same_text(recent.released, released)) return true;
  if (!covers_by_code(original, released)) return false;
  recent.original = original;
  recent.released = released;
  recent.used = true;
  return true;
}

bool CellCoverage::covers_by_code(std::string_view original, std::string_view released) {
  const size_t known = originals_.size();
  const uint64_t key = pair_key(originals_.code(original), releases_.code(released));
  const bool undecided = type_ == ColumnType::automatic && !tree_ && !code_;
  if (undecided && originals_.size() > known && !missing_.contains(original) &&
      (has_leading_zero(original) || !Decimal::parse(original))) {
    code_ = original;
  }
  size_t slot = slot_of(key, accepted_slots_.size());
  while (accepted_slots_[slot] != 0) {
    if (accepted_slots_[slot] == key) return true;
    slot = (slot + 1) & (accepted_slots_.size() - 1);
  }
  if (!decide(std::string(original), std::string(released))) return false;
  accepted_slots_[slot] = key;
  if (++accepted_ * 2 > accepted_slots_.size()) {
    std::vector<uint64_t> larger(accepted_slots_.size() * 4, 0);
    for (uint64_t accepted : accepted_slots_) {
      if (accepted != 0) put(larger, accepted);
    }
    accepted_slots_ = std::move(larger);
  }
  return true;
}

std::optional<uint32_t> CellCoverage::leaf_of(const std::string& original) const {
  if (const auto found = leaf_by_label_.find(original); found != leaf_by_label_.end()) return found->second;
  if (type_ != ColumnType::numeric) return std::nullopt;
  const auto number = Decimal::parse(original);
  if (!number) return std::nullopt;
  if (const auto found = leaf_by_number_.find(*number); found != leaf_by_number_.end()) return found->second;
  return std::nullopt;
}

bool CellCoverage::decide(const std::string& original, const std::string& released) {
  if (released == "*") return true;
  if (missing_.contains(original)) return missing_.contains(released);
  if (released == original) return true;
  if (tree_) {
    if (const auto leaf = leaf_of(original)) {
      for (uint32_t node = *leaf; node != 0; node = tree_->nodes[node].parent) {
        if (tree_->nodes[node].label == released) return true;
      }
    }
  }
  if (!numeric() || !covers_number(original, released)) return false;
  if (!as_numbers_) as_numbers_.emplace(original, released);
  return true;
}

// A range that contains the original, or another spelling of it.
bool CellCoverage::covers_number(const std::string& original, const std::string& released) const {
  if (type_ == ColumnType::automatic && has_leading_zero(original)) return false;
  const auto number = Decimal::parse(original);
  if (!number) return false;
  if (const auto range = parse_decimal_range(released)) return range->contains(*number);
  const auto released_number = Decimal::parse(released);
  return released_number == number || (means_ && released_number);
}

std::optional<CellCoverage::Contradiction> CellCoverage::contradiction() const {
  if (!code_ || !as_numbers_) return std::nullopt;
  return Contradiction{*code_, as_numbers_->first, as_numbers_->second};
}

}  // namespace shoal
