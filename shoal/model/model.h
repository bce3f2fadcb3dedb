// A privacy model: a promise about the sensitive values of every group, on top of k.
//
// Predicates are exact: counts and parameters are integers and fractions, products have 128 bits. Where a bound is not
// a fraction (entropy-l, enhanced beta-likeness, delta-disclosure between powers of two) a group that violates is never
// accepted, a group exactly at the bound is, and one that is nearer than 2^-50 to the bound without being at it may be
// refused. docs/models.md says what each model is good for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/model/histogram.h"
#include "shoal/model/model_spec.h"

namespace shoal {

// Immutable; safe to share between threads.
class Model {
 public:
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const ModelSpec& spec() const { return spec_; }
  virtual Closure closure() const { return model_entry(spec_.kind).closure; }

  // A group without rows holds. Cost: the values that occur in the group (persons, distinct-l and, with a histogram
  // that keeps logs, entropy-l: constant for one group).
  bool holds(const GroupView& group) const { return group.rows() == 0 || test(group); }
  bool holds_union(const Histogram& a, const Histogram& b) const { return holds(GroupView::united(a, b)); }
  bool holds_after_adding(const Histogram& group, uint32_t value) const {
    return holds(GroupView::after_adding(group, value));
  }
  bool holds_after_removing(const Histogram& group, uint32_t value) const {
    return holds(GroupView::after_removing(group, value));
  }

  // How far a group is from holding: 0 exactly when it holds, else about how many rows (or values, persons, bits) are
  // too many or too few. Two groups as one never lack more than both together, so merging never raises the sum.
  double deficit(const GroupView& group) const { return group.rows() == 0 ? 0 : lack(group); }

  // What the group has, for reports: its l, its t, its largest share ... (ModelEntry::larger_is_safer says which way).
  // Infinite where no parameter would do. Requires rows.
  virtual double value(const GroupView& group) const = 0;

  // Of a joint model: how many values are paired with each tuple of the other columns (pair / paired_values() is the
  // tuple). 0: the model counts no pairs.
  virtual uint32_t paired_values() const { return 0; }

  // The logarithms that make this model's test constant for histograms that keep them; null when it needs none.
  virtual const CountLogs* logs() const { return nullptr; }

 protected:
  explicit Model(ModelSpec spec) : spec_(std::move(spec)) {}

  // The deficit of a group that is exactly at a strict bound, or nearer to one than floating point can say.
  static constexpr double kLeastDeficit = 1e-9;

 private:
  // Require rows.
  virtual bool test(const GroupView& group) const = 0;
  virtual double lack(const GroupView& group) const = 0;  // 0 exactly when the test passes

  ModelSpec spec_;
};

// What the models of one column know about the whole table. Codes are 0 .. counts.size()-1; missing is one of them, a
// value like others. Groups are parts of this table.
struct WholeColumn {
  std::vector<uint32_t> counts;     // rows of each value; some may be 0
  std::vector<std::string> values;  // the text of each code, for values that a model names; may be empty
  // The codes from least to greatest, for ordered distance; empty: the column has no order. Missing comes last.
  std::vector<uint32_t> order;
  const Hierarchy* tree = nullptr;  // for hierarchical distance: its leaves are the codes; read while a model is made
  uint32_t others = 1;              // joint models: tuples of the other sensitive columns; see make_model
};

// The order of a numeric column: its codes as they are.
std::vector<uint32_t> order_of(const Hierarchy& hierarchy);

// Makes any model of one column, or over the population. Throws Error(job) where the spec is wrong (check_model), a
// named value is not there, or a distance lacks its order or tree; Error(input) for 2^32 rows and more. average-risk is
// about the whole table (average_risk.h) and lkc several requirements (lkc.h): std::logic_error.
//
// Joint: histograms then count pairs, other·counts.size() + value, where `other` numbers the tuples of the other
// sensitive columns; `others` says how many. The model holds when it holds for every `other` alone.
std::unique_ptr<Model> make_model(const ModelSpec& spec, const WholeColumn& whole);

// Does the group hold only because missing cells count as a value of their own? That is: it holds, and its rows without
// missing cells do not.
bool holds_by_missing(const Model& model, const Histogram& group, uint32_t missing);

}  // namespace shoal
