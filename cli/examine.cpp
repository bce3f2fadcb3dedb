// The commands that look at tables and change nothing: verify, measure, risk.
#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/job_flags.h"
#include "cli/terminal.h"
#include "shoal/error.h"
#include "shoal/job_text.h"
#include "shoal/report/format.h"
#include "shoal/shoal.h"
#include "shoal/verify/verify_model.h"

namespace shoal::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVerifyDescription =
    "Checks a release from the written file alone, with code of its own: no identifier column, every requirement "
    "holds, and, when the original is at hand, every released row and cell covers an original one. The original is "
    "--original, or the input that the job file names if that file is there. A decision tree (method kadet, its JSON "
    "file) can only be checked against the original, where its rows are counted again.";
constexpr const char* kVerifyExamples = R"(  shoal anonymize --job examples/census/job.yaml -o release.csv
  shoal verify release.csv --job examples/census/job.yaml
  shoal verify release.csv --identifier name --quasi age,sex,zip --k 5 --json -
  shoal verify tree.json --original people.csv --quasi age,sex,zip --target income --k 5

Exit codes: 0 every check passed; 2 wrong usage or job; 3 bad input data; 5 a check failed; 130 interrupted.
)";

constexpr const char* kMeasureDescription =
    "Computes every measure of usefulness lost, and the risks left, of a release made by any tool, against the "
    "original. "
    "Hierarchies should be those that the release was made with.";
constexpr const char* kMeasureExamples = R"(  shoal anonymize --job examples/census/job.yaml -o release.csv
  shoal measure release.csv --original examples/census/people.csv --job examples/census/job.yaml
  shoal measure release.csv --original examples/census/people.csv --job examples/census/job.yaml --json -
  shoal measure release.csv --job examples/census/job.yaml --queries 1000 --query-sum age
)";

constexpr const char* kRiskDescription =
    "Tells how easily persons can be told apart in a table as it stands, before anything is done: groups of rows that "
    "look "
    "alike on the quasi columns, unique rows, and the risk of re-identification; then the same for each requirement.";
constexpr const char* kRiskExamples = R"(  shoal risk examples/census/people.csv --quasi age,sex,zip
  shoal risk examples/census/people.csv --quasi age,sex,zip,education --k 5 --require age,sex:10
  shoal risk --job examples/census/job.yaml --json -
)";

// What the three commands share besides the job.
struct Output {
  std::string json;
  bool quiet = false;

  void add(Command& command) {
    command.group("Outputs");
    command.value("--json", json, "FILE", "Write the numbers as JSON; - prints them.");
    command.flag("--quiet", quiet, "Say nothing: the exit code (and --json) tells.");
  }
  void print(const std::string& text, const Json& numbers) const {
    if (!json.empty()) write_text(json, json_text(numbers));
    if (!quiet) fmt::print(words_stream(json == "-"), "{}", text);
  }
};

// The original is only there to make the check stronger, so that a job file that names a table elsewhere is no mistake.
std::optional<std::string> original_of(const std::string& flag, const Job& job) {
  if (!flag.empty()) return flag;
  std::error_code ignored;
  if (job.input.empty() || job.input == "-" || !std::filesystem::is_regular_file(job.input, ignored))
    return std::nullopt;
  return job.input;
}

// The random queries that `measure` asks, if any.
struct WorkloadFlags {
  std::string queries, sum, seed;
  std::vector<std::string> columns;

  void add(Command& command) {
    command.group("Queries");
    command.value("--queries", queries, "N",
                  "Also measure how wrong answers from the release are: N random COUNT queries (and SUM queries, with "
                  "--query-sum).");
    command.values("--query-columns", columns, "COLUMNS", "Quasi columns with conditions; if not given, all.");
    command.value("--query-sum", sum, "COLUMN",
                  "A numeric quasi column to add up; SUM queries have no condition on it.");
    command.value("--query-seed", seed, "N", "Same seed, same queries (1 if not given).");
  }
  std::optional<QueryWorkload> workload() const {
    if (queries.empty()) {
      for (const auto& [flag, given] :
           {std::pair{"--query-columns", !columns.empty()}, std::pair{"--query-sum", !sum.empty()},
            std::pair{"--query-seed", !seed.empty()}}) {
        if (given)
          throw Error(ErrorKind::job, fmt::format("{} says nothing without --queries; add --queries 1000", flag));
      }
      return std::nullopt;
    }
    QueryWorkload result;
    result.queries = parse_whole_number("--queries", queries);
    for (const std::string& list : columns) {
      for (std::string& name : split_list(list)) result.columns.push_back(std::move(name));
    }
    result.sum = sum;
    if (!seed.empty()) result.seed = parse_whole_number("--query-seed", seed);
    return result;
  }
};

std::string columns_of(const std::vector<std::string>& names) { return short_list(names, 60); }

}  // namespace

int verify_command(const Arguments& arguments) {
  JobFlags flags;
  Output output;
  std::string release, original_flag;
  Command command("verify", kVerifyDescription, kVerifyExamples);
  command.argument("RELEASE", release, "The released table or tree; if not given, the output of the job file.");
  flags.add_input(command);
  command.value("--original", original_flag, "FILE",
                "The table that was released, for the checks of rows and cells; a tree needs it.");
  flags.add_roles(command);
  flags.add_requirements(command);
  flags.add_hierarchies(command);
  flags.add_releasing_method(command);
  output.add(command);
  if (!command.parse(arguments)) return kDone;

  Job job = flags.job();
  if (release.empty()) release = job.output;
  if (release.empty() || release == "-")
    throw Error(ErrorKind::job, "no release; name the file to check" + command.hint());
  check_columns(job);
  check_requirements(job);
  check_method_name(job);
  check_folder("--json", output.json);
  const std::optional<std::string> original = original_of(original_flag, job);
  job.input = original.value_or("");
  const Verification verification = run_with_progress(
      output.quiet, [&](Progress& progress) { return verify_file(job, release, original, progress); });

  Json json{{"release", release}, {"original", original ? Json(*original) : Json()}};
  json.update(to_json(verification));
  json["smallest_groups"] = verification.smallest_groups;
  std::string text = original ? fmt::format("{} against {}\n", release, *original)
                              : fmt::format("{} alone (rows and cells need --original)\n", release);
  text += to_text(verification);
  if (verification.ok) text += "The release keeps its promise.\n";
  output.print(text, json);
  if (verification.ok) return kDone;
  const auto failed = std::count_if(verification.checks.begin(), verification.checks.end(),
                                    [](const VerificationCheck& check) { return !check.ok; });
  fmt::print(stderr, "shoal: '{}' does NOT keep its promise: {} of {} checks failed\n", release, failed,
             verification.checks.size());
  return kVerificationFailed;
}

int measure_command(const Arguments& arguments) {
  JobFlags flags;
  WorkloadFlags queries;
  Output output;
  std::string release, original;
  Command command("measure", kMeasureDescription, kMeasureExamples);
  command.argument("RELEASE", release, "The released table; if not given, the output of the job file.");
  flags.add_input(command);
  command.value("--original", original, "FILE",
                "The table that was released; if not given, the input of the job file.");
  flags.add_roles(command);
  flags.add_requirements(command);
  flags.add_hierarchies(command);
  flags.add_releasing_method(command);
  queries.add(command);
  output.add(command);
  if (!command.parse(arguments)) return kDone;

  Job job = flags.job();
  const std::optional<QueryWorkload> workload = queries.workload();
  if (release.empty()) release = job.output;
  if (!original.empty()) job.input = original;
  if (release.empty() || release == "-")
    throw Error(ErrorKind::job, "no release; name the file to measure" + command.hint());
  if (job.input.empty()) throw Error(ErrorKind::job, "no original; give --original FILE" + command.hint());
  check_columns(job);
  if (job.k || !job.requirements.empty()) check_requirements(job);
  check_method_name(job);
  check_folder("--json", output.json);
  const MeasureReport report = run_with_progress(
      output.quiet, [&](Progress& progress) { return measure_release(job, release, progress, workload); });

  Json json{{"release", release},
            {"original", job.input},
            {"rows_in", report.rows_in},
            {"rows_out", report.rows_out},
            {"measures", to_json(report.measures)},
            {"risk", to_json(report.risk)}};
  std::string text = fmt::format("{} against {}: {} of {} rows\n\nUsefulness\n{}\nRisk left\n{}", release, job.input,
                                 with_commas(report.rows_out), with_commas(report.rows_in), to_text(report.measures),
                                 to_text(report.risk));
  if (report.query_errors) {
    json["query_error"] = to_json(*report.query_errors);
    text += "\nQueries\n" + to_text(*report.query_errors);
  }
  output.print(text, json);
  return kDone;
}

int risk_command(const Arguments& arguments) {
  JobFlags flags;
  Output output;
  std::string input, threshold = "0.2";
  Command command("risk", kRiskDescription, kRiskExamples);
  command.argument("INPUT", input, "The table; if not given, the input of the job file. - is standard input.");
  flags.add_input(command);
  flags.add_roles(command);
  flags.add_requirements(command);
  output.add(command);
  command.value("--threshold", threshold, "RISK", "Count the rows whose risk is above this (0.2 if not given).");
  if (!command.parse(arguments)) return kDone;

  Job job = flags.job();
  if (!input.empty()) job.input = input;
  if (job.input.empty()) throw Error(ErrorKind::job, "no input; name a file, or - for standard input" + command.hint());
  const double limit = parse_number("--threshold", threshold);
  if (limit < 0 || limit > 1)
    throw Error(ErrorKind::job, fmt::format("--threshold: {} is not between 0 and 1", threshold));
  check_columns(job);
  if (job.k || !job.requirements.empty()) check_requirements(job);
  check_method_name(job);
  check_folder("--json", output.json);
  const RiskReport report =
      run_with_progress(output.quiet, [&](Progress& progress) { return risk_report(job, limit, progress); });

  Json requirements = Json::array();
  std::vector<std::string> quasi;
  for (const ColumnJob& column : job.columns) {
    if (column.role == Role::quasi) quasi.push_back(column.name);
  }
  std::string text = fmt::format("{}: {} rows, quasi columns {}\n{}", job.input, with_commas(report.rows),
                                 columns_of(quasi), to_text(report.all_quasi));
  for (const RiskReport::PerRequirement& part : report.requirements) {
    requirements.push_back(
        {{"columns", part.columns}, {"k", part.k}, {"rows_below_k", part.rows_below_k}, {"risk", to_json(part.risk)}});
    text += fmt::format("\nRequirement ({}), k = {}: {} rows in groups below k\n{}", columns_of(part.columns), part.k,
                        with_commas(part.rows_below_k), to_text(part.risk));
  }
  output.print(text, Json{{"input", job.input},
                          {"rows", report.rows},
                          {"risk", to_json(report.all_quasi)},
                          {"requirements", requirements}});
  return kDone;
}

}  // namespace shoal::cli
