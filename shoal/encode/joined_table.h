// Two tables with the same columns as one: the rows of the first, then those of the second.
#pragma once

#include <string>
#include <vector>

#include "shoal/encode/table_source.h"

namespace shoal {

class JoinedTable : public TableSource {
 public:
  // Columns are those of `first`, found by name in `second`, which may have more. Throws Error(input) when one is
  // missing there. Both must outlive the object.
  JoinedTable(TableSource& first, TableSource& second);

  const std::string& name() const override { return first_.name(); }
  const std::vector<std::string>& columns() const override { return first_.columns(); }
  void read(std::span<const size_t> columns, const Progress& progress, const Body& body) override;
  std::string place(uint64_t row) const override;

  // Rows of the first table. Requires: the table was read.
  uint64_t rows_of_first() const { return rows_of_first_; }

 private:
  TableSource& first_;
  TableSource& second_;
  std::vector<size_t> column_in_second_;
  uint64_t rows_of_first_ = 0;
};

}  // namespace shoal
