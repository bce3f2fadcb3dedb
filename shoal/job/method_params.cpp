#include "shoal/job/method_params.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/error.h"

namespace shoal {

Params params_for(const Job& job, const MethodEntry& method, std::span<const MethodEntry* const> all) {
  Params params = complete({}, method.parameters);
  for (const auto& [name, value] : job.params) {
    const size_t dot = name.find('.');
    const std::string owner = dot == std::string::npos ? "" : name.substr(0, dot);
    const std::string setting = dot == std::string::npos ? name : name.substr(dot + 1);
    const auto has = [&](const MethodEntry* entry) {
      return (owner.empty() || owner == entry->name) &&
             std::any_of(entry->parameters.begin(), entry->parameters.end(),
                         [&](const Parameter& parameter) { return parameter.name == setting; });
    };
    if (std::none_of(all.begin(), all.end(), has)) {
      throw Error(ErrorKind::job,
                  fmt::format("param '{}' belongs to none of the methods asked for; where several have it, it "
                              "is named METHOD.NAME",
                              name),
                  Advice{Setting::about_method});
    }
    if (has(&method)) params[setting] = value;
  }
  return params;
}

}  // namespace shoal
