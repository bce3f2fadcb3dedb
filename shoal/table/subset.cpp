#include "shoal/table/subset.h"

namespace shoal {

Codes codes_of(const Codes& codes, std::span<const uint32_t> rows, size_t cardinality) {
  Codes result(rows.size(), cardinality);
  codes.visit([&](auto from) {
    result.visit([&](auto to) {
      using Code = typename decltype(to)::value_type;
      for (size_t i = 0; i < rows.size(); ++i) to[i] = static_cast<Code>(from[rows[i]]);
    });
  });
  return result;
}

Table subset(const Table& table, std::span<const uint32_t> rows) {
  Table part;
  part.rows = rows.size();
  const auto add = [&](const Column& column) {
    return Column{column.name, codes_of(column.codes, rows, column.values.size()), column.values};
  };
  for (const Column& column : table.quasi) part.quasi.push_back(add(column));
  for (const Column& column : table.sensitive) part.sensitive.push_back(add(column));
  if (table.target) part.target = add(*table.target);
  // Persons have no values that could be counted, but there are no more of them than rows.
  if (table.person) part.person = Column{table.person->name, codes_of(table.person->codes, rows, table.rows), {}};
  return part;
}

}  // namespace shoal
