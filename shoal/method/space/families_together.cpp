#include "shoal/method/space/families_together.h"

#include <fmt/format.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "shoal/method/space/released_part.h"
#include "shoal/method/space/requirement_families.h"

namespace shoal {
namespace {

// Adds what was said about one family to what is said about all. `name`: which it is; "" where there is no other.
void keep_words(SearchResult& all, SearchResult& found, const std::string& name) {
  SearchStats& stats = all.stats;
  stats.generated += found.stats.generated;
  stats.expanded += found.stats.expanded;
  stats.pruned += found.stats.pruned;
  stats.optimal = stats.optimal && found.stats.optimal;
  if (stats.bound && found.stats.bound) {
    *stats.bound += *found.stats.bound;
  } else {
    stats.bound.reset();
  }
  for (auto& [what, words] : found.stats.details) {
    stats.details.emplace_back(detail_of_family(what, name), std::move(words));
  }
  for (const std::string& notice : found.notices) all.notices.push_back(notice_of_family(notice, name));
}

void report_bound(SearchResult& result, const ReleasedPart& answer, const Problem& problem) {
  const double cells =
      double(problem.table.rows) * std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0);
  if (!result.stats.bound || cells <= 0) return;
  result.stats.details.emplace_back(
      kLowerBoundDetail,
      fmt::format("no release can have a GCP below {:.5f}; this one has {:.5f}{}", *result.stats.bound,
                  weighted_ncp(answer, problem) / cells, result.stats.optimal ? ": the best possible" : ""));
}

}  // namespace

std::string detail_of_family(const std::string& what, const std::string& family) {
  return family.empty() ? what : fmt::format("{} ({})", what, family);
}

std::string notice_of_family(const std::string& notice, const std::string& family) {
  return family.empty() ? notice : fmt::format("requirement over {}: {}", family, notice);
}

SearchResult families_together(const Problem& problem, const SearchFamily& search, Progress& progress) {
  SearchResult result;
  result.stats.optimal = true;
  result.stats.bound = 0;
  if (problem.suppress_rows.value_or(0) > 0) {
    result.notices.emplace_back(kNoRowsDroppedApart);
  }
  ReleasedPart answer{{}, std::vector<uint32_t>(problem.table.rows, 0), {}};
  const std::vector<RequirementFamily> families = requirement_families(problem.requirements);
  for (size_t i = 0; i < families.size(); ++i) {
    PartOfProgress inner(progress, i, families.size());
    SearchResult found = search(problem_of_family(problem, families[i]), inner);
    keep_words(result, found, families.size() < 2 ? "" : names_of(families[i].columns, problem.table));
    if (found.recoding() == nullptr) {
      result.answer = std::move(found.answer);
      return result;
    }
    answer = together(answer, part_of(found.recoding()->by_group(), families[i].columns));
  }
  report_bound(result, answer, problem);
  result.answer = Recoding{recoding_of(std::move(answer))};
  progress.update(1);
  return result;
}

}  // namespace shoal
