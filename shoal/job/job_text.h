// The short texts in which flags and forms give parts of a job: lists, requirements, settings, numbers.
//
// All throw Error(job) that quotes the text and shows the right form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shoal/job/job.h"

namespace shoal {

// "age, zip" to {age, zip}. Blanks around a part do not count. A part in double quotes may hold commas and blanks, and
// "" inside stands for one quote: `"city, state",age`. An empty part is a mistake.
std::vector<std::string> split_list(std::string_view text);

// "age,zip:10": every combination on age and zip at least 10 times. The last colon counts.
RequirementJob parse_requirement(std::string_view text);

// "zip=5" to {zip, 5}. The first = counts, unless the name is in double quotes: `"a=b"=5`.
std::pair<std::string, std::string> parse_assignment(std::string_view text);

// A file name, or "build:KIND,setting=value,...": `build:intervals,edges=0,18,65` (a part without = goes on with the
// setting before it, comma and all).
HierarchySpec parse_hierarchy(std::string_view text);

// `name` is what the number is for, in messages: "k: 'five' is not a whole number".
uint64_t parse_whole_number(std::string_view name, std::string_view text);
double parse_number(std::string_view name, std::string_view text);  // finite
// "root" is true, "refuse" is false.
bool parse_unknown_values(std::string_view text);
// "plain" is true, "leave-out" is false: what becomes of columns without a role.
bool parse_others(std::string_view text);
Order parse_order(std::string_view text);
// A finding that is accepted, as it is: its code, or code:column. Throws for a code that there is none of.
std::string parse_accepted(std::string_view text);
// "tight", "snapped", "nodes".
Ranges parse_ranges(std::string_view text);
// A single character; also "tab".
std::string parse_delimiter(std::string_view text);
// "utf-8", "utf-16", "latin-1" or "windows-1252", whatever the case and by their usual other names.
std::string parse_encoding(std::string_view text);
// "point", "comma" or the character itself, as that character.
std::string parse_decimal_mark(std::string_view text);
// One of . , ' and a blank (also "blank").
std::string parse_thousands(std::string_view text);
// The words that these take, for messages and for the reference of job files.
std::vector<std::string> role_words();
std::vector<std::string> type_words();
std::vector<std::string> order_words();
std::vector<std::string> ranges_words();
std::vector<std::string> encoding_words();
Role parse_role(std::string_view text);
ColumnType parse_column_type(std::string_view text);
// The name of a hierarchy builder, as it is.
std::string parse_builder_kind(std::string_view text);

// What to say after an unknown word: "; did you mean 'quasi'?", or "; roles are identifier, quasi" when none is near.
std::string advice_on(std::string_view word, const std::vector<std::string>& known, std::string_view plural);

}  // namespace shoal
