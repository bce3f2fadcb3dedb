#include "shoal/learn/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "shoal/error.h"
#include "shoal/table/groups.h"

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
  part.as_collected = as_collected;
  part.recoded_locally = recoded_locally;
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

Dataset Dataset::merged() const {
  std::vector<Codes> columns;
  std::vector<size_t> cardinalities;
  auto add = [&](const std::vector<uint32_t>& codes, size_t cardinality) {
    Codes column(rows, cardinality + 1);  // the last one: missing
    column.visit([&](auto narrow) {
      using Code = typename decltype(narrow)::value_type;
      for (size_t row = 0; row < rows; ++row) {
        narrow[row] = static_cast<Code>(std::min(codes[row], static_cast<uint32_t>(cardinality)));
      }
    });
    columns.push_back(std::move(column));
    cardinalities.push_back(cardinality + 1);
  };
  for (const Attribute& attribute : attributes) {
    add(attribute.codes,
        attribute.numeric ? attribute.extents.size() : attribute.categories.size() + attribute.sets.size());
  }
  add(class_of, classes.size());
  std::vector<GroupKey> keys;
  for (size_t j = 0; j < columns.size(); ++j) keys.push_back({&columns[j], cardinalities[j]});
  const Groups groups = group_rows(rows, keys);
  std::vector<uint32_t> first_rows;
  std::vector<double> sums(groups.sizes.size(), 0);
  for (uint32_t row = 0; row < rows; ++row) {
    if (groups.group_of_row[row] == first_rows.size()) first_rows.push_back(row);
    sums[groups.group_of_row[row]] += weights[row];
  }
  Dataset distinct = subset(first_rows);
  distinct.weights = std::move(sums);
  return distinct;
}

std::optional<Dataset> Dataset::merged_by_half() const {
  size_t most = 1;
  for (const Attribute& attribute : attributes) most = std::max(most, attribute.extents.size());
  if (rows <= 1000 || most >= rows / 8) return std::nullopt;
  Dataset distinct = merged();
  if (distinct.rows >= rows / 2) return std::nullopt;
  return distinct;
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
