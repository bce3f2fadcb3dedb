// Splits the job into parts that do not touch each other and puts their answers together.
#include "shoal/method/mondrian_families.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "shoal/table/groups.h"

namespace shoal::mondrian {
namespace {

// Requirements that hang together by shared columns, and those columns. What is released on one family's columns says
// nothing about another family's requirements, so each is searched on its own.
struct Family {
  std::vector<size_t> columns;  // indices into the quasi columns, ascending
  std::vector<Requirement> requirements;
};

std::vector<Family> families_of(const std::vector<Requirement>& requirements) {
  std::vector<Family> families;
  for (const Requirement& requirement : requirements) {
    if (requirement.columns.empty()) continue;  // all rows are one group there
    Family joined{requirement.columns, {requirement}};
    std::vector<Family> apart;
    for (Family& family : families) {
      const bool shares = std::any_of(family.columns.begin(), family.columns.end(), [&](size_t column) {
        return std::binary_search(requirement.columns.begin(), requirement.columns.end(), column);
      });
      if (!shares) {
        apart.push_back(std::move(family));
        continue;
      }
      std::vector<size_t> columns;
      std::set_union(joined.columns.begin(), joined.columns.end(), family.columns.begin(), family.columns.end(),
                     std::back_inserter(columns));
      joined.columns = std::move(columns);
      joined.requirements.insert(joined.requirements.begin(), family.requirements.begin(), family.requirements.end());
    }
    families = std::move(apart);
    families.push_back(std::move(joined));
  }
  return families;
}

// The same requirements with columns counted among `columns`.
std::vector<Requirement> with_positions(std::vector<Requirement> requirements, const std::vector<size_t>& columns) {
  for (Requirement& requirement : requirements) {
    for (size_t& column : requirement.columns) {
      column = static_cast<size_t>(std::lower_bound(columns.begin(), columns.end(), column) - columns.begin());
    }
  }
  return requirements;
}

// One family's answer.
struct Part {
  std::vector<size_t> columns;         // as in Family
  std::vector<uint32_t> group_of_row;  // [row]
  std::vector<Released> releases;      // [group * columns.size() + i]
};

// Rows that are together in both parts; groups numbered by first appearance in input order.
Part both(const Part& a, const Part& b) {
  auto codes_of = [](const Part& part) {
    Codes codes(part.group_of_row.size(), part.releases.size() / part.columns.size());
    codes.visit([&](auto span) {
      for (size_t row = 0; row < span.size(); ++row) {
        span[row] = static_cast<typename decltype(span)::value_type>(part.group_of_row[row]);
      }
    });
    return codes;
  };
  const Codes a_codes = codes_of(a), b_codes = codes_of(b);
  const std::vector<GroupKey> keys{{&a_codes, a.releases.size() / a.columns.size()},
                                   {&b_codes, b.releases.size() / b.columns.size()}};
  Groups groups = group_rows(a.group_of_row.size(), keys);
  Part result;
  std::merge(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(),
             std::back_inserter(result.columns));
  result.releases.reserve(groups.sizes.size() * result.columns.size());
  uint32_t known = 0;
  for (size_t row = 0; row < groups.group_of_row.size(); ++row) {
    if (groups.group_of_row[row] < known) continue;
    ++known;
    auto from_a = a.releases.begin() + static_cast<ptrdiff_t>(a.group_of_row[row] * a.columns.size());
    auto from_b = b.releases.begin() + static_cast<ptrdiff_t>(b.group_of_row[row] * b.columns.size());
    for (size_t column : result.columns) {
      const bool of_a = std::binary_search(a.columns.begin(), a.columns.end(), column);
      result.releases.push_back(of_a ? *from_a++ : *from_b++);
    }
  }
  result.group_of_row = std::move(groups.group_of_row);
  return result;
}

class FamilySearch {
 public:
  FamilySearch(const Problem& problem, Progress& progress, const MakeRule& make_rule, bool relaxed)
      : problem_(problem), progress_(progress), make_rule_(make_rule), relaxed_(relaxed) {}

  bool out_of_time() const { return out_of_time_; }
  const SearchStats& stats() const { return stats_; }

  // `number` of `count` families, for the progress.
  Part run(const Family& family, size_t number, size_t count) {
    std::vector<CutColumn> columns;
    for (size_t column : family.columns) columns.push_back({&problem_.hierarchies[column], problem_.weights[column]});
    Search search{.table = problem_.table,
                  .quasi = family.columns,
                  .columns = columns,
                  .requirements = with_positions(family.requirements, family.columns),
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
  for (const Requirement& requirement : problem.requirements) {
    if (requirement.k <= problem.table.rows) continue;
    result.reason = "the table has " + std::to_string(problem.table.rows) +
                    " rows, fewer than k = " + std::to_string(requirement.k);
    return result;
  }
  FamilySearch search(problem, progress, make_rule, relaxed);
  const std::vector<Family> families = families_of(without_implied(problem.requirements));
  Part answer{{}, std::vector<uint32_t>(problem.table.rows, 0), {}};
  for (size_t i = 0; i < families.size(); ++i) {
    Part part = search.run(families[i], i, families.size());
    answer = i == 0 ? std::move(part) : both(answer, part);
  }
  result.stats = search.stats();
  if (search.out_of_time()) {
    result.notices.push_back("stopped by the time budget: some regions might have been cut further");
  }
  Recoding& recoding = result.recoding.emplace();
  // Relaxed cuts may release equal rows differently: no longer regions of the space of values.
  recoding.shape = relaxed ? Shape::groups : Shape::regions;
  recoding.recoded_columns = std::move(answer.columns);
  recoding.group_of_row = std::move(answer.group_of_row);
  recoding.group_releases = std::move(answer.releases);
  return result;
}

}  // namespace shoal::mondrian
