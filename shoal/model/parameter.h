// Settings of methods and learners: what there is to set, and what was set.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

namespace shoal {

// One setting, `--param name=value`. Registry entries carry these; help, checks and forms use them.
struct Parameter {
  std::string name;
  std::string meaning;
  std::string default_value;
  std::vector<std::string> choices;  // empty: a number (see minimum/maximum)
  double minimum = 0, maximum = 0;
};

// Settings as text, complete (defaults filled in) and checked against the entry's Parameters.
using Params = std::map<std::string, std::string>;

// `given`, and the default of every parameter that it does not set.
Params complete(Params given, std::span<const Parameter> parameters);

// What was set, as text or as a number. Requires complete and checked params: throws std::logic_error where the setting
// is not there or is no number, for that is a mistake of ours.
const std::string& setting(const Params& params, const std::string& name);
double number_setting(const Params& params, const std::string& name);

}  // namespace shoal
