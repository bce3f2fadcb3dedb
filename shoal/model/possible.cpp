#include "shoal/model/possible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shoal/run/counted.h"

namespace shoal {
namespace {

// Rounded to what can be said in four decimals and still holds.
double downwards(double number) { return std::floor(number * 1e4) / 1e4; }
double upwards(double number) { return std::ceil(number * 1e4) / 1e4; }

// The largest l with the same c; 0 when even 1 fails.
uint64_t largest_l(ModelSpec spec, const WholeColumn& column, const GroupView& whole) {
  spec.l.numerator = std::min<uint64_t>(spec.l.numerator, column.counts.size() + 1);
  while (--spec.l.numerator > 0)
    if (make_model(spec, column)->holds(whole)) break;
  return spec.l.numerator;
}

std::string recursive_reason(const ModelSpec& spec, const WholeColumn& column, const GroupView& whole, double best) {
  const uint64_t l = largest_l(spec, column, whole);
  std::string reason = std::isinf(best)
                           ? fmt::format("'{}' has fewer than {} values", spec.column, spec.l.numerator)
                           : fmt::format("for l={} c must be above {:.4f}", spec.l.numerator, downwards(best));
  return reason + (l > 0 ? fmt::format("; the largest l possible with c={} is {}", fraction_text(spec.c), l)
                         : fmt::format("; with c={} no l is possible", fraction_text(spec.c)));
}

std::string presence_reason(const ModelSpec& spec, const GroupView& whole, double best) {
  if (whole.population() == 0) return "the population has nobody";
  return fmt::format("{} of {} are a share of {:.4f}, and some group has that or more, some that or less",
                     counted(whole.rows(), "row"), counted(whole.population(), "person", "people"), best) +
         (best > spec.highest.number() ? fmt::format("; the smallest max possible is {:.4f}", upwards(best))
                                       : fmt::format("; the largest min possible is {:.4f}", downwards(best)));
}

std::string reason_words(const ModelSpec& spec, const WholeColumn& column, const GroupView& whole, double best) {
  const std::string joint = spec.joint ? " beside one tuple of the other sensitive columns" : "";
  switch (spec.kind) {
    case ModelKind::persons:
      return fmt::format("there are {:.0f} persons in all; the largest k possible is {:.0f}", best, best);
    case ModelKind::distinct_l:
      return fmt::format("'{}' has {:.0f} different values{}; the largest l possible is {:.0f}", spec.column, best,
                         joint, best);
    case ModelKind::entropy_l:
      return fmt::format(
          "in the whole table '{}' is as hard to guess as among {:.4f} values{}; the largest l possible is {:.4f}",
          spec.column, downwards(best), joint, downwards(best));
    case ModelKind::recursive_l:
      return recursive_reason(spec, column, whole, best);
    case ModelKind::confidence:
      return fmt::format(
          "in the whole table a value of '{}' has a share of {:.4f}{}; the smallest alpha possible is {:.4f}",
          spec.column, best, joint, upwards(best));
    case ModelKind::k_map:
      return fmt::format("the population has {:.0f} people; the largest k possible is {:.0f}", best, best);
    case ModelKind::delta_presence:
      return presence_reason(spec, whole, best);
    default: {  // t-closeness, beta-likeness and delta-disclosure compare with the whole table: only joint ones can
                // fail
      const std::string parameter(model_entry(spec.kind).parameters[0].name);
      if (std::isinf(best))
        return fmt::format("in the whole table values of '{}' are absent or far too frequent{}; no {} is possible",
                           spec.column, joint, parameter);
      return fmt::format(
          "in the whole table the values of '{}'{} are off by {:.4f}; the smallest {} possible is {:.4f}", spec.column,
          joint, best, parameter, upwards(best));
    }
  }
}

}  // namespace

Possible what_is_possible(const ModelSpec& spec, const WholeColumn& column, const GroupView& whole) {
  const std::unique_ptr<Model> model = make_model(spec, column);
  if (whole.rows() == 0) return {};
  Possible possible{model->holds(whole), model->value(whole), ""};
  if (possible.holds) return possible;
  possible.reason =
      fmt::format("{} cannot hold: {}", model_text(spec), reason_words(spec, column, whole, possible.best));
  return possible;
}

}  // namespace shoal
