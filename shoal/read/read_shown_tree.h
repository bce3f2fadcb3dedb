// A released decision tree from its file. Only its form is checked here; whether it tells the truth is the question of
// verify_model.h.
#pragma once

#include <string>

#include "shoal/recode/shown_tree.h"

namespace shoal {

// Reads the JSON that shown_tree_json() wrote. Takes nothing that it does not know: a field too many may be what should
// not have been released. Throws Error(input) with `file` and the place in it.
ShownTree read_shown_tree(const std::string& json_text, const std::string& file);

}  // namespace shoal
