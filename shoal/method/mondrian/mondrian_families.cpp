// Splits the job into parts that do not touch each other and puts their answers together.
#include "shoal/method/mondrian/mondrian_families.h"

#include <algorithm>
#include <utility>

#include "shoal/method/rules.h"
#include "shoal/method/space/released_part.h"
#include "shoal/method/space/requirement_families.h"

namespace shoal::mondrian {
namespace {

// The family's requirements with columns counted among its own.
std::vector<Requirement> with_positions(const RequirementFamily& family, const Problem& problem) {
  std::vector<Requirement> requirements;
  for (size_t place : family.requirements) {
    requirements.push_back(problem.requirements[place]);
    for (size_t& column : requirements.back().columns) {
      const auto found = std::lower_bound(family.columns.begin(), family.columns.end(), column);
      column = static_cast<size_t>(found - family.columns.begin());
    }
  }
  return requirements;
}

// Empty when k rows are all that the family asks for.
std::vector<std::shared_ptr<const GroupRule>> rules_of(const RequirementFamily& family, const Problem& problem) {
  std::vector<std::shared_ptr<const GroupRule>> rules;
  for (size_t place : family.requirements) rules.push_back(problem.rule(place));
  if (std::all_of(rules.begin(), rules.end(), [](const auto& rule) { return rule->rows_only(); })) rules.clear();
  return rules;
}

class FamilySearch {
 public:
  FamilySearch(const Problem& problem, Progress& progress, const MakeRule& make_rule, bool relaxed)
      : problem_(problem), progress_(progress), make_rule_(make_rule), relaxed_(relaxed) {}

  bool out_of_time() const { return out_of_time_; }
  const SearchStats& stats() const { return stats_; }

  // `number` of `count` families, for the progress.
  ReleasedPart run(const RequirementFamily& family, size_t number, size_t count) {
    std::vector<CutColumn> columns;
    for (size_t column : family.columns) columns.push_back({&problem_.hierarchies[column], problem_.weights[column]});
    Search search{.table = problem_.table,
                  .quasi = family.columns,
                  .columns = columns,
                  .requirements = with_positions(family, problem_),
                  .rules = rules_of(family, problem_),
                  .relaxed = relaxed_,
                  .make_rule = make_rule_,
                  .threads = problem_.threads,
                  .progress = &progress_,
                  .progress_begin = static_cast<double>(number) / static_cast<double>(count),
                  .progress_share = 1.0 / static_cast<double>(count)};
    Regions regions = search.requirements.size() == 1 ? run_one(search) : run_several(search);
    return {family.columns, std::move(regions.region_of_row), std::move(regions.releases)};
  }

 private:
  Regions run_one(const Search& search) {
    Regions regions = cut_for_one(search);
    note(regions);
    return regions;
  }
  Regions run_several(const Search& search) {
    Regions regions = cut_for_several(search);
    note(regions);
    return regions;
  }
  void note(const Regions& regions) {
    stats_.generated += regions.cuts_tried;
    stats_.expanded += regions.cuts_made;
    out_of_time_ = out_of_time_ || regions.out_of_time;
  }

  const Problem& problem_;
  Progress& progress_;
  const MakeRule& make_rule_;
  const bool relaxed_;
  bool out_of_time_ = false;
  SearchStats stats_;
};

}  // namespace

SearchResult search_families(const Problem& problem, Progress& progress, const MakeRule& make_rule, bool relaxed) {
  SearchResult result;
  const uint64_t rows = problem.table.input_rows();
  for (const Requirement& requirement : problem.requirements) {
    if (requirement.k <= rows) continue;
    result.answer =
        NoAnswer{"the table has " + std::to_string(rows) + " rows, fewer than k = " + std::to_string(requirement.k)};
    return result;
  }
  if (problem.has_models()) {
    if (std::string reason = whole_table_breaks(problem); !reason.empty()) {
      result.answer = NoAnswer{std::move(reason)};
      return result;
    }
  }
  const Problem needed = with_needed_requirements(problem);
  const std::vector<RequirementFamily> families = requirement_families(needed.requirements);
  FamilySearch search(needed, progress, make_rule, relaxed);
  ReleasedPart answer{{}, std::vector<uint32_t>(problem.table.rows, 0), {}};
  for (size_t i = 0; i < families.size(); ++i) {
    ReleasedPart part = search.run(families[i], i, families.size());
    answer = i == 0 ? std::move(part) : together(answer, part);
  }
  result.stats = search.stats();
  if (search.out_of_time()) {
    result.notices.push_back("stopped by the time budget: some regions might have been cut further");
  }
  GroupRecoding recoding = recoding_of(std::move(answer));
  // Relaxed cuts may release equal rows differently: no longer regions of the space of values.
  recoding.equal_rows_alike = !relaxed;
  result.answer = Recoding{std::move(recoding)};
  return result;
}

}  // namespace shoal::mondrian
