// Top-down specialisation (Fung, Wang, Yu 2005): the older of the two, for trees and intervals only.
#include "shoal/method/method.h"

#include "shoal/method/refine/top_down_refinement.h"

namespace shoal {
namespace {

double tds_score(double info_gain, double anonymity_loss) {
  return anonymity_loss > 0 ? info_gain / anonymity_loss : info_gain;
}

class Tds : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    return refine_top_down(problem, {FlatColumns::refine_all, tds_score, check_setting(problem.params)}, progress);
  }
};

}  // namespace

MethodEntry tds_method() {
  return {.name = "tds",
          .title = "top-down specialisation for classification: trees and grown intervals",
          .paper = "Fung, Wang, Yu 2005",
          .shape = Shape::cut,
          .parameters = {check_parameter()},
          .several_requirements = true,
          .drops_rows = false,
          .needs_target = true,
          .make = [] { return std::unique_ptr<Method>(std::make_unique<Tds>()); },
          .obeys_models = true,
          .alike_rows = [](const Params&) { return AlikeRows{}; }};
}

}  // namespace shoal
