// The commands that look at tables and change nothing: verify, measure, risk.
#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/job_flags.h"
#include "cli/terminal.h"
#include "shoal/shoal.h"

namespace shoal::cli {
namespace {

constexpr const char* kVerifyDescription =
    "Checks a release from the written file alone, with code of its own: no identifier column, every requirement "
    "holds, and, when the original is at hand, every released row and cell covers an original one. The original is "
    "--original, or the input that the job file names if that file is there. A decision tree (method kadet, its JSON "
    "file) can only be checked against the original, where its rows are counted again.";
constexpr const char* kVerifyExamples = R"(  shoal anonymize --job examples/census/job.yaml -o release.csv
  shoal verify release.csv --job examples/census/job.yaml
  shoal verify release.csv --job examples/census/job.yaml --original examples/census/people.csv --json -
  shoal anonymize examples/census/people.csv -o tree.json --quasi age,sex,zip --target income --k 5 --method kadet
  shoal verify tree.json --original examples/census/people.csv --quasi age,sex,zip --target income --k 5
  shoal verify --job examples/census/job.yaml --print-sql

Exit codes: 0 every check passed (without an original: those of columns and requirements); 2 wrong usage or job; 3 bad
input data; 5 a check failed, or could not be made; 6 a finding stands in the way (docs/findings.md); 130 interrupted.
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
  shoal risk examples/census/people.csv --quasi age,sex,zip --sensitive income --population-size 10000
  shoal risk --job examples/census/job.yaml --json -
)";

// What the three commands share besides the job.
struct Answer {
  std::string json;
  bool quiet = false;
  Outputs outputs;
  std::vector<std::string> notices;  // what the flags ask less than the job file, and other warnings
  Notices found;                     // about the files, by looking

  void add(Command& command) {
    command.group("Outputs");
    command.value("--json", json, "FILE", "Write the numbers as JSON; - prints them.");
    command.flag("--quiet", quiet, "Say nothing: the exit code (and --json) tells.");
  }
  // Before the work: may the JSON file be written?
  void prepare(const FileJob& job, const JobFlags& flags) {
    outputs.reads(job);
    outputs.reads("the job file", flags.job_file());
    outputs.writes("the JSON report", json);
    outputs.prepare();
  }
  void print(Document document) {
    Remarks remarks{.path = "notices", .readers = kMachines};
    for (const std::string& notice : notices) remarks.remarks.push_back(Value::text(notice));
    document.sections.push_back({.blocks = {remarks}, .readers = kMachines});
    add_notices(document, found);
    outputs.at("the JSON report").write(json_text(document));
    const std::string words = quiet ? "" : terminal_text(document);
    print_notices(notices);
    publish_and_tell(outputs, words);
  }
};

// The original is only there to make the check stronger, so that a job file that names a table elsewhere is no mistake.
std::optional<std::string> original_of(const std::string& flag, const FileJob& job) {
  if (!flag.empty()) return flag;
  std::error_code ignored;
  if (job.files.input.empty() || job.files.input == "-" || !std::filesystem::is_regular_file(job.files.input, ignored))
    return std::nullopt;
  return job.files.input;
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

}  // namespace

int verify_command(const Arguments& arguments) {
  JobFlags flags;
  Answer output;
  std::string release, original_flag;
  bool print_sql = false;
  Command command("verify", kVerifyDescription, kVerifyExamples);
  command.argument("RELEASE", release, "The released table or tree; if not given, the output of the job file.");
  flags.add_input(command);
  command.value("--original", original_flag, "FILE",
                "The table that was released, for the checks of rows and cells; a tree needs it.");
  flags.add_roles(command);
  flags.add_requirements(command);
  flags.add_population(command);
  flags.add_hierarchies(command);
  flags.add_releasing_method(command);
  flags.add_row_limit(command);
  flags.add_order(command);
  flags.add_escape(command);
  flags.add_findings(command);
  output.add(command);
  command.flag("--print-sql", print_sql,
               "Print the promise as SQL that any engine runs on a table named release, and check nothing.");
  if (!command.parse(arguments)) return kDone;

  FileJob job = flags.job(&output.notices);
  check_columns(job);
  check_requirements(job);
  if (print_sql) {
    const std::optional<std::string> original = original_of(original_flag, job);
    print_words(stdout, run_with_progress(true, [&](Progress& progress) {
                  return promise_sql_of(job, "release", original, progress, &output.found);
                }));
    print_notices(output.notices);
    print_notices(output.found.notices);
    return kDone;
  }
  if (release.empty()) release = job.files.output;
  if (release.empty() || release == "-")
    throw Error(ErrorKind::job, "no release; name the file to check" + command.hint());
  check_method_name(job);
  const std::optional<std::string> original = original_of(original_flag, job);
  job.files.input = original.value_or("");
  output.outputs.reads("the release", release);
  output.prepare(job, flags);
  const Verification verification = run_with_progress(
      output.quiet, [&](Progress& progress) { return verify_file(job, release, original, progress, &output.found); });
  const bool failed_at_all = std::any_of(verification.checks.begin(), verification.checks.end(),
                                         [](const auto& check) { return check.result == CheckResult::failed; });
  std::optional<std::vector<Finding>> findings;
  if (!failed_at_all && !is_released_model(job, release)) {
    try {
      findings = run_with_progress(output.quiet, [&](Progress& progress) {
        return release_findings(job, release, original, progress, &output.found);
      });
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      output.notices.push_back(fmt::format("findings could not be looked for: {}", error.what()));
    }
  }

  output.print(verification_document(release, original, verification, findings));
  if (!original && !output.quiet) {
    print_words(words_stream(output.outputs.uses_standard_output()),
                "Rows and cells are checked with --original FILE.\n");
  }
  if (verification.ok()) {
    if (!findings || !any_stands_in_the_way(*findings)) return kDone;
    print_words(stderr, fmt::format("shoal: '{}' keeps its promise, but a finding stands in the way: {}\n", release,
                                    what_stands_in_the_way(*findings)));
    return kFindingInTheWay;
  }
  const auto failed = std::count_if(verification.checks.begin(), verification.checks.end(),
                                    [](const VerificationCheck& check) { return check.result == CheckResult::failed; });
  if (failed > 0) {
    print_words(stderr, fmt::format("shoal: '{}' does NOT keep its promise: {} of {} checks failed\n", release, failed,
                                    verification.checks.size()));
  } else {
    print_words(stderr, fmt::format("shoal: whether '{}' keeps its promise could not be checked in full\n", release));
  }
  return kVerificationFailed;
}

int measure_command(const Arguments& arguments) {
  JobFlags flags;
  WorkloadFlags queries;
  Answer output;
  std::string release, original;
  Command command("measure", kMeasureDescription, kMeasureExamples);
  command.argument("RELEASE", release, "The released table; if not given, the output of the job file.");
  flags.add_input(command);
  command.value("--original", original, "FILE",
                "The table that was released; if not given, the input of the job file.");
  flags.add_roles(command);
  flags.add_requirements(command);
  flags.add_population(command);
  flags.add_hierarchies(command);
  flags.add_releasing_method(command);
  flags.add_escape(command);
  queries.add(command);
  output.add(command);
  if (!command.parse(arguments)) return kDone;

  FileJob job = flags.job(&output.notices);
  const std::optional<QueryWorkload> workload = queries.workload();
  if (release.empty()) release = job.files.output;
  if (!original.empty()) job.files.input = original;
  if (release.empty() || release == "-")
    throw Error(ErrorKind::job, "no release; name the file to measure" + command.hint());
  if (job.files.input.empty()) throw Error(ErrorKind::job, "no original; give --original FILE" + command.hint());
  check_columns(job);
  if (job.k || !job.requirements.empty()) check_requirements(job);
  check_method_name(job);
  output.outputs.reads("the release", release);
  output.prepare(job, flags);
  const MeasureReport report = run_with_progress(output.quiet, [&](Progress& progress) {
    return measure_release(job, release, progress, workload, &output.found);
  });

  output.print(measure_document(release, job.files.input, report));
  return kDone;
}

int risk_command(const Arguments& arguments) {
  JobFlags flags;
  Answer output;
  std::string input, threshold = "0.2", population_size;
  RiskSettings settings;
  Command command("risk", kRiskDescription, kRiskExamples);
  command.argument("INPUT", input, "The table; if not given, the input of the job file. - is standard input.");
  flags.add_input(command);
  flags.add_roles(command);
  flags.add_requirements(command);
  flags.add_trees(command);
  command.group("Population");
  flags.add_population(command);
  command.value("--population-size", population_size, "N",
                "The table is a sample of N people: also print the risks in the population.");
  command.value("--weight-column", settings.weight_column, "COLUMN",
                "The same, where a column says for how many people each row stands (sampling weights).");
  command.flag("--suda", settings.suda,
               "Also print SUDA2 scores: rows that are unique by few of their values (slow for many columns).");
  output.add(command);
  command.value("--threshold", threshold, "RISK", "Count the rows whose risk is above this (0.2 if not given).");
  if (!command.parse(arguments)) return kDone;

  FileJob job = flags.job(&output.notices);
  if (!input.empty()) job.files.input = input;
  if (job.files.input.empty())
    throw Error(ErrorKind::job, "no input; name a file, or - for standard input" + command.hint());
  const double limit = parse_number("--threshold", threshold);
  if (limit < 0 || limit > 1)
    throw Error(ErrorKind::job, fmt::format("--threshold: {} is not between 0 and 1", threshold));
  settings.threshold = limit;
  if (!population_size.empty()) settings.population_size = parse_whole_number("--population-size", population_size);
  check_columns(job);
  if (job.k || !job.requirements.empty()) check_requirements(job);
  check_method_name(job);
  output.prepare(job, flags);
  const RiskReport report = run_with_progress(
      output.quiet, [&](Progress& progress) { return risk_report(job, settings, progress, &output.found); });

  std::vector<std::string> quasi;
  for (const ColumnJob& column : job.columns) {
    if (column.role == Role::quasi) quasi.push_back(column.name);
  }
  output.print(risk_document(job.files.input, quasi, report));
  return kDone;
}

}  // namespace shoal::cli
