// One command of the program: its flags, its help, and parsing with messages that help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace shoal::cli {

enum ExitCode {
  kDone = 0,
  kInternalError = 1,
  kWrongUsage = 2,
  kBadInput = 3,
  kUnsatisfied = 4,
  kVerificationFailed = 5,
  kInterrupted = 130,
};

class Command {
 public:
  // `name` as typed after `shoal`; `description` a paragraph; `examples` printed as they are at the end of the help.
  Command(std::string name, std::string description, std::string examples);

  // Flags that take one value, a value each time they are given, or none. All values are kept as text: the parsers of
  // job_text.h give better messages. `names` as in "-o,--output"; `group` is a heading of the help.
  void value(const std::string& names, std::string& target, const std::string& value_name, const std::string& meaning);
  void values(const std::string& names, std::vector<std::string>& target, const std::string& value_name,
              const std::string& meaning);
  void flag(const std::string& names, bool& target, const std::string& meaning);
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
  CLI::App app_;
};

// Text broken into lines of at most `width` characters, each after `indent` blanks.
std::string wrapped(const std::string& text, size_t indent, size_t width);

}  // namespace shoal::cli
