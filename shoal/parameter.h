// Settings of methods and learners: what there is to set, and what was set.
#pragma once

#include <map>
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

}  // namespace shoal
