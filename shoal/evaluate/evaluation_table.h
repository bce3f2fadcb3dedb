// The table that an evaluation splits, releases in parts and hands to learners.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/job/job.h"
#include "shoal/learn/dataset.h"
#include "shoal/method/method.h"

namespace shoal {

// All rows (those to train on first, then those to test on, where they come apart) with all columns but identifiers.
// Immutable once read.
class EvaluationTable {
 public:
  // `test`: further rows, to test on; or nullptr. Throws Error(input) and Error(job) as encoding does.
  EvaluationTable(const Job& job, TableSource& source, TableSource* test, Progress& progress);

  const Table& table() const { return encoded_.table; }
  const std::vector<Hierarchy>& hierarchies() const { return encoded_.encoding.hierarchies; }
  const Encoding& encoding() const { return encoded_.encoding; }
  // Of raw rows, and of released ones where a cell stands for what it covers.
  const DatasetReading& reading() const { return reading_; }
  // Of released rows where every text of a recoded column is a category of its own. Columns of which nothing is
  // recoded are read like raw ones.
  DatasetReading reading_as_values(std::span<const ReleasedColumn> released) const;
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
  void read(const Job& job, TableSource& source, Progress& progress);
  TextColumn quasi_texts(size_t j, std::span<const uint32_t> rows) const;
  std::vector<TextColumn> texts(std::vector<TextColumn> quasi, std::span<const uint32_t> rows) const;

  struct Place {
    bool quasi;
    size_t number;  // among the quasi columns, or in others_
  };
  EncodedTable encoded_;
  std::vector<Place> order_;        // all columns but target and identifiers, in the order of the file
  std::vector<TextColumn> others_;  // plain and sensitive columns
  DatasetReading reading_;
  std::vector<uint32_t> class_of_;
  size_t training_rows_ = 0;
};

}  // namespace shoal
