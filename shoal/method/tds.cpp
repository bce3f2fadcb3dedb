// Top-down specialisation (Fung, Wang, Yu 2005): the older of the two, for trees and intervals only.
#include "shoal/method/method.h"

#include "shoal/method/top_down_refinement.h"

namespace shoal {
namespace {

double score(double info_gain, double anonymity_loss) {
  return anonymity_loss > 0 ? info_gain / anonymity_loss : info_gain;
}

class Tds : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    return refine_top_down(problem, {FlatColumns::refine_all, score}, progress);
  }
};

}  // namespace

MethodEntry tds_method() {
  return {"tds",
          "top-down specialisation for classification: trees and grown intervals",
          "Fung, Wang, Yu 2005",
          Shape::cut,
          {check_parameter()},
          true,
          false,
          true,
          [] { return std::unique_ptr<Method>(std::make_unique<Tds>()); }};
}

}  // namespace shoal
