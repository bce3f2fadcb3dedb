// A table that is one fragment of a larger one which nobody holds as a whole: what it must know of that.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "shoal/encode/encoding.h"

namespace shoal {

struct FragmentOfTable {
  const Encoding& encoding;         // of the whole table
  std::span<const Domain> domains;  // that it was made from
  std::optional<size_t> number;     // of the fragment, for its seed; nothing: the whole table is one fragment
};

}  // namespace shoal
