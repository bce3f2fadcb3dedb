// Mondrian: top-down greedy multidimensional partitioning (LeFevre, DeWitt, Ramakrishnan 2006).
//
// What is decided where: mondrian_cut chooses a region's cut, mondrian_one and mondrian_several drive the cutting until
// no allowable cut is left, mondrian_rows holds the rows, mondrian_families puts the parts of a job together.
#include "shoal/method/mondrian/mondrian_families.h"

namespace shoal {
namespace {

struct MondrianOptions {
  bool relaxed = false;  // cuts may part rows with equal values
};
MondrianOptions mondrian_options(const Params& params) { return {.relaxed = setting(params, "cuts") == "relaxed"}; }

class Mondrian final : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    return mondrian::search_families(
        problem, progress, [](auto... settings) { return std::make_unique<mondrian::MedianRule>(settings...); },
        mondrian_options(problem.params).relaxed);
  }
};

}  // namespace

MethodEntry mondrian_method() {
  return {
      .name = "mondrian",
      .title = "cuts the rows into regions along the widest column, as long as every region keeps k rows",
      .paper = "LeFevre, DeWitt, Ramakrishnan 2006",
      .shape = Shape::regions,
      .parameters = {{.name = "cuts",
                      .meaning = "strict: rows with equal values stay together; relaxed: a region without a strict cut "
                                 "is halved, equal values dealt to both sides",
                      .default_value = "strict",
                      .choices = {"strict", "relaxed"}}},
      .several_requirements = true,
      .drops_rows = false,
      .needs_target = false,
      .make = []() -> std::unique_ptr<Method> { return std::make_unique<Mondrian>(); },
      .ranges_over_trees = true,
      .obeys_models = true,
      .alike_rows =
          [](const Params& params) {
            return AlikeRows{.why_not = mondrian_options(params).relaxed ? "may part equal rows (cuts=relaxed)" : ""};
          },
  };
}

}  // namespace shoal
