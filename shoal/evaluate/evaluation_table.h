// The table that an evaluation splits, releases in parts and hands to learners.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shoal/job.h"
#include "shoal/learn/dataset.h"
#include "shoal/method/method.h"
#include "shoal/read/read_table.h"

namespace shoal {

// All rows (training file first, then the test file's) with all columns but identifiers. Immutable once read.
class EvaluationTable {
 public:
  // `test`: a second file with the same columns, or "". Throws Error(input) and Error(job) as reading does.
  EvaluationTable(const Job& job, const std::string& test, Progress& progress);

  const Table& table() const { return encoded_.table; }
  const std::vector<Hierarchy>& hierarchies() const { return encoded_.hierarchies; }
  const std::vector<Requirement>& requirements() const { return requirements_; }
  const std::vector<std::string>& notices() const { return encoded_.notices; }
  const DatasetReading& reading() const { return reading_; }
  const std::vector<uint32_t>& class_of() const { return class_of_; }
  size_t rows() const { return encoded_.table.rows; }
  size_t training_rows() const { return training_rows_; }  // of the first file

  // The rows listed, as a table of their own over the same hierarchies.
  Table subset(std::span<const uint32_t> rows) const;

  // The rows listed as texts for a learner, quasi columns as they are.
  std::vector<TextColumn> raw_texts(std::span<const uint32_t> rows) const;
  // The same with released quasi columns: released[j].codes has a code for each entry of `rows`, in that order.
  std::vector<TextColumn> released_texts(std::span<const uint32_t> rows,
                                         std::span<const ReleasedColumn> released) const;

 private:
  TextColumn quasi_texts(size_t j, std::span<const uint32_t> rows) const;
  std::vector<TextColumn> texts(std::vector<TextColumn> quasi, std::span<const uint32_t> rows) const;

  struct Place {
    bool quasi;
    size_t number;  // among the quasi columns, or in others_
  };
  EncodedTable encoded_;
  std::vector<Place> order_;        // all columns but target and identifiers, in the order of the file
  std::vector<TextColumn> others_;  // plain and sensitive columns
  std::vector<Requirement> requirements_;
  DatasetReading reading_;
  std::vector<uint32_t> class_of_;
  size_t training_rows_ = 0;
};

// Codes of the rows listed, in that order.
Codes codes_of(const Codes& codes, std::span<const uint32_t> rows, size_t cardinality);

}  // namespace shoal
