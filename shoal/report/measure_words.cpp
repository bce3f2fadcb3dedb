#include "shoal/report/measure_words.h"

#include <fmt/format.h>

#include "shoal/report/format.h"

namespace shoal {
namespace {

constexpr Direction kLower = Direction::lower_is_better, kHigher = Direction::higher_is_better;

constexpr MeasureWords kMeasures[] = {
    {"prec", "Prec", "precision kept; 1 is the original", kHigher,
     [](const Measures& m) { return Value::number(m.prec); }},
    {"gcp", "GCP", "information lost over all quasi cells", kLower,
     [](const Measures& m) { return Value::share(m.gcp); }},
    {"ncp", "NCP", "the same as a weighted sum", kLower, [](const Measures& m) { return Value::number(m.ncp); }},
    {"lm", "LM", "Iyengar's loss", kLower, [](const Measures& m) { return Value::share(m.lm); }},
    {"distortion", "distortion", "weighted hierarchical distance, summed", kLower,
     [](const Measures& m) { return Value::number(m.distortion); }},
    {"distortion_ratio", "distortion ratio", "of everything at the root", kLower,
     [](const Measures& m) { return Value::share(m.distortion_ratio); }},
    {"entropy", "entropy", "bits lost (non-uniform entropy)", kLower,
     [](const Measures& m) { return Value::number(m.entropy); }},
    {"entropy_ratio", "entropy ratio", "of full suppression", kLower,
     [](const Measures& m) { return Value::share(m.entropy_ratio); }},
    {"modification_rate", "modification rate", "quasi cells changed", kLower,
     [](const Measures& m) { return Value::share(m.modification_rate); }},
    {"rows", "rows", "distinct released rows", kHigher, [](const Measures& m) { return Value::count(m.rows); }},
    {"rows_ratio", "rows ratio", "of the distinct original rows", kHigher,
     [](const Measures& m) { return Value::share(m.rows_ratio); }},
    {"dm", "DM", "discernibility: group sizes squared", kLower, [](const Measures& m) { return Value::number(m.dm); }},
    {"c_avg", "C_AVG", "average group over k; 1 is ideal", kLower,
     [](const Measures& m) { return Value::number(m.c_avg); }},
    {"cm", "CM", "rows outside their group's majority class (needs a target)", kLower,
     [](const Measures& m) { return m.cm ? Value::share(*m.cm) : Value::nothing(); }},
};

constexpr RiskWords kRisks[] = {
    {"prosecutor_max", "highest risk of a row (prosecutor)", kLower,
     [](const Risk& r) { return Value::share(r.prosecutor_max); }, true},
    {"prosecutor_average", "average risk of a row (prosecutor)", kLower,
     [](const Risk& r) { return Value::share(r.prosecutor_average); }, true},
    {"share_above_threshold", "rows with a risk above {}", kLower,
     [](const Risk& r) { return Value::share(r.share_above_threshold); }, true},
    {"journalist_max", "highest risk of a row (journalist)", kLower,
     [](const Risk& r) { return Value::share(r.journalist_max); }, false},
    {"marketer", "rows expected to be re-identified (marketer)", kLower,
     [](const Risk& r) { return Value::share(r.marketer); }, false},
    {"uniques", "unique rows", kLower, [](const Risk& r) { return Value::count(r.uniques); }, true},
    {"groups", "groups of rows that look alike", Direction::neutral,
     [](const Risk& r) { return Value::count(r.groups); }, true},
    {"smallest_group", "smallest group", kHigher, [](const Risk& r) { return Value::count(r.smallest_group); }, false},
    {"average_group", "average group", Direction::neutral, [](const Risk& r) { return Value::number(r.average_group); },
     false},
    {"largest_group", "largest group", Direction::neutral, [](const Risk& r) { return Value::count(r.largest_group); },
     false},
};

std::string label_of(const RiskWords& words, double threshold) {
  return fmt::format(fmt::runtime(words.label), percent(threshold));
}

}  // namespace

std::span<const MeasureWords> measure_words() { return kMeasures; }
std::span<const RiskWords> risk_words() { return kRisks; }

Facts measure_facts(const Measures& measures, Readers readers, bool measured) {
  Facts facts{"measures"};
  for (const MeasureWords& words : kMeasures) {
    facts.facts.push_back({words.key, words.label, measured ? words.value(measures) : Value::nothing(), words.meaning,
                           words.direction, readers});
  }
  return facts;
}

Facts risk_facts(const Risk& risk, Readers readers) {
  Facts facts{"risk"};
  const bool any = risk.groups > 0;
  for (const RiskWords& words : kRisks) {
    facts.facts.push_back({words.key, label_of(words, risk.threshold), any ? words.value(risk) : Value::nothing(), "",
                           Direction::neutral, readers});
  }
  facts.facts.push_back({"threshold", "", any ? Value::share(risk.threshold) : Value::nothing(), "", Direction::neutral,
                         Readers(readers & kMachines)});
  return facts;
}

FactTable risk_change(const Risk& before, const Risk& after) {
  FactTable table{"", {{"", "risk of re-identification"}, {"risk_before", "before"}, {"risk", "after"}}, {}, true};
  const auto value = [](const RiskWords& words, const Risk& risk) {
    return risk.groups > 0 ? words.value(risk) : Value::nothing();
  };
  for (const RiskWords& words : kRisks) {
    table.rows.push_back({{Value::text(label_of(words, after.threshold)), value(words, before), value(words, after)},
                          words.key,
                          words.headline ? kEveryone : kPageAndMachines});
  }
  const auto threshold = [](const Risk& risk) { return risk.groups > 0 ? Value::share(risk.threshold) : Value(); };
  table.rows.push_back({{Value(), threshold(before), threshold(after)}, "threshold", kMachines});
  return table;
}

}  // namespace shoal
