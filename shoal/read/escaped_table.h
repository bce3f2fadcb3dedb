// A released text table whose cells were written so that a spreadsheet does not run them (formula_cell.h), as it was
// before that.
#pragma once

#include "shoal/encode/table_source.h"

namespace shoal {

class EscapedTable : public TableSource {
 public:
  // `escaped` false: the table as it is. `table` must outlive the object.
  EscapedTable(TableSource& table, bool escaped) : table_(table), escaped_(escaped) {}

  const std::string& name() const override { return table_.name(); }
  const std::vector<std::string>& columns() const override { return table_.columns(); }
  void read(std::span<const size_t> columns, const Progress& progress, const Body& body) override;
  std::string place(uint64_t row) const override { return table_.place(row); }

 private:
  TableSource& table_;
  const bool escaped_;
};

}  // namespace shoal
