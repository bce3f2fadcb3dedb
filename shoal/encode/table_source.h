// A table that the engine reads: a file, an Arrow stream, anything with columns of cells.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/run/progress.h"
#include "shoal/table/text_stream.h"

namespace shoal {

// Immutable while it is used; reading it again gives the same rows in the same order. Not safe to share between
// threads, unless a kind says so.
class TableSource {
 public:
  TableSource() = default;
  TableSource(const TableSource&) = delete;
  TableSource& operator=(const TableSource&) = delete;
  virtual ~TableSource() = default;

  virtual const std::string& name() const = 0;  // for messages
  virtual const std::vector<std::string>& columns() const = 0;

  // Hands `body` a stream of the given columns (numbers into columns(), any order, also twice or none) of all rows. A
  // source that finds in the middle that it must read in another way calls `body` again with a stream from the start:
  // whatever `body` keeps, it must begin anew. That happens once; later readings go that way at once. Throws
  // Error(input) for what is wrong with the table, and what `body` throws.
  using Body = std::function<void(TextStream&)>;
  virtual void read(std::span<const size_t> columns, const Progress& progress, const Body& body) = 0;

  // Where data row `row` (from 0) stands, for messages: "line 17" or "row 16".
  virtual std::string place(uint64_t row) const = 0;

  std::optional<size_t> find(std::string_view column) const {
    const auto found = std::find(columns().begin(), columns().end(), column);
    if (found == columns().end()) return std::nullopt;
    return static_cast<size_t>(found - columns().begin());
  }
};

}  // namespace shoal
