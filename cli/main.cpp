// The command line: flags to Job, Report to screen.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <optional>

#include "cli/advice.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "shoal/shoal.h"

namespace shoal::cli {
namespace {

struct Entry {
  const char* name;
  const char* summary;
  int (*run)(const Arguments&);
};

constexpr Entry kCommands[] = {
    {"inspect", "what is in a table, and which job would suit it?", inspect_command},
    {"anonymize", "release a table in which nobody can be told apart", anonymize_command},
    {"apply", "recode new rows by an earlier recoding", apply_command},
    {"verify", "does a release keep its promise?", verify_command},
    {"measure", "how much did a release lose, and what risk is left?", measure_command},
    {"risk", "how easily can persons be told apart in a table as it stands?", risk_command},
    {"attack", "what does an attacker get out of a release?", attack_command},
    {"compare", "which method, which k? loss, risk and time side by side", compare_command},
    {"evaluate", "what does anonymization cost a learner?", evaluate_command},
    {"hierarchy", "build, check or show a hierarchy of values", hierarchy_command},
    {"job", "everything that a job file can say", job_command},
    {"methods", "list the methods, or tell about one", methods_command},
    {"serve", "the whole way as a page in your browser", serve_command},
    {"demo", "anonymize the bundled sample and show what happened", demo_command},
};

std::string overview() {
  std::string text =
      "Shoal anonymizes tables of persons: it recodes what could give a person away until every requirement you set\n"
      "holds, and proves it on the written file.\n\nUsage: shoal COMMAND [flags]\n\n";
  for (const Entry& entry : kCommands) text += fmt::format("  {:<10} {}\n", entry.name, entry.summary);
  return text +
         "\n`shoal COMMAND --help` tells more, with examples. `shoal --version` prints the version.\n"
         "`shoal man | man -l -` shows all of this as one page; `eval \"$(shoal completion)\"` completes commands and "
         "flags in bash.\n\nExamples:\n"
         "  shoal demo\n"
         "  shoal inspect examples/census/people.csv --write-job people.yaml\n"
         "  shoal risk examples/census/people.csv --quasi age,sex,zip\n"
         "  shoal anonymize examples/census/people.csv -o release.csv --identifier name --quasi age,sex,zip --k 5\n";
}

// One page for everything: what --help says, command by command. Escapes are off, so that the texts need none.
int print_manual() {
  print_words(
      stdout,
      fmt::format(".TH SHOAL 1 \"\" \"Shoal {}\"\n.SH NAME\nshoal \\- anonymizes tables of persons\n.SH SYNOPSIS\n"
                  "shoal COMMAND [flags]\n.eo\n.nf\n.SH DESCRIPTION\n{}",
                  version(), overview()));
  for (const Entry& entry : kCommands) {
    print_words(stdout, fmt::format(".SH shoal {}\n", entry.name));
    entry.run({"--help"});
  }
  return kDone;
}

constexpr const char* kBashCompletion = R"bash(_shoal() {
  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "$(shoal --list-commands)" -- "$cur"))
  elif [ "$before" = --method ] || [ "$before" = -m ] || [ "$before" = --methods ]; then
    COMPREPLY=($(compgen -W "$(shoal --list-methods)" -- "$cur"))
  elif [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$(shoal "${COMP_WORDS[1]}" --list-flags 2>/dev/null)" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _shoal shoal
)bash";

// For the shell and for `man`. Nothing when the word is not one of these.
std::optional<int> run_for_shell(const std::string& word) {
  if (word == "man") return print_manual();
  if (word == "completion") {
    print_words(stdout, kBashCompletion);
  } else if (word == "--list-commands") {
    for (const Entry& entry : kCommands) print_words(stdout, fmt::format("{}\n", entry.name));
  } else if (word == "--list-methods") {
    for (const MethodEntry& method : methods()) print_words(stdout, method.name + "\n");
  } else {
    return std::nullopt;
  }
  return kDone;
}

int run(const Arguments& arguments) {
  if (arguments.empty()) {
    print_words(stderr, overview());
    return kWrongUsage;
  }
  const std::string& name = arguments.front();
  const bool help = name == "help" || name == "--help" || name == "-h";
  if (name == "--version") {
    print_words(stdout, fmt::format("shoal {}\n", version()));
    return kDone;
  }
  if (help && arguments.size() == 1) {
    print_words(stdout, overview());
    return kDone;
  }
  if (arguments.size() == 1) {
    if (const std::optional<int> code = run_for_shell(name)) return *code;
  }
  if (name == "completion") {
    if (arguments[1] == "bash" && arguments.size() == 2) return *run_for_shell(name);
    throw Error(ErrorKind::job,
                "completion is for bash: eval \"$(shoal completion)\" (in zsh after `autoload -U bashcompinit; "
                "bashcompinit`)");
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
  cli::handle_signals();
  cli::keep_standard_files_apart();
  try {
    const int code = cli::run(cli::Arguments(words + std::min(count, 1), words + count));
    if (std::fflush(stdout) == 0 || errno == EPIPE) return code;  // whoever read our words has gone
    cli::print_words(stderr, fmt::format("shoal: cannot write to standard output: {}\n", std::strerror(errno)));
    return cli::kWrongUsage;
  } catch (const Error& error) {
    const bool interrupted = error.kind() == ErrorKind::cancelled;
    cli::print_words(stderr, fmt::format("shoal: {}\n", interrupted ? "interrupted; nothing was written"
                                                                    : error.what() + cli::how_to_say(error)));
    return cli::exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    cli::print_words(stderr, "shoal: out of memory; nothing was written\n");
  } catch (const std::exception& error) {
    cli::print_words(stderr, fmt::format("shoal: internal error: {}\n", error.what()));
  }
  return cli::kInternalError;
}
