// AllMin (Samarati 2001): all level vectors of the least sum of levels that satisfies, by binary search.
#include <algorithm>

#include "shoal/method/levels/level_search.h"

namespace shoal {

MethodEntry allmin_method();

namespace {

class AllMin final : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    if (auto reason = lattice_too_large(problem)) return {NoAnswer{*reason}, {}, {}, {}};
    if (auto reason = top_breaks(problem)) return {NoAnswer{*reason}, {}, {}, {}};
    LevelSearch search(problem, progress);
    const Lattice& lattice = search.lattice();
    // The raw table is no state of the search: the paper starts from a table that is known to fail.
    search.decide(std::vector<VectorIndex>{0});
    search.counted() = 0;
    if (search.satisfies(0)) return answer(search, {0}, 0);
    uint64_t generated = 0;
    int low = 1, high = lattice.total_height();
    std::vector<VectorIndex> found;  // all that satisfy, of height `high`
    // Where a coarser vector may fail though a finer one satisfies, halving would miss heights: one after the other.
    for (; !search.inherits() && found.empty() && low < high && !search.out_of_time(); ++low) {
      found = decide_height(search, low, generated);
    }
    while (search.inherits() && low < high && !search.out_of_time()) {
      const int middle = (low + high) / 2;
      const std::vector<VectorIndex> satisfying = decide_height(search, middle, generated);
      if (satisfying.empty()) {
        low = middle + 1;
      } else {
        high = middle;
        found = satisfying;
      }
    }
    if (found.empty() && high == lattice.total_height()) found = decide_height(search, high, generated);
    return answer(search, found, generated);
  }

 private:
  // Decides all vectors of a height; returns those that satisfy.
  static std::vector<VectorIndex> decide_height(LevelSearch& search, int height, uint64_t& generated) {
    std::vector<VectorIndex> vectors;
    for (VectorIndex vector = 0; vector < search.lattice().size(); ++vector) {
      if (search.lattice().sum_of_levels(vector) == height) vectors.push_back(vector);
    }
    generated += vectors.size();
    search.decide(vectors);
    std::erase_if(vectors, [&](VectorIndex vector) { return !search.satisfies(vector); });
    return vectors;
  }

  // Of several vectors of the least height the measure chooses.
  static SearchResult answer(LevelSearch& search, const std::vector<VectorIndex>& found, uint64_t generated) {
    const uint64_t counted = std::min<uint64_t>(search.counted(), generated);
    SearchResult result = search.answer(search.best(found));
    result.stats.generated = generated;
    result.stats.expanded = counted;
    result.stats.pruned = generated - counted;
    if (!found.empty()) {
      result.stats.details.emplace_back("least height", std::to_string(search.lattice().sum_of_levels(found.front())));
      result.stats.details.emplace_back("vectors of least height",
                                        std::to_string(found.size()) + ": " + search.text(found));
    }
    return result;
  }
};

}  // namespace

MethodEntry allmin_method() {
  return {.name = "allmin",
          .title = "full-domain levels of least total height, by binary search",
          .paper = "Samarati 2001",
          .shape = Shape::levels,
          .parameters = {level_measure_parameter()},
          .several_requirements = true,
          .drops_rows = true,
          .needs_target = false,
          .make = [] { return std::unique_ptr<Method>(std::make_unique<AllMin>()); },
          .obeys_models = true,
          .obeys_average_risk = true,
          .obeys_population = true,
          .alike_rows = level_alike_rows};
}

}  // namespace shoal
