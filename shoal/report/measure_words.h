// What every measure and every risk is called, what it means, its unit and which way is better: stated here and nowhere
// else. The formulas are in docs/measures.md.
#pragma once

#include <span>

#include "shoal/measure/measures.h"
#include "shoal/measure/risk.h"
#include "shoal/report/document.h"

namespace shoal {

struct MeasureWords {
  const char* key;    // in JSON, and as `measure` parameters of methods name it
  const char* label;  // as the literature writes it
  const char* meaning;
  Direction direction;
  Value (*value)(const Measures&);
};
std::span<const MeasureWords> measure_words();

struct RiskWords {
  const char* key;
  const char* label;  // {} stands for the threshold
  Direction direction;
  Value (*value)(const Risk&);
  bool headline;  // told even where space is short
};
std::span<const RiskWords> risk_words();

// Every measure as a fact. `measured` false: nothing was released, and all are null.
Facts measure_facts(const Measures& measures, Readers readers = kEveryone, bool measured = true);

// Every risk as a fact; null when there are no groups.
Facts risk_facts(const Risk& risk, Readers readers = kEveryone);

// Risks before and after, side by side.
FactTable risk_change(const Risk& before, const Risk& after);

}  // namespace shoal
