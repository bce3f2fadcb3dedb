#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/job_flags.h"
#include "cli/terminal.h"
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
requirements; 5 verification failed (nothing released); 6 a finding stands in the way (nothing released; docs/findings.md); 130
interrupted.
)";

struct Settings {
  JobFlags flags;
  std::string input, output, write_job;
  bool quiet = false;
};

FileJob complete_job(const Settings& settings, const Command& command, std::vector<std::string>& notices) {
  FileJob job = settings.flags.job(&notices);
  if (!settings.input.empty()) job.files.input = settings.input;
  if (!settings.output.empty()) job.files.output = settings.output;
  if (job.files.input.empty())
    throw Error(ErrorKind::job, "no input; name a file, or - for standard input" + command.hint());
  if (job.files.output.empty()) {
    throw Error(ErrorKind::job, "no output; give -o FILE, or -o - for standard output" + command.hint());
  }
  check_job(job);
  return job;
}

// The job as it was run, settings of the method filled in, so that running it again gives the same release.
void write_job(const FileJob& job, const Report& report, Output& file) {
  FileJob run = job;
  run.method = report.method;
  run.params = report.params;
  if (!file.is_stream()) run = relative_to(std::move(run), fs::path(file.name()).parent_path().string());
  file.write(job_yaml(run));
}

int exit_code(Status status) {
  switch (status) {
    case Status::released:
      return kDone;
    case Status::unsatisfied:
      return kUnsatisfied;
    case Status::verification_failed:
      return kVerificationFailed;
    case Status::finding:
      return kFindingInTheWay;
  }
  return kInternalError;
}

// What the user is told in the end.
std::string words_about(const Report& report, const FileJob& job, bool quiet) {
  const std::string text = terminal_text(release_document(report));
  if (report.status != Status::released) {
    return fmt::format("shoal: {}", quiet ? text.substr(0, text.find('\n') + 1) : text);
  }
  if (quiet) return "";
  std::string files;
  for (const std::string& file : {job.files.output, job.files.json, job.files.report, job.files.report_public,
                                  job.files.recoding, job.files.recoding_public}) {
    if (!file.empty() && file != "-") files += (files.empty() ? "" : ", ") + file;
  }
  return files.empty() ? text : fmt::format("{}Wrote {}\n", text, files);
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
  settings.flags.add_population(command);
  settings.flags.add_hierarchies(command);
  settings.flags.add_method(command);
  settings.flags.add_findings(command);
  command.group("Outputs");
  command.value("-o,--output", settings.output, "FILE", "Where the release goes; - is standard output.");
  settings.flags.add_outputs(command);
  command.value("--write-job", settings.write_job, "FILE",
                "Write the job that was run, complete, as a job file; - prints it.");
  command.flag("--quiet", settings.quiet, "Say nothing unless something is wrong.");
  if (!command.parse(arguments)) return kDone;

  std::vector<std::string> notices;
  const FileJob job = complete_job(settings, command, notices);
  if (settings.quiet) print_notices(notices);
  Outputs outputs;
  register_files(job, outputs);
  outputs.reads("the job file", settings.flags.job_file());
  Output& job_output = outputs.writes("the job", settings.write_job);
  std::string words;  // made before the outputs are published: nothing that can fail comes after that
  const Report report = run_with_progress(settings.quiet, [&](Progress& progress) {
    outputs.prepare();
    Report done = anonymize_files(job, outputs, progress, notices);
    write_job(job, done, job_output);
    words = words_about(done, job, settings.quiet);
    outputs.publish(progress);
    return done;
  });
  print_words(report.status == Status::released ? words_stream(outputs.uses_standard_output()) : stderr, words);
  return exit_code(report.status);
}

}  // namespace shoal::cli
