#include "shoal/recode/recoding.h"

namespace shoal {

std::string to_string(Shape shape) {
  switch (shape) {
    case Shape::levels:
      return "levels";
    case Shape::cut:
      return "cut";
    case Shape::regions:
      return "regions";
    case Shape::groups:
      return "groups";
  }
  return "";
}

Released released_interval(const Hierarchy& hierarchy, uint32_t lo, uint32_t hi) {
  if (lo == hi) return released_leaf(hierarchy, lo);
  if (hierarchy.numeric()) {
    if (hierarchy.missing() == hi) return released_node(hierarchy, Hierarchy::kRoot);
    return {lo, hi, Released::kRange};
  }
  return released_node(hierarchy, hierarchy.common_ancestor(lo, hi));
}

Recoding levels_recoding(const std::vector<Hierarchy>& hierarchies, std::vector<int> levels) {
  Recoding recoding;
  recoding.shape = Shape::levels;
  recoding.value_map.resize(hierarchies.size());
  for (size_t j = 0; j < hierarchies.size(); ++j) {
    for (uint32_t node : hierarchies[j].level_nodes(levels[j])) {
      recoding.value_map[j].push_back(released_node(hierarchies[j], node));
    }
  }
  recoding.levels = std::move(levels);
  return recoding;
}

}  // namespace shoal
