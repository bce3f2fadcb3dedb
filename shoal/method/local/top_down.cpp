// Method `top-down`: rows are parted around two far apart rows, again and again, then groups below k are adjusted (Xu,
// Wang, Pei, Wang, Shi, Fu 2006, Figure 4). top_down_parts does the first, top_down_repair the second.
#include <fmt/format.h>

#include "shoal/method/blocks/several.h"
#include "shoal/method/fragments_parameter.h"
#include "shoal/method/local/row_boxes.h"
#include "shoal/method/local/rule_repair.h"
#include "shoal/method/local/top_down_parts.h"
#include "shoal/method/local/top_down_repair.h"
#include "shoal/method/method.h"
#include "shoal/method/rules.h"
#include "shoal/method/space/groups_recoding.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

class TopDown final : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    SearchResult result;
    if (problem.has_models()) {
      if (std::string reason = whole_table_breaks(problem); !reason.empty()) return {NoAnswer{reason}, {}, {}, {}};
    }
    const Requirement& requirement = problem.requirements.front();
    const NcpSpace space(problem, requirement.columns, 0);
    const RowCodes codes(space);
    const TopDownParts parts = top_down_parts(codes, requirement.k, problem.seed, problem.threads, progress);
    progress.update(0.5);
    TopDownRepair repair(codes, parts.sets, requirement.k, progress);
    repair.run(progress);
    result.stats.generated = parts.sets.size();
    result.stats.expanded = parts.parted;
    result.stats.details.emplace_back("parts", fmt::format("{} of rows parted", counted(parts.parted, "set")));
    result.stats.details.emplace_back("adjusted",
                                      fmt::format("{} below k borrowed rows, {} merged with the nearest group",
                                                  counted(repair.borrowed(), "group"), repair.merged()));
    if (parts.out_of_time || repair.out_of_time()) {
      result.notices.push_back(
          "stopped by the time budget: what was not parted by then was sorted and cut, and groups below k joined the "
          "next");
    }
    const RowGroups groups = obey_rule(problem, codes, repair.groups(), progress, result);
    result.answer = groups_recoding(problem, requirement.columns, groups);
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
      .parameters = {fragments_parameter("off")},
      .several_requirements = true,
      .drops_rows = false,
      .needs_target = false,
      .make = []() -> std::unique_ptr<Method> { return for_several_requirements(std::make_unique<TopDown>()); },
      .ranges_over_trees = true,
      .obeys_models = true,
  };
}

}  // namespace shoal
