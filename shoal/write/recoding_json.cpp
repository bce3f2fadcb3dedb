#include "shoal/write/recoding_json.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "shoal/measure/cell_loss.h"
#include "shoal/recode/apply.h"
#include "shoal/recode/new_rows.h"

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

Json value_maps(const ValueRecoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies,
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

// Rows of each group that are not dropped.
std::vector<uint64_t> group_sizes(const Recoding& recoding) {
  const GroupRecoding& groups = recoding.by_group();
  std::vector<uint64_t> sizes(groups.groups(), 0);
  size_t next_dropped = 0;
  for (uint32_t row = 0; row < groups.group_of_row.size(); ++row) {
    if (next_dropped < recoding.dropped_rows.size() && recoding.dropped_rows[next_dropped] == row) {
      ++next_dropped;
    } else {
      ++sizes[groups.group_of_row[row]];
    }
  }
  return sizes;
}

Json groups_json(const Recoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies) {
  const GroupRecoding& groups = recoding.by_group();
  const size_t width = groups.recoded_columns.size();
  const std::vector<uint64_t> sizes = group_sizes(recoding);
  Json list = Json::array();
  for (size_t group = 0; group < sizes.size(); ++group) {
    Json released = Json::array();
    for (size_t i = 0; i < width; ++i) {
      const size_t j = groups.recoded_columns[i];
      const std::span<const std::string> means =
          groups.means.empty() ? std::span<const std::string>{} : groups.means[i];
      released.push_back(
          released_text(groups.group_releases[group * width + i], table.quasi[j], hierarchies[j], means));
    }
    list.push_back({{"rows", sizes[group]}, {"released", std::move(released)}});
  }
  return list;
}

std::vector<bool> kept_rows(const Recoding& recoding, size_t rows) {
  std::vector<bool> kept(rows, true);
  for (const uint32_t row : recoding.dropped_rows) kept[row] = false;
  return kept;
}

// The different rows of the release with their numbers. Sorted: the order of the groups could tell that of the input.
Json released_groups(const ReleasedTable& released, const std::vector<std::vector<std::string>>& texts,
                     const std::vector<bool>& kept) {
  std::map<std::vector<std::string>, uint64_t> groups;
  std::vector<std::string> cells(texts.size());
  for (size_t row = 0; row < kept.size(); ++row) {
    if (!kept[row]) continue;
    for (size_t j = 0; j < texts.size(); ++j) cells[j] = texts[j][released.quasi[j].codes[row]];
    ++groups[cells];
  }
  Json list = Json::array();
  for (const auto& [row, rows] : groups) list.push_back({{"rows", rows}, {"released", row}});
  return list;
}

// What rows that come later need to find their region: the values in the order that intervals are meant in, and for
// every region its boxes (the own rows' only where it differs from the release's) and what it loses.
void add_boxes(const Recoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies, Json& json) {
  const GroupRecoding& regions = recoding.by_group();
  const size_t width = regions.recoded_columns.size();
  Json domains = Json::array();
  for (size_t j : regions.recoded_columns) {
    const Hierarchy& hierarchy = hierarchies[j];
    Json values = Json::array();
    for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
      if (leaf != hierarchy.missing()) values.push_back(table.quasi[j].values[leaf]);
    }
    domains.push_back({{"name", table.quasi[j].name},
                       {"type", hierarchy.numeric() ? "numeric" : "categorical"},
                       {"missing", hierarchy.missing().has_value()},
                       {"values", std::move(values)}});
  }
  const RegionBoxes boxes = region_boxes(recoding, hierarchies, group_losses(regions, hierarchies), &table);
  auto box = [&](const std::vector<LeafInterval>& intervals, size_t region) {
    Json list = Json::array();
    for (size_t i = 0; i < width; ++i) {
      const size_t j = regions.recoded_columns[i];
      auto value = [&](uint32_t leaf) {
        return leaf == hierarchies[j].missing() ? Json() : Json(table.quasi[j].values[leaf]);
      };
      const LeafInterval& interval = intervals[region * width + i];
      list.push_back({value(interval.first), value(interval.last)});
    }
    return list;
  };
  for (size_t region = 0; region < boxes.losses.size(); ++region) {
    Json& entry = json["groups"][region];
    entry["loss"] = boxes.losses[region];
    entry["covers"] = box(boxes.covers, region);
    const auto covers = boxes.covers.begin() + static_cast<ptrdiff_t>(region * width);
    const auto holds = boxes.holds.begin() + static_cast<ptrdiff_t>(region * width);
    const bool has_rows = holds->first <= holds->last;
    if (has_rows && !std::equal(holds, holds + static_cast<ptrdiff_t>(width), covers)) {
      entry["holds"] = box(boxes.holds, region);
    }
  }
  json["domains"] = std::move(domains);
}

}  // namespace

Json recoding_json(const Recoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies,
                   const RecodingContext& context) {
  Json json{{"audience", "internal: holds values of the table that the release may hide"},
            {"shape", to_string(recoding.shape())},
            {"plain", context.plain},
            {"missing", context.missing}};
  if (recoding.is_by_value()) {
    json["columns"] = value_maps(recoding.by_value(), table, hierarchies, context);
  } else {
    json["columns"] = Json::array();
    for (size_t j : recoding.by_group().recoded_columns) json["columns"].push_back(table.quasi[j].name);
    json["groups"] = groups_json(recoding, table, hierarchies);
    if (recoding.shape() == Shape::regions) add_boxes(recoding, table, hierarchies, json);
  }
  json["rows_dropped"] = recoding.dropped_rows.size();
  return json;
}

Json public_recoding_json(const Recoding& recoding, const ReleasedTable& released, const Table& table,
                          const std::vector<Hierarchy>& hierarchies) {
  Json json{{"audience", "everyone: holds released values only"},
            {"shape", to_string(recoding.shape())},
            {"columns", Json::array()}};
  const std::vector<bool> kept = kept_rows(recoding, table.rows);
  std::vector<std::vector<std::string>> texts;  // of each column, its released texts
  for (size_t j = 0; j < table.quasi.size(); ++j) {
    const ReleasedColumn& column = released.quasi[j];
    texts.emplace_back();
    for (const Released& value : column.values) {
      texts.back().push_back(released_text(value, table.quasi[j], hierarchies[j], column.means));
    }
    std::map<std::string, uint64_t> rows;
    for (size_t row = 0; row < table.rows; ++row) {
      if (kept[row]) ++rows[texts.back()[column.codes[row]]];
    }
    Json entry{{"name", table.quasi[j].name}, {"type", hierarchies[j].numeric() ? "numeric" : "categorical"}};
    if (recoding.is_by_value() && !recoding.by_value().levels.empty()) {
      entry["level"] = recoding.by_value().levels[j];
      entry["height"] = hierarchies[j].height();
    }
    entry["released"] = rows;
    json["columns"].push_back(std::move(entry));
  }
  if (!recoding.is_by_value()) json["groups"] = released_groups(released, texts, kept);
  json["rows_dropped"] = recoding.dropped_rows.size();
  return json;
}

std::string indented_text(const nlohmann::ordered_json& json) {
  std::string text = json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  if (text.starts_with("{\n  ")) text.replace(0, 4, "{ ");
  return text;
}

}  // namespace shoal
