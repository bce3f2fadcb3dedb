#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "shoal/error.h"
#include "shoal/job_text.h"
#include "shoal/method/method.h"
#include "shoal/report/format.h"

namespace shoal::cli {
namespace {

constexpr const char* kDescription =
    "Lists the methods that search for a recoding, or tells about one: its parameters, its paper, its page in the "
    "documentation. Shapes: levels (one level per column), cut (the same value is always released the same way), "
    "regions "
    "(the same row is), groups (each group of rows has its own values), model (not a table at all).";
constexpr const char* kExamples = R"(  shoal methods
  shoal methods mondrian
  shoal anonymize --job examples/census/job.yaml -o release.csv --method mondrian --param cuts=relaxed
)";

// Methods that take one requirement get the strictest union of several, if the job allows it.
const char* several(const MethodEntry& method) { return method.several_requirements ? "yes" : "by union"; }

const char* yes_no(bool value) { return value ? "yes" : "no"; }

std::string shape_of(const MethodEntry& method) { return method.releases_model ? "model" : to_string(method.shape); }

std::string page_of(const MethodEntry& method) { return fmt::format("docs/methods/{}.md", method.name); }

std::string table() {
  std::vector<std::vector<std::string>> rows{{"name", "shape", "several requirements", "drops rows", "what it does"}};
  for (const MethodEntry& method : methods()) {
    rows.push_back({method.name, shape_of(method), several(method), yes_no(method.drops_rows),
                    method.title + (method.needs_target ? " (needs a target)" : "")});
  }
  std::vector<size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    for (size_t i = 0; i + 1 < row.size(); ++i) text += left(row[i], widths[i] + 2);
    text += row.back() + "\n";
  }
  return text + "\n`shoal methods NAME` tells about one.\n";
}

// The README's table.
std::string markdown() {
  std::string text =
      "| method | shape | several requirements | drops rows | what it does | paper |\n|---|---|---|---|---|---|\n";
  for (const MethodEntry& method : methods()) {
    text += fmt::format("| [`{}`]({}) | {} | {} | {} | {}{} | {} |\n", method.name, page_of(method), shape_of(method),
                        several(method), yes_no(method.drops_rows), method.title,
                        method.needs_target ? " (needs a target)" : "", method.paper);
  }
  return text;
}

std::string parameter_text(const Parameter& parameter) {
  std::string text =
      fmt::format("  {}={}\n", parameter.name, parameter.default_value) + wrapped(parameter.meaning, 6, 100);
  if (!parameter.choices.empty()) {
    text += wrapped(fmt::format("One of {}.", fmt::join(parameter.choices, ", ")), 6, 100);
  } else if (parameter.minimum < parameter.maximum) {
    text += fmt::format("      A number between {} and {}.\n", parameter.minimum, parameter.maximum);
  } else {
    text += "      A number.\n";
  }
  return text;
}

std::string about(const MethodEntry& method) {
  std::string text = fmt::format("{}: {}\n\n", method.name, method.title);
  text +=
      fmt::format("  shape                 {}\n",
                  method.releases_model ? "a model (-o FILE.json or FILE.txt), not a table" : to_string(method.shape));
  text += fmt::format("  several requirements  {}\n",
                      method.several_requirements ? "yes" : "no; one over all their columns with --union");
  text += fmt::format("  drops rows            {}\n", method.drops_rows ? "yes, within --suppress-rows" : "no");
  text += fmt::format("  needs a target        {}\n", yes_no(method.needs_target));
  text += fmt::format("  paper                 {}\n", method.paper);
  text += fmt::format("  more                  {}\n", page_of(method));
  text += method.parameters.empty() ? "\nNo parameters.\n" : "\nParameters (--param NAME=VALUE) and their defaults:\n";
  for (const Parameter& parameter : method.parameters) text += parameter_text(parameter);
  return text;
}

}  // namespace

int methods_command(const Arguments& arguments) {
  std::string name;
  bool as_markdown = false;
  Command command("methods", kDescription, kExamples);
  command.argument("NAME", name, "The method to tell about.");
  command.flag("--markdown", as_markdown, "Print the list as a Markdown table.");
  if (!command.parse(arguments)) return kDone;
  if (name.empty()) {
    write_text("-", as_markdown ? markdown() : table());
    return kDone;
  }
  const MethodEntry* method = find_method(name);
  if (method == nullptr) {
    std::vector<std::string> names;
    for (const MethodEntry& entry : methods()) names.push_back(entry.name);
    throw Error(ErrorKind::job, fmt::format("unknown method '{}'{}", name, advice_on(name, names, "methods")));
  }
  write_text("-", about(*method));
  return kDone;
}

}  // namespace shoal::cli
