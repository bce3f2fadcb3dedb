// What detail is worth to somebody who predicts the target: a column costs what a model loses without it, and numbers
// lie apart as far as their classes differ. Looks at the class of every row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/measure/interval_cost.h"
#include "shoal/method/method.h"

namespace shoal {

// The price of each of `columns`, in their order. Weights: how much the log loss of a boosted model rises when the
// column is shuffled, on the third of the rows that did not teach it, each third in turn, up to ten shuffles each where
// rows are few; times the job's weight; their mean is 1 (times the job's), none is less than 0.03. When the time is up
// no further third is asked; where none was, all weigh alike. Numbers that are released as ranges lie at
// class_positions. Requires a target. Deterministic for the problem's seed. Cost: three trainings on at most 20,000
// different rows, and for each about 2,000 predictions a column.
std::vector<IntervalCost> learning_prices(const Problem& problem, const std::vector<size_t>& columns,
                                          Progress& progress);

// Where the values of a column lie, in [0,1], ascending. The column is cut into at most 12 parts of at least `least`
// rows, each cut where it tells most about the class; between neighbouring parts lies the total variation of their
// classes, scaled to 1 in all, and every value adds 0.2 of its rank. `counts[value * classes + class]`: rows.
std::vector<double> class_positions(std::span<const double> counts, size_t classes, double least);

}  // namespace shoal
