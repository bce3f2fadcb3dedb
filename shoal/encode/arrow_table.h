// A table in memory that came as an Arrow C stream (pandas, polars, pyarrow, DuckDB, Spark, ...).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/table/arrow_abi.h"

namespace shoal {

// Owned C structs: released when they go.
struct ReleaseArrow {
  void operator()(ArrowSchema* schema) const;
  void operator()(ArrowArray* array) const;
};
using OwnedSchema = std::unique_ptr<ArrowSchema, ReleaseArrow>;
using OwnedArray = std::unique_ptr<ArrowArray, ReleaseArrow>;

// Holds the batches of the stream as they are, without a copy. Several threads may read at once.
class ArrowTable : public TableSource {
 public:
  // Takes the stream over (its `release` becomes nullptr) and reads it to its end. `name` is for messages. Throws
  // Error(input) when the stream fails, when it is no table, for empty or repeated column names. A column of a type
  // that cannot be read is refused when it is asked for: it may be left out.
  ArrowTable(ArrowArrayStream& stream, std::string name);

  const std::string& name() const override { return name_; }
  const std::vector<std::string>& columns() const override { return columns_; }
  void read(std::span<const size_t> columns, const Progress& progress, const Body& body) override;
  std::string place(uint64_t row) const override;

  uint64_t rows() const { return rows_; }
  const ArrowSchema& schema() const { return *schema_; }
  const ArrowSchema& column_schema(size_t column) const { return *schema_->children[column]; }
  // Batches; each is a struct array with one child per column.
  const std::vector<OwnedArray>& batches() const { return batches_; }

 private:
  std::string name_;
  OwnedSchema schema_;
  std::vector<std::string> columns_;
  std::vector<OwnedArray> batches_;
  uint64_t rows_ = 0;
};

}  // namespace shoal
