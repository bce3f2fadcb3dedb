#include "shoal/read/read_evaluation.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "shoal/error.h"

namespace shoal {
namespace {

using Json = nlohmann::json;

ErrorSummary summary_from(const Json& json) {
  return {json.at("error"), {json.at("low"), json.at("high")}, json.at("folds")};
}
std::optional<FTest> test_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return FTest{json.at("f"), json.at("p")};
}
std::optional<ErrorDifference> difference_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return ErrorDifference{json.at("points"), json.at("low"), json.at("high")};
}

EvaluationCell cell_from(const Json& json) {
  EvaluationCell cell{.k = json.at("k"), .learner = json.at("learner"), .method = json.at("method")};
  cell.reading = reading_named(json.at("reading"));
  cell.anonymized = summary_from(json.at("anonymized"));
  cell.above_raw = difference_from(json.at("above_raw"));
  cell.above_without = difference_from(json.at("above_without_quasi"));
  cell.above_majority = difference_from(json.at("above_majority")).value();
  cell.above_first = difference_from(json.at("above_first"));
  cell.against_raw = test_from(json.at("against_raw"));
  cell.against_first = test_from(json.at("against_first"));
  cell.search_seconds = json.at("search_seconds");
  cell.rows_dropped = json.at("rows_dropped");
  return cell;
}

Evaluation evaluation_from(const Json& json) {
  Evaluation evaluation;
  evaluation.input = json.at("input");
  evaluation.test = json.at("test");
  evaluation.target = json.at("target");
  evaluation.quasi = json.at("quasi");
  evaluation.rows = json.at("rows");
  evaluation.protocol = json.at("protocol") == "joint" ? Protocol::joint : Protocol::train_only;
  evaluation.folds = json.at("folds");
  evaluation.five_by_two = json.at("five_by_two");
  evaluation.seed = json.at("seed");
  for (const auto& entry : json.at("baselines")) {
    evaluation.baselines.push_back(
        {entry.at("learner"), summary_from(entry.at("raw")), summary_from(entry.at("without_quasi"))});
  }
  evaluation.majority = summary_from(json.at("majority"));
  for (const auto& entry : json.at("results")) evaluation.cells.push_back(cell_from(entry));
  return evaluation;
}

}  // namespace

std::vector<Evaluation> read_evaluations(const std::string& text, const std::string& file) try {
  const Json json = Json::parse(text);
  if (!json.is_object() || !json.contains("evaluations")) return {evaluation_from(json)};
  std::vector<Evaluation> evaluations;
  for (const Json& part : json["evaluations"]) evaluations.push_back(evaluation_from(part));
  return evaluations;
} catch (const Json::exception& error) {
  throw Error(ErrorKind::input,
              fmt::format("'{}' is not a result that `evaluate` wrote as JSON: {}", file, error.what()));
}

}  // namespace shoal
