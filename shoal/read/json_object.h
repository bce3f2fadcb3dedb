// One row of a JSON file: the text of an object, taken apart without changing a byte of its values.
//
// Why not leave it to a JSON library: those read 0.1234567890123456789 as the nearest double, know no difference
// between the columns "a" and "A" once these are columns of SQL, and follow nested values by recursion, which a row
// that is nested deeply enough ends the program with. Here a number is its text, and nesting is a count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shoal {

// Walks over the members of an object. The text is JSON that a parser has accepted before; what is no object, or ends
// too early, throws Error(input).
class JsonObject {
 public:
  explicit JsonObject(std::string_view text);

  // The next member; false after the last one.
  bool next();
  // Its name, escapes undone. Valid until next().
  std::string_view name() const { return name_; }
  // Its value as it stands there: "text in quotes", 1.50, true, null, [1, 2].
  std::string_view value() const { return value_; }

 private:
  void skip_blanks();
  std::string_view quoted();
  std::string_view scalar_or_nested();

  std::string_view rest_, name_, value_;
  std::string unescaped_;
  bool first_ = true;
};

// A value as the text of a cell: a string without quotes and escapes, null as "", everything else as it stands there,
// without blanks between the parts of nested values. Points into `value`, or into `room` where a text had to be made.
std::string_view json_cell(std::string_view value, std::string& room);

// A value on one line: as it stands there, without the blanks and line breaks between its parts.
std::string_view json_on_one_line(std::string_view value, std::string& room);

}  // namespace shoal
