// New rows by an old recoding: the test set of a classifier, next month's table.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <unordered_map>

#include "shoal/nearest_word.h"
#include "shoal/read/dictionary.h"
#include "shoal/read/read_table.h"
#include "shoal/recode/release_file.h"
#include "shoal/recode/write_release.h"
#include "shoal/shoal.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

using Json = nlohmann::ordered_json;

// What a recoding file says about one column.
class ColumnRule {
 public:
  explicit ColumnRule(const Json& json) : name_(json.at("name")), missing_(json.at("missing")) {
    for (const auto& [value, released] : json.at("values").items()) released_.emplace(value, released);
    if (!json.contains("intervals")) return;
    for (const Json& entry : json["intervals"]) {
      intervals_.push_back({entry.at("low"), entry.at("high"), entry.at("released")});
    }
  }
  const std::string& name() const { return name_; }
  const std::string& missing() const { return missing_; }

  // The released text, and whether the value was known when the recoding was made.
  std::pair<std::string, bool> release(const std::string& value) const {
    if (const auto found = released_.find(value); found != released_.end()) return {found->second, true};
    const auto number = parse_number(value);
    if (intervals_.empty() || !number) return {"*", false};
    const Interval* nearest = &intervals_.front();
    for (const Interval& interval : intervals_) {  // ascending: of two equally near ones the lower stays
      if (distance(interval, *number) < distance(*nearest, *number)) nearest = &interval;
    }
    return {nearest->released, false};
  }

 private:
  struct Interval {
    double low, high;
    std::string released;
  };
  static double distance(const Interval& interval, double number) {
    return std::max({interval.low - number, number - interval.high, 0.0});
  }
  std::string name_, missing_;
  std::unordered_map<std::string, std::string> released_;
  std::vector<Interval> intervals_;
};

struct RecodingFile {
  std::vector<ColumnRule> columns;
  std::vector<std::string> identifiers, missing;
};

RecodingFile read_recoding(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorKind::job, fmt::format("no recoding file '{}'", path));
  try {
    const Json json = Json::parse(file);
    const std::string shape = json.at("shape");
    if (shape != "levels" && shape != "cut") {
      throw Error(ErrorKind::job,
                  fmt::format("the recoding '{}' has the shape {}: it belongs to the rows it was made for "
                              "and cannot be applied to others; use a method of shape levels or cut",
                              path, shape));
    }
    RecodingFile recoding{{}, json.at("identifiers"), json.at("missing")};
    for (const Json& column : json.at("columns")) recoding.columns.emplace_back(column);
    return recoding;
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::job,
                fmt::format("'{}' is not a recoding written by shoal anonymize --recoding: {}", path, error.what()));
  }
}

// Recodes one column: the distinct released texts become a flat column whose cells are released as they are.
void recode_column(const RawColumn& raw, const ColumnRule& rule, const std::vector<std::string>& missing,
                   ApplyReport::PerColumn& report, EncodedTable& encoded) {
  Dictionary texts;
  std::vector<uint32_t> released_of_text;
  for (size_t text = 0; text < raw.texts.size(); ++text) {
    const bool is_missing =
        raw.texts[text].empty() || std::find(missing.begin(), missing.end(), raw.texts[text]) != missing.end();
    const auto [released, known] = is_missing ? std::pair(rule.missing(), true) : rule.release(raw.texts[text]);
    released_of_text.push_back(texts.code(released));
    if (known) continue;
    ++report.unseen_values;
    report.unseen_rows += raw.counts[text];
  }
  const ColumnValues values{raw.name, texts.texts(), false, "", {}};
  BoundHierarchy bound = bind_flat(values);
  Column column{raw.name, Codes(raw.codes.size(), texts.size()), std::move(bound.leaf_texts)};
  for (size_t row = 0; row < raw.codes.size(); ++row) {
    column.codes.set(row, bound.leaf_of_value[released_of_text[raw.codes[row]]]);
  }
  encoded.table.quasi.push_back(std::move(column));
  encoded.hierarchies.push_back(std::move(bound.hierarchy));
}

}  // namespace

ApplyReport apply_recoding(const Job& job, const std::string& recoding_path, Progress& progress) {
  check_output_place(job.output, {job.input, recoding_path});
  const RecodingFile recoding = read_recoding(recoding_path);
  progress.stage("read");
  DuckDb duck(job.thread_count(), job.memory_limit);
  const Source source(job.input, job.delimiter, duck, progress);
  std::vector<ColumnPlan> plan;
  for (const std::string& name : source.columns()) {
    const auto& names = recoding.identifiers;
    plan.push_back({name, std::find(names.begin(), names.end(), name) == names.end() ? Role::plain : Role::identifier});
  }
  std::vector<size_t> places;
  for (const ColumnRule& rule : recoding.columns) {
    const auto found = source.find(rule.name());
    if (!found) {
      throw Error(ErrorKind::input, fmt::format("'{}' has no column '{}', which the recoding recodes{}", source.name(),
                                                rule.name(), did_you_mean(rule.name(), source.columns())));
    }
    plan[*found].role = Role::quasi;
    places.push_back(*found);
  }
  const RawTable raw = read_columns(source, places, {}, duck, progress);

  progress.stage("recode");
  // The writer takes recoded columns in the order of the file.
  std::vector<size_t> order(places.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return places[a] < places[b]; });
  ApplyReport report;
  report.rows = raw.rows;
  EncodedTable encoded;
  encoded.table.rows = raw.rows;
  ReleasedTable released;
  for (size_t i : order) {
    report.columns.push_back({recoding.columns[i].name(), 0, 0});
    recode_column(raw.columns[i], recoding.columns[i], recoding.missing, report.columns.back(), encoded);
    ReleasedColumn column;
    for (uint32_t leaf = 0; leaf < encoded.hierarchies.back().leaves(); ++leaf) {
      column.values.push_back(released_leaf(encoded.hierarchies.back(), leaf));
    }
    column.codes = encoded.table.quasi.back().codes;
    released.quasi.push_back(std::move(column));
  }

  progress.stage("write");
  ReleaseFile file(job.output, source);
  const ReleaseParts parts{source, plan, encoded.table, encoded.hierarchies, released, {}};
  write_release(parts, file.path(), file.kind(), file.delimiter(), duck, progress);
  file.publish();
  return report;
}

}  // namespace shoal
