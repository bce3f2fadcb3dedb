// Method `top-down`: rows are parted around two far apart rows, again and again, then groups below k are adjusted (Xu,
// Wang, Pei, Wang, Shi, Fu 2006, Figure 4). top_down_parts does the first, top_down_repair the second.
#include <fmt/format.h>

#include "shoal/method/groups_recoding.h"
#include "shoal/method/method.h"
#include "shoal/method/row_boxes.h"
#include "shoal/method/top_down_parts.h"
#include "shoal/method/top_down_repair.h"

namespace shoal {
namespace {

class TopDown final : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    SearchResult result;
    const Requirement requirement = without_implied(problem.requirements).front();
    const NcpSpace space(problem, requirement.columns, 0);
    const RowCodes codes(space);
    const TopDownParts parts = top_down_parts(codes, requirement.k, problem.seed, problem.threads, progress);
    progress.update(0.5);
    TopDownRepair repair(codes, parts.sets, requirement.k);
    repair.run(progress);
    result.recoding = groups_recoding(problem, requirement.columns, repair.groups());
    result.stats.generated = parts.sets.size();
    result.stats.expanded = parts.parted;
    result.stats.details.emplace_back("parts", fmt::format("{} sets of rows parted", parts.parted));
    result.stats.details.emplace_back(
        "adjusted", fmt::format("{} groups below k borrowed rows, {} merged with the nearest group", repair.borrowed(),
                                repair.merged()));
    if (parts.out_of_time || repair.out_of_time()) {
      result.notices.push_back(
          "stopped by the time budget: what was not parted by then was cut evenly, and groups below k joined the next");
    }
    progress.update(1);
    return result;
  }
};

}  // namespace

MethodEntry top_down_method() {
  return {
      .name = "top-down",
      .title = "parts the rows around two far apart ones, again and again, by weighted NCP; adjusts groups below k",
      .paper = "Xu, Wang, Pei, Wang, Shi, Fu 2006",
      .shape = Shape::groups,
      .parameters = {},
      .several_requirements = false,
      .drops_rows = false,
      .needs_target = false,
      .make = []() -> std::unique_ptr<Method> { return std::make_unique<TopDown>(); },
  };
}

}  // namespace shoal
