#include "shoal/report/evaluation_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "shoal/report/format.h"

namespace shoal {
namespace {

constexpr double kSignificant = 0.05;
constexpr double kLargestF = 1e300;  // JSON has no infinity

std::string in_percent(double share) { return fmt::format("{:.2f}", 100 * share); }

std::string with_margin(const ErrorSummary& errors) {
  return fmt::format("{} ±{:.2f}", in_percent(errors.error), 50 * (errors.interval.high - errors.interval.low));
}

std::string how_split(const Evaluation& evaluation) {
  if (evaluation.five_by_two) return "5x2 cross-validation";
  if (evaluation.folds > 0) return fmt::format("{}-fold cross-validation", evaluation.folds);
  return fmt::format("tested on {}", evaluation.test);
}

// nullptr for kGroupMajority.
const Evaluation::Baseline* baseline(const Evaluation& evaluation, const std::string& learner) {
  for (const Evaluation::Baseline& entry : evaluation.baselines) {
    if (entry.learner == learner) return &entry;
  }
  return nullptr;
}

std::vector<std::string> methods_of(const Evaluation& evaluation) {
  std::vector<std::string> methods;
  for (const EvaluationCell& cell : evaluation.cells) {
    const std::string name = column_name(evaluation, cell);
    if (std::find(methods.begin(), methods.end(), name) == methods.end()) methods.push_back(name);
  }
  return methods;
}

std::string cell_text(const EvaluationCell& cell) {
  std::string text = with_margin(cell.anonymized);
  if (cell.against_raw && cell.against_raw->p < kSignificant) text += cell.above_raw->difference > 0 ? "*" : "!";
  if (cell.against_first && cell.against_first->p < kSignificant) text += cell.above_first->difference > 0 ? "+" : "-";
  if (worse_than_without(cell)) text += "u";
  if (worse_than_majority(cell)) text += "m";
  return text;
}

// In points, with half the interval.
std::string points(double mean, double low, double high) {
  return fmt::format("{:+.2f} ±{:.2f}", 100 * mean, 50 * (high - low));
}

// ---- for people ----

// A line per k and learner, methods side by side; `text` of each cell.
FactTable table_of_cells(const Evaluation& evaluation, bool with_baselines, bool with_groups,
                         const std::function<std::string(const EvaluationCell&)>& text) {
  const std::vector<std::string> methods = methods_of(evaluation);
  FactTable table{"", {{"", "k"}, {"", "learner"}}, {}};
  if (with_baselines) table.columns.insert(table.columns.end(), {{"", "BE"}, {"", "UE"}});
  const size_t first = table.columns.size();
  for (const std::string& method : methods) table.columns.push_back({"", method});
  const EvaluationCell* before = nullptr;
  for (const EvaluationCell& cell : evaluation.cells) {
    const Evaluation::Baseline* base = baseline(evaluation, cell.learner);
    if (!base && !with_groups) continue;
    if (!before || before->k != cell.k || before->learner != cell.learner) {
      table.rows.push_back({{Value::count(cell.k), Value::text(cell.learner)}});
      if (with_baselines) {
        table.rows.back().cells.push_back(base ? Value::text(with_margin(base->raw)) : Value::absent());
        table.rows.back().cells.push_back(base ? Value::text(with_margin(base->without_quasi)) : Value::absent());
      }
      table.rows.back().cells.resize(table.columns.size(), Value::absent());
    }
    const auto place =
        static_cast<size_t>(std::find(methods.begin(), methods.end(), column_name(evaluation, cell)) - methods.begin());
    table.rows.back().cells[place + first] = Value::text(text(cell));
    before = &cell;
  }
  return table;
}

std::string words_of_reading(Reading reading) {
  switch (reading) {
    case Reading::values:
      return "values: every released text of a recoded column, * too, is a category";
    case Reading::ranges:
      return "ranges: a cell stands for what it covers, test rows of groups are as collected";
    default:
      return "mapped: test rows take the cells of the tightest group that covers them";
  }
}

Section shown_to_people(const Evaluation& evaluation) {
  const std::string tables =
      evaluation.test.empty() ? evaluation.input : fmt::format("{} and {}", evaluation.input, evaluation.test);
  Section section{"", "", {}, kPeople};
  const auto line = [&](std::string words) { section.blocks.push_back(Paragraph{Value::text(std::move(words))}); };
  line(fmt::format("{}: {}, target {}, quasi {} {}", tables, counted(evaluation.rows, "row"), evaluation.target,
                   noun_after(evaluation.quasi.size(), "column"), short_list(evaluation.quasi, 100)));
  line(fmt::format("{}, {}", how_split(evaluation), to_string(evaluation.protocol)));
  section.blocks.push_back(table_of_cells(evaluation, true, true, cell_text));
  line(
      fmt::format("Errors in %, ± half the 95 % interval. BE: raw; UE: quasi columns removed; always the most frequent "
                  "class: {}.",
                  with_margin(evaluation.majority)));
  const std::vector<std::string> methods = methods_of(evaluation);
  if (evaluation.five_by_two) {
    std::string marks = "Combined 5x2cv F test at 0.05: * worse than raw, ! better than raw";
    if (methods.size() > 1) marks += fmt::format(", + worse than {0}, - better than {0}", methods.front());
    line(marks + ".");
  }
  line(
      "By the interval of the difference: u worse than no quasi columns at all, m worse than the most frequent class.");
  std::vector<std::string> readings;
  bool groups = false;
  for (const EvaluationCell& cell : evaluation.cells) {
    const std::string words = words_of_reading(cell.reading);
    if (std::find(readings.begin(), readings.end(), words) == readings.end()) readings.push_back(words);
    groups = groups || cell.learner == kGroupMajority;
  }
  line(fmt::format("Read as {}.", fmt::join(readings, "; ")));
  if (groups) line("group: each test row is given the most frequent class of the group it is mapped to; no learner.");
  line("Above raw, in points, with the 95 % interval of the difference (rows paired):");
  section.blocks.push_back(table_of_cells(evaluation, false, false, [](const EvaluationCell& cell) {
    return points(cell.above_raw->difference, cell.above_raw->low, cell.above_raw->high);
  }));
  Remarks notes{"", "Note", {}, kPeople};
  for (const std::string& notice : evaluation.notices) notes.remarks.push_back(Value::text(notice).as_data());
  section.blocks.push_back(std::move(notes));
  return section;
}

FactTable comparison_table(const Comparison& comparison, const Comparison::Line& line) {
  FactTable table{"", {{"", "method"}, {"", "mean error, %"}, {"", "above raw, points"}}, {}};
  if (line.friedman) table.columns.push_back({"", "mean rank"});
  table.columns.insert(table.columns.end(), {{"", "sets worse than UE"}, {"", ""}});
  for (size_t i = 0; i < comparison.methods.size(); ++i) {
    const MeanInterval& above = line.above_raw[i];
    Row row{{Value::text(comparison.methods[i]), Value::text(in_percent(line.mean_errors[i])),
             Value::text(comparison.tables > 1 ? points(above.mean, above.low, above.high)
                                               : fmt::format("{:+.2f}", 100 * above.mean))}};
    std::string words;
    if (line.friedman) {
      const double behind = line.friedman->mean_ranks[i] - line.friedman->mean_ranks[0];
      const bool tells = i > 0 && line.friedman->p < kSignificant;
      if (tells && behind >= line.distance) words = "worse than " + comparison.methods[0];
      if (tells && -behind >= line.distance) words = "better than " + comparison.methods[0];
      row.cells.push_back(Value::text(fmt::format("{:.2f}", line.friedman->mean_ranks[i])));
    }
    row.cells.push_back(Value::count(line.worse_than_without[i]));
    row.cells.push_back(Value::text(words));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Section shown_to_people(const Comparison& comparison) {
  Section section{"", "", {}, kPeople};
  const auto say = [&](std::string words) { section.blocks.push_back(Paragraph{Value::text(std::move(words))}); };
  say(fmt::format(
      "Over {} {} of {} {} (a set: table, quasi columns, k, learner); methods that all of them have; means over "
      "tables, ± half the 95 % interval over tables",
      comparison.sets, comparison.sets == 1 ? "set" : "sets", comparison.tables,
      comparison.tables == 1 ? "table" : "tables"));
  for (const Comparison::Line& line : comparison.lines) {
    if (comparison.tables == 1 && !line.learner.empty()) continue;  // the table above has it
    say(line.learner.empty() ? "All learners" : "Learner " + line.learner);
    section.blocks.push_back(comparison_table(comparison, line));
    if (line.friedman) {
      say(fmt::format(
          "Friedman (Iman-Davenport), tables as blocks: F = {:.2f}, p = {:.4g}. Bonferroni-Dunn at 0.05: ranks "
          "differ from {}'s when {:.2f} apart.",
          line.friedman->f, line.friedman->p, comparison.methods[0], line.distance));
    }
  }
  if (!comparison.lines.front().friedman) {
    say(fmt::format("No test across tables: {} are needed, and sets of one table depend on each other.",
                    Comparison::kFewestTables));
  }
  return section;
}

// ---- for machines ----

void add_errors(const std::string& key, std::vector<Heading>& columns) {
  for (const char* part : {".error", ".low", ".high", ".folds"}) columns.push_back({key + part, "", kMachines});
}
void add_errors(const ErrorSummary& errors, std::vector<Value>& cells) {
  cells.push_back(Value::share(errors.error));
  cells.push_back(Value::share(errors.interval.low));
  cells.push_back(Value::share(errors.interval.high));
  cells.push_back(Value::shares(errors.folds));
}
// The test, or null in its place.
void add_test(const std::optional<FTest>& test, std::vector<Value>& cells) {
  cells.push_back(test ? Value::absent() : Value::nothing());
  cells.push_back(test ? Value::number(std::min(test->f, kLargestF)) : Value::absent());
  cells.push_back(test ? Value::number(test->p) : Value::absent());
}

void add_difference(const std::string& key, std::vector<Heading>& columns) {
  columns.push_back({key});
  for (const char* part : {".points", ".low", ".high"}) columns.push_back({key + part});
}
// In shares of rows, like errors; null where there is nothing to compare with.
void add_difference(const std::optional<ErrorDifference>& difference, std::vector<Value>& cells) {
  cells.push_back(difference ? Value::absent() : Value::nothing());
  for (double part :
       difference ? std::vector{difference->difference, difference->low, difference->high} : std::vector<double>{}) {
    cells.push_back(Value::number(part));
  }
  if (!difference) cells.resize(cells.size() + 3, Value::absent());
}

Section for_machines(const Evaluation& evaluation, size_t index) {
  Section section{"", fmt::format("evaluations[{}]", index), {}, kMachines};
  section.blocks.push_back(
      Facts{"",
            {for_machines("input", Value::file(evaluation.input)), for_machines("test", Value::file(evaluation.test)),
             for_machines("target", Value::text(evaluation.target)),
             for_machines("quasi", Value::texts(evaluation.quasi)), for_machines("rows", Value::count(evaluation.rows)),
             for_machines("protocol", Value::text(to_string(evaluation.protocol))),
             for_machines("folds", Value::count(evaluation.folds)),
             for_machines("five_by_two", Value::yes_no(evaluation.five_by_two)),
             for_machines("seed", Value::count(evaluation.seed))}});
  FactTable baselines{"baselines", {{"learner"}}, {}};
  add_errors("raw", baselines.columns);
  add_errors("without_quasi", baselines.columns);
  for (const Evaluation::Baseline& entry : evaluation.baselines) {
    Row row{{Value::text(entry.learner)}};
    add_errors(entry.raw, row.cells);
    add_errors(entry.without_quasi, row.cells);
    baselines.rows.push_back(std::move(row));
  }
  const ErrorSummary& majority = evaluation.majority;
  section.blocks.push_back(Facts{
      "majority",
      {for_machines("error", Value::share(majority.error)), for_machines("low", Value::share(majority.interval.low)),
       for_machines("high", Value::share(majority.interval.high)),
       for_machines("folds", Value::shares(majority.folds))}});
  FactTable results{"results", {{"k"}, {"learner"}, {"method"}, {"reading"}}, {}};
  add_errors("anonymized", results.columns);
  for (const char* key : {"against_raw", "against_raw.f", "against_raw.p", "against_first", "against_first.f",
                          "against_first.p", "search_seconds", "rows_dropped"}) {
    results.columns.push_back({key});
  }
  for (const char* key : {"above_raw", "above_without_quasi", "above_majority", "above_first"}) {
    add_difference(key, results.columns);
  }
  results.columns.insert(results.columns.end(), {{"worse_than_without_quasi"}, {"worse_than_majority"}});
  for (const EvaluationCell& cell : evaluation.cells) {
    Row row{{Value::count(cell.k), Value::text(cell.learner), Value::text(cell.method),
             Value::text(to_string(cell.reading))}};
    add_errors(cell.anonymized, row.cells);
    add_test(cell.against_raw, row.cells);
    add_test(cell.against_first, row.cells);
    row.cells.push_back(Value::seconds(cell.search_seconds));
    row.cells.push_back(Value::count(cell.rows_dropped));
    add_difference(cell.above_raw, row.cells);
    add_difference(cell.above_without, row.cells);
    add_difference(cell.above_majority, row.cells);
    add_difference(cell.above_first, row.cells);
    row.cells.push_back(Value::yes_no(worse_than_without(cell)));
    row.cells.push_back(Value::yes_no(worse_than_majority(cell)));
    results.rows.push_back(std::move(row));
  }
  Remarks notices{"notices", "", {}, kMachines};
  for (const std::string& notice : evaluation.notices) notices.remarks.push_back(Value::text(notice).as_data());
  section.blocks.push_back(std::move(baselines));
  section.blocks.push_back(std::move(results));
  section.blocks.push_back(std::move(notices));
  return section;
}

Section for_machines(const Comparison& comparison) {
  FactTable lines{"lines",
                  {{"learner"},
                   {"mean_errors"},
                   {"above_raw"},
                   {"above_raw_low"},
                   {"above_raw_high"},
                   {"sets_worse_than_without_quasi"},
                   {"friedman"},
                   {"friedman.mean_ranks"},
                   {"friedman.chi_squared"},
                   {"friedman.f"},
                   {"friedman.p"},
                   {"friedman.bonferroni_dunn_distance"}},
                  {}};
  for (const Comparison::Line& line : comparison.lines) {
    std::vector<double> means, lows, highs;
    for (const MeanInterval& above : line.above_raw) {
      means.push_back(above.mean);
      lows.push_back(above.low);
      highs.push_back(above.high);
    }
    const std::vector<uint64_t> worse(line.worse_than_without.begin(), line.worse_than_without.end());
    Row row{{Value::text(line.learner.empty() ? "all" : line.learner), Value::shares(line.mean_errors),
             Value::numbers(means), Value::numbers(lows), Value::numbers(highs), Value::counts(worse)}};
    if (line.friedman) {
      const FriedmanTest& test = *line.friedman;
      row.cells.insert(row.cells.end(), {Value::absent(), Value::numbers(test.mean_ranks),
                                         Value::number(test.chi_squared), Value::number(std::min(test.f, kLargestF)),
                                         Value::number(test.p), Value::number(line.distance)});
    } else {
      row.cells.push_back(Value::nothing());
      row.cells.resize(lines.columns.size(), Value::absent());
    }
    lines.rows.push_back(std::move(row));
  }
  return {"",
          "comparison",
          {Facts{"",
                 {for_machines("methods", Value::texts(comparison.methods)),
                  for_machines("sets", Value::count(comparison.sets)),
                  for_machines("tables", Value::count(comparison.tables))}},
           std::move(lines)},
          kMachines};
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

Document evaluation_document(const std::vector<Evaluation>& evaluations, const std::optional<Comparison>& comparison,
                             bool fresh) {
  Document document;
  document.title = "What anonymization costs learners";
  if (fresh && !evaluations.empty()) document.sections.push_back(shown_to_people(evaluations.back()));
  if (comparison) document.sections.push_back(shown_to_people(*comparison));
  if (!comparison && !fresh) {
    document.sections.push_back(
        {"", "", {Paragraph{Value::text("Too few sets in common: two methods and two sets are needed.")}}, kPeople});
  }
  document.sections.push_back({"", "", {FactTable{"evaluations", {}, {}}}, kMachines});
  for (size_t i = 0; i < evaluations.size(); ++i) document.sections.push_back(for_machines(evaluations[i], i));
  if (comparison) document.sections.push_back(for_machines(*comparison));
  return document;
}

std::string evaluation_csv(const std::vector<Evaluation>& evaluations) {
  std::string text =
      "input,quasi,protocol,k,learner,method,reading,error,low,high,above_raw,above_raw_low,above_raw_high,p_against_"
      "raw,"
      "p_against_first,worse_than_without_quasi,worse_than_majority\n";
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
      text += line(0, entry.learner, "raw,", entry.raw) + ",,,,,,,\n";
      text += line(0, entry.learner, "without-quasi,", entry.without_quasi) + ",,,,,,,\n";
    }
    text += line(0, "", "majority,", evaluation.majority) + ",,,,,,,\n";
    for (const EvaluationCell& cell : evaluation.cells) {
      const std::string above = cell.above_raw ? fmt::format("{:.6f},{:.6f},{:.6f}", cell.above_raw->difference,
                                                             cell.above_raw->low, cell.above_raw->high)
                                               : ",,";
      text += fmt::format("{},{},{},{},{},{}\n",
                          line(cell.k, cell.learner, cell.method + "," + to_string(cell.reading), cell.anonymized),
                          above, p(cell.against_raw), p(cell.against_first), worse_than_without(cell) ? "yes" : "no",
                          worse_than_majority(cell) ? "yes" : "no");
    }
  }
  return text;
}

}  // namespace shoal
