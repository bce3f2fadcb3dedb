// A model as named fields, the form of job files: {model: recursive-l, column: illness, c: 4, l: 3}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shoal/model/model_spec.h"

namespace shoal {

struct ModelField {
  std::string name;
  std::vector<std::string> texts;  // one, except for the values of confidence and lkc

  friend bool operator==(const ModelField&, const ModelField&) = default;
};

// `model`, `column` (where it has one) and the parameters, without those that have their default; and back. Reading
// checks as parse_model does. Throws Error(job).
std::vector<ModelField> model_fields(const ModelSpec& spec);
ModelSpec model_of_fields(const std::vector<ModelField>& fields);

}  // namespace shoal
