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
    case Shape::model:
      return "model";
  }
  return "";
}

Released released_interval(const Hierarchy& hierarchy, uint32_t lo, uint32_t hi) {
  if (lo == hi) return released_leaf(hierarchy, lo);
  if (hierarchy.releases_ranges()) {
    if (hierarchy.missing() == hi) return released_node(hierarchy, Hierarchy::kRoot);
    return released_range(lo, hi);
  }
  return released_node(hierarchy, hierarchy.common_ancestor(lo, hi));
}

Shape Recoding::shape() const {
  if (is_by_value()) return by_value().levels.empty() ? Shape::cut : Shape::levels;
  return by_group().equal_rows_alike ? Shape::regions : Shape::groups;
}

Recoding levels_recoding(const std::vector<Hierarchy>& hierarchies, std::vector<int> levels) {
  ValueRecoding recoding;
  recoding.value_map.resize(hierarchies.size());
  for (size_t j = 0; j < hierarchies.size(); ++j) {
    for (uint32_t node : hierarchies[j].level_nodes(levels[j])) {
      recoding.value_map[j].push_back(released_node(hierarchies[j], node));
    }
  }
  recoding.levels = std::move(levels);
  return {std::move(recoding)};
}

}  // namespace shoal
