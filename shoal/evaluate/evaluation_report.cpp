#include "shoal/evaluate/evaluation_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "shoal/error.h"
#include "shoal/report/format.h"

namespace shoal {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSignificant = 0.05;

std::string in_percent(double share) { return fmt::format("{:.2f}", 100 * share); }

std::string with_margin(const ErrorSummary& errors) {
  return fmt::format("{} ±{:.2f}", in_percent(errors.error), 50 * (errors.interval.high - errors.interval.low));
}

std::string how_split(const Evaluation& evaluation) {
  if (evaluation.five_by_two) return "5x2 cross-validation";
  if (evaluation.folds > 0) return fmt::format("{}-fold cross-validation", evaluation.folds);
  return fmt::format("tested on {}", evaluation.test);
}

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) line += left(row[i], widths[i] + 2);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

const Evaluation::Baseline& baseline(const Evaluation& evaluation, const std::string& learner) {
  return *std::find_if(evaluation.baselines.begin(), evaluation.baselines.end(),
                       [&](const Evaluation::Baseline& entry) { return entry.learner == learner; });
}

std::vector<std::string> methods_of(const Evaluation& evaluation) {
  std::vector<std::string> methods;
  for (const EvaluationCell& cell : evaluation.cells) {
    if (std::find(methods.begin(), methods.end(), cell.method) == methods.end()) methods.push_back(cell.method);
  }
  return methods;
}

std::string cell_text(const EvaluationCell& cell, double raw_error, double first_error) {
  std::string text = with_margin(cell.anonymized);
  if (cell.against_raw && cell.against_raw->p < kSignificant) text += cell.anonymized.error > raw_error ? "*" : "!";
  if (cell.against_first && cell.against_first->p < kSignificant) {
    text += cell.anonymized.error > first_error ? "+" : "-";
  }
  return text;
}

Json summary_json(const ErrorSummary& errors) {
  return {
      {"error", errors.error}, {"low", errors.interval.low}, {"high", errors.interval.high}, {"folds", errors.folds}};
}
ErrorSummary summary_from(const nlohmann::json& json) {
  return {json.at("error"), {json.at("low"), json.at("high")}, json.at("folds")};
}
Json test_json(const std::optional<FTest>& test) {
  return test ? Json{{"f", std::min(test->f, 1e300)}, {"p", test->p}} : Json();
}
std::optional<FTest> test_from(const nlohmann::json& json) {
  if (json.is_null()) return std::nullopt;
  return FTest{json.at("f"), json.at("p")};
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string to_text(const Evaluation& evaluation) {
  std::string text = fmt::format("{}: {} rows, target {}, quasi columns {}\n{}, {}\n\n", evaluation.input,
                                 with_commas(evaluation.rows), evaluation.target, short_list(evaluation.quasi, 100),
                                 how_split(evaluation), to_string(evaluation.protocol));
  const std::vector<std::string> methods = methods_of(evaluation);
  std::vector<std::vector<std::string>> rows{{"k", "learner", "BE", "UE"}};
  rows[0].insert(rows[0].end(), methods.begin(), methods.end());
  double first_error = 0;
  for (const EvaluationCell& cell : evaluation.cells) {
    const std::string k = std::to_string(cell.k);
    const Evaluation::Baseline& base = baseline(evaluation, cell.learner);
    if (rows.back()[0] != k || rows.back()[1] != cell.learner) {
      rows.push_back({k, cell.learner, with_margin(base.raw), with_margin(base.without_quasi)});
      rows.back().resize(rows[0].size());
      first_error = cell.anonymized.error;
    }
    const auto place = std::find(methods.begin(), methods.end(), cell.method) - methods.begin();
    rows.back()[static_cast<size_t>(place) + 4] = cell_text(cell, base.raw.error, first_error);
  }
  text += aligned(rows);
  text += "\nErrors in %, ± half the 95 % interval. BE: raw; UE: quasi columns removed.\n";
  if (evaluation.five_by_two) {
    text += "Combined 5x2cv F test at 0.05: * worse than raw, ! better than raw";
    if (methods.size() > 1) text += fmt::format(", + worse than {0}, - better than {0}", methods.front());
    text += ".\n";
  }
  for (const std::string& notice : evaluation.notices) text += "Note: " + notice + "\n";
  return text;
}

std::string to_text(const Comparison& comparison) {
  std::vector<std::vector<std::string>> rows{{"method", "mean error", "mean rank", ""}};
  for (size_t i = 0; i < comparison.methods.size(); ++i) {
    const double behind = comparison.friedman.mean_ranks[i] - comparison.friedman.mean_ranks[0];
    std::string words;
    if (i > 0 && comparison.friedman.p < kSignificant && behind >= comparison.distance) {
      words = "worse than " + comparison.methods[0];
    }
    if (i > 0 && comparison.friedman.p < kSignificant && -behind >= comparison.distance) {
      words = "better than " + comparison.methods[0];
    }
    rows.push_back({comparison.methods[i], in_percent(comparison.mean_errors[i]),
                    fmt::format("{:.2f}", comparison.friedman.mean_ranks[i]), words});
  }
  return fmt::format("Over {} sets (input, quasi columns, k, learner); methods that all of them have\n{}",
                     comparison.sets, aligned(rows)) +
         fmt::format(
             "Friedman (Iman-Davenport): F = {:.2f}, p = {:.4g}. Bonferroni-Dunn at 0.05: ranks differ from {}'s "
             "when {:.2f} apart.\n",
             comparison.friedman.f, comparison.friedman.p, comparison.methods[0], comparison.distance);
}

Json to_json(const Evaluation& evaluation) {
  Json json{{"input", evaluation.input},   {"test", evaluation.test},
            {"target", evaluation.target}, {"quasi", evaluation.quasi},
            {"rows", evaluation.rows},     {"protocol", to_string(evaluation.protocol)},
            {"folds", evaluation.folds},   {"five_by_two", evaluation.five_by_two},
            {"seed", evaluation.seed},     {"baselines", Json::array()},
            {"results", Json::array()},    {"notices", evaluation.notices}};
  for (const Evaluation::Baseline& entry : evaluation.baselines) {
    json["baselines"].push_back({{"learner", entry.learner},
                                 {"raw", summary_json(entry.raw)},
                                 {"without_quasi", summary_json(entry.without_quasi)}});
  }
  for (const EvaluationCell& cell : evaluation.cells) {
    json["results"].push_back({{"k", cell.k},
                               {"learner", cell.learner},
                               {"method", cell.method},
                               {"anonymized", summary_json(cell.anonymized)},
                               {"against_raw", test_json(cell.against_raw)},
                               {"against_first", test_json(cell.against_first)},
                               {"search_seconds", cell.search_seconds},
                               {"rows_dropped", cell.rows_dropped}});
  }
  return json;
}

Json to_json(const Comparison& comparison) {
  return {{"methods", comparison.methods},
          {"sets", comparison.sets},
          {"mean_errors", comparison.mean_errors},
          {"mean_ranks", comparison.friedman.mean_ranks},
          {"friedman",
           {{"chi_squared", comparison.friedman.chi_squared},
            {"f", std::min(comparison.friedman.f, 1e300)},
            {"p", comparison.friedman.p}}},
          {"bonferroni_dunn_distance", comparison.distance}};
}

Evaluation evaluation_from_json(const std::string& text, const std::string& file) try {
  const nlohmann::json json = nlohmann::json::parse(text);
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
  for (const auto& entry : json.at("results")) {
    evaluation.cells.push_back({entry.at("k"), entry.at("learner"), entry.at("method"),
                                summary_from(entry.at("anonymized")), test_from(entry.at("against_raw")),
                                test_from(entry.at("against_first")), entry.at("search_seconds"),
                                entry.at("rows_dropped")});
  }
  return evaluation;
} catch (const nlohmann::json::exception& error) {
  throw Error(ErrorKind::input, fmt::format("'{}' is not a result of `shoal evaluate --json`: {}", file, error.what()));
}

std::string to_csv(const std::vector<Evaluation>& evaluations) {
  std::string text = "input,quasi,protocol,k,learner,method,error,low,high,p_against_raw,p_against_first\n";
  for (const Evaluation& evaluation : evaluations) {
    const std::string start =
        fmt::format("{},{},{}", csv_cell(evaluation.input),
                    csv_cell(fmt::format("{}", fmt::join(evaluation.quasi, " "))), to_string(evaluation.protocol));
    auto line = [&](uint64_t k, const std::string& learner, const std::string& method, const ErrorSummary& errors) {
      return fmt::format("{},{},{},{},{:.6f},{:.6f},{:.6f}", start, k, learner, method, errors.error,
                         errors.interval.low, errors.interval.high);
    };
    auto p = [](const std::optional<FTest>& test) { return test ? fmt::format("{:.6g}", test->p) : ""; };
    for (const Evaluation::Baseline& entry : evaluation.baselines) {
      text += line(0, entry.learner, "raw", entry.raw) + ",,\n";
      text += line(0, entry.learner, "without-quasi", entry.without_quasi) + ",,\n";
    }
    for (const EvaluationCell& cell : evaluation.cells) {
      text += fmt::format("{},{},{}\n", line(cell.k, cell.learner, cell.method, cell.anonymized), p(cell.against_raw),
                          p(cell.against_first));
    }
  }
  return text;
}

}  // namespace shoal
