#include "cli/command.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "shoal/shoal.h"

namespace shoal::cli {
namespace {

constexpr const char* kDescription =
    "Lists everything that a job file can say: every key, what it takes, what holds without it. Job files are YAML or "
    "JSON; flags override them. `shoal inspect --write-job` writes one for a table, `shoal anonymize --write-job` the "
    "one "
    "that was run.";
constexpr const char* kExamples = R"(  shoal job
  shoal inspect examples/census/people.csv --write-job people.yaml
  shoal anonymize --job examples/census/job.yaml -o release.csv --write-job -
)";

}  // namespace

int job_command(const Arguments& arguments) {
  bool as_markdown = false;
  Command command("job", kDescription, kExamples);
  command.flag("--markdown", as_markdown, "Print it as Markdown tables.");
  if (!command.parse(arguments)) return kDone;
  print_words(stdout, as_markdown ? job_keys_markdown() : terminal_text(job_keys_document()));
  return kDone;
}

}  // namespace shoal::cli
