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

// Models may share what they count; so do their parts.
class PartOfCounted {
 public:
  explicit PartOfCounted(std::span<const uint32_t> rows) : rows_(rows) {}

  std::shared_ptr<const GroupRule> rule(const GroupRule& whole) {
    std::vector<CountedModel> models;
    for (const CountedModel& model : whole.models()) {
      models.push_back({model.model, model.counted ? column(model.counted) : nullptr});
    }
    return std::make_shared<const GroupRule>(whole.k(), std::move(models), whole.average_risk());
  }

 private:
  std::shared_ptr<const CountedColumn> column(const std::shared_ptr<const CountedColumn>& whole) {
    std::shared_ptr<const CountedColumn>& counted = taken_[whole.get()];
    if (!counted) {
      CountedColumn column{whole->values, {}};
      column.codes.reserve(rows_.size());
      for (uint32_t row : rows_) column.codes.push_back(whole->codes[row]);
      counted = std::make_shared<const CountedColumn>(std::move(column));
    }
    return counted;
  }

  const std::span<const uint32_t> rows_;
  std::map<const CountedColumn*, std::shared_ptr<const CountedColumn>> taken_;
};

}  // namespace

Table part_of_table(const Table& whole, std::span<const uint32_t> rows) {
  Table table;
  table.rows = rows.size();
  for (const Column& column : whole.quasi) table.quasi.push_back({column.name, codes_of(column.codes, rows), {}});
  if (whole.target) table.target = {whole.target->name, codes_of(whole.target->codes, rows), whole.target->values};
  return table;
}

std::shared_ptr<const GroupRule> part_of_rule(const GroupRule& whole, std::span<const uint32_t> rows) {
  return PartOfCounted(rows).rule(whole);
}

std::vector<std::shared_ptr<const GroupRule>> part_of_rules(const std::vector<std::shared_ptr<const GroupRule>>& whole,
                                                            std::span<const uint32_t> rows) {
  PartOfCounted part(rows);
  std::vector<std::shared_ptr<const GroupRule>> rules;
  for (const auto& rule : whole) rules.push_back(part.rule(*rule));
  return rules;
}

}  // namespace shoal
