// How many of what, as people read it: "1 row", "30,162 rows".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shoal {

std::string with_commas(uint64_t number);  // 30,162

// The noun after a number: "row" after 1, else "rows", or `several` where that is no s at the end.
std::string noun_after(uint64_t number, std::string_view one, std::string_view several = "");
// Both: "1 row", "30,162 rows".
std::string counted(uint64_t number, std::string_view one, std::string_view several = "");

}  // namespace shoal
