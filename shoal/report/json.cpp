#include <cmath>

#include "shoal/report/report.h"

namespace shoal {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

template <typename T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

// The same keys whatever happened, so that scripts need not ask which are there.
Json all_null(Json object) {
  for (auto& [key, value] : object.items()) value = nullptr;
  return object;
}

Json to_json(const RequirementReport& requirement, bool measured) {
  return {{"columns", requirement.columns},
          {"k", requirement.k},
          {"min_group", measured ? Json(requirement.min_group) : Json()},
          {"ok", requirement.ok}};
}

Json to_json(const ColumnReport& column, bool measured) {
  return {{"name", column.name},
          {"type", text_or_null(column.type)},
          {"hierarchy", text_or_null(column.hierarchy)},
          {"values_in", column.values_in},
          {"values_out", measured ? Json(column.values_out) : Json()},
          {"gcp", measured ? Json(column.gcp) : Json()},
          {"level", value_or_null(column.level)},
          {"height", value_or_null(column.height)}};
}

Json to_json(const SearchStats& search) {
  Json details = Json::object();
  for (const auto& [name, value] : search.details) details[name] = value;
  Json json{{"generated", search.generated}, {"expanded", search.expanded},          {"pruned", search.pruned},
            {"optimal", search.optimal},     {"bound", value_or_null(search.bound)}, {"details", std::move(details)}};
  if (!search.steps.empty()) {
    json["steps"] = Json::array();
    for (const SearchStep& step : search.steps) {
      Json entry{{"what", step.what}};
      for (const auto& [name, number] : step.numbers) entry[name] = number;
      json["steps"].push_back(std::move(entry));
    }
  }
  return json;
}

Json to_json(const Timings& timings) {
  return {{"read", timings.read},   {"encode", timings.encode}, {"search", timings.search}, {"recode", timings.recode},
          {"write", timings.write}, {"verify", timings.verify}, {"total", timings.total}};
}

}  // namespace

std::string to_string(Status status) {
  switch (status) {
    case Status::released:
      return "released";
    case Status::unsatisfied:
      return "unsatisfied";
    case Status::verification_failed:
      return "verification_failed";
  }
  return "";
}

Json to_json(const Measures& measures) {
  return {{"prec", measures.prec},
          {"rows", measures.rows},
          {"rows_ratio", measures.rows_ratio},
          {"dm", measures.dm},
          {"c_avg", measures.c_avg},
          {"ncp", measures.ncp},
          {"gcp", measures.gcp},
          {"distortion", measures.distortion},
          {"distortion_ratio", measures.distortion_ratio},
          {"modification_rate", measures.modification_rate},
          {"lm", measures.lm},
          {"cm", value_or_null(measures.cm)},
          {"entropy", measures.entropy},
          {"entropy_ratio", measures.entropy_ratio}};
}

Json to_json(const Risk& risk) {
  Json json = {{"groups", risk.groups},
               {"uniques", risk.uniques},
               {"smallest_group", risk.smallest_group},
               {"largest_group", risk.largest_group},
               {"average_group", risk.average_group},
               {"prosecutor_max", risk.prosecutor_max},
               {"prosecutor_average", risk.prosecutor_average},
               {"threshold", risk.threshold},
               {"share_above_threshold", risk.share_above_threshold},
               {"journalist_max", risk.journalist_max},
               {"marketer", risk.marketer}};
  return risk.groups == 0 ? all_null(std::move(json)) : json;
}

Json to_json(const QueryErrors& errors) {
  const auto summary = [](const QueryErrorSummary& part) {
    Json json = {{"drawn", part.drawn}, {"queries", part.queries}};
    for (const auto& [name, value] :
         {std::pair{"mean", part.mean}, std::pair{"median", part.median}, std::pair{"p90", part.percentile90}}) {
      json[name] = part.queries > 0 ? Json(value) : Json();
    }
    return json;
  };
  Json json = {{"columns", errors.columns}, {"seed", errors.seed}, {"count", summary(errors.count)}, {"sum", Json()}};
  if (errors.sum) {
    json["sum"] = summary(*errors.sum);
    json["sum"]["column"] = errors.sum_column;
  }
  return json;
}

Json to_json(const Verification& verification) {
  Json checks = Json::array();
  for (const VerificationCheck& check : verification.checks) {
    checks.push_back({{"name", check.name}, {"ok", check.ok}, {"detail", text_or_null(check.detail)}});
  }
  return {{"ok", verification.ok}, {"checks", std::move(checks)}};
}

Json to_json(const Report& report) {
  const bool measured = report.status != Status::unsatisfied;
  Json requirements = Json::array(), columns = Json::array();
  for (const RequirementReport& requirement : report.requirements)
    requirements.push_back(to_json(requirement, measured));
  for (const ColumnReport& column : report.columns) columns.push_back(to_json(column, measured));
  return {{"status", to_string(report.status)},
          {"reason", text_or_null(report.reason)},
          {"input", text_or_null(report.input)},
          {"output", text_or_null(report.output)},
          {"method", report.method},
          {"shape", to_string(report.shape)},
          {"params", report.params},
          {"seed", report.seed},
          {"threads", report.threads},
          {"version", SHOAL_VERSION},
          {"rows_in", report.rows_in},
          {"rows_out", report.rows_out},
          {"rows_dropped", report.rows_dropped},
          {"cells_suppressed", report.cells_suppressed},
          {"requirements", std::move(requirements)},
          {"columns", std::move(columns)},
          {"groups", measured ? Json(report.groups) : Json()},
          {"measures", measured ? to_json(report.measures) : all_null(to_json(report.measures))},
          {"risk_before", to_json(report.risk_before)},
          {"risk", measured ? to_json(report.risk) : all_null(to_json(report.risk))},
          {"search", to_json(report.search)},
          {"timings", to_json(report.timings)},
          {"peak_memory_bytes", report.peak_memory_bytes},
          {"hashes",
           {{"input", text_or_null(report.hashes.input)},
            {"output", text_or_null(report.hashes.output)},
            {"job", text_or_null(report.hashes.job)}}},
          {"verification", to_json(report.verification)},
          {"notices", report.notices}};
}

std::string json_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace shoal
