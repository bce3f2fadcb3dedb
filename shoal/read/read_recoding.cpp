#include "shoal/read/read_recoding.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "shoal/error.h"
#include "shoal/read/whole_file.h"
#include "shoal/table/decimal.h"
#include "shoal/table/dictionary.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

using OrderedJson = nlohmann::ordered_json;
using WrittenColumn = WrittenRecoding::Column;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::job, fmt::format("'{}' is not a recoding that an earlier run wrote: {}", path, why),
              Advice{Setting::recoding});
}

// levels, cut: places are the different released texts.
WrittenColumn value_column(const OrderedJson& json) {
  WrittenColumn column;
  column.name = json.at("name");
  Dictionary releases;
  column.missing = releases.code(json.at("missing").get<std::string>());
  for (const auto& [value, released] : json.at("values").items()) {
    column.places.emplace(value, releases.code(released.get<std::string>()));
  }
  if (json.contains("intervals")) {
    for (const OrderedJson& entry : json["intervals"]) {
      column.stretches.push_back(
          {entry.at("low"), entry.at("high"), releases.code(entry.at("released").get<std::string>())});
    }
  }
  column.releases = releases.texts();
  return column;
}

// regions: places are leaves, in the order of the list; missing cells stand last.
WrittenColumn domain_column(const OrderedJson& json, const std::string& path) {
  WrittenColumn column;
  column.name = json.at("name");
  const bool numeric = json.at("type") == "numeric";
  for (const OrderedJson& value : json.at("values")) {
    const auto leaf = static_cast<uint32_t>(column.places.size());
    const auto text = value.get<std::string>();
    if (!column.places.emplace(text, leaf).second) {
      refuse(path, fmt::format("the value '{}' of column '{}' stands there twice", text, column.name));
    }
    if (!numeric) continue;
    if (!Decimal::parse(text)) {
      refuse(path, fmt::format("the value '{}' of column '{}' is no number", text, column.name));
    }
    if (const auto number = parse_number(text)) column.stretches.push_back({*number, *number, leaf});
  }
  if (json.at("missing")) column.missing = static_cast<uint32_t>(column.places.size());
  return column;
}

// One box, [first value, last value] for each column, appended to `intervals`.
void read_box(const OrderedJson& json, const std::vector<WrittenColumn>& columns, const std::string& path,
              std::vector<LeafInterval>& intervals) {
  if (json.size() != columns.size()) refuse(path, "a region has not as many intervals as columns are recoded");
  for (size_t i = 0; i < columns.size(); ++i) {
    const WrittenColumn& column = columns[i];
    auto leaf_of = [&](const OrderedJson& value) {
      if (value.is_null() && column.missing) return *column.missing;
      const auto found = column.places.find(value.is_null() ? "" : value.get<std::string>());
      if (found == column.places.end()) {
        refuse(path, fmt::format("a region ends at {}, which is no value of column '{}'", value.dump(), column.name));
      }
      return found->second;
    };
    const LeafInterval interval{leaf_of(json[i].at(0)), leaf_of(json[i].at(1))};
    if (interval.first > interval.last) refuse(path, fmt::format("an interval of '{}' is backwards", column.name));
    intervals.push_back(interval);
  }
}

void read_regions(const OrderedJson& json, const std::string& path, WrittenRecoding& recoding) {
  if (!json.contains("domains")) refuse(path, "its regions have no boxes; anonymize again with this version");
  for (const OrderedJson& domain : json.at("domains")) recoding.columns.push_back(domain_column(domain, path));
  RegionBoxes& boxes = recoding.boxes;
  for (const WrittenColumn& column : recoding.columns)
    boxes.leaves.push_back(column.places.size() + column.missing.has_value());
  for (const OrderedJson& region : json.at("groups")) {
    boxes.losses.push_back(region.at("loss"));
    read_box(region.at("covers"), recoding.columns, path, boxes.covers);
    read_box(region.at(region.contains("holds") ? "holds" : "covers"), recoding.columns, path, boxes.holds);
    if (region.at("released").size() != recoding.columns.size()) {
      refuse(path, "a region has not as many releases as columns are recoded");
    }
    for (const OrderedJson& text : region.at("released")) recoding.region_releases.push_back(text);
  }
}

}  // namespace

RecodingFile read_recoding(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorKind::job, fmt::format("no recoding file '{}'", path));
  try {
    const OrderedJson json = OrderedJson::parse(whole_file(path, "the recoding"));
    if (json.value("audience", "").starts_with("everyone")) {
      throw Error(ErrorKind::job,
                  fmt::format("the recoding '{}' is the public one, which holds released values only and "
                              "cannot be applied; use the internal one of that run",
                              path),
                  Advice{Setting::recoding});
    }
    RecodingFile result{{}, json.at("plain"), json.at("missing")};
    const std::string shape = json.at("shape");
    if (shape == "groups") {
      throw Error(ErrorKind::job,
                  fmt::format("the recoding '{}' has the shape groups: it belongs to the rows it was made for "
                              "and cannot be applied to others; use a method of shape levels, cut or regions",
                              path));
    }
    if (shape == "regions") {
      result.recoding.shape = Shape::regions;
      read_regions(json, path, result.recoding);
    } else if (shape == "levels" || shape == "cut") {
      result.recoding.shape = shape == "levels" ? Shape::levels : Shape::cut;
      for (const OrderedJson& column : json.at("columns")) result.recoding.columns.push_back(value_column(column));
    } else {
      refuse(path, fmt::format("'{}' is no shape of a recoding", shape));
    }
    return result;
  } catch (const OrderedJson::parse_error&) {
    refuse(path, "it is no JSON");
  } catch (const OrderedJson::exception& error) {
    const std::string said = error.what();  // "[json.exception.out_of_range.403] key 'plain' not found"
    refuse(path, said.substr(said.starts_with('[') ? said.find("] ") + 2 : 0));
  }
}

}  // namespace shoal
