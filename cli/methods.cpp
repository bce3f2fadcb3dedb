#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "shoal/shoal.h"

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

}  // namespace

int methods_command(const Arguments& arguments) {
  std::string name;
  bool as_markdown = false;
  Command command("methods", kDescription, kExamples);
  command.argument("NAME", name, "The method to tell about.");
  command.flag("--markdown", as_markdown, "Print the list as a Markdown table.");
  if (!command.parse(arguments)) return kDone;
  if (name.empty()) {
    print_words(stdout, as_markdown ? methods_markdown()
                                    : terminal_text(methods_document()) + "\n`shoal methods NAME` tells about one.\n");
    return kDone;
  }
  const MethodEntry* method = find_method(name);
  if (method == nullptr) {
    std::vector<std::string> names;
    for (const MethodEntry& entry : methods()) names.push_back(entry.name);
    throw Error(ErrorKind::job, fmt::format("unknown method '{}'{}", name, advice_on(name, names, "methods")));
  }
  std::string text = terminal_text(method_document(*method));
  if (!method->parameters.empty()) text += "\nSet them with --param NAME=VALUE.\n";
  print_words(stdout, text);
  return kDone;
}

}  // namespace shoal::cli
