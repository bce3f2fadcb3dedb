// Released decision trees: one that is read is written as the same.
#include <nlohmann/json.hpp>

#include "fuzz/fuzz.h"
#include "shoal/read/read_shown_tree.h"
#include "shoal/write/shown_tree_json.h"

using namespace shoal;

FUZZ_TARGET(bytes) {
  const ShownTree tree = read_shown_tree(bytes.rest(), "tree.json");
  const std::string written = shown_tree_json(tree);
  fuzz::expect(shown_tree_json(read_shown_tree(written, "again.json")) == written,
               "a written tree reads back as the same");
  fuzz::expect(!tree.text().empty(), "a tree can be shown");
}
