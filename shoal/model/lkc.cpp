#include "shoal/model/lkc.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "shoal/error.h"

namespace shoal {

LkcParts expand_lkc(const ModelSpec& spec, size_t quasi_columns) {
  if (spec.kind != ModelKind::lkc) throw std::logic_error("not an lkc model");
  check_model(spec);
  if (quasi_columns == 0) throw Error(ErrorKind::job, "model 'lkc' needs quasi columns, and there are none");
  const auto known = static_cast<size_t>(std::min<uint64_t>(spec.l.numerator, quasi_columns));
  constexpr size_t kMost = 10'000;
  LkcParts parts;
  parts.confidence.kind = ModelKind::confidence;
  parts.confidence.column = spec.column;
  parts.confidence.alpha = spec.c;
  parts.confidence.values = spec.values;
  std::vector<size_t> columns(known);
  std::iota(columns.begin(), columns.end(), size_t{0});
  while (true) {
    if (parts.requirements.size() == kMost)
      throw Error(ErrorKind::job,
                  fmt::format("model 'lkc' with l={} over {} quasi columns makes more than {} requirements; use a "
                              "smaller l, or l={} for one requirement over all of them",
                              spec.l.numerator, quasi_columns, kMost, quasi_columns));
    parts.requirements.push_back({columns, spec.k.numerator});
    // The next choice in order: the last column that can move up does, those behind it follow closely.
    size_t place = known;
    while (place > 0 && columns[place - 1] == quasi_columns - known + place - 1) --place;
    if (place == 0) return parts;
    ++columns[place - 1];
    for (size_t i = place; i < known; ++i) columns[i] = columns[i - 1] + 1;
  }
}

}  // namespace shoal
