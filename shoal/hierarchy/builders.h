// What the builders share: their settings, and a tree that grows from above. One .cpp per kind.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shoal/hierarchy/build.h"

namespace shoal {

// A builder's settings, read once; every wrong one throws Error(job) naming builder, setting and what is allowed.
class BuilderSettings {
 public:
  // Throws when `spec` has a setting that is not among `allowed`.
  BuilderSettings(const BuilderSpec& spec, std::initializer_list<std::string_view> allowed);

  const std::string& kind() const { return spec_.kind; }
  bool has(const std::string& name) const { return spec_.settings.contains(name); }
  std::string text(const std::string& name, const std::string& otherwise) const;
  // The number as written; throws when it is none, or not given and there is no `otherwise`.
  std::string number(const std::string& name, const std::optional<std::string>& otherwise) const;
  // A whole number from `least` to `greatest`.
  uint32_t whole(const std::string& name, std::optional<uint32_t> otherwise, uint32_t least, uint32_t greatest) const;
  // The parts of a list "a,b,c", without blanks; empty when not given.
  std::vector<std::string> list(const std::string& name) const;
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const;

 private:
  const BuilderSpec& spec_;
};

// A tree that grows from the root down; children are found by label.
class GrowingTree {
 public:
  GrowingTree() { tree_.nodes.push_back({"*", 0, 0, false}); }
  // The inner child of `parent` with this label, made when there is none.
  uint32_t inner(uint32_t parent, const std::string& label);
  void leaf(uint32_t parent, const std::string& label) { tree_.nodes.push_back({label, parent, 0, true}); }
  Tree take() && { return std::move(tree_); }

 private:
  Tree tree_;
  std::unordered_map<std::string, uint32_t> inner_;  // labels are unique in a tree
};

// A value that spells a number.
struct NumberValue {
  uint32_t place;  // of the number among all; equal ones share it
  size_t value;    // index into the values
};
// Ascending by number, then as given. Throws Error(input) on values that are no numbers.
std::vector<NumberValue> number_values(const BuilderSettings& settings, std::span<const std::string> values);

// Error(input) about the values at these indices (up to five are named): "N values ... WHY: 'a', 'b'; TODO".
[[noreturn]] void refuse_values(std::span<const std::string> values, const std::vector<size_t>& wrong,
                                const std::string& why, const std::string& what_to_do);

Tree build_intervals(const BuilderSpec& spec, std::span<const std::string> values);
Tree build_quantiles(const BuilderSpec& spec, std::span<const std::string> values, std::span<const uint64_t> counts);
Tree build_mask(const BuilderSpec& spec, std::span<const std::string> values);
Tree build_dates(const BuilderSpec& spec, std::span<const std::string> values);
Tree build_codes(const BuilderSpec& spec, std::span<const std::string> values);
Tree build_ordinal(const BuilderSpec& spec, std::span<const std::string> values);
Tree build_frequency(const BuilderSpec& spec, std::span<const std::string> values, std::span<const uint64_t> counts);

}  // namespace shoal
