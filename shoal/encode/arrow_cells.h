// Cells of one Arrow column as texts. Knows every type that a table of persons has; nested ones are refused by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/table/arrow_abi.h"

namespace shoal {

// What a column's schema says. Throws Error(input) for a type that cannot be read, naming `column` and the type.
struct ArrowType {
  enum class Kind {
    null,
    boolean,
    integer,
    real,
    decimal,
    text,        // 32-bit offsets
    large_text,  // 64-bit offsets
    text_view,
    date_days,
    date_milliseconds,
    time,
    timestamp,
  };
  Kind kind = Kind::null;
  int bytes = 0;           // per value, where that is fixed
  bool is_signed = true;   // integer
  int scale = 0;           // decimal: digits after the point
  int64_t per_second = 1;  // time, timestamp
  bool has_zone = false;   // timestamp: instants, printed in UTC
  std::string words;       // "int64", "timestamp[us, UTC]": for messages
};
ArrowType arrow_type(const ArrowSchema& schema, const std::string& column);

// Where texts live that no buffer holds. Views stay valid until clear().
class TextArena {
 public:
  std::string_view keep(std::string_view text);
  void clear();

 private:
  std::deque<std::string> blocks_;
  size_t used_ = 0;  // of blocks_.back()
};

// Texts of rows of one array. A NULL cell is an empty view without data; numbers and dates print as DuckDB prints them:
// shortest digits that give the same number, 2.0 for a whole floating-point one, decimals with all their digits,
// 2024-03-17, 2024-03-17 08:15:00, true.
class ArrowCells {
 public:
  // Both must outlive the object. Requires: the array belongs to the schema.
  ArrowCells(const ArrowSchema& schema, const ArrowArray& array, const std::string& column);

  // Rows first .. first + count - 1 of the array (its own offset not counted) into `cells`.
  void texts(size_t first, size_t count, TextArena& arena, std::string_view* cells) const;

 private:
  bool is_null(int64_t at) const;
  std::string_view text(int64_t at, TextArena& arena) const;
  std::string_view integer_text(int64_t at, TextArena& arena) const;

  const ArrowArray& array_;
  ArrowType type_;
  // Dictionary columns: the texts of the dictionary, made once; type_ is that of the indices.
  std::unique_ptr<TextArena> dictionary_arena_;
  std::vector<std::string_view> dictionary_;
  bool is_dictionary_ = false;
};

}  // namespace shoal
