// Incognito (LeFevre, DeWitt, Ramakrishnan 2005): all level vectors that satisfy, found by growing sets of columns.
#include <algorithm>
#include <numeric>

#include "shoal/method/levels/level_search.h"
#include "shoal/method/levels/subset_search.h"

namespace shoal {

MethodEntry incognito_method();

namespace {

class Incognito final : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    if (auto reason = lattice_too_large(problem)) return {NoAnswer{*reason}, {}, {}, {}};
    if (auto reason = top_breaks(problem)) return {NoAnswer{*reason}, {}, {}, {}};
    LevelSearch search(problem, progress);
    // Without dropped rows no measure gets better upwards, so that the best vector is among the minimal ones, and most
    // of the lattice need not be counted. With dropped rows a coarser vector may keep more rows: every satisfying
    // vector has to be counted for its measure, and the sweep that does so also finds the failing ones.
    uint64_t looked_at = 0;
    std::vector<VectorIndex> compared;
    if (search.limit() == 0) {
      looked_at = decide_by_subsets(search);
      compared = search.minimal();
    } else {
      looked_at = search.lattice().size();
      compared.resize(looked_at);
      std::iota(compared.begin(), compared.end(), VectorIndex{0});
    }
    SearchResult result = search.answer(search.best(compared));
    const std::vector<VectorIndex> minimal = search.minimal();
    result.stats.generated = looked_at;
    result.stats.expanded = std::min<uint64_t>(search.counted(), looked_at);
    result.stats.pruned = looked_at - result.stats.expanded;
    result.stats.details.emplace_back("satisfying vectors", std::to_string(search.satisfying().size()));
    result.stats.details.emplace_back("minimal vectors", std::to_string(minimal.size()) + ": " + search.text(minimal));
    return result;
  }
};

}  // namespace

MethodEntry incognito_method() {
  return {.name = "incognito",
          .title = "all full-domain level vectors that satisfy, the best by a measure",
          .paper = "LeFevre, DeWitt, Ramakrishnan 2005",
          .shape = Shape::levels,
          .parameters = {level_measure_parameter()},
          .several_requirements = true,
          .drops_rows = true,
          .needs_target = false,
          .make = [] { return std::unique_ptr<Method>(std::make_unique<Incognito>()); },
          .obeys_models = true,
          .obeys_average_risk = true,
          .obeys_population = true,
          .alike_rows = level_alike_rows};
}

}  // namespace shoal
