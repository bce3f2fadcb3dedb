// The setting of methods whose search may be parted into fragments (plan/by_fragments.h). They themselves do not read
// it: a method searches in the table that it is given.
#pragma once

#include <string>

#include "shoal/model/parameter.h"

namespace shoal {

inline constexpr const char* kFragments = "fragments";

// `unless_set`: auto or off.
inline Parameter fragments_parameter(const std::string& unless_set) {
  return {.name = kFragments,
          .meaning =
              "search a large table in fragments, cut where few groups are torn: as many as its rows and k call "
              "for, none, or so many (docs/scale.md)",
          .default_value = unless_set,
          .choices = {"auto", "off"},
          .minimum = 1,
          .maximum = 1'000'000};
}

}  // namespace shoal
