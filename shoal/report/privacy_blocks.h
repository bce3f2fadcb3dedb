// Models and persons, before and after, as blocks of a document.
#pragma once

#include <vector>

#include "shoal/measure/model_values.h"
#include "shoal/report/document.h"

namespace shoal {

// The models that a requirement asks for: what was asked, what groups have. `before` or `after` may be empty.
// Records for machines go to `path`.
FactTable asked_models(const std::vector<ModelValues>& before, const std::vector<ModelValues>& after,
                       const std::string& path, Readers readers);

// Every model's value of every sensitive column, and persons; with the picture of diversity. `before` or `after` may be
// nullptr. Machines find `sensitive` (a list) and `persons`; empty where there is nothing to say.
std::vector<Section> privacy_sections(const PrivacyValues* before, const PrivacyValues* after, Readers readers);

}  // namespace shoal
