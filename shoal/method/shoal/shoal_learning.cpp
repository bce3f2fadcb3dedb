#include "shoal/method/shoal/shoal_learning.h"

#include <algorithm>

#include "shoal/method/rules.h"
#include "shoal/method/shoal/learning_prices.h"
#include "shoal/method/space/groups_recoding.h"
#include "shoal/method/trees/kactus_inside.h"
#include "shoal/method/trees/kactus_tree.h"

namespace shoal {
namespace {

// The problem as the tree is asked: no rows are dropped, and in place of an average risk groups so large that they are
// few enough.
Problem for_tree(const Problem& problem) {
  Problem asked = problem;
  asked.suppress_rows = 0;
  const std::shared_ptr<const GroupRule> rule = problem.rule(0);
  if (!rule->average_risk()) return asked;
  const uint64_t rows = problem.table.rows, most = std::max<uint64_t>(1, rule->average_risk()->most_groups(rows));
  uint64_t& k = asked.requirements.front().k;
  k = std::max(k, (rows + most - 1) / most);
  asked.rules = {
      std::make_shared<const GroupRule>(k, std::vector<CountedModel>(rule->models().begin(), rule->models().end()))};
  return asked;
}

}  // namespace

SearchResult search_for_learning(const Problem& problem, int effort, Progress& progress) {
  SearchResult result;
  progress.check();
  if (problem.has_models()) {
    if (std::string reason = whole_table_breaks(problem); !reason.empty()) {
      result.answer = NoAnswer{std::move(reason)};
      return result;
    }
  }
  const Problem asked = for_tree(problem);
  const std::vector<size_t>& columns = problem.requirements.front().columns;
  const kactus::TreeGroups grown = kactus::tree_groups(asked, 0, progress, result.notices);
  const kactus::InsideSearch settings{effort, learning_prices(problem, columns, progress)};
  const RowGroups groups = kactus::split_inside(asked, columns, grown.pruned.groups, settings, progress);
  result.stats.generated = grown.paths.tree().nodes.size();
  result.stats.details.emplace_back("tree nodes", std::to_string(grown.paths.tree().nodes.size()));
  result.stats.details.emplace_back("groups of the tree", std::to_string(grown.pruned.groups.size()));
  result.answer = groups_recoding(problem, columns, groups);
  progress.update(1);
  return result;
}

}  // namespace shoal
