#include "shoal/method/space/part_of_problem.h"

#include <map>
#include <utility>
#include <vector>

namespace shoal {
namespace {

Codes codes_of(const Codes& whole, std::span<const uint32_t> rows) {
  return whole.visit([&](auto from) {
    std::vector<std::remove_const_t<typename decltype(from)::value_type>> to(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) to[i] = from[rows[i]];
    return Codes(std::move(to));
  });
}

}  // namespace

Table part_of_table(const Table& whole, std::span<const uint32_t> rows) {
  Table table;
  table.rows = rows.size();
  for (const Column& column : whole.quasi) table.quasi.push_back({column.name, codes_of(column.codes, rows), {}});
  if (whole.target) table.target = {whole.target->name, codes_of(whole.target->codes, rows), whole.target->values};
  return table;
}

std::shared_ptr<const GroupRule> part_of_rule(const GroupRule& whole, std::span<const uint32_t> rows) {
  std::vector<CountedModel> models;
  std::map<const CountedColumn*, std::shared_ptr<const CountedColumn>> taken;  // models may share what they count
  for (const CountedModel& model : whole.models()) {
    if (!model.counted) {
      models.push_back(model);
      continue;
    }
    std::shared_ptr<const CountedColumn>& counted = taken[model.counted.get()];
    if (!counted) {
      CountedColumn column{model.counted->values, {}};
      column.codes.reserve(rows.size());
      for (uint32_t row : rows) column.codes.push_back(model.counted->codes[row]);
      counted = std::make_shared<const CountedColumn>(std::move(column));
    }
    models.push_back({model.model, counted});
  }
  return std::make_shared<const GroupRule>(whole.k(), std::move(models), whole.average_risk());
}

}  // namespace shoal
