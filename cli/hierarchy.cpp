#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "shoal/shoal.h"

namespace shoal::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOverview = R"(Usage: shoal hierarchy build|check|show ...

A hierarchy is a tree over a column's values: the values are the leaves, * is the root, and what lies
between is what a value may be released as. It comes from a file, or is built from the values.

  build   make a hierarchy from a column's values, as a file to look at and change
  check   find what is wrong with a hierarchy file, also against a table
  show    print a hierarchy as an indented tree

`shoal hierarchy build --help` and so on tell more.

Examples:
  shoal hierarchy build examples/census/people.csv --column zip --kind mask -o zip.csv
  shoal hierarchy show zip.csv --depth 2
)";

constexpr const char* kBuildDescription =
    "Makes a hierarchy from the values of one column and writes it as a level table: a line for each value, the value "
    "first, then what each level releases, * last, with semicolons between them. Kinds: intervals (numbers in ranges), "
    "quantiles (numbers in ranges of equal counts), mask (codes, character by character), codes (their beginnings: "
    "E11.9, "
    "E11*, E*), dates (month, year, decade), ordinal (neighbours in an order), frequency (rare values joined), flat "
    "(every "
    "value directly under the root), auto (the one that fits).";
constexpr const char* kBuildExamples =
    R"(  shoal hierarchy build examples/census/people.csv --column zip --kind mask --set 'character=*' -o zip.csv
  shoal hierarchy build examples/census/people.csv --column age --kind intervals --set width=5 --set levels=3
  shoal hierarchy build examples/census/people.csv --column hours --kind quantiles --set parts=8 -o hours.csv
  shoal hierarchy build examples/census/people.csv --column education --kind auto
)";

constexpr const char* kCheckDescription =
    "Lists what is wrong with a hierarchy file, a line each: FILE:LINE: error or warning, and what. With a table, also "
    "values that the hierarchy does not have, and values it has that do not occur (a warning that harms nothing). Exit "
    "code 3 when there is an error, or a warning about the file itself.";
constexpr const char* kCheckExamples = R"(  shoal hierarchy check examples/census/hierarchies/education.csv
  shoal hierarchy check examples/census/hierarchies/education.csv --values examples/census/people.csv --column education
)";

constexpr const char* kShowDescription =
    "Prints a hierarchy file as an indented tree, with the number of values under each node.";
constexpr const char* kShowExamples = R"(  shoal hierarchy show examples/census/hierarchies/education.csv
  shoal hierarchy show examples/census/hierarchies/education.csv --depth 1
)";

// How the values of a table are read, for build and check.
struct TableFlags {
  std::string delimiter, encoding, decimal, thousands;
  std::vector<std::string> missing;

  void add(Command& command) {
    command.value("--delimiter", delimiter, "C", "What stands between the table's cells: a character or 'tab'.");
    command.value("--encoding", encoding, "NAME",
                  "How its characters are written: utf-8, utf-16, latin-1, windows-1252.");
    command.value("--decimal", decimal, "point|comma",
                  "How its numbers are written: 3.5 or 3,5. Found by looking if not given.");
    command.value("--thousands", thousands, "C", "What stands between thousands in its numbers: . , ' or a blank.");
    command.values("--missing", missing, "TEXT",
                   "A text that means 'missing', besides the empty cell. Can be given again.");
  }
  ValueCounts values(const std::string& table, const std::string& column) const {
    FileJob job;
    job.files.input = table;
    if (!delimiter.empty()) job.files.delimiter = parse_delimiter(delimiter);
    if (!encoding.empty()) job.files.encoding = parse_encoding(encoding);
    if (!decimal.empty()) job.files.decimal = parse_decimal_mark(decimal);
    if (!thousands.empty()) job.files.thousands = parse_thousands(thousands);
    check_files(job.files);
    job.missing = missing;
    job.column(column).role = Role::quasi;
    Notices found;
    ValueCounts values =
        run_with_progress(false, [&](Progress& progress) { return column_values(job, column, progress, &found); });
    print_notices(found.notices);
    return values;
  }
};

int build(const Arguments& arguments) {
  std::string input, column, kind, output = "-";
  std::vector<std::string> settings;
  bool force = false;
  TableFlags table;
  Command command("hierarchy build", kBuildDescription, kBuildExamples);
  command.argument("INPUT", input, "The table; - is standard input.");
  command.value("-c,--column", column, "NAME", "The column whose values become the leaves.");
  command.value("--kind", kind, "KIND", "intervals, quantiles, mask, dates, codes, ordinal, frequency, flat or auto.");
  command.values(
      "--set", settings, "NAME=VALUE",
      "A setting of the kind. intervals: width, start, factor, levels, bottom, top, or edges=0,18,65; quantiles: "
      "parts; "
      "mask: character, from=left; dates: levels=month,year,decade, format=DD.MM.YYYY; codes: levels=3,1; ordinal: "
      "'order=low < middle < high', factor; frequency: below=0.01,0.05. Can be given again.");
  command.value("-o,--output", output, "FILE", "Where it goes; if not given (or -), it is printed.");
  command.flag("--force", force, "Overwrite an existing file.");
  table.add(command);
  if (!command.parse(arguments)) return kDone;

  if (input.empty()) throw Error(ErrorKind::job, "no input; name the table" + command.hint());
  if (column.empty()) throw Error(ErrorKind::job, "no column; give --column NAME" + command.hint());
  if (kind.empty()) {
    throw Error(ErrorKind::job,
                fmt::format("no kind; give --kind, one of {}{}", fmt::join(builder_kinds(), ", "), command.hint()));
  }
  BuilderSpec spec{parse_builder_kind(kind), {}};
  for (const std::string& setting : settings) {
    const auto [name, value] = parse_assignment(setting);
    spec.settings[name] = value;
  }
  Outputs outputs;
  outputs.reads("the table", input);
  Output& hierarchy = outputs.writes("the hierarchy", output);
  std::error_code ignored;
  if (output != "-" && !force && fs::exists(output, ignored)) {
    throw Error(ErrorKind::job, fmt::format("'{}' exists; give --force to overwrite it, or another name", output));
  }
  outputs.prepare();
  const ValueCounts values = table.values(input, column);
  const Tree tree = build_tree(spec, values.values, values.counts);
  hierarchy.write(level_table(tree));
  const std::string words = hierarchy.is_stream() ? ""
                                                  : fmt::format("Wrote {}: a hierarchy over {} of {}\n", output,
                                                                counted(values.values.size(), "value"), column);
  publish_and_tell(outputs, words);
  return kDone;
}

int check(const Arguments& arguments) {
  std::string file, values_of, column;
  TableFlags table;
  Command command("hierarchy check", kCheckDescription, kCheckExamples);
  command.argument("FILE", file, "The hierarchy file.");
  command.value("--values", values_of, "TABLE", "A table to check it against.");
  command.value("-c,--column", column, "NAME", "The column of that table.");
  table.add(command);
  if (!command.parse(arguments)) return kDone;

  if (file.empty()) throw Error(ErrorKind::job, "no file; name the hierarchy file" + command.hint());
  if (values_of.empty() != column.empty()) {
    throw Error(ErrorKind::job, "--values and --column go together" + command.hint());
  }
  const std::vector<HierarchyFault> of_file = check_tree(file, std::nullopt);
  std::vector<HierarchyFault> faults = of_file;
  if (!values_of.empty()) {
    const ValueCounts values = table.values(values_of, column);
    faults = check_tree(file, std::span<const std::string>(values.values));
  }
  size_t errors = 0;
  for (const HierarchyFault& fault : faults) {
    const bool error = fault.severity == HierarchyFault::Severity::error;
    errors += error ? 1 : 0;
    const std::string place = fault.line > 0 ? fmt::format("{}:{}", file, fault.line) : file;
    print_words(stdout, fmt::format("{}: {}: {}\n", place, error ? "error" : "warning", fault.message));
  }
  const size_t warnings = faults.size() - errors;
  print_words(stdout, fmt::format("{}: {}, {}\n", file, counted(errors, "error"), counted(warnings, "warning")));
  return errors > 0 || !of_file.empty() ? kBadInput : kDone;
}

// The interval tree that a search grew for a column, from the file that --recoding wrote.
Tree grown_tree(const std::string& recoding, const std::string& column) {
  std::ifstream file(recoding);
  if (!file) throw Error(ErrorKind::input, fmt::format("no file '{}'", recoding));
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (json.is_object() && json.contains("columns")) {
    for (const auto& entry : json["columns"]) {
      if (!entry.is_object() || entry.value("name", "") != column || !entry.contains("tree")) continue;
      const TemporaryFile tree(".json");
      std::ofstream(tree.path()) << entry["tree"];
      return read_tree(tree.path());
    }
  }
  throw Error(ErrorKind::input,
              fmt::format("'{}' has no tree grown for the column '{}'; methods tdr and tds grow them for "
                          "numeric columns without a hierarchy",
                          recoding, column));
}

int show(const Arguments& arguments) {
  std::string file, column, depth = "0";
  Command command("hierarchy show", kShowDescription, kShowExamples);
  command.argument("FILE", file, "The hierarchy file, or with --column a recoding.");
  command.value("--column", column, "COLUMN", "Show the interval tree that was grown for this column of a recoding.");
  command.value("--depth", depth, "N", "Show N levels below the root; 0 (the default) shows all.");
  if (!command.parse(arguments)) return kDone;
  if (file.empty()) throw Error(ErrorKind::job, "no file; name the hierarchy file" + command.hint());
  const uint64_t levels = parse_whole_number("--depth", depth);
  print_words(stdout,
              show_tree(column.empty() ? read_tree(file) : grown_tree(file, column), static_cast<size_t>(levels)));
  return kDone;
}

}  // namespace

int hierarchy_command(const Arguments& arguments) {
  if (arguments.empty())
    throw Error(ErrorKind::job, "hierarchy needs build, check or show (see `shoal hierarchy --help`)");
  const std::string& what = arguments.front();
  if (what == "--help" || what == "-h") {
    print_words(stdout, kOverview);
    return kDone;
  }
  const Arguments rest(arguments.begin() + 1, arguments.end());
  if (what == "build") return build(rest);
  if (what == "check") return check(rest);
  if (what == "show") return show(rest);
  throw Error(ErrorKind::job, fmt::format("unknown command 'hierarchy {}'{} (see `shoal hierarchy --help`)", what,
                                          did_you_mean(what, {"build", "check", "show"})));
}

}  // namespace shoal::cli
