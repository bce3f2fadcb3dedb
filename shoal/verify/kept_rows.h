// The rows of a table that were released, as a table.
#pragma once

#include <string>
#include <vector>

#include "shoal/encode/table_source.h"

namespace shoal {

class KeptRows : public TableSource {
 public:
  // `kept`: for each row of `whole`. Both must outlive the object. Every reading reads all of `whole`.
  KeptRows(TableSource& whole, const std::vector<bool>& kept) : whole_(whole), kept_(kept) {}

  const std::string& name() const override { return whole_.name(); }
  const std::vector<std::string>& columns() const override { return whole_.columns(); }
  // Throws Error(input) as well where the table has another number of rows than `kept`.
  void read(std::span<const size_t> columns, const Progress& progress, const Body& body) override;
  std::string place(uint64_t row) const override;

 private:
  TableSource& whole_;
  const std::vector<bool>& kept_;
};

}  // namespace shoal
