// Top-down refinement (Fung, Wang, Yu 2007).
#include "shoal/method/method.h"

#include "shoal/method/refine/top_down_refinement.h"

namespace shoal {
namespace {

// tdr.txt eq. 1.
double tdr_score(double info_gain, double anonymity_loss) { return info_gain / (anonymity_loss + 1); }

RefinementRules rules_of(const Params& params) {
  const bool all = setting(params, "flat") == "refine";
  return {all ? FlatColumns::refine_all : FlatColumns::disclose_one, tdr_score, check_setting(params)};
}

class Tdr : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    return refine_top_down(problem, rules_of(problem.params), progress);
  }
};

}  // namespace

MethodEntry tdr_method() {
  return {.name = "tdr",
          .title = "top-down refinement for classification: generalise, suppress values, grow intervals",
          .paper = "Fung, Wang, Yu 2007",
          .shape = Shape::cut,
          .parameters = {{"flat",
                          "columns whose values hang directly under the root: disclose one value at a time, or refine "
                          "to all at once",
                          "disclose",
                          {"disclose", "refine"}},
                         check_parameter()},
          .several_requirements = true,
          .drops_rows = false,
          .needs_target = true,
          .make = [] { return std::unique_ptr<Method>(std::make_unique<Tdr>()); },
          .obeys_models = true,
          .alike_rows = [](const Params&) { return AlikeRows{}; }};
}

}  // namespace shoal
