#include "cli/advice.h"

#include <fmt/format.h>

namespace shoal::cli {
namespace {

struct Words {
  std::string flag, key;  // the key of the job file, with a value; "": only the flag can say it
};

// A name as flags take it: in double quotes where a comma, an equals sign or a blank would end it.
std::string listed(const std::string& name) {
  if (name.find_first_of(",= \"") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

Words words(const Advice& advice) {
  const std::string& name = advice.name;
  switch (advice.setting) {
    case Setting::output:
      return {"-o FILE, or -o - for standard output", "output: FILE"};
    case Setting::recoding:
      return {"`shoal anonymize --recoding FILE` writes one", ""};
    case Setting::original:
      return {"--original FILE", ""};
    case Setting::quasi:
      return {"--quasi age,zip", "columns: {age: quasi}"};
    case Setting::target:
      return {"--target COLUMN", "columns: {COLUMN: target}"};
    case Setting::type:
      return {"--categorical " + listed(name), "type: categorical"};
    case Setting::hierarchy:
      return {fmt::format("--hierarchy {}=FILE", listed(name)), "hierarchy: FILE"};
    case Setting::k:
      return {"--k 5", "k: 5"};
    case Setting::unite:
      return {"--union", "union: true"};
    case Setting::method:
      return {"--method NAME", "method: NAME"};
    case Setting::parameter:
      return {fmt::format("--param {}=VALUE", name), fmt::format("params: {{{}: VALUE}}", name)};
    case Setting::methods:
      return {"--methods kactus,tdr", ""};
    case Setting::learners:
      return {"--learners c45,nb", ""};
    case Setting::ks:
      return {"--k 10, or a list, --k 10,50,100", ""};
    case Setting::queries:
      return {"--queries 1000", ""};
    case Setting::query_columns:
      return {"--query-columns age,zip", ""};
    case Setting::query_sum:
      return {"--query-sum COLUMN; --numeric says which columns are numbers", ""};
    case Setting::about_method:
      return {"`shoal methods NAME` lists the parameters; --param METHOD.NAME=VALUE", ""};
  }
  return {};
}

}  // namespace

std::string how_to_say(const Error& error) {
  if (!error.advice()) return "";
  const Words said = words(*error.advice());
  const std::string how = said.key.empty() ? said.flag : fmt::format("{}; in a job file `{}`", said.flag, said.key);
  // Never brackets behind brackets.
  return std::string_view(error.what()).ends_with(")") ? ": " + how : fmt::format(" ({})", how);
}

}  // namespace shoal::cli
