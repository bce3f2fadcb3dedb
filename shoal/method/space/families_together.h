// Families of requirements, searched one after the other, and their answers put together: what one releases costs
// another nothing.
#pragma once

#include <functional>
#include <string>

#include "shoal/method/method.h"

namespace shoal {

// An answer by groups to the problem of one family, which drops no rows. It has that family's requirements alone, and
// releases what it likes on columns of others: that is not looked at.
using SearchFamily = std::function<SearchResult(const Problem& family, Progress& progress)>;

// What is said of one of several families: "fragments (age, town)". `family`: its columns; "" where there is no other.
std::string detail_of_family(const std::string& what, const std::string& family);
// The same of what a user should know: "requirement over age, town: ...".
std::string notice_of_family(const std::string& notice, const std::string& family);
inline constexpr const char* kNoRowsDroppedApart = "no rows are dropped where several requirements are kept apart";

// Requires requirements of which none implies another. Rows are not dropped, for one dropped for one family would be
// missing from the groups of another; a notice says so where they could be. Lower bounds add up. Where a family has no
// answer there is none.
SearchResult families_together(const Problem& problem, const SearchFamily& search, Progress& progress);

}  // namespace shoal
