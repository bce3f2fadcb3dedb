// kACTUS: suppression along a decision tree (Kisilevich, Rokach, Elovici, Shapira 2010). No hierarchies needed.
//
// A C4.5 tree for the target on the requirement's columns says who shares a group of at least k rows (kactus_tree). A
// group releases the columns that its path asks about and nothing else (kactus_release), or is split for least loss
// (kactus_inside).
#include "shoal/method/method.h"
#include "shoal/method/rules.h"
#include "shoal/method/space/groups_recoding.h"
#include "shoal/method/trees/kactus_inside.h"
#include "shoal/method/trees/kactus_release.h"
#include "shoal/method/trees/kactus_tree.h"

namespace shoal {
namespace {

using kactus::Group;

class Kactus final : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    SearchResult result;
    progress.check();
    if (problem.has_models()) {
      if (std::string reason = whole_table_breaks(problem); !reason.empty()) return {NoAnswer{reason}, {}, {}, {}};
    }
    const Options options = options_of(problem);
    kactus::TreeGroups grown = kactus::tree_groups(problem, options.min_objects, progress, result.notices);
    Recoding recoding = released(problem, options, grown, progress);
    recoding.dropped_rows = std::move(grown.dropped);
    result.answer = std::move(recoding);
    tell(grown, result.stats);
    return result;
  }

 private:
  struct Options {
    bool split_inside = false;
    kactus::Numbers numbers = kactus::Numbers::path;
    double min_objects = 0;  // least rows in at least two branches of every split; 0: k
  };
  static Options options_of(const Problem& problem) {
    Options options;
    const std::string& numeric = setting(problem.params, "numeric");
    if (numeric == "mean") options.numbers = kactus::Numbers::mean;
    if (numeric == "range") options.numbers = kactus::Numbers::range;
    options.split_inside = setting(problem.params, "inside") == "shoal";
    options.min_objects = number_setting(problem.params, "min_objects");
    return options;
  }

  static Recoding released(const Problem& problem, const Options& options, const kactus::TreeGroups& grown,
                           Progress& progress) {
    const std::vector<size_t>& columns = problem.requirements.front().columns;
    const std::vector<Group>& groups = grown.pruned.groups;
    if (options.split_inside) {
      return groups_recoding(problem, columns, kactus::split_inside(problem, columns, groups, {}, progress));
    }
    std::vector<std::vector<kactus::PathColumn>> told;
    for (const Group& group : groups) told.push_back(grown.paths.told(group.node));
    GroupRecoding recoding{.recoded_columns = columns};
    kactus::release(problem, groups, told, options.numbers, recoding);
    return {std::move(recoding)};
  }

  static void tell(const kactus::TreeGroups& grown, SearchStats& stats) {
    const C45Tree& tree = grown.paths.tree();
    stats.generated = tree.nodes.size();
    stats.expanded = grown.pruned.steps.size();
    uint64_t moved = 0;
    for (const kactus::Step& step : grown.pruned.steps) {
      moved += step.moved;
      if (stats.steps.size() == kMostSteps) continue;
      stats.steps.push_back({grown.paths.text(step.node),
                             {{"complying", static_cast<double>(step.complying)},
                              {"stayed", static_cast<double>(step.stayed)},
                              {"moved", static_cast<double>(step.moved)},
                              {"released", static_cast<double>(step.released)}}});
    }
    stats.details = {{"tree nodes", std::to_string(tree.nodes.size())},
                     {"tree depth", std::to_string(tree.depth())},
                     {"rows moved up to complete groups", std::to_string(moved)}};
  }

  static constexpr size_t kMostSteps = 1000;  // told about; a tree can have many more
};

}  // namespace

MethodEntry kactus_method() {
  return {
      .name = "kactus",
      .title = "keeps what a decision tree for the target needs and suppresses the rest; needs no hierarchies",
      .paper = "Kisilevich, Rokach, Elovici, Shapira 2010",
      .shape = Shape::groups,
      .parameters = {{.name = "numeric",
                      .meaning = "what a number is released as: the mean of its group, their range, or the range that "
                                 "the tests on the group's path leave",
                      .default_value = "path",
                      .choices = {"mean", "range", "path"}},
                     {.name = "inside",
                      .meaning =
                          "what becomes of a group: none (only what its path asks about is released), or shoal (it is "
                          "split for least loss, and all columns are released as the parts' ranges and nodes)",
                      .default_value = "none",
                      .choices = {"none", "shoal"}},
                     {.name = "min_objects",
                      .meaning = "least rows in at least two branches of every split of the tree; 0: k",
                      .default_value = "0",
                      .choices = {},
                      .minimum = 0,
                      .maximum = 1e9}},
      .several_requirements = false,
      .drops_rows = true,
      .needs_target = true,
      .make = []() -> std::unique_ptr<Method> { return std::make_unique<Kactus>(); },
      .releases_means = true,
      .obeys_models = true,
  };
}

}  // namespace shoal
