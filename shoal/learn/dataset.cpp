#include "shoal/learn/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "shoal/error.h"

namespace shoal {

std::optional<size_t> Dataset::find(std::string_view attribute) const {
  for (size_t j = 0; j < attributes.size(); ++j) {
    if (attributes[j].name == attribute) return j;
  }
  return std::nullopt;
}

double Dataset::total_weight() const { return std::accumulate(weights.begin(), weights.end(), 0.0); }

Dataset Dataset::subset(std::span<const uint32_t> chosen) const {
  Dataset part;
  part.rows = chosen.size();
  part.class_name = class_name;
  part.classes = classes;
  auto pick = [&](const auto& all, auto& some) {
    some.reserve(chosen.size());
    for (uint32_t row : chosen) some.push_back(all[row]);
  };
  pick(class_of, part.class_of);
  pick(weights, part.weights);
  for (const Attribute& attribute : attributes) {
    Attribute copy{attribute.name,        attribute.numeric,  attribute.extents,
                   attribute.categories,  attribute.sets,     {},
                   attribute.has_missing, attribute.has_vague};
    pick(attribute.codes, copy.codes);
    part.attributes.push_back(std::move(copy));
  }
  return part;
}

Dataset Dataset::without(std::span<const std::string> columns) const {
  for (const std::string& column : columns) {
    if (!find(column)) throw Error(ErrorKind::job, fmt::format("no column '{}' to leave out", column));
  }
  Dataset rest = *this;
  std::erase_if(rest.attributes, [&](const Attribute& attribute) {
    return std::find(columns.begin(), columns.end(), attribute.name) != columns.end();
  });
  return rest;
}

LabelTree label_tree(const Tree& tree) {
  LabelTree result;
  for (const Tree::Node& node : tree.nodes) {
    result.labels.push_back(node.label);
    result.parents.push_back(node.parent);
  }
  return result;
}

LabelTree label_tree(const Hierarchy& hierarchy, const Column& column) {
  LabelTree result;
  for (uint32_t node = 0; node < hierarchy.nodes(); ++node) {
    const auto& info = hierarchy.node(node);
    result.labels.push_back(hierarchy.is_leaf(node) ? column.values[info.first] : info.label);
    result.parents.push_back(info.parent);
  }
  return result;
}

}  // namespace shoal
