// How much usefulness a release lost: every number of the literature in one place.
//
// Rows dropped count as fully generalised cells (Prec, NCP, LM, distortion, entropy, modification rate), as n each in
// DM and as misclassified in CM. Denominators use the rows of the input.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/recode/recoding.h"
#include "shoal/table/table.h"

namespace shoal {

struct MeasureSettings {
  std::vector<double> weights;  // NCP weight per quasi column; empty: all 1
  double distortion_beta = 0;   // weighted hierarchical distance: 0 uniform weights, >= 1 height weights
  uint64_t k = 1;               // for C_AVG: the largest k asked for
};

struct Measures {
  double prec = 1;
  uint64_t rows = 0;      // distinct released tuples over the released non-target columns
  double rows_ratio = 0;  // O/I: rows / distinct input tuples over the same columns
  double dm = 0;
  double c_avg = 0;
  double ncp = 0;
  double gcp = 0;
  double distortion = 0;
  double distortion_ratio = 0;
  double modification_rate = 0;
  double lm = 0;             // mean over cells, in [0,1]
  std::optional<double> cm;  // only with a target
  double entropy = 0;        // non-uniform entropy: bits lost over all cells
  double entropy_ratio = 0;  // of what full suppression would lose, in [0,1]
};

// Groups are taken over all quasi columns. Cost: linear in rows x quasi columns.
Measures measure(const Table& table, const std::vector<Hierarchy>& hierarchies, const ReleasedTable& released,
                 const MeasureSettings& settings);

// What a search can minimise: every measure above by name ("gcp", "dm", ...), as a loss: smaller is better.
std::vector<std::string> measure_names();
double loss(std::string_view measure_name, const Measures& measures);

}  // namespace shoal
