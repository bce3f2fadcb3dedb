// Which texts of a categorical column are categories, and what the others mean, by the column's tree.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shoal/learn/dataset.h"

namespace shoal {

class CategoryTree {
 public:
  // The finest of `texts`: those that have no other one below them in the tree. Ascending.
  static std::vector<std::string> finest(const std::set<std::string>& texts, const std::optional<LabelTree>& tree);

  CategoryTree(std::span<const std::string> categories, const std::optional<LabelTree>& tree);

  // The categories a text may stand for, ascending: itself or the category above it (one), those below it, or those
  // below its closest ancestor that has some; empty when nothing is known (also for the root).
  std::vector<uint32_t> meaning(std::string_view text) const;

 private:
  std::unordered_map<std::string, uint32_t> categories_;  // by text
  std::unordered_map<std::string, uint32_t> nodes_;       // by label
  std::vector<uint32_t> parents_;
  std::vector<std::vector<uint32_t>> below_;  // [node]: categories at or below it, ascending
  std::vector<uint32_t> category_of_node_;    // or Attribute::kMissing
};

}  // namespace shoal
