#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/job_flags.h"
#include "cli/terminal.h"
#include "shoal/error.h"
#include "shoal/shoal.h"

namespace shoal::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDescription =
    "Releases a table of persons so that nobody can be told apart by the quasi columns: recodes them until every "
    "requirement holds, drops identifiers, checks the written file, and only then puts it in its place. When anything "
    "goes wrong, nothing is released.";

constexpr const char* kExamples = R"(  shoal anonymize --job examples/census/job.yaml -o release.csv
  shoal anonymize examples/census/people.csv -o release.csv --identifier name --quasi age,sex,zip --k 5 \
        --hierarchy zip=build:mask --json report.json --report report.html
  shoal anonymize examples/census/people.csv -o release.csv --identifier name --quasi age,sex,zip,education \
        --hierarchies examples/census/hierarchies --require age,sex:10 --require zip,education:5 --method incognito
  shoal anonymize --job examples/census/job.yaml -o - --k 10 --write-job my_job.yaml > release.csv

Exit codes: 0 released and verified; 2 wrong usage or job; 3 bad input data; 4 no recoding satisfies the
requirements; 5 verification failed (nothing released); 130 interrupted.
)";

struct Settings {
  JobFlags flags;
  std::string input, output, write_job;
  bool quiet = false;
};

Job complete_job(const Settings& settings, const Command& command) {
  Job job = settings.flags.job();
  if (!settings.input.empty()) job.input = settings.input;
  if (!settings.output.empty()) job.output = settings.output;
  if (job.input.empty()) throw Error(ErrorKind::job, "no input; name a file, or - for standard input" + command.hint());
  if (job.output.empty()) {
    throw Error(ErrorKind::job, "no output; give -o FILE, or -o - for standard output" + command.hint());
  }
  check_job(job);
  check_folder("--output", job.output);
  check_folder("--json", job.json);
  check_folder("--report", job.report);
  check_folder("--recoding", job.recoding);
  check_folder("--write-job", settings.write_job);
  const auto printed = [&](const std::string& file) { return settings.write_job == "-" && file == "-"; };
  if (printed(job.output) || printed(job.json) || printed(job.report) || printed(job.recoding)) {
    throw Error(ErrorKind::job, "only one thing can go to standard output (-)");
  }
  std::error_code ignored;
  if (!settings.write_job.empty() && fs::equivalent(settings.write_job, settings.flags.job_file(), ignored)) {
    throw Error(ErrorKind::job, "--write-job would overwrite the job file that was read; name another file");
  }
  return job;
}

// The job as it was run, settings of the method filled in, so that running it again gives the same release.
void write_job(const Job& job, const Report& report, const std::string& path) {
  Job run = job;
  run.method = report.method;
  run.params = report.params;
  write_text(path, job_yaml(path == "-" ? run : relative_to(std::move(run), fs::path(path).parent_path().string())));
}

int exit_code(Status status) {
  switch (status) {
    case Status::released:
      return kDone;
    case Status::unsatisfied:
      return kUnsatisfied;
    case Status::verification_failed:
      return kVerificationFailed;
  }
  return kInternalError;
}

void tell(const Report& report, const Job& job, std::FILE* words, bool quiet) {
  const std::string text = to_text(report);
  if (report.status != Status::released) {
    fmt::print(stderr, "shoal: {}", quiet ? text.substr(0, text.find('\n') + 1) : text);
    return;
  }
  if (quiet) return;
  std::string files;
  for (const std::string& file : {job.output, job.json, job.report, job.recoding}) {
    if (!file.empty() && file != "-") files += (files.empty() ? "" : ", ") + file;
  }
  fmt::print(words, "{}", text);
  if (!files.empty()) fmt::print(words, "Wrote {}\n", files);
}

}  // namespace

int anonymize_command(const Arguments& arguments) {
  Settings settings;
  Command command("anonymize", kDescription, kExamples);
  command.argument("INPUT", settings.input,
                   "The table: .csv .tsv .json .jsonl .parquet, also .gz or .zst; - is standard input.");
  settings.flags.add_input(command);
  settings.flags.add_roles(command);
  settings.flags.add_requirements(command);
  settings.flags.add_hierarchies(command);
  settings.flags.add_method(command);
  command.group("Outputs");
  command.value("-o,--output", settings.output, "FILE", "Where the release goes; - is standard output.");
  settings.flags.add_outputs(command);
  command.value("--write-job", settings.write_job, "FILE",
                "Write the job that was run, complete, as a job file; - prints it.");
  command.flag("--quiet", settings.quiet, "Say nothing unless something is wrong.");
  if (!command.parse(arguments)) return kDone;

  const Job job = complete_job(settings, command);
  const Report report = run_with_progress(settings.quiet, [&](Progress& progress) { return anonymize(job, progress); });
  const bool data_on_standard_output =
      job.output == "-" || job.json == "-" || job.report == "-" || job.recoding == "-" || settings.write_job == "-";
  if (!settings.write_job.empty()) write_job(job, report, settings.write_job);
  tell(report, job, words_stream(data_on_standard_output), settings.quiet);
  return exit_code(report.status);
}

}  // namespace shoal::cli
