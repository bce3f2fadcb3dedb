#include "shoal/release/fragment_of_table.h"

#include <algorithm>

namespace shoal {

WholeTable whole_beside(const WholeTable& known, const Table& part) {
  WholeTable whole = known;
  whole.persons = 0;
  if (part.person && part.rows > 0) {
    part.person->codes.visit(
        [&](auto codes) { whole.persons = 1 + uint32_t{*std::max_element(codes.begin(), codes.end())}; });
  }
  return whole;
}

}  // namespace shoal
