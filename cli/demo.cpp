#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "shoal/shoal.h"

namespace shoal::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDescription =
    "Anonymizes the bundled sample, a small made-up census, and shows what became of a few persons. Leaves the release "
    "and the reports in a folder to look at.";
constexpr const char* kExamples = R"(  shoal demo
  shoal demo --folder /tmp/demo
)";

constexpr size_t kPersons = 3;
constexpr size_t kCellWidth = 26;

// The sample lies where it was installed, seen from the program; or beside the build folder of the program; or, for a
// build folder elsewhere, in the current folder.
fs::path sample_folder() {
  std::error_code ignored;
  std::vector<fs::path> places;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!program.empty()) {
    const fs::path above = program.parent_path().parent_path();
    places = {above / "share/shoal/examples/census", above / "examples/census"};
  }
  places.emplace_back("examples/census");
  for (const fs::path& place : places) {
    if (fs::is_regular_file(place / "job.yaml", ignored)) return place;
  }
  std::string list;
  for (const fs::path& place : places) list += (list.empty() ? "" : ", ") + place.string();
  throw Error(ErrorKind::job, fmt::format("the sample (examples/census/job.yaml) is not there; looked in {}", list));
}

// The first lines of a CSV file as rows of cells; enough for showing a few. Quoted cells stay on one line in the
// sample.
std::vector<std::vector<std::string>> first_rows(const std::string& path, size_t count) {
  std::ifstream stream(path);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; rows.size() < count && std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
        cells.back() += line[i++];
      } else if (line[i] == '"') {
        quoted = !quoted;
      } else if (line[i] == ',' && !quoted) {
        cells.emplace_back();
      } else {
        cells.back() += line[i];
      }
    }
    rows.push_back(std::move(cells));
  }
  return rows;
}

std::optional<size_t> position_of(const std::vector<std::string>& header, const std::string& name) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) return std::nullopt;
  return static_cast<size_t>(found - header.begin());
}

// A release is in an order of its own, so that nobody can tell whose row is whose. For us to tell, the same recoding is
// written once more in the order of the input, to a private file.
std::vector<std::vector<std::string>> first_released_rows(FileJob job, size_t count) {
  const TemporaryFile in_order(".csv");
  const std::string& output = in_order.path();
  job.order = Order::input;
  job.accept.emplace_back("order");
  Files places;
  places.input = job.files.input;
  places.hierarchies = job.files.hierarchies;
  places.output = output;
  job.files = places;
  const Report report = run_with_progress(true, [&](Progress& progress) { return anonymize_files(job, progress); });
  if (report.status != Status::released || report.rows_dropped > 0) return {};
  return first_rows(output, count);
}

// A line for each column, a few persons side by side, each cell as "before -> after".
std::string persons_text(const FileJob& job) {
  const auto before = first_rows(job.files.input, kPersons + 1), after = first_released_rows(job, kPersons + 1);
  if (before.size() < 2 || after.size() != before.size()) return "";
  std::string text = left("", 15);
  for (size_t row = 1; row < before.size(); ++row) text += left(fmt::format("person {}", row), kCellWidth + 2);
  text.erase(text.find_last_not_of(' ') + 1);
  text += "\n";
  for (size_t i = 0; i < before[0].size(); ++i) {
    std::string line = left(shortened(before[0][i], 13), 15);
    const auto place = position_of(after[0], before[0][i]);
    for (size_t row = 1; row < before.size(); ++row) {
      const std::string old_cell = i < before[row].size() ? before[row][i] : "";
      const std::string new_cell = place && *place < after[row].size() ? after[row][*place] : "(gone)";
      const std::string change = old_cell == new_cell ? old_cell : fmt::format("{} -> {}", old_cell, new_cell);
      line += left(shortened(printable(change), kCellWidth), kCellWidth + 2);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

int demo_command(const Arguments& arguments) {
  std::string folder = "demo";
  bool quiet = false;
  Command command("demo", kDescription, kExamples);
  command.value("--folder", folder, "FOLDER", "Where the files go; made if it is not there (demo if not given).");
  command.flag("--quiet", quiet, "Show no progress.");
  if (!command.parse(arguments)) return kDone;

  FileJob job = read_job((sample_folder() / "job.yaml").string());
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) {
    throw Error(ErrorKind::job, fmt::format("cannot make the folder '{}': {}", folder, error.message()));
  }
  job.files.output = (fs::path(folder) / "people_release.csv").string();
  job.files.json = (fs::path(folder) / "report.json").string();
  job.files.report = (fs::path(folder) / "report.html").string();
  job.files.recoding = (fs::path(folder) / "recoding.json").string();
  check_job(job);
  const Report report = run_with_progress(quiet, [&](Progress& progress) { return anonymize_files(job, progress); });
  if (report.status != Status::released) {
    print_words(stderr, fmt::format("shoal: {}", terminal_text(release_document(report))));
    return report.status == Status::unsatisfied ? kUnsatisfied : kVerificationFailed;
  }
  print_words(stdout, fmt::format("Before -> after, the first rows of {}\n\n{}\n{}\n", job.files.input,
                                  persons_text(job), terminal_text(release_document(report))) +
                          fmt::format("The release        {}\nThe report         {} and {}\nWhat became of it  {}\n",
                                      job.files.output, job.files.report, job.files.json, job.files.recoding) +
                          fmt::format("\nDo the same step by step:\n  shoal anonymize --job {} -o release.csv\n",
                                      (sample_folder() / "job.yaml").string()));
  return kDone;
}

}  // namespace shoal::cli
