// Privacy models and persons of a table as it stands or as released: what `risk`, `measure` and reports print.
#pragma once

#include <vector>

#include "shoal/encode/counted_table.h"
#include "shoal/measure/model_values.h"

namespace shoal {

// One model of every kind that is about one column, for what groups have of it (Model::value).
std::vector<ModelSpec> every_model(const ColumnEncoding& column);

// Every sensitive column by every model of one column (ordered distance where it has an order, hierarchical where it
// has a tree), and persons. `table` is the whole table, rows that were dropped included: models compare with it. Or a
// part of `whole`, with which they compare then.
PrivacyValues privacy_of(const Table& table, const Encoding& encoding, const Groups& groups, double threshold,
                         const WholeTable* whole = nullptr);

// The models that a requirement asks for, persons among them, in its order; its groups are `groups`. Those of the
// population are left out: population_fit.h.
std::vector<ModelValues> asked_values(CountedTable& table, const Requirement& requirement, const Groups& groups);

}  // namespace shoal
