// shoal attack: what somebody gets out of a release.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/job_flags.h"
#include "cli/terminal.h"
#include "shoal/shoal.h"

namespace shoal::cli {
namespace {

constexpr const char* kDescription =
    "Plays the attacker on a release made by any tool and prints what each attack gets, scored against the original: "
    "linkage, homogeneity and skew, membership, downcoding, minimality, intersection with earlier releases, singling "
    "out, reconstruction. The numbers are for whoever holds the original; docs/attacks.md says how they are computed.";
constexpr const char* kExamples = R"(  shoal anonymize --job examples/census/job.yaml -o release.csv
  shoal attack release.csv --original examples/census/people.csv --job examples/census/job.yaml
  shoal anonymize --job examples/census/job.yaml -o last_year.csv --seed 2
  shoal attack release.csv --job examples/census/job.yaml --earlier last_year.csv --json -
)";

}  // namespace

int attack_command(const Arguments& arguments) {
  JobFlags flags;
  AttackFiles files;
  std::string original, sample = "50000", seed, json, report;
  bool quiet = false;
  Command command("attack", kDescription, kExamples);
  command.argument("RELEASE", files.release, "The released table; if not given, the output of the job file.");
  flags.add_input(command);
  command.value("--original", original, "FILE",
                "The table that was released; if not given, the input of the job file.");
  command.values("--earlier", files.earlier, "FILE",
                 "Another release of the same table, to see what both say together. Can be given again.");
  command.value("--outsiders", files.outsiders, "FILE",
                "People known not to be in the table, with its columns: membership is measured on them.");
  flags.add_roles(command);
  flags.add_requirements(command);
  flags.add_hierarchies(command);
  flags.add_escape(command);
  command.group("Attacks");
  command.value(
      "--sample", sample, "N",
      "Most rows that are looked at one by one (50000 if not given); numbers from a part of the rows come with "
      "their error.");
  command.value("--seed", seed, "N", "Same seed, same numbers (1 if not given).");
  command.group("Outputs");
  command.value("--json", json, "FILE", "Write the numbers as JSON; - prints them.");
  command.value("--report", report, "FILE", "Write them as one HTML page.");
  command.flag("--quiet", quiet, "Say nothing: --json and --report tell.");
  if (!command.parse(arguments)) return kDone;

  std::vector<std::string> notices;
  FileJob job = flags.job(&notices);
  if (files.release.empty()) files.release = job.files.output;
  if (!original.empty()) job.files.input = original;
  if (files.release.empty() || files.release == "-")
    throw Error(ErrorKind::job, "no release; name the file to attack" + command.hint());
  if (job.files.input.empty()) throw Error(ErrorKind::job, "no original; give --original FILE" + command.hint());
  if (!seed.empty()) job.seed = parse_whole_number("--seed", seed);
  const uint64_t most = parse_whole_number("--sample", sample);
  if (most == 0) throw Error(ErrorKind::job, "--sample: 0 rows tell nothing; give at least 1");
  check_columns(job);
  if (job.k || !job.requirements.empty()) check_requirements(job);
  check_method_name(job);
  Outputs outputs;
  outputs.reads(job);
  outputs.reads("the job file", flags.job_file());
  outputs.reads("the release", files.release);
  for (const std::string& path : files.earlier) outputs.reads("an earlier release", path);
  outputs.reads("the outsiders", files.outsiders);
  Output &json_file = outputs.writes("the JSON report", json), &page = outputs.writes("the HTML report", report);
  outputs.prepare();
  Notices found{.notices = notices};
  const AttackReport attacks =
      run_with_progress(quiet, [&](Progress& progress) { return attack_files(job, files, most, progress, &found); });

  Document document = attack_document(files.release, job.files.input, attacks);
  add_notices(document, found);
  json_file.write(json_text(document));
  page.write(html_page(document));
  const std::string words = quiet ? "" : terminal_text(document);
  if (quiet) print_notices(notices);
  publish_and_tell(outputs, words);
  return kDone;
}

}  // namespace shoal::cli
