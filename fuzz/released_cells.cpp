// Released cells read back, in a numeric column, a column of codes and one with a tree: what is read prints as a text
// that is read as the same.
#include "fuzz/fuzz.h"
#include "shoal/hierarchy/tree_draft.h"
#include "shoal/read/read_tree.h"
#include "shoal/recode/apply.h"
#include "shoal/table/number.h"

using namespace shoal;

namespace {

struct Scene {
  Column column;
  Hierarchy hierarchy;
};

Scene scene(std::vector<std::string> values, bool numeric, const char* tree_text) {
  ColumnValues known{"c", values, true, "?", {}};
  if (numeric) {
    for (const std::string& value : values) known.numbers.push_back(*parse_number(value));
  }
  const Tree tree = tree_text ? parse_tree_text(tree_text, "tree.txt").tree : Tree{};
  BoundHierarchy bound = tree_text ? bind_tree(tree, known, UnknownValues::under_root, {}) : bind_flat(known);
  return {{"c", Codes(0, 1), bound.leaf_texts}, std::move(bound.hierarchy)};
}

}  // namespace

FUZZ_TARGET(bytes) {
  static const Scene scenes[] = {
      scene({"1", "2.5", "-3", "1e2", "9400123412341237", "0.1"}, true, nullptr),
      scene({"02139", "a;b", "*", "[1,2]", "x\"y"}, false, nullptr),
      scene({"9th", "10th", "Masters", "[3,4]"}, false, "Any\n  School\n    9th\n    10th\n  Masters\n"),
      scene({"1", "2", "30", "40"}, true, "*\n  low\n    1\n    2\n  high\n    30\n    40\n"),
  };
  const Scene& at = scenes[bytes.below(std::size(scenes))];
  const ReleasedCells cells(at.column, at.hierarchy);
  const std::optional<Released> released = cells.parse(bytes.rest());
  if (!released) return;
  fuzz::expect(released->first <= released->last && released->last < at.hierarchy.leaves(), "leaves of the column");
  const std::optional<Released> again = cells.parse(released_text(*released, at.column, at.hierarchy));
  fuzz::expect(again && again->first == released->first && again->last == released->last, "the same cells are covered");
}
