// Which privacy models there are, and one of them as somebody asked for it: plain data.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/model/fraction.h"

namespace shoal {

enum class ModelKind {
  persons,
  distinct_l,
  entropy_l,
  recursive_l,
  confidence,
  t_closeness,
  delta_disclosure,
  beta_likeness,
  k_map,
  delta_presence,
  average_risk,
  lkc,
};

// How a model behaves when groups grow.
enum class Closure {
  any_superset,  // A: a group that holds still holds whatever joins it
  union_only,    // U: two groups that hold also hold as one
  none,          // N: neither
};

// How far apart two values of a sensitive column are, for t-closeness.
enum class Distance {
  equal,         // all the same
  ordered,       // steps between them in their order
  hierarchical,  // the height of their closest common ancestor
};

struct ModelSpec {
  ModelKind kind = ModelKind::distinct_l;
  std::string column;  // the sensitive column, or the person column; empty for models without one
  // Only those that the model's entry lists are read.
  Fraction k, l, c, alpha, t, beta, delta, risk;
  Fraction lowest, highest{1, 1};  // min and max of delta-presence
  Distance distance = Distance::equal;
  bool enhanced = true;             // beta-likeness
  std::vector<std::string> values;  // confidence, lkc: the values to hide; empty: all
  bool joint = false;               // the other sensitive columns count as quasi for this one

  friend bool operator==(const ModelSpec&, const ModelSpec&) = default;
};

struct ModelParameter {
  enum class Type { whole, fraction, choice, values };
  std::string_view name;
  std::string_view meaning;
  Type type = Type::fraction;
  std::string_view default_value;         // empty: must be given (values: none named)
  std::vector<std::string_view> choices;  // of a choice
  Fraction minimum, maximum{Fraction::kLimit, 1};
  bool above_minimum = false;  // the minimum itself is not allowed
};

// One row of the list that parsing, help and documentation are made from.
struct ModelEntry {
  ModelKind kind;
  std::string_view word;     // in jobs
  std::string_view promise;  // what holds for every group, in one line
  Closure closure;           // of the model alone; joint makes A a U
  bool has_column;
  bool larger_is_safer;  // of Model::value
  std::vector<ModelParameter> parameters;
};

// In the order of the documentation. Made anew by each call.
std::vector<ModelEntry> model_entries();
ModelEntry model_entry(ModelKind kind);
// A joint model of a sensitive column: it counts pairs of a value and a tuple of the other sensitive columns.
bool counts_pairs(const ModelSpec& spec);
// Groups are compared with the whole table: t-closeness, delta-disclosure and beta-likeness.
bool compares_with_whole(const ModelSpec& spec);

// Throws Error(job): a parameter that is missing, out of its range or not one of its choices, no column, a column too
// many.
void check_model(const ModelSpec& spec);

// The flag form, `distinct-l:diagnosis:l=3` or `recursive-l:diagnosis:c=4,l=3`: word, column (for models that have
// one), parameters. The values of confidence are parted by |. A backslash takes the next letter as it is, so that any
// column and value can be said. parse_model checks; both undo each other. Throws Error(job) with the nearest words.
ModelSpec parse_model(std::string_view text);
std::string model_text(const ModelSpec& spec);

// Sets one parameter by its word, for job files and Python. Throws Error(job) for an unknown one; ranges are for
// check_model.
void set_parameter(ModelSpec& spec, std::string_view name, std::string_view text);

// The promise as a sentence, "every group has at least 3 different values of 'diagnosis'".
std::string promise_words(const ModelSpec& spec);
// What a group or a release has, Model::value, in words: "3 different values".
std::string value_words(const ModelSpec& spec, double value);

}  // namespace shoal
