// Tells a released model from a table.
#pragma once

#include <string>

namespace shoal {

// What a released file is, as far as its verification asks: the JSON of a decision tree (shown_tree.h), the same as
// text for people, or anything else, which only a reader of tables can judge. Reads no more than the beginning of a
// table. A file that cannot be read is `other`.
enum class ModelFile { other, tree, tree_text };
ModelFile model_file(const std::string& path);

}  // namespace shoal
