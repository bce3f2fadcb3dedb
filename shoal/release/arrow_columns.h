// Columns of our own in Arrow's layout, and tables of them given out as streams.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/encode/arrow_table.h"
#include "shoal/table/arrow_abi.h"

namespace shoal {

// One column, its memory owned. Grows row by row and is given out when it is complete.
class ArrowColumn {
 public:
  // Texts with 64-bit offsets.
  static ArrowColumn of_texts(std::string name);
  // Numbers from 0 into distinct texts, which `texts` holds.
  static ArrowColumn of_codes(std::string name, const std::vector<std::string>& texts);
  // The rows of a column of a table, in the order asked for, with the type they have there: texts of all kinds become
  // texts with 64-bit offsets, dictionaries of texts are made one for all batches, other dictionaries are resolved.
  // Throws Error(input) for a type that cannot be given out.
  static ArrowColumn taken(const ArrowTable& table, size_t column, const std::vector<uint32_t>& rows);

  void add_text(std::string_view text);
  void add_code(uint32_t code);
  void add_null();

  const std::string& name() const { return name_; }
  int64_t rows() const { return rows_; }

  // Fill in the structs; `keep` keeps this column alive until they are released.
  void describe(ArrowSchema& schema) const;
  void give(ArrowArray& array, std::shared_ptr<const void> keep) const;

 private:
  void mark_valid();
  void add_fixed(const void* value);  // width_ bytes
  void add_bit(bool value);

  std::string name_, format_;
  int64_t rows_ = 0, nulls_ = 0;
  size_t width_ = 0;               // bytes per value; 0: texts, bits or nothing
  std::vector<uint8_t> validity_;  // a bit per row
  std::vector<uint8_t> values_;    // fixed-width values, or bits
  std::vector<int64_t> offsets_;
  std::string texts_;
  std::shared_ptr<const ArrowColumn> dictionary_;
};

// A table of such columns. Immutable; cheap to copy; streams of it hold its memory as long as they live.
class ArrowColumns {
 public:
  ArrowColumns() = default;
  // Requires: as many rows in each.
  explicit ArrowColumns(std::vector<ArrowColumn> columns);

  int64_t rows() const;
  // A new stream of the whole table, as often as asked.
  void stream(ArrowArrayStream& out) const;

 private:
  std::shared_ptr<const std::vector<ArrowColumn>> columns_;
};

}  // namespace shoal
