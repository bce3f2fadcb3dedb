#include "shoal/write/shown_tree_json.h"

#include <nlohmann/json.hpp>

namespace shoal {
namespace {

using Json = nlohmann::ordered_json;

// Trees are no deeper than kDeepestShownTree.
Json node_json(const ShownTree& tree, uint32_t number) {
  const ShownTree::Node& node = tree.nodes[number];
  Json json;
  switch (node.test) {
    case ShownTree::Test::none:
      break;
    case ShownTree::Test::missing:
      json["missing"] = true;
      break;
    case ShownTree::Test::is:
      json["is"] = node.label;
      break;
    case ShownTree::Test::at_most:
      json["at_most"] = node.threshold;
      break;
    case ShownTree::Test::above:
      json["above"] = node.threshold;
      break;
  }
  json["rows"] = node.rows;
  json["class"] = node.majority;
  json["class_rows"] = node.class_rows;
  if (node.leaf()) return json;
  json["column"] = node.column;
  json["branches"] = Json::array();
  for (uint32_t i = 0; i < node.children; ++i) json["branches"].push_back(node_json(tree, node.first_child + i));
  return json;
}

}  // namespace

std::string shown_tree_json(const ShownTree& tree) {
  const Json json{{"model", "decision tree"},  {"method", tree.method},   {"k", tree.k},
                  {"target", tree.target},     {"classes", tree.classes}, {"columns", tree.columns},
                  {"tree", node_json(tree, 0)}};
  return json.dump(2) + "\n";
}

}  // namespace shoal
