// The people that a table was taken from, beside it: what k-map and delta-presence count.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/model/population_index.h"
#include "shoal/table/groups.h"

namespace shoal {

// A population in the terms of one encoding with its table: the domains of quasi columns are those of the population,
// so that a range or node also takes in people with values that the table does not have. Immutable once made.
class Population {
 public:
  // Reads the quasi columns of both and the sensitive ones of the table. Hierarchies must be at hand in the job. Throws
  // Error(input) where the population lacks a quasi column, or a value that the table has there.
  Population(const Job& job, TableSource& table, TableSource& people, Progress& progress);

  const std::string& name() const { return name_; }
  // Of the table's quasi and sensitive columns, to encode the table with.
  const Encoding& encoding() const { return encoding_; }
  uint64_t people() const { return people_; }
  // The people on some of the quasi columns (indices). Cost: the population's different tuples, sorted.
  std::shared_ptr<const PopulationIndex> on(const std::vector<size_t>& columns) const;

 private:
  std::string name_;
  Encoding encoding_;
  uint64_t people_ = 0;
  Tuples tuples_;  // of all quasi columns
};

}  // namespace shoal
