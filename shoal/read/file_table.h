// A file as a TableSource: read by whoever reads it cheapest.
#pragma once

#include "shoal/encode/table_source.h"
#include "shoal/read/duck.h"
#include "shoal/read/source.h"

namespace shoal {

class FileTable : public TableSource {
 public:
  // Both must outlive the object.
  FileTable(const Source& source, DuckDb& duck) : source_(source), duck_(duck) {}

  const std::string& name() const override { return source_.name(); }
  const std::vector<std::string>& columns() const override { return source_.columns(); }
  void read(std::span<const size_t> columns, const Progress& progress, const Body& body) override;
  std::string place(uint64_t row) const override { return source_.place(row); }

 private:
  const Source& source_;
  DuckDb& duck_;
  bool irregular_ = false;  // the own reader does not take this file: it is not tried again
};

}  // namespace shoal
