#include <stdexcept>

#include "shoal/model/model_spec.h"

namespace shoal {
namespace {

using Type = ModelParameter::Type;

ModelParameter number(std::string_view name, std::string_view meaning, Type type, Fraction minimum) {
  return {name, meaning, type, "", {}, minimum, {Fraction::kLimit, 1}, false};
}

ModelParameter whole(std::string_view name, std::string_view meaning) {
  return number(name, meaning, Type::whole, {1, 1});
}

ModelParameter positive(std::string_view name, std::string_view meaning) {
  ModelParameter parameter = number(name, meaning, Type::fraction, {0, 1});
  parameter.above_minimum = true;
  return parameter;
}

// From 0 (which is allowed only when `or_zero`) to 1.
ModelParameter share(std::string_view name, std::string_view meaning, bool or_zero = false) {
  ModelParameter parameter = positive(name, meaning);
  parameter.maximum = {1, 1};
  parameter.above_minimum = !or_zero;
  return parameter;
}

ModelParameter choice(std::string_view name, std::string_view meaning, std::vector<std::string_view> choices,
                      std::string_view default_value) {
  return {name, meaning, Type::choice, default_value, std::move(choices), {}, {}, false};
}

ModelParameter joint() {
  return choice("joint", "the other sensitive columns count as known to the attacker", {"false", "true"}, "false");
}

ModelParameter values() {
  return {"values", "the values to hide, parted by |; all when none is named", Type::values, "", {}, {}, {}, false};
}

}  // namespace

std::vector<ModelEntry> model_entries() {
  using enum ModelKind;
  constexpr Closure kA = Closure::any_superset, kU = Closure::union_only;
  return {
      {persons, "persons", "at least k different persons", kA, true, true, {whole("k", "how many persons")}},
      {distinct_l,
       "distinct-l",
       "at least l different values",
       kA,
       true,
       true,
       {whole("l", "how many values"), joint()}},
      {entropy_l,
       "entropy-l",
       "values as hard to guess as l equally frequent ones",
       kU,
       true,
       true,
       {number("l", "how many equally frequent values", Type::fraction, {1, 1}), joint()}},
      {recursive_l,
       "recursive-l",
       "the most frequent value has less than c times the rows of those from the l-th on",
       kU,
       true,
       false,
       {positive("c", "how many times"), whole("l", "from which value on"), joint()}},
      {confidence,
       "confidence",
       "no value, or none of those named, has more than the share alpha of the rows",
       kU,
       true,
       false,
       {share("alpha", "the largest share"), values(), joint()}},
      {t_closeness,
       "t-closeness",
       "the values are spread as in the whole table, within t",
       kU,
       true,
       false,
       {share("t", "the largest distance", true),
        choice("distance", "how far apart values are", {"equal", "ordered", "hierarchical"}, "equal"), joint()}},
      {delta_disclosure,
       "delta-disclosure",
       "each value's share is within a factor 2^delta of its share in the whole table, and none is absent",
       kU,
       true,
       false,
       {positive("delta", "the largest change, in powers of two"), joint()}},
      {beta_likeness,
       "beta-likeness",
       "no value's share exceeds its share in the whole table by more than beta times that share",
       kU,
       true,
       false,
       {positive("beta", "the largest relative gain"),
        choice("form", "enhanced also keeps the gain below -ln of the share in the whole table", {"basic", "enhanced"},
               "enhanced"),
        joint()}},
      {k_map, "k-map", "at least k people of the population fit", kA, false, true, {whole("k", "how many people")}},
      {delta_presence,
       "delta-presence",
       "of the people of the population that fit, from min to max are in the table",
       kU,
       false,
       false,
       {share("min", "the least share", true), share("max", "the largest share")}},
      {average_risk,
       "average-risk",
       "groups / rows of the whole table is at most risk",
       kA,
       false,
       false,
       {share("risk", "the average chance to name a row's person")}},
      {lkc,
       "lkc",
       "whoever knows l quasi columns finds at least k rows, and no value with more than the share c of them",
       kU,
       true,
       false,
       {whole("l", "how many columns an attacker knows"), whole("k", "how many rows"), share("c", "the largest share"),
        values()}},
  };
}

ModelEntry model_entry(ModelKind kind) {
  for (ModelEntry& entry : model_entries())
    if (entry.kind == kind) return entry;
  throw std::logic_error("a model without an entry");
}

bool compares_with_whole(const ModelSpec& spec) {
  return spec.kind == ModelKind::t_closeness || spec.kind == ModelKind::delta_disclosure ||
         spec.kind == ModelKind::beta_likeness;
}

bool counts_pairs(const ModelSpec& spec) {
  return spec.joint && spec.kind != ModelKind::persons && model_entry(spec.kind).has_column;
}

}  // namespace shoal
