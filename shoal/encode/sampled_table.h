// Some rows of a table as a table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/encode/table_source.h"

namespace shoal {

// `count` of the rows 0 .. rows-1, each set of them as likely, ascending; all of them where there are no more. The same
// for the same seed. Cost: linear in `rows`.
std::vector<uint32_t> sampled_rows(size_t rows, size_t count, uint64_t seed);

class SampledTable : public TableSource {
 public:
  // `rows`: ascending. `whole` must outlive the object. Every reading reads all of `whole`.
  SampledTable(TableSource& whole, std::vector<uint32_t> rows) : whole_(whole), rows_(std::move(rows)) {}

  const std::string& name() const override { return whole_.name(); }
  const std::vector<std::string>& columns() const override { return whole_.columns(); }
  void read(std::span<const size_t> columns, const Progress& progress, const Body& body) override;
  std::string place(uint64_t row) const override { return whole_.place(rows_[row]); }

 private:
  TableSource& whole_;
  std::vector<uint32_t> rows_;
};

}  // namespace shoal
