// The command line: flags to Job, Report to screen.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "cli/command.h"
#include "cli/commands.h"
#include "shoal/error.h"
#include "shoal/job.h"
#include "shoal/nearest_word.h"

namespace shoal::cli {
namespace {

struct Entry {
  const char* name;
  const char* summary;
  int (*run)(const Arguments&);
};

constexpr Entry kCommands[] = {
    {"anonymize", "release a table in which nobody can be told apart", anonymize_command},
    {"apply", "recode new rows by an earlier recoding", apply_command},
    {"verify", "does a release keep its promise?", verify_command},
    {"measure", "how much did a release lose, and what risk is left?", measure_command},
    {"risk", "how easily can persons be told apart in a table as it stands?", risk_command},
    {"evaluate", "what does anonymization cost a learner?", evaluate_command},
    {"hierarchy", "build, check or show a hierarchy of values", hierarchy_command},
    {"methods", "list the methods, or tell about one", methods_command},
    {"demo", "anonymize the bundled sample and show what happened", demo_command},
};

std::string overview() {
  std::string text =
      "Shoal anonymizes tables of persons: it recodes what could give a person away until every requirement you set\n"
      "holds, and proves it on the written file.\n\nUsage: shoal COMMAND [flags]\n\n";
  for (const Entry& entry : kCommands) text += fmt::format("  {:<10} {}\n", entry.name, entry.summary);
  return text +
         "\n`shoal COMMAND --help` tells more, with examples. `shoal --version` prints the version.\n\nExamples:\n"
         "  shoal demo\n"
         "  shoal risk examples/census/people.csv --quasi age,sex,zip\n"
         "  shoal anonymize examples/census/people.csv -o release.csv --identifier name --quasi age,sex,zip --k 5\n";
}

int run(const Arguments& arguments) {
  if (arguments.empty()) {
    fmt::print(stderr, "{}", overview());
    return kWrongUsage;
  }
  const std::string& name = arguments.front();
  const bool help = name == "help" || name == "--help" || name == "-h";
  if (name == "--version") {
    fmt::print("shoal {}\n", SHOAL_VERSION);
    return kDone;
  }
  if (help && arguments.size() == 1) {
    fmt::print("{}", overview());
    return kDone;
  }
  const std::string& wanted = help ? arguments[1] : name;
  std::vector<std::string> names;
  for (const Entry& entry : kCommands) {
    if (wanted == entry.name) {
      return entry.run(help ? Arguments{"--help"} : Arguments(arguments.begin() + 1, arguments.end()));
    }
    names.push_back(entry.name);
  }
  throw Error(ErrorKind::job,
              fmt::format("unknown command '{}'{} (see `shoal --help`)", wanted, did_you_mean(wanted, names)));
}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::job:
      return kWrongUsage;
    case ErrorKind::input:
      return kBadInput;
    case ErrorKind::cancelled:
      return kInterrupted;
  }
  return kInternalError;
}

}  // namespace
}  // namespace shoal::cli

int main(int count, char** words) {
  using namespace shoal;
  try {
    const int code = cli::run(cli::Arguments(words + std::min(count, 1), words + count));
    if (std::fflush(stdout) == 0) return code;
    fmt::print(stderr, "shoal: cannot write to standard output: {}\n", std::strerror(errno));
    return cli::kWrongUsage;
  } catch (const Error& error) {
    const bool interrupted = error.kind() == ErrorKind::cancelled;
    fmt::print(stderr, "shoal: {}\n", interrupted ? "interrupted; nothing was written" : error.what());
    return cli::exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "shoal: internal error: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "shoal: internal error: {}\n", error.what());
  }
  return cli::kInternalError;
}
