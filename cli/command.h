// One command of the program: its flags, its help, and parsing with messages that help.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;  // the library that parses; only command.cpp sees it, for it takes seconds to compile
}

namespace shoal::cli {

enum ExitCode {
  kDone = 0,
  kInternalError = 1,
  kWrongUsage = 2,
  kBadInput = 3,
  kUnsatisfied = 4,
  kVerificationFailed = 5,
  kFindingInTheWay = 6,
  kInterrupted = 130,
};

class Command {
 public:
  // `name` as typed after `shoal`; `description` a paragraph; `examples` printed as they are at the end of the help.
  Command(std::string name, std::string description, std::string examples);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // Flags that take one value, a value each time they are given, or none. All values are kept as text: the parsers of
  // job_text.h give better messages. `names` as in "-o,--output"; `group` is a heading of the help.
  void value(const std::string& names, std::string& target, const std::string& value_name, const std::string& meaning);
  void values(const std::string& names, std::vector<std::string>& target, const std::string& value_name,
              const std::string& meaning);
  void flag(const std::string& names, bool& target, const std::string& meaning);
  // A flag of earlier days: understood, so that its message can say what to use, and not in the help.
  void gone_flag(const std::string& name, bool& target);
  // An argument without a flag, in order.
  void argument(const std::string& name, std::string& target, const std::string& meaning);
  // Heading of the flags that follow.
  void group(std::string heading) { group_ = std::move(heading); }

  // False when help was asked for, and printed. Throws Error(job) on unknown flags, missing values and the like.
  bool parse(const std::vector<std::string>& arguments);

  std::string help() const;
  // " (see `shoal NAME --help`)"
  std::string hint() const;

 private:
  void refuse_unknown() const;
  void refuse_swallowed_flags(const std::vector<std::string>& arguments) const;
  std::vector<std::string> flag_names() const;

  std::string name_, description_, examples_, group_ = "Options";
  std::unique_ptr<CLI::App> app_;
};

}  // namespace shoal::cli
