#include "shoal/model/parameter.h"

#include <stdexcept>

#include "shoal/table/number.h"

namespace shoal {

Params complete(Params given, std::span<const Parameter> parameters) {
  for (const Parameter& parameter : parameters) given.emplace(parameter.name, parameter.default_value);
  return given;
}

const std::string& setting(const Params& params, const std::string& name) {
  const auto found = params.find(name);
  if (found == params.end()) throw std::logic_error("the setting '" + name + "' is not there");
  return found->second;
}

double number_setting(const Params& params, const std::string& name) {
  const auto number = parse_number(setting(params, name));
  if (!number) throw std::logic_error("the setting '" + name + "' is no number: " + setting(params, name));
  return *number;
}

}  // namespace shoal
