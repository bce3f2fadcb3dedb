// Method `mingen`: the release of greatest Prec among all that raise any cell to any node of its tree, with proof. The
// parts: mingen_space (rows and boxes), mingen_search (branch and bound).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shoal/error.h"
#include "shoal/method/mingen/mingen_search.h"

namespace shoal {
namespace {

constexpr uint64_t kMostPairs = 50'000;  // boxes x distinct rows that are listed at most
constexpr uint64_t kTrial = 300;         // states looked at before an estimate, a tenth of them when they are dear:
constexpr uint64_t kFewPairs = 5'000;    // from so many covered tuples on
constexpr const char* kInstead = "kaca or shoal (groups), mondrian (regions), optimal-cut (the best cut, proven)";

// A first release, by kaca's merges: each group below k with its nearest, as a whole where equal rows stay together.
MinGenAnswer first_release(const Problem& problem, const MinGenSpace& space, bool alike) {
  KacaGroups groups(space.cells(), problem);
  const uint64_t k = space.k();
  const uint64_t all = alike ? problem.table.rows + 1 : k;  // no stubs
  for (uint32_t small = 0; small < groups.size(); ++small) {
    while (groups.rows(small) > 0 && groups.rows(small) < k) {
      uint32_t nearest = UINT32_MAX;
      KacaCost least = 0;
      for (uint32_t other = 0; other < groups.size(); ++other) {
        if (other == small || groups.rows(other) == 0) continue;
        const KacaCost distance = groups.distance(small, other, all);
        if (nearest == UINT32_MAX || distance < least) {
          nearest = other;
          least = distance;
        }
      }
      const uint32_t merged =
          groups.merge(small, nearest, KacaGroups::rows_taken(groups.rows(small), groups.rows(nearest), all));
      if (merged < small) small = merged;  // an older group that looks like this may still be small
    }
  }
  MinGenAnswer answer;
  std::vector<uint32_t> rows_of_tuple(space.tuples());
  for (uint32_t group = 0; group < groups.size(); ++group) {
    if (groups.rows(group) == 0) continue;
    const uint32_t box = space.find_box(groups.cells(group).data());
    std::fill(rows_of_tuple.begin(), rows_of_tuple.end(), 0);
    for (uint32_t row : groups.rows_of(group)) ++rows_of_tuple[space.tuple_of_row()[row]];
    for (const MinGenSpace::Covered& covered : space.tuples_in(box)) {
      const uint32_t rows = rows_of_tuple[covered.tuple];
      if (rows == 0) continue;
      answer.parts.push_back({covered.tuple, box, rows});
      answer.cost += covered.cost * KacaCost{rows};
    }
  }
  return answer;
}

Recoding recoding_of(const Problem& problem, const MinGenSpace& space, const MinGenAnswer& answer) {
  GroupRecoding recoding;
  recoding.recoded_columns = problem.requirements.front().columns;
  const size_t columns = recoding.recoded_columns.size();
  std::vector<uint32_t> group_of_box(space.boxes(), UINT32_MAX);
  std::vector<std::vector<MinGenPart>> parts(space.tuples());  // of each tuple, to be used up from the first one on
  uint32_t groups = 0;
  for (const MinGenPart& part : answer.parts) {
    parts[part.tuple].push_back(part);
    if (group_of_box[part.box] != UINT32_MAX) continue;
    group_of_box[part.box] = groups++;
    recoding.group_releases.resize(groups * columns);
    for (size_t j = 0; j < columns; ++j) {
      const auto& recoded = recoding.recoded_columns;
      const auto place = std::find(recoded.begin(), recoded.end(), space.cells().quasi(j)) - recoded.begin();
      recoding.group_releases[(groups - 1) * columns + static_cast<size_t>(place)] =
          space.cells().released(j, space.box(part.box)[j]);
    }
  }
  for (const uint32_t tuple : space.tuple_of_row()) {
    std::vector<MinGenPart>& left = parts[tuple];
    recoding.group_of_row.push_back(group_of_box[left.front().box]);
    if (--left.front().rows == 0) left.erase(left.begin());
  }
  return {std::move(recoding)};
}

struct MingenOptions {
  bool alike = true;         // equal rows are released alike
  uint64_t most_states = 0;  // that the search may look at
};
MingenOptions mingen_options(const Params& params) {
  return {.alike = setting(params, "rows") == "alike",
          .most_states = static_cast<uint64_t>(number_setting(params, "states"))};
}

class MinGen : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    progress.check();
    const auto [alike, most] = mingen_options(problem.params);
    const MinGenSpace space(problem, kMostPairs, progress);
    if (!space.complete()) {
      refuse(space, alike,
             fmt::format("the {} distinct rows fit into more boxes than the search can list", space.tuples()));
    }
    MinGenSearch search(space, alike, progress);
    search.start_from(first_release(problem, space, alike));
    // Easy tables are done before anything needs to be estimated, and dives are truer below a good release.
    bool proven = search.run(search.states() + std::min(most, space.pairs() < kFewPairs ? kTrial : kTrial / 10));
    if (!proven && !progress.out_of_time()) {
      refuse_if_too_much(space, alike, search.estimate(double(most)), most);
      proven = search.run(search.states() + 4 * most);
      if (!proven && !progress.out_of_time()) {
        refuse(space, alike, fmt::format("{} states were not enough, and `states` allows {}", search.states(), most));
      }
    }
    return result(problem, space, search, proven);
  }

 private:
  static void refuse_if_too_much(const MinGenSpace& space, bool alike, double estimate, uint64_t most) {
    if (estimate <= double(most)) return;
    const std::string states = estimate < 1e6 ? fmt::format("{:.0f}", estimate) : fmt::format("{:.0e}", estimate);
    refuse(space, alike,
           fmt::format("about {} states would have to be looked at, and `states` allows {}", states, most));
  }

  [[noreturn]] static void refuse(const MinGenSpace& space, bool alike, const std::string& why) {
    throw Error(ErrorKind::job,
                fmt::format("the table is too large for mingen: {}; {} distinct rows can be recoded in about 10^{:.0f} "
                            "ways. Use {} instead, or raise the parameter `states`",
                            why, space.tuples(), space.digits_of_recodings(alike), kInstead),
                Advice{Setting::parameter, "states"});
  }

  static SearchResult result(const Problem& problem, const MinGenSpace& space, const MinGenSearch& search,
                             bool proven) {
    SearchResult result;
    const double cells = double(problem.table.rows) * double(problem.table.quasi.size());
    const auto prec = [&](KacaCost cost) {  // columns that are not recoded lose nothing
      return 1 - double(cost) / double(space.cells().whole_row()) * double(space.cells().columns()) / cells;
    };
    result.stats.generated = search.states();
    result.stats.expanded = search.states() - search.pruned();
    result.stats.pruned = search.pruned();
    result.stats.optimal = proven;
    result.stats.bound = prec(proven ? search.best().cost : search.first_bound());
    result.stats.details.emplace_back(
        "choices", fmt::format("{} distinct rows, {} boxes that hold k rows or more", space.tuples(), space.boxes()));
    if (!proven) {
      result.notices.push_back(
          fmt::format("stopped by the time budget: Prec {:.4f} was found, up to {:.4f} may be "
                      "possible",
                      prec(search.best().cost), *result.stats.bound));
    }
    if (std::any_of(problem.weights.begin(), problem.weights.end(), [](double weight) { return weight != 1; })) {
      result.notices.push_back("mingen maximises Prec, which counts all columns alike: weights were not used");
    }
    result.answer = recoding_of(problem, space, search.best());
    return result;
  }
};

}  // namespace

MethodEntry mingen_method() {
  return {
      .name = "mingen",
      .title = "the greatest Prec of all local recodings, proven; for small tables",
      .paper = "Sweeney 2002",
      .shape = Shape::groups,
      .parameters =
          {{"rows",
            "alike: equal rows are released alike; free: every row on its own, which can lose less",
            "alike",
            {"alike", "free"}},
           {"states", "how many states the search may look at, by estimate, before it refuses", "10000", {}, 1, 1e9}},
      .several_requirements = false,
      .drops_rows = false,
      .needs_target = false,
      .make = [] { return std::unique_ptr<Method>(std::make_unique<MinGen>()); },
      .refuses_large_tables = true,
      .cannot_obey = "proves its answer by bounds that count rows alone"};
}

}  // namespace shoal
