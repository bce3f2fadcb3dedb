// What the models of a job count in one table, and the rules that methods are given.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/model/group_rule.h"
#include "shoal/model/requirement.h"

namespace shoal {

// What is known about a table of which only a part is at hand.
struct WholeTable {
  uint64_t rows = 0;
  std::vector<std::vector<uint32_t>> counts;  // [sensitive column][value]: rows
  uint32_t persons = 0;                       // different ones
};

// Makes models of a table and what they count, each counted column once: models that look at the same one share it.
// `whole`: models compare with this one, of which the table is a part; joint models number the pairs of the part alone.
// nullptr: the table is the whole. All must outlive the object; what it makes does not need them.
class CountedTable {
 public:
  CountedTable(const Table& table, const Encoding& encoding, const WholeTable* whole = nullptr)
      : table_(table), encoding_(encoding), whole_(whole) {}

  // Requires a sensitive column of the table, the person column, or none. Throws Error(job) as make_model does.
  CountedModel counted(const ModelSpec& spec);
  WholeColumn whole(const ModelSpec& spec);
  // Missing cells of the model's column; nothing where there are none.
  std::optional<uint32_t> missing(const ModelSpec& spec) const;

  // What the groups of a requirement must have; models of the population left out (population.h).
  std::shared_ptr<const GroupRule> rule(const Requirement& requirement);

  // For how many rows each row of the table stands (Table::times).
  std::span<const uint32_t> times() const { return table_.times; }

  // Why the model cannot hold, whatever is released, and what is possible; "" when it can.
  std::string impossible(const ModelSpec& spec);

 private:
  size_t sensitive(const ModelSpec& spec) const;
  std::shared_ptr<const CountedColumn> column(const ModelSpec& spec);
  std::shared_ptr<const CountedColumn> pairs(size_t sensitive);

  const Table& table_;
  const Encoding& encoding_;
  const WholeTable* const whole_;
  std::map<std::string, std::shared_ptr<const CountedColumn>> alone_;  // by name; the person column too
  std::map<std::string, std::shared_ptr<const CountedColumn>> joint_;
  std::map<std::string, uint32_t> others_;  // of joint ones: tuples of the other sensitive columns
};

}  // namespace shoal
