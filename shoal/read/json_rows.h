// The rows of a JSON file (lines of objects, or an array of them): column names, cells, and cells for SQL.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shoal/read/duck.h"
#include "shoal/table/text_stream.h"

namespace shoal {

// SQL: a table of one VARCHAR column `json`, the text of each row, in file order. DuckDB finds the objects and their
// mistakes, in compressed files, too. `path`: as DuckDB can open it; `compression`: "", "gzip", "zstd".
std::string json_relation(const std::string& path, const std::string& compression);

// The names of all members of all objects, in the order in which they are met first. Throws DuckError, and Error(input)
// that names the row: not an object, two members of one name.
std::vector<std::string> json_columns(TextStream& objects);

// Cells of the wanted columns: texts without quotes and escapes, null and what is not there as "", all else as it
// stands in the file, nested values on one line. Throws what `objects` throws, and Error(input).
std::unique_ptr<TextStream> json_cells(std::unique_ptr<TextStream> objects, std::span<const std::string> wanted);

// Teaches a database the two functions of a row's text and a member's name: json_member_text(json, name) is the cell as
// above (NULL for null), json_member(json, name) the value as it stands in the file, on one line (NULL where it is not
// there). Can be called again.
void add_json_functions(DuckDb& duck);

}  // namespace shoal
