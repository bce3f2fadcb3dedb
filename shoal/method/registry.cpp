#include <algorithm>
#include <iterator>

#include "shoal/method/method.h"

namespace shoal {

// The one list of methods: each source file in this folder defines its entry, and this array shows them.
MethodEntry shoal_method();
MethodEntry kaca_method();
MethodEntry bottom_up_method();
MethodEntry top_down_method();
MethodEntry mondrian_method();
MethodEntry mondrian_infogain_method();
MethodEntry mingen_method();
MethodEntry incognito_method();
MethodEntry allmin_method();
MethodEntry datafly_method();
MethodEntry heuristicmin_method();
MethodEntry optimal_cut_method();
MethodEntry tdr_method();
MethodEntry tds_method();
MethodEntry bug_method();
MethodEntry kactus_method();
MethodEntry kadet_method();

std::span<const MethodEntry> methods() {
  static const std::vector<MethodEntry> entries{
      // clang-format off
      shoal_method(),
      kaca_method(),
      bottom_up_method(),
      top_down_method(),
      mondrian_method(),
      mondrian_infogain_method(),
      mingen_method(),
      incognito_method(),
      allmin_method(),
      datafly_method(),
      heuristicmin_method(),
      optimal_cut_method(),
      tdr_method(),
      tds_method(),
      bug_method(),
      kactus_method(),
      kadet_method(),
      // clang-format on
  };
  return entries;
}

const MethodEntry* find_method(std::string_view name) {
  for (const MethodEntry& entry : methods()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::vector<Requirement> without_implied(std::vector<Requirement> requirements) {
  auto implies = [](const Requirement& a, const Requirement& b) {  // a implies b
    return a.k >= b.k && std::includes(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end());
  };
  std::vector<Requirement> kept;
  for (size_t i = 0; i < requirements.size(); ++i) {
    bool implied = false;
    for (size_t j = 0; j < requirements.size() && !implied; ++j) {
      if (i == j || !implies(requirements[j], requirements[i])) continue;
      implied = !implies(requirements[i], requirements[j]) || j < i;  // of two equal ones the first stays
    }
    if (!implied) kept.push_back(requirements[i]);
  }
  return kept;
}

Requirement united(const std::vector<Requirement>& requirements) {
  Requirement all;
  for (const Requirement& requirement : requirements) {
    std::vector<size_t> columns;
    std::set_union(all.columns.begin(), all.columns.end(), requirement.columns.begin(), requirement.columns.end(),
                   std::back_inserter(columns));
    all.columns = std::move(columns);
    all.k = std::max(all.k, requirement.k);
  }
  return all;
}

}  // namespace shoal
