// A table that is one fragment of a larger one which nobody holds as a whole: what it must know of that.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "shoal/encode/counted_table.h"
#include "shoal/encode/encoding.h"
#include "shoal/encode/table_source.h"

namespace shoal {

struct FragmentOfTable {
  const Encoding& encoding;         // of the whole table
  std::span<const Domain> domains;  // that it was made from
  std::optional<size_t> number;     // of the fragment, for its seed; nothing: the whole table is one fragment
  // What models compare with; its persons are not known. nullptr: more than kMostRows rows, with which none compares.
  const WholeTable* whole;
  // What quasi columns are released as that other families of requirements were searched for before: columns of the
  // same names, row by row. nullptr: there are none.
  TableSource* found = nullptr;
};

// What models compare a part with. Persons have their numbers in the part alone: they are counted in groups, whose rows
// are all there.
WholeTable whole_beside(const WholeTable& known, const Table& part);

}  // namespace shoal
