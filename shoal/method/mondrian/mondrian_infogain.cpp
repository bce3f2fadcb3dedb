// Mondrian for a target: cuts by information gain (LeFevre, DeWitt, Ramakrishnan 2006, "Workload-aware anonymization").
#include "shoal/method/mondrian/mondrian_families.h"
#include "shoal/method/mondrian/mondrian_gain.h"

namespace shoal {
namespace {

class MondrianInfoGain final : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    const Column& target = *problem.table.target;
    return mondrian::search_families(
        problem, progress,
        [&](std::span<const mondrian::CutColumn> columns, bool /*relaxed*/) {
          return std::make_unique<mondrian::GainRule>(columns, target);
        },
        false);
  }
};

}  // namespace

MethodEntry mondrian_infogain_method() {
  return {
      .name = "mondrian-infogain",
      .title = "cuts the rows into regions where it tells most about the target, as long as every region keeps k rows",
      .paper = "LeFevre, DeWitt, Ramakrishnan 2006 (workload-aware)",
      .shape = Shape::regions,
      .parameters = {},
      .several_requirements = true,
      .drops_rows = false,
      .needs_target = true,
      .make = []() -> std::unique_ptr<Method> { return std::make_unique<MondrianInfoGain>(); },
      .ranges_over_trees = true,
      .obeys_models = true,
      .alike_rows = [](const Params&) { return AlikeRows{}; },
  };
}

}  // namespace shoal
