#include "cli/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "cli/terminal.h"
#include "shoal/shoal.h"

namespace shoal::cli {
namespace {

constexpr size_t kHelpWidth = 100;
constexpr size_t kFlagWidth = 30;

// "-o, --output FILE", "    --k N", "INPUT"
std::string left_side(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  std::string names;
  for (const std::string& name : option.get_snames()) names += "-" + name + ", ";
  if (names.empty()) names = "    ";
  for (const std::string& name : option.get_lnames()) names += "--" + name;
  const std::string value = option.get_expected_max() == 0 ? "" : option.get_type_name();
  return value.empty() ? names : names + " " + value;
}

}  // namespace

Command::Command(std::string name, std::string description, std::string examples)
    : name_(std::move(name)),
      description_(std::move(description)),
      examples_(std::move(examples)),
      app_(std::make_unique<CLI::App>()) {
  app_->set_help_flag("-h,--help", "Shows this help.");
  app_->get_help_ptr()->group("Help");
  app_->allow_extras();
}

Command::~Command() = default;

void Command::value(const std::string& names, std::string& target, const std::string& value_name,
                    const std::string& meaning) {
  app_->add_option(names, target, meaning)->type_name(value_name)->group(group_);
}

void Command::values(const std::string& names, std::vector<std::string>& target, const std::string& value_name,
                     const std::string& meaning) {
  // Without this a list flag would swallow every argument behind it.
  app_->add_option(names, target, meaning)->type_name(value_name)->group(group_)->allow_extra_args(false);
}

void Command::flag(const std::string& names, bool& target, const std::string& meaning) {
  app_->add_flag(names, target, meaning)->group(group_);
}

void Command::gone_flag(const std::string& name, bool& target) { app_->add_flag(name, target)->group(""); }

void Command::argument(const std::string& name, std::string& target, const std::string& meaning) {
  app_->add_option(name, target, meaning)->group("Arguments");
}

std::vector<std::string> Command::flag_names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::string Command::hint() const { return fmt::format(" (see `shoal {} --help`)", name_); }

void Command::refuse_unknown() const {
  for (const std::string& word : app_->remaining()) {
    if (word.size() > 1 && word[0] == '-') {
      const std::string flag = word.substr(0, word.find('='));
      throw Error(ErrorKind::job, fmt::format("unknown flag '{}'{}{}", flag, did_you_mean(flag, flag_names()), hint()));
    }
  }
  if (app_->remaining().empty()) return;
  throw Error(ErrorKind::job, fmt::format("unexpected argument '{}' (lists are written with commas: age,zip){}",
                                          app_->remaining().front(), hint()));
}

// `--json --quiet` would take the second flag for the first one's value, and `-quasi` would be read letter by letter.
void Command::refuse_swallowed_flags(const std::vector<std::string>& arguments) const {
  const std::vector<std::string> flags = flag_names();
  const auto known = [&](const std::string& word) {
    return std::find(flags.begin(), flags.end(), word) != flags.end();
  };
  for (const std::string& word : arguments) {
    if (word.size() > 2 && word[0] == '-' && word[1] != '-' && known("-" + word.substr(0, word.find('=')))) {
      throw Error(ErrorKind::job, fmt::format("unknown flag '{0}'; did you mean '-{0}'?{1}", word, hint()));
    }
  }
  for (const CLI::Option* option : app_->get_options()) {
    if (option->get_expected_max() == 0) continue;
    for (const std::string& value : option->results()) {
      if (known(value) || known(value.substr(0, value.find('=')))) {
        throw Error(ErrorKind::job,
                    fmt::format("{} needs a value, but the flag {} follows{}", option->get_name(), value, hint()));
      }
    }
  }
}

bool Command::parse(const std::vector<std::string>& arguments) {
  if (arguments == std::vector<std::string>{"--list-flags"}) {  // for the shell's completion
    for (const std::string& name : flag_names()) print_words(stdout, name + "\n");
    return false;
  }
  try {
    app_->parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // the library takes them backwards
  } catch (const CLI::CallForHelp&) {
    print_words(stdout, help());
    return false;
  } catch (const CLI::ArgumentMismatch& mismatch) {
    const std::string message = mismatch.what();
    const std::string flag = message.substr(0, message.find(':'));
    const auto times = std::count_if(arguments.begin(), arguments.end(), [&](const std::string& word) {
      return word == flag || word.starts_with(flag + "=");
    });
    throw Error(ErrorKind::job, fmt::format("{} {}{}", flag, times > 1 ? "is given twice" : "needs a value", hint()));
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::job, fmt::format("{}{}", error.what(), hint()));
  }
  refuse_swallowed_flags(arguments);
  refuse_unknown();
  return true;
}

std::string Command::help() const {
  std::vector<std::string> groups;
  std::string usage = "Usage: shoal " + name_;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->get_positional()) usage += " [" + option->get_name(true) + "]";
    const bool seen = std::find(groups.begin(), groups.end(), option->get_group()) != groups.end();
    if (!seen && !option->get_group().empty()) groups.push_back(option->get_group());
  }
  std::rotate(groups.begin(), groups.begin() + 1, groups.end());  // the help flag was the first, and goes last
  std::string text = usage + " [flags]\n\n" + wrapped(description_, 0, kHelpWidth);
  for (const std::string& heading : groups) {
    text += fmt::format("\n{}:\n", heading);
    for (const CLI::Option* option : app_->get_options()) {
      if (option->get_group() != heading) continue;
      const std::string side = left_side(*option);
      const std::string meaning = wrapped(option->get_description(), kFlagWidth + 2, kHelpWidth);
      if (side.size() + 4 > kFlagWidth + 2) {
        text += fmt::format("  {}\n{}", side, meaning);
      } else {
        text += fmt::format("  {}{}", side, meaning.substr(side.size() + 2));
      }
    }
  }
  return text + "\nExamples:\n" + examples_;
}

}  // namespace shoal::cli
