// A release read in the order of the table that it was made from, however large both are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/write/spill_file.h"

namespace shoal {

// Which row of the original each released row stands for, in the order of the release, a word each; every row once, but
// for those that were dropped.
struct SpilledWitness {
  const SpilledRecords& row_of_release;
  std::string folder;                       // for private files
  size_t most_bytes;                        // to hold in memory, about
  const std::vector<bool>* kept = nullptr;  // for each row of the original; nullptr: all
};

class InOriginalOrder : public TableSource {
 public:
  // Both must outlive it.
  InOriginalOrder(TableSource& release, const SpilledWitness& witness) : release_(release), witness_(witness) {}

  const std::string& name() const override { return release_.name(); }
  const std::vector<std::string>& columns() const override { return release_.columns(); }
  // Throws Error(job) as well: where the witness does not say for each released row another row.
  void read(std::span<const size_t> columns, const Progress& progress, const Body& body) override;
  std::string place(uint64_t row) const override { return release_.place(row); }

 private:
  TableSource& release_;
  const SpilledWitness& witness_;
};

}  // namespace shoal
