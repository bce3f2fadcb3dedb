// shoal compare: methods side by side.
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
    "Runs methods side by side on a table, with one or several k: what each would lose, what risk would stay, how long "
    "it takes, how far from the best possible it is at most; with a target also what learners lose. Recommends one, "
    "says "
    "why, and writes its job. Nothing is released. Ctrl-C ends it with what is done so far.";
constexpr const char* kExamples =
    R"(  shoal compare examples/census/people.csv --identifier name --quasi age,sex,zip,education --k 2,5,10 \
        --hierarchies examples/census/hierarchies --methods shoal,mondrian,incognito --report compare.html
  shoal compare --job examples/census/job.yaml --sample 1000 --write-job best.yaml
  shoal anonymize --job best.yaml -o release.csv
)";

struct Settings {
  JobFlags flags;
  std::string input, ks, sample, json, report, write_job;
  std::vector<std::string> methods, learners;
  bool quiet = false;
};

CompareTableSettings compare_settings(const Settings& given) {
  CompareTableSettings settings;
  settings.compare.methods = names_in(given.methods);
  if (settings.compare.methods == std::vector<std::string>{"all"}) {
    settings.compare.methods.clear();
    for (const MethodEntry& entry : methods()) settings.compare.methods.push_back(entry.name);
  }
  if (!given.ks.empty()) {
    for (const std::string& k : split_list(given.ks)) {
      settings.compare.ks.push_back(parse_whole_number("--k", k));
    }
  }
  if (!given.sample.empty()) settings.compare.sample = parse_whole_number("--sample", given.sample);
  settings.learners = given.learners.empty() ? std::vector<std::string>{"c45"} : names_in(given.learners);
  if (settings.learners == std::vector<std::string>{"none"}) settings.learners.clear();
  return settings;
}

// The job of the run that is recommended, for `anonymize`.
void write_job(const FileJob& job, const ComparisonReport& report, Output& file) {
  if (!file.wanted() || report.comparison.interrupted) return;
  if (!report.recommendation) throw Error(ErrorKind::job, "no job was written: no method gave a release");
  FileJob chosen = job;
  static_cast<Job&>(chosen) = job_of(job, report.comparison.runs[report.recommendation->run]);
  if (!file.is_stream()) chosen = relative_to(std::move(chosen), fs::path(file.name()).parent_path().string());
  file.write(job_yaml(chosen));
}

}  // namespace

int compare_command(const Arguments& arguments) {
  Settings given;
  Command command("compare", kDescription, kExamples);
  command.argument("INPUT", given.input, "The table; if not given, the input of the job file. - is standard input.");
  given.flags.add_input(command);
  given.flags.add_roles(command);
  command.group("Comparison");
  command.values(
      "--methods", given.methods, "LIST",
      "Methods to compare, or all. If not given: shoal, top-down, mondrian, datafly, the job's own, and with a "
      "target mondrian-infogain and tdr.");
  command.value("-k,--k", given.ks, "LIST",
                "One or several k over all quasi columns, as in 2,5,10. If not given: what the job asks, else 2,5,10.");
  command.value("--sample", given.sample, "N",
                "Run on N rows drawn by the seed; the loss on all rows is told from it, with its error.");
  command.values("--learners", given.learners, "LIST",
                 "With a target: whose errors to measure (c45 if not given; nb, logistic, part, boosted; none).");
  command.group("Requirements");
  given.flags.add_further_requirements(command);
  given.flags.add_hierarchies(command);
  given.flags.add_method(command);
  command.group("Outputs");
  command.value("--json", given.json, "FILE", "Write all numbers as JSON; - prints them.");
  command.value("--report", given.report, "FILE",
                "Write one HTML page: risk against loss, loss by column, learners' errors.");
  command.value("--write-job", given.write_job, "FILE", "Write the job that is recommended; - prints it.");
  command.flag("--quiet", given.quiet, "Say nothing unless something is wrong.");
  if (!command.parse(arguments)) return kDone;

  std::vector<std::string> notices;
  FileJob job = given.flags.job(&notices);
  if (!given.input.empty()) job.files.input = given.input;
  if (job.files.input.empty()) {
    throw Error(ErrorKind::job, "no input; name a file, or - for standard input" + command.hint());
  }
  const CompareTableSettings settings = compare_settings(given);
  Outputs outputs;
  outputs.reads(job);
  outputs.reads("the job file", given.flags.job_file());
  Output &json_file = outputs.writes("the JSON report", given.json), &page = outputs.writes("the report", given.report),
         &job_file = outputs.writes("the job", given.write_job);
  outputs.prepare();
  ComparisonReport report =
      run_with_progress(given.quiet, [&](Progress& progress) { return compare_files(job, settings, progress); });
  report.notices.insert(report.notices.begin(), notices.begin(), notices.end());
  const Document document = comparison_document(report);
  json_file.write(json_text(document));
  if (page.wanted()) page.write(html_page(document));
  write_job(job, report, job_file);
  const std::string words = given.quiet ? "" : terminal_text(document);
  publish_and_tell(outputs, words);
  if (report.comparison.interrupted) return kInterrupted;
  return report.recommendation ? kDone : kUnsatisfied;
}

}  // namespace shoal::cli
