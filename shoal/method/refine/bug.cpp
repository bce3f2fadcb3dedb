// Bottom-up generalisation (Wang, Yu, Chakraborty 2004): from the raw values, always the generalisation that loses the
// least information for the anonymity it gains.
#include <fmt/format.h>

#include <algorithm>

#include "shoal/method/method.h"
#include "shoal/method/refine/class_counts.h"
#include "shoal/method/refine/merged_groups.h"
#include "shoal/method/refine/ruled_groups.h"
#include "shoal/recode/apply.h"

namespace shoal {
namespace {

constexpr size_t kValuesShown = 8;

struct Generalisation {
  size_t column = 0;
  uint32_t node = 0;
  double info_loss = 0, anonymity_gain = 0, score = 0;
  bool critical = false;  // helps a requirement that does not hold yet: its anonymity, or groups that break its rule
};

class BottomUp {
 public:
  BottomUp(const Problem& problem, const Progress& progress) : problem_(problem), columns_(problem.hierarchies.size()) {
    for (const Requirement& requirement : problem.requirements) {
      progress.check();
      groups_.emplace_back(problem.table, problem.hierarchies, requirement);
    }
    for (size_t j = 0; j < columns_.size(); ++j) start_column(j);
    ruled_.resize(groups_.size());
    if (!problem.has_models()) return;
    const CountedTuples counted = counted_tuples(problem);
    for (size_t i = 0; i < groups_.size(); ++i) {
      if (!problem.rule(i)->rows_only()) ruled_[i] = std::make_unique<RuledGroups>(problem, i, counted);
    }
    count_ruled();
  }

  bool done() const {
    for (size_t i = 0; i < groups_.size(); ++i) {
      if (!satisfied(i)) return false;
    }
    return true;
  }

  // The generalisation with the least score: among those that raise the anonymity of a violated requirement if there
  // are any, else among all on the columns of violated requirements. Ties: first column, then first leaf.
  // There is one as long as some requirement does not hold, since no k exceeds the rows.
  Generalisation best() {
    std::optional<Generalisation> best;
    for (size_t j = 0; j < columns_.size(); ++j) {
      if (!needed(j)) continue;
      for (uint32_t node : columns_[j].open) {
        const Generalisation own = scored(j, node);
        ++scored_;
        const bool better = !best || (own.critical != best->critical
                                          ? own.critical
                                          : own.score < best->score - kSameScore * std::max(own.score, best->score));
        if (better) best = own;
      }
    }
    return *best;
  }

  void raise(const Generalisation& chosen) {
    steps_.push_back(
        {describe(chosen),
         {{"info_loss", chosen.info_loss}, {"anony_gain", chosen.anonymity_gain}, {"score", chosen.score}}});
    raise(chosen.column, chosen.node);
  }

  // Out of time: the most general cut on every column of a requirement that does not hold keeps them all.
  void raise_all() {
    for (size_t j = 0; j < columns_.size(); ++j) {
      if (needed(j)) std::fill(columns_[j].value.begin(), columns_[j].value.end(), Hierarchy::kRoot);
    }
  }

  // Share of the way of the requirement that is farthest from its k.
  double progress() const {
    double share = 1;
    for (size_t i = 0; i < groups_.size(); ++i) {
      share = std::min(share, double(groups_[i].anonymity()) / double(problem_.requirements[i].k));
    }
    return share;
  }

  Recoding recoding() const {
    ValueRecoding recoding;
    recoding.value_map.resize(columns_.size());
    for (size_t j = 0; j < columns_.size(); ++j) {
      for (uint32_t node : columns_[j].value) {
        recoding.value_map[j].push_back(released_node(problem_.hierarchies[j], node));
      }
    }
    return {std::move(recoding)};
  }
  const std::vector<SearchStep>& steps() const { return steps_; }
  uint64_t generalisations_scored() const { return scored_; }

 private:
  struct ColumnState {
    std::vector<uint32_t> value;    // [leaf]: the node it is released as
    std::vector<uint32_t> waiting;  // [node]: children that are not values of the cut yet
    std::vector<uint32_t> open;     // nodes all of whose children are, by first leaf
    std::vector<double> info_loss;  // [node]
  };

  void start_column(size_t j) {
    const Hierarchy& tree = problem_.hierarchies[j];
    ColumnState& state = columns_[j];
    for (uint32_t leaf = 0; leaf < tree.leaves(); ++leaf) state.value.push_back(tree.leaf_node(leaf));
    if (std::none_of(groups_.begin(), groups_.end(), [j](const auto& groups) { return groups.has_column(j); })) return;
    const ClassCounts counts(problem_.table, j, tree.leaves());
    state.waiting.resize(tree.nodes(), 0);
    state.info_loss.resize(tree.nodes(), 0);
    for (uint32_t node = 0; node < tree.nodes(); ++node) {
      const auto& children = tree.children(node);
      std::vector<uint64_t> parts(children.size() * counts.classes(), 0);
      for (size_t i = 0; i < children.size(); ++i) {
        const auto& child = tree.node(children[i]);
        counts.add(child.first, child.last, std::span(parts).subspan(i * counts.classes(), counts.classes()));
        state.waiting[node] += !tree.is_leaf(children[i]);
      }
      if (children.empty()) continue;
      state.info_loss[node] = information_gain(parts, counts.classes());
      if (state.waiting[node] == 0) open(j, node);
    }
  }

  void open(size_t j, uint32_t node) {
    const Hierarchy& tree = problem_.hierarchies[j];
    auto& nodes = columns_[j].open;
    nodes.insert(std::lower_bound(nodes.begin(), nodes.end(), node,
                                  [&](uint32_t a, uint32_t b) { return tree.node(a).first < tree.node(b).first; }),
                 node);
  }

  bool satisfied(size_t i) const { return groups_[i].satisfied() && (!ruled_[i] || ruled_[i]->holds()); }
  // Some requirement with this column does not hold yet.
  bool needed(size_t j) const {
    for (size_t i = 0; i < groups_.size(); ++i) {
      if (!satisfied(i) && groups_[i].has_column(j)) return true;
    }
    return false;
  }

  void count_ruled() {
    RuledGroups::Values values;
    for (const ColumnState& column : columns_) values.push_back(column.value);
    for (const auto& ruled : ruled_) {
      if (ruled) ruled->count(values);
    }
  }

  Generalisation scored(size_t j, uint32_t node) const {
    Generalisation result{j, node, columns_[j].info_loss[node], 0, 0, false};
    uint32_t requirements = 0;
    for (size_t i = 0; i < groups_.size(); ++i) {
      const MergedGroups& groups = groups_[i];
      if (!groups.has_column(j)) continue;
      // Once k rows are there, what helps is to raise values of groups that break the rule.
      const bool by_rule = groups.satisfied() && !satisfied(i);
      const uint64_t gain =
          by_rule ? ruled_[i]->breaking_under(j, node) : groups.anonymity_after(j, node) - groups.anonymity();
      result.anonymity_gain += static_cast<double>(gain);
      result.critical = result.critical || (gain > 0 && !satisfied(i));
      ++requirements;
    }
    result.anonymity_gain /= requirements;
    result.score = result.anonymity_gain > 0 ? result.info_loss / result.anonymity_gain : result.info_loss;
    return result;
  }

  void raise(size_t j, uint32_t node) {
    const Hierarchy& tree = problem_.hierarchies[j];
    ColumnState& state = columns_[j];
    std::fill(state.value.begin() + tree.node(node).first, state.value.begin() + tree.node(node).last + 1, node);
    std::erase(state.open, node);
    if (node != Hierarchy::kRoot && --state.waiting[tree.node(node).parent] == 0) open(j, tree.node(node).parent);
    for (MergedGroups& groups : groups_) {
      if (groups.has_column(j)) groups.raise(j, node);
    }
    count_ruled();
  }

  std::string describe(const Generalisation& chosen) const {
    const Hierarchy& tree = problem_.hierarchies[chosen.column];
    const Column& column = problem_.table.quasi[chosen.column];
    const auto& children = tree.children(chosen.node);
    std::vector<std::string> texts;
    for (size_t i = 0; i < std::min(children.size(), kValuesShown); ++i) {
      texts.push_back(released_text(released_node(tree, children[i]), column, tree));
    }
    const size_t more = children.size() - texts.size();
    return fmt::format("{}: {}{} -> {}", column.name, fmt::join(texts, ", "),
                       more > 0 ? fmt::format(" and {} more", more) : "",
                       released_text(released_node(tree, chosen.node), column, tree));
  }

  const Problem& problem_;
  std::vector<MergedGroups> groups_;                 // one per requirement
  std::vector<std::unique_ptr<RuledGroups>> ruled_;  // one per requirement; null where k rows are all it asks for
  std::vector<ColumnState> columns_;
  std::vector<SearchStep> steps_;
  uint64_t scored_ = 0;
};

class Bug : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    if (!problem.table.target) {
      throw Error(ErrorKind::job, "no target column; this method keeps what tells the classes apart: name one",
                  Advice{Setting::target});
    }
    SearchResult result;
    if (problem.has_models()) {
      if (std::string reason = whole_table_breaks(problem); !reason.empty()) {
        result.answer = NoAnswer{std::move(reason)};
        return result;
      }
    }
    BottomUp generalisation(problem, progress);
    while (!generalisation.done()) {
      progress.check();
      progress.update(generalisation.progress());
      if (progress.out_of_time()) {
        generalisation.raise_all();
        result.notices.push_back(
            "stopped by the time budget, before every requirement held: their columns are released as *; a method "
            "that starts from the top, such as tdr, would have an answer");
        break;
      }
      generalisation.raise(generalisation.best());
    }
    result.answer = generalisation.recoding();
    result.stats.generated = generalisation.generalisations_scored();
    result.stats.expanded = generalisation.steps().size();
    result.stats.steps = generalisation.steps();
    return result;
  }
};

}  // namespace

MethodEntry bug_method() {
  return {.name = "bug",
          .title = "bottom-up generalisation for classification: least information lost for the anonymity gained",
          .paper = "Wang, Yu, Chakraborty 2004",
          .shape = Shape::cut,
          .parameters = {},
          .several_requirements = true,
          .drops_rows = false,
          .needs_target = true,
          .make = [] { return std::unique_ptr<Method>(std::make_unique<Bug>()); },
          .obeys_models = true,
          .alike_rows = [](const Params&) { return AlikeRows{}; }};
}

}  // namespace shoal
