// Numbers and names as people read them: what the renderers share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/report/document.h"
#include "shoal/run/counted.h"

namespace shoal {

std::string percent(double share);        // 0.123: "12.3 %"; never rounds a little to nothing: "<0.1 %"
std::string decimal(double number);       // four significant digits, commas in the whole part
std::string duration(double seconds);     // "0.42 s", "3 min 20 s"
std::string memory_size(uint64_t bytes);  // "123 MB"
// The text with every byte that is no UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);
// Broken into lines of at most `width` characters, each after `indent` blanks and ended by a newline.
std::string wrapped(std::string_view text, size_t indent, size_t width);
// As people read it: "12.3 %", "3 min 20 s", "a, b", "-" for nothing. Not escaped.
std::string words_of(const Value& value);
// "age, zip", or "age, zip and 5 more" when it would be wider than `width`.
std::string short_list(const std::vector<std::string>& names, size_t width);

// Control characters (and with them terminal commands) become '?', also those above ASCII.
std::string printable(std::string_view text);
// Characters a UTF-8 text takes on the screen, counting one for each code point.
size_t width_of(std::string_view text);
// Cut to `width` characters, the last one an ellipsis when something was cut.
std::string shortened(std::string_view text, size_t width);
std::string left(std::string_view text, size_t width);   // padded with blanks on the right
std::string right(std::string_view text, size_t width);  // padded with blanks on the left

}  // namespace shoal
