#include "shoal/model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "shoal/error.h"
#include "shoal/model/kinds.h"

namespace shoal {
namespace {

void check_column(const ModelSpec& spec, const WholeColumn& whole) {
  const uint64_t rows = std::accumulate(whole.counts.begin(), whole.counts.end(), uint64_t{0});
  if (rows > kMostRows)
    throw Error(ErrorKind::input, fmt::format("column '{}' has {} rows, more than models can count exactly ({})",
                                              spec.column, rows, kMostRows));
  if (spec.kind != ModelKind::t_closeness) return;
  if (spec.distance == Distance::ordered) {
    if (whole.order.empty() && !whole.counts.empty())
      throw Error(
          ErrorKind::job,
          fmt::format("model 't-closeness': distance is ordered, but column '{}' has no order; make it numeric, "
                      "state its order, or use distance equal or hierarchical",
                      spec.column));
    std::vector<uint32_t> sorted = whole.order;
    std::sort(sorted.begin(), sorted.end());
    bool all = sorted.size() == whole.counts.size();
    for (uint32_t i = 0; all && i < sorted.size(); ++i) all = sorted[i] == i;
    if (!all)
      throw Error(ErrorKind::job, fmt::format("the order of column '{}' does not name each of its {} values once",
                                              spec.column, whole.counts.size()));
  }
  if (spec.distance == Distance::hierarchical) {
    if (!whole.tree)
      throw Error(ErrorKind::job, fmt::format("model 't-closeness': distance is hierarchical, but column '{}' has no "
                                              "hierarchy; give it one, or use distance equal",
                                              spec.column));
    if (whole.tree->leaves() != whole.counts.size())
      throw std::logic_error("the hierarchy of a sensitive column has other leaves than the column has values");
  }
}

std::unique_ptr<Model> make_alone(const ModelSpec& spec, const WholeColumn& whole) {
  switch (spec.kind) {
    case ModelKind::persons:
    case ModelKind::distinct_l:
      return make_distinct(spec);
    case ModelKind::entropy_l:
      return make_entropy(spec, whole);
    case ModelKind::recursive_l:
      return make_recursive(spec);
    case ModelKind::confidence:
      return make_confidence(spec, whole);
    case ModelKind::beta_likeness:
      return make_beta(spec, whole);
    case ModelKind::delta_disclosure:
      return make_delta(spec, whole);
    case ModelKind::t_closeness:
      if (spec.distance == Distance::equal) return make_equal_closeness(spec, whole);
      if (spec.distance == Distance::ordered) return make_ordered_closeness(spec, whole);
      return make_hierarchical_closeness(spec, whole);
    case ModelKind::k_map:
      return make_k_map(spec);
    case ModelKind::delta_presence:
      return make_presence(spec);
    case ModelKind::average_risk:
    case ModelKind::lkc:
      break;
  }
  throw std::logic_error("average-risk and lkc are not models of one group");
}

}  // namespace

std::vector<uint32_t> order_of(const Hierarchy& hierarchy) {
  if (!hierarchy.numeric()) return {};
  std::vector<uint32_t> order(hierarchy.leaves());
  std::iota(order.begin(), order.end(), uint32_t{0});
  return order;
}

std::unique_ptr<Model> make_model(const ModelSpec& spec, const WholeColumn& whole) {
  check_model(spec);
  check_column(spec, whole);
  std::unique_ptr<Model> model = make_alone(spec, whole);
  if (!counts_pairs(spec)) return model;
  if (uint64_t{whole.others} * whole.counts.size() > kMostRows)
    throw Error(ErrorKind::job,
                fmt::format("model '{}' cannot be joint: the other sensitive columns have {} different "
                            "tuples, too many beside {} values of '{}'",
                            model_entry(spec.kind).word, whole.others, whole.counts.size(), spec.column));
  return make_joint(std::move(model), static_cast<uint32_t>(whole.counts.size()));
}

bool holds_by_missing(const Model& model, const Histogram& group, uint32_t missing) {
  const uint32_t rows = group.count(missing);
  if (rows == 0 || !model.holds(group)) return false;
  Histogram known = group;
  known.remove(missing, rows);
  return !model.holds(known);
}

}  // namespace shoal
