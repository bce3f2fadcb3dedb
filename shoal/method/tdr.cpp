// Top-down refinement (Fung, Wang, Yu 2007).
#include "shoal/method/method.h"

#include "shoal/method/top_down_refinement.h"

namespace shoal {
namespace {

// tdr.txt eq. 1.
double score(double info_gain, double anonymity_loss) { return info_gain / (anonymity_loss + 1); }

class Tdr : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    const bool all = setting(problem.params, "flat") == "refine";
    return refine_top_down(problem, {all ? FlatColumns::refine_all : FlatColumns::disclose_one, score}, progress);
  }
};

}  // namespace

MethodEntry tdr_method() {
  return {"tdr",
          "top-down refinement for classification: generalise, suppress values, grow intervals",
          "Fung, Wang, Yu 2007",
          Shape::cut,
          {{"flat",
            "columns whose values hang directly under the root: disclose one value at a time, or refine to all at once",
            "disclose",
            {"disclose", "refine"}},
           check_parameter()},
          true,
          false,
          true,
          [] { return std::unique_ptr<Method>(std::make_unique<Tdr>()); }};
}

}  // namespace shoal
