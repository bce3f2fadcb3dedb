#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/job_flags.h"
#include "cli/terminal.h"
#include "shoal/shoal.h"

namespace shoal::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDescription =
    "Looks at a table that nobody has said anything about: for every column its type, how many values it has and how "
    "far "
    "it tells rows apart, a role with the reason, and a hierarchy; which few columns single out most rows; findings; "
    "and "
    "what k to ask for. With --write-job it writes a job with comments, and hierarchy files beside it, that `shoal "
    "anonymize` runs as they are. Roles are suggestions: only you know who could know what.";
constexpr const char* kExamples = R"(  shoal inspect examples/census/people.csv
  shoal inspect examples/census/people.csv --write-job people.yaml --k 11
  shoal anonymize examples/census/people.csv -o release.csv --job people.yaml
  shoal inspect examples/census/people.csv --json - --quiet

Exit codes: 0 done; 2 wrong usage, or the job cannot be written; 3 bad input data; 130 interrupted.
)";

struct Places {
  std::string input, write_job, json, report;
};

void refuse_existing(const std::string& path) {
  std::error_code ignored;
  if (path.empty() || path == "-" || !fs::exists(path, ignored)) return;
  throw Error(ErrorKind::job,
              fmt::format("'{}' exists, and nothing is written over a job or a hierarchy that somebody may "
                          "have edited; give another name, or remove it",
                          path));
}

// The job and its hierarchies, together or not at all; then the words about them.
void write_files(const Places& places, FileInspection& found, const Document& document, const std::string& words) {
  Outputs outputs;
  outputs.reads("the table", places.input);
  const bool beside = !places.write_job.empty() && places.write_job != "-";
  if (!places.write_job.empty() && !found.inspection.job) {
    throw Error(ErrorKind::job,
                "no job can be written, since no column could be quasi; say which columns an attacker may "
                "know",
                Advice{Setting::quasi});
  }
  std::vector<HierarchyText> hierarchies;
  if (beside) hierarchies = hierarchies_beside(places.write_job, found.inspection, found.job);
  Output& job = outputs.writes("the job", places.write_job);
  std::vector<Output*> files;
  for (const HierarchyText& hierarchy : hierarchies) {
    refuse_existing(hierarchy.path);
    files.push_back(&outputs.writes(fmt::format("the hierarchy '{}'", hierarchy.path), hierarchy.path));
  }
  Output& json = outputs.writes("the JSON report", places.json);
  Output& report = outputs.writes("the report", places.report);
  outputs.prepare();
  FileJob saved = found.job;
  if (saved.files.input == "-") saved.files.input.clear();
  if (beside) saved = relative_to(std::move(saved), fs::path(places.write_job).parent_path().string());
  job.write(inspected_job_yaml(saved, found.inspection));
  for (size_t i = 0; i < files.size(); ++i) files[i]->write(hierarchies[i].text);
  json.write(json_text(document));
  report.write(html_page(document));
  publish_and_tell(outputs, words);
}

std::string what_next(const Places& places, size_t hierarchies) {
  if (places.write_job.empty() || places.write_job == "-") return "";
  const std::string beside =
      hierarchies == 0 ? "" : fmt::format(" and {} beside it", counted(hierarchies, "hierarchy file"));
  return fmt::format("Wrote {}{}. Read it, then: shoal anonymize {} -o RELEASE.csv --job {}\n", places.write_job,
                     beside, places.input, places.write_job);
}

}  // namespace

int inspect_command(const Arguments& arguments) {
  JobFlags flags;
  Places places;
  std::string k;
  bool examples = false, quiet = false;
  Command command("inspect", kDescription, kExamples);
  command.argument("INPUT", places.input, "The table; - is standard input.");
  flags.add_reading(command);
  command.group("Outputs");
  command.value("--write-job", places.write_job, "FILE",
                "Write a job with comments, and hierarchy files beside it; never over files that exist. - prints it.");
  command.value("-k,--k", k, "N", "The k of that job (5 if not given).");
  command.value("--json", places.json, "FILE", "Write what was found as JSON; - prints it.");
  command.value("--report", places.report, "FILE", "Write it as one HTML page.");
  command.flag("--show-examples", examples, "Also show some cells of every column, names and free text included.");
  command.flag("--quiet", quiet, "Say nothing on the terminal.");
  if (!command.parse(arguments)) return kDone;

  FileJob asked = flags.job();
  check_files(asked.files);
  asked.files.input = places.input;
  if (places.input.empty())
    throw Error(ErrorKind::job, "no input; name a file, or - for standard input" + command.hint());
  if (!k.empty()) asked.k = parse_whole_number("--k", k);
  if (asked.k && *asked.k < 1) throw Error(ErrorKind::job, "--k: it must be at least 1");
  refuse_existing(places.write_job);
  FileInspection found = run_with_progress(quiet, [&](Progress& progress) { return inspect_file(asked, progress); });
  Document document = inspect_document(places.input, found.inspection, examples);
  add_notices(document, {.notices = found.notices});
  const auto hierarchies =
      static_cast<size_t>(std::count_if(found.inspection.columns.begin(), found.inspection.columns.end(),
                                        [](const ColumnInspection& column) { return !column.values.empty(); }));
  write_files(places, found, document, quiet ? "" : terminal_text(document) + what_next(places, hierarchies));
  return kDone;
}

}  // namespace shoal::cli
