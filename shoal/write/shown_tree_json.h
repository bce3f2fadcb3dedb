// A released decision tree as JSON: what read_shown_tree() reads back.
#pragma once

#include <string>

#include "shoal/recode/shown_tree.h"

namespace shoal {

std::string shown_tree_json(const ShownTree& tree);

}  // namespace shoal
