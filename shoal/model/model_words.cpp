#include <fmt/format.h>

#include <cmath>

#include "shoal/model/model_spec.h"

namespace shoal {
namespace {

// "'HIV' and 'cancer'", or "value" when all are meant.
std::string named_values(const ModelSpec& spec, const char* all) {
  std::string words;
  for (size_t i = 0; i < spec.values.size(); ++i) {
    if (i > 0) words += i + 1 == spec.values.size() ? " or " : ", ";
    words += "'" + spec.values[i] + "'";
  }
  return words.empty() ? all : words;
}

std::string column_promise(const ModelSpec& spec) {
  const std::string& column = spec.column;
  const char* distances[] = {"all values equally far apart", "distance by order", "distance by hierarchy"};
  switch (spec.kind) {
    case ModelKind::persons:
      return fmt::format("every group has at least {} different persons", fraction_text(spec.k));
    case ModelKind::distinct_l:
      return fmt::format("every group has at least {} different values of '{}'", fraction_text(spec.l), column);
    case ModelKind::entropy_l:
      return fmt::format("in every group '{}' is as hard to guess as among {} equally frequent values", column,
                         fraction_text(spec.l));
    case ModelKind::recursive_l:
      return fmt::format(
          "in every group the most frequent value of '{}' has less than {} times the rows of the {}. and later ones",
          column, fraction_text(spec.c), fraction_text(spec.l));
    case ModelKind::confidence:
      return fmt::format("in no group {} of '{}' has more than the share {}", named_values(spec, "a value"), column,
                         fraction_text(spec.alpha));
    case ModelKind::t_closeness:
      return fmt::format("in every group '{}' is spread as in the whole table, within {} ({})", column,
                         fraction_text(spec.t), distances[static_cast<int>(spec.distance)]);
    case ModelKind::delta_disclosure:
      return fmt::format("in every group each value of '{}' has its share in the whole table, within a factor 2^{}",
                         column, fraction_text(spec.delta));
    default:  // beta-likeness
      return fmt::format(
          "in no group a value of '{}' exceeds its share in the whole table by more than {} times that{}", column,
          fraction_text(spec.beta), spec.enhanced ? ", nor by more than its -ln" : "");
  }
}

}  // namespace

std::string promise_words(const ModelSpec& spec) {
  switch (spec.kind) {
    case ModelKind::k_map:
      return fmt::format("every released row fits at least {} people of the population", fraction_text(spec.k));
    case ModelKind::delta_presence:
      return fmt::format("of the people of the population that a group fits, from {} to {} are in the table",
                         fraction_text(spec.lowest), fraction_text(spec.highest));
    case ModelKind::average_risk:
      return fmt::format("groups / rows is at most {}", fraction_text(spec.risk));
    case ModelKind::lkc:
      return fmt::format(
          "whoever knows {} quasi column{} finds at least {} rows, of which {} of '{}' has at most the share {}",
          fraction_text(spec.l), fraction_text(spec.l) == "1" ? "" : "s", fraction_text(spec.k),
          named_values(spec, "no value"), spec.column, fraction_text(spec.c));
    default:
      return column_promise(spec) + (spec.joint ? ", also for those who know the other sensitive columns" : "");
  }
}

std::string value_words(const ModelSpec& spec, double value) {
  const bool never = std::isinf(value);
  switch (spec.kind) {
    case ModelKind::persons:
      return fmt::format("{:.0f} person{}", value, value == 1 ? "" : "s");
    case ModelKind::distinct_l:
      return fmt::format("{:.0f} different value{}", value, value == 1 ? "" : "s");
    case ModelKind::entropy_l:
      return fmt::format("as hard to guess as among {:.3f} values", value);
    case ModelKind::recursive_l:
      return never ? fmt::format("fewer than {} values", fraction_text(spec.l))
                   : fmt::format("holds for c above {:.4g}", value);
    case ModelKind::confidence:
      return fmt::format("a share of {:.4g}", value);
    case ModelKind::t_closeness:
      return never ? "values that the whole table does not have" : fmt::format("a distance of {:.4g}", value);
    case ModelKind::delta_disclosure:
      return never ? "a value is absent" : fmt::format("a factor of 2^{:.4g}", value);
    case ModelKind::beta_likeness:
      return never ? "a gain that no beta allows" : fmt::format("a gain of {:.4g}", value);
    case ModelKind::k_map:
      return fmt::format("{:.0f} people", value);
    case ModelKind::delta_presence:
      return never ? "nobody of the population" : fmt::format("a share of {:.4g}", value);
    default:
      return fmt::format("{:.4g}", value);
  }
}

}  // namespace shoal
