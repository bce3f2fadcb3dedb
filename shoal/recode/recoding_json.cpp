#include "shoal/recode/recoding_json.h"

#include "shoal/recode/apply.h"

namespace shoal {
namespace {

using Json = nlohmann::ordered_json;

Json value_maps(const Recoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies) {
  Json columns = Json::array();
  for (size_t j = 0; j < table.quasi.size(); ++j) {
    const Column& column = table.quasi[j];
    Json entry{{"name", column.name}};
    if (!recoding.levels.empty()) {
      entry["level"] = recoding.levels[j];
      entry["height"] = hierarchies[j].height();
    }
    Json values = Json::object();
    for (size_t leaf = 0; leaf < column.values.size(); ++leaf) {
      values[column.values[leaf]] = released_text(recoding.value_map[j][leaf], column, hierarchies[j]);
    }
    entry["values"] = std::move(values);
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
      released.push_back(released_text(recoding.group_releases[group * width + i], table.quasi[j], hierarchies[j]));
    }
    list.push_back({{"rows", sizes[group]}, {"released", std::move(released)}});
  }
  return list;
}

}  // namespace

Json recoding_json(const Recoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies) {
  Json json{{"shape", to_string(recoding.shape)}};
  if (!recoding.value_map.empty()) {
    json["columns"] = value_maps(recoding, table, hierarchies);
  } else {
    json["columns"] = Json::array();
    for (size_t j : recoding.recoded_columns) json["columns"].push_back(table.quasi[j].name);
    json["groups"] = groups(recoding, table, hierarchies);
  }
  json["rows_dropped"] = recoding.dropped_rows.size();
  return json;
}

}  // namespace shoal
