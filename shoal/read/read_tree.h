// Hierarchies from files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/hierarchy/tree.h"
#include "shoal/hierarchy/tree_draft.h"

namespace shoal {

// Reads a hierarchy file: level table (.csv, .tsv: ARX form, delimiter found by looking), indented text (.txt, .tree),
// JSON (.json). Throws Error(input) with file and line on the first structural fault (two parents, cycle, ...).
// Warnings are appended to *warnings when given.
Tree read_tree(const std::string& path, std::vector<HierarchyFault>* warnings = nullptr);

// All faults of a file, in line order, without throwing for them; throws only when the file cannot be opened.
// With `values`, missing and unused leaves are found too.
std::vector<HierarchyFault> check_tree(const std::string& path, std::optional<std::span<const std::string>> values);

// The whole content of a hierarchy file, in the form that `path`'s ending says; faults in line order, those included
// that need the whole tree. Opens nothing: also the way in for fuzzers.
ParsedTree parse_tree_text(std::string_view text, const std::string& path);
// The same for the file itself. Throws Error(input) only when it cannot be read.
ParsedTree parse_tree_file(const std::string& path);

// The JSON form. `text` is the whole file without its byte order mark.
ParsedTree parse_json_tree(std::string_view text);

}  // namespace shoal
