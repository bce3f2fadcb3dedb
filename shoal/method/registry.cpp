#include "shoal/method/method.h"

namespace shoal {

// The one list of methods: each method defines its entry in its family's folder, and this array shows them.
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
MethodEntry mu_argus_method();
MethodEntry heuristicmin_method();
MethodEntry optimal_cut_method();
MethodEntry k_optimize_method();
MethodEntry genetic_method();
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
      mu_argus_method(),
      heuristicmin_method(),
      optimal_cut_method(),
      k_optimize_method(),
      genetic_method(),
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

}  // namespace shoal
