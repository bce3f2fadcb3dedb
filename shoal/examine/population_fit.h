// How many people of a population the cells of a table fit: what k-map and delta-presence ask.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/encode/raw_table.h"
#include "shoal/measure/model_values.h"
#include "shoal/table/groups.h"

namespace shoal {

// The quasi columns of a population, indexed. Immutable once made.
class PopulationFit {
 public:
  // Reads the job's quasi columns of the population; their hierarchies must be at hand in the job. Throws Error(input)
  // where it has not all of these columns, or as encoding does.
  PopulationFit(const Job& job, TableSource& population, Progress& progress);

  uint64_t people() const { return encoded_.table.rows; }

  // For each group, the people of the population whose values lie in its cells on `columns`. `table` has the quasi
  // columns in the order of `names`, as texts: values, ranges or nodes; rows of a group have the same on `columns`.
  // Throws Error(input) for a cell that is no value, range or node of the population. Cost per group: the people that
  // fit its most selective cell.
  std::vector<uint64_t> people_of(const RawTable& table, std::span<const size_t> columns, const Groups& groups,
                                  const TableSource& source) const;

 private:
  std::string name_;
  EncodedTable encoded_;
  std::vector<std::string> missing_;
  Tuples tuples_;                                // of all quasi columns
  std::vector<std::vector<uint32_t>> by_leaf_;   // [column]: tuples ascending by leaf
  std::vector<std::vector<uint32_t>> first_of_;  // [column][leaf]: where they begin in by_leaf_; one more at the end
};

// k-map and delta-presence over the groups of a table, as asked for.
ModelValues population_values(const ModelSpec& spec, const Groups& groups, std::span<const uint64_t> people);

}  // namespace shoal
