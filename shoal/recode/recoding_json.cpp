#include "shoal/recode/recoding_json.h"

#include "shoal/recode/apply.h"

namespace shoal {
namespace {

using Json = nlohmann::ordered_json;

// Stretches of numbers that are released alike, ascending.
Json intervals(const std::vector<Released>& released, const Column& column, const Hierarchy& hierarchy) {
  Json list = Json::array();
  const uint32_t known = static_cast<uint32_t>(hierarchy.leaves() - (hierarchy.missing() ? 1 : 0));
  for (uint32_t leaf = 0; leaf < known; ++leaf) {
    if (leaf > 0 && released[leaf] == released[leaf - 1]) {
      list.back()["high"] = hierarchy.number(leaf);
    } else {
      list.push_back({{"low", hierarchy.number(leaf)},
                      {"high", hierarchy.number(leaf)},
                      {"released", released_text(released[leaf], column, hierarchy)}});
    }
  }
  return list;
}

// In the form that read_tree understands.
Json tree_json(const Tree& tree, uint32_t node) {
  if (tree.nodes[node].leaf) return tree.nodes[node].label;
  Json children = Json::array();
  for (uint32_t child = 1; child < tree.nodes.size(); ++child) {
    if (tree.nodes[child].parent == node) children.push_back(tree_json(tree, child));
  }
  return {{"label", tree.nodes[node].label}, {"children", std::move(children)}};
}

Json value_maps(const Recoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies,
                const RecodingContext& context) {
  Json columns = Json::array();
  for (size_t j = 0; j < table.quasi.size(); ++j) {
    const Column& column = table.quasi[j];
    Json entry{{"name", column.name}, {"type", hierarchies[j].numeric() ? "numeric" : "categorical"}};
    if (!recoding.levels.empty()) {
      entry["level"] = recoding.levels[j];
      entry["height"] = hierarchies[j].height();
    }
    entry["missing"] = "*";
    entry["values"] = Json::object();
    for (uint32_t leaf = 0; leaf < hierarchies[j].leaves(); ++leaf) {
      const std::string text = released_text(recoding.value_map[j][leaf], column, hierarchies[j]);
      if (hierarchies[j].missing() == leaf) {
        entry["missing"] = text;
      } else {
        entry["values"][column.values[leaf]] = text;
      }
    }
    if (hierarchies[j].numeric()) entry["intervals"] = intervals(recoding.value_map[j], column, hierarchies[j]);
    for (const auto& [grown, tree] : context.grown_trees) {
      if (grown == j) entry["tree"] = tree_json(tree, 0);
    }
    columns.push_back(std::move(entry));
  }
  return columns;
}

Json groups(const Recoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies) {
  const size_t width = recoding.recoded_columns.size();
  std::vector<uint64_t> sizes(recoding.group_releases.size() / width, 0);
  size_t next_dropped = 0;
  for (uint32_t row = 0; row < table.rows; ++row) {
    if (next_dropped < recoding.dropped_rows.size() && recoding.dropped_rows[next_dropped] == row) {
      ++next_dropped;
    } else {
      ++sizes[recoding.group_of_row[row]];
    }
  }
  Json list = Json::array();
  for (size_t group = 0; group < sizes.size(); ++group) {
    Json released = Json::array();
    for (size_t i = 0; i < width; ++i) {
      const size_t j = recoding.recoded_columns[i];
      const std::span<const std::string> means =
          recoding.means.empty() ? std::span<const std::string>{} : recoding.means[i];
      released.push_back(
          released_text(recoding.group_releases[group * width + i], table.quasi[j], hierarchies[j], means));
    }
    list.push_back({{"rows", sizes[group]}, {"released", std::move(released)}});
  }
  return list;
}

}  // namespace

Json recoding_json(const Recoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies,
                   const RecodingContext& context) {
  Json json{{"shape", to_string(recoding.shape)}, {"identifiers", context.identifiers}, {"missing", context.missing}};
  if (!recoding.value_map.empty()) {
    json["columns"] = value_maps(recoding, table, hierarchies, context);
  } else {
    json["columns"] = Json::array();
    for (size_t j : recoding.recoded_columns) json["columns"].push_back(table.quasi[j].name);
    json["groups"] = groups(recoding, table, hierarchies);
  }
  json["rows_dropped"] = recoding.dropped_rows.size();
  return json;
}

}  // namespace shoal
