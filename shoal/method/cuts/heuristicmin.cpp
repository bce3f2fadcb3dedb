// HeuristicMin: best-first search for the cut with the most distinct rows, by moves that follow the violating rows
// (Figure 2 of the paper; the moves, orders and ties are those of docs/methods/heuristicmin.md).
#include <algorithm>
#include <chrono>
#include <queue>
#include <string>
#include <unordered_set>

#include "shoal/method/cuts/cut_space.h"
#include "shoal/method/cuts/tuple_rules.h"
#include "shoal/method/cuts/tuple_table.h"
#include "shoal/method/method.h"
#include "shoal/method/rules.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

struct State {
  Cut cut;
  uint32_t rows = 0;
  uint32_t violating = 0;  // distinct tuples in a group that is too small, or breaks its rule
  uint32_t steps = 0;      // moves from the start when first generated
};

struct HeuristicminOptions {
  double memory = 0;  // bytes that states may take
};
HeuristicminOptions heuristicmin_options(const Params& params) {
  return {.memory = number_setting(params, "memory") * 1e6};
}

// The tuples of a state.
struct Tables {
  TupleTable rows;                    // whole rows: their number is what is searched for
  std::optional<TupleTable> counted;  // with what rules count in place of the rest, where a requirement needs it

  Tables rolled(const CutSpace& space, const Cut& cut, KeyIndex& index) const {
    Tables result{rows.rolled(space, cut, index), std::nullopt};
    if (counted) result.counted = counted->rolled(space, cut, index);
    return result;
  }
};
constexpr std::chrono::milliseconds kDive{500};

class Search {
 public:
  Search(const Problem& problem, const HeuristicminOptions& options, Progress& progress)
      : space_(problem.hierarchies, problem.requirements),
        base_{TupleTable(problem, whole_row(problem)), std::nullopt},
        memory_(options.memory),
        progress_(progress),
        threads_(problem.threads),
        indices_(task_workers(SIZE_MAX, problem.threads)),
        by_index_(0, IndexHash{&states_}, IndexEqual{&states_}),
        queue_(Later{&states_}) {
    for (size_t place : needed_requirements(problem)) {
      requirements_.push_back(problem.requirements[place]);
      rules_.push_back(problem.rule(place));
      if (base_.counted || !needs_counts(*rules_.back())) continue;
      TupleTable::View view = whole_row(problem);
      view.rest = false;
      view.counted = true;
      base_.counted.emplace(problem, view);
    }
  }

  SearchResult run() {
    State start{space_.lowest(), static_cast<uint32_t>(base_.rows.size()), 0, 0};
    start.violating = count(violating_tuples(base_, indices_[0]));
    add(std::move(start));
    while (!queue_.empty() && !stopped_) {
      progress_.check();
      const uint32_t top = queue_.top();
      if (best_ && states_[top].rows <= states_[*best_].rows) break;  // so is everything behind it
      if (stopped_ = progress_.out_of_time() || bytes() > memory_; stopped_) break;
      queue_.pop();
      expand(top);
      progress_.update(1 - 1 / (1 + double(stats_.expanded) / 1000));
    }
    stats_.pruned += stopped_ ? 0 : queue_.size();
    if (!best_) dive();
    return result();
  }

 private:
  // Hashes states by their cut, so that the set of known states holds four bytes each.
  struct IndexHash {
    const std::vector<State>* states;
    size_t operator()(uint32_t state) const { return CutHash()((*states)[state].cut); }
  };
  struct IndexEqual {
    const std::vector<State>* states;
    bool operator()(uint32_t a, uint32_t b) const { return (*states)[a].cut == (*states)[b].cut; }
  };
  struct Later {  // most rows first, then fewest violating, then first generated
    const std::vector<State>* states;
    bool operator()(uint32_t a, uint32_t b) const {
      const State &x = (*states)[a], &y = (*states)[b];
      if (x.rows != y.rows) return x.rows < y.rows;
      if (x.violating != y.violating) return x.violating > y.violating;
      return a > b;
    }
  };

  static TupleTable::View whole_row(const Problem& problem) {
    TupleTable::View view;
    for (size_t column = 0; column < problem.hierarchies.size(); ++column) view.columns.push_back(column);
    view.rest = !problem.table.rest.empty();
    return view;
  }

  static uint32_t count(const std::vector<bool>& flags) {
    return static_cast<uint32_t>(std::count(flags.begin(), flags.end(), true));
  }

  std::vector<bool> violating_tuples(const Tables& tables, KeyIndex& index) const {
    const TupleTable& table = tables.rows;
    std::vector<bool> violating(table.size(), false);
    for (size_t i = 0; i < requirements_.size(); ++i) {
      if (needs_counts(*rules_[i])) {
        mark_breaking(i, tables, index, violating);
        continue;
      }
      const auto group_rows = table.group_rows(requirements_[i].columns, index);
      for (size_t tuple = 0; tuple < table.size(); ++tuple) {
        if (group_rows[tuple] < requirements_[i].k) violating[tuple] = true;
      }
    }
    return violating;
  }

  // Where groups are only too many, the smallest ones are to be raised.
  void mark_breaking(size_t i, const Tables& tables, KeyIndex& index, std::vector<bool>& violating) const {
    const TupleTable& table = tables.rows;
    const std::vector<size_t>& columns = requirements_[i].columns;
    const BreakingGroups breaking =
        breaking_groups(*tables.counted, {columns, *rules_[i], space_.hierarchies()}, index, table.size());
    const std::vector<uint32_t> group_of_tuple = table.group_numbers(columns, index);
    bool any = false;
    for (size_t tuple = 0; tuple < table.size(); ++tuple) {
      if (!breaking.breaks[group_of_tuple[tuple]]) continue;
      violating[tuple] = any = true;
    }
    if (any || !breaking.risk_too_high) return;
    const auto group_rows = table.group_rows(columns, index);
    const uint32_t least = *std::min_element(group_rows.begin(), group_rows.end());
    for (size_t tuple = 0; tuple < table.size(); ++tuple) {
      if (group_rows[tuple] == least) violating[tuple] = true;
    }
  }

  // The move on each column: the parents of the values of all violating tuples are raised. Columns in which nothing can
  // be raised further give none.
  std::vector<Cut> moves(const State& state, const TupleTable& table, const std::vector<bool>& violating) const {
    std::vector<Cut> result;
    for (const TupleTable::Field& field : table.fields()) {
      Cut cut = state.cut;
      bool moved = false;
      for (size_t tuple = 0; tuple < table.size(); ++tuple) {
        if (!violating[tuple]) continue;
        const uint32_t raise = space_.raise_above(field.column, table.node(tuple, field));
        if (raise == CutSpace::kNone || cut.has(raise)) continue;
        space_.raise_to(cut, raise);
        moved = true;
      }
      if (moved) result.push_back(std::move(cut));
    }
    return result;
  }

  // Takes in a state unless it is known, and queues it when it may lead further.
  void add(State&& state) {
    const auto id = static_cast<uint32_t>(states_.size());
    states_.push_back(std::move(state));
    by_index_.insert(id);
    const State& added = states_.back();
    if (added.violating > 0) {
      if (best_ && added.rows <= states_[*best_].rows) {
        ++stats_.pruned;
      } else {
        queue_.push(id);
      }
    } else if (!best_ || added.rows > states_[*best_].rows ||
               (added.rows == states_[*best_].rows && added.steps < states_[*best_].steps)) {
      best_ = id;
    }
  }

  bool known(const Cut& cut) {
    states_.push_back({cut, 0, 0, 0});  // the set compares indices: the candidate needs one for a moment
    const bool found = by_index_.contains(static_cast<uint32_t>(states_.size() - 1));
    states_.pop_back();
    return found;
  }

  // The states of some cuts above the one of `table`, counted side by side; those that `stop` leaves time for.
  template <typename Stop>
  std::vector<State> evaluated(const std::vector<Cut>& cuts, const Tables& tables, uint32_t steps, const Stop& stop) {
    std::vector<State> states(cuts.size());
    run_tasks(cuts.size(), threads_, [&](size_t worker, size_t i) {
      progress_.check();
      if (stop()) return;
      const Tables rolled = tables.rolled(space_, cuts[i], indices_[worker]);
      states[i] = {cuts[i], static_cast<uint32_t>(rolled.rows.size()),
                   count(violating_tuples(rolled, indices_[worker])), steps};
    });
    std::erase_if(states, [](const State& state) { return state.rows == 0; });
    return states;
  }

  void expand(uint32_t id) {
    ++stats_.expanded;
    const Tables tables = base_.rolled(space_, states_[id].cut, indices_[0]);
    std::vector<Cut> fresh = moves(states_[id], tables.rows, violating_tuples(tables, indices_[0]));
    duplicates_ += std::erase_if(fresh, [&](const Cut& cut) { return known(cut); });
    stats_.generated += fresh.size();
    const auto late = [&] { return progress_.out_of_time(); };
    std::vector<State> children = evaluated(fresh, tables, states_[id].steps + 1, late);
    stopped_ = children.size() < fresh.size();
    for (State& child : children) add(std::move(child));
  }

  // Stopped before any state satisfied: the most promising one is followed down, best move first. After a while, all
  // moves at once: a large table has no time to look for the best.
  void dive() {
    State state = states_[queue_.empty() ? 0 : queue_.top()];
    const auto end = Clock::now() + kDive;
    const auto late = [&] { return Clock::now() > end; };
    while (state.violating > 0) {
      progress_.check();
      const Tables tables = base_.rolled(space_, state.cut, indices_[0]);
      std::optional<State> next;
      const std::vector<Cut> cuts = moves(state, tables.rows, violating_tuples(tables, indices_[0]));
      for (State& child : evaluated(cuts, tables, state.steps + 1, late)) {
        if (!next || child.rows > next->rows || (child.rows == next->rows && child.violating < next->violating)) {
          next = std::move(child);
        }
      }
      if (!next || late()) {
        Cut all = state.cut;
        for (const Cut& cut : cuts) {
          for (size_t word = 0; word < all.words.size(); ++word) all.words[word] |= cut.words[word];
        }
        next = std::move(evaluated({all}, tables, state.steps + 1, [] { return false; }).front());
      }
      state = std::move(*next);  // something can always be raised: with everything at the root nothing violates
    }
    best_ = static_cast<uint32_t>(states_.size());
    states_.push_back(std::move(state));
  }

  double bytes() const {
    return double(states_.size()) * double(sizeof(State) + space_.lowest().words.size() * 8 + 48);
  }

  SearchResult result() {
    SearchResult result;
    const State& best = states_[*best_];
    result.answer = space_.recoding(best.cut);
    stats_.optimal = best.rows == base_.rows.size();  // no cut has more; otherwise the moves may miss the best cut
    if (stats_.optimal) stats_.bound = best.rows;
    stats_.details = {{"objective", "rows"},
                      {"rows", std::to_string(best.rows)},
                      {"steps", std::to_string(best.steps)},
                      {"duplicate states", std::to_string(duplicates_)},
                      {"all moves followed", stopped_ ? "no" : "yes"}};
    result.stats = stats_;
    if (stopped_) {
      result.notices.push_back(progress_.out_of_time()
                                   ? "heuristicmin was stopped by the time budget; this is the best it had found"
                                   : "heuristicmin was stopped by its memory limit (parameter memory); this is the "
                                     "best it had found");
    }
    return result;
  }

  std::vector<Requirement> requirements_;                // those that are needed
  std::vector<std::shared_ptr<const GroupRule>> rules_;  // one each
  CutSpace space_;
  Tables base_;
  double memory_;  // bytes
  Progress& progress_;
  int threads_;
  std::vector<KeyIndex> indices_;  // one per worker

  std::vector<State> states_;
  std::unordered_set<uint32_t, IndexHash, IndexEqual> by_index_;
  std::priority_queue<uint32_t, std::vector<uint32_t>, Later> queue_;
  std::optional<uint32_t> best_;
  SearchStats stats_;
  uint64_t duplicates_ = 0;
  bool stopped_ = false;
};

class HeuristicMin : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    if (problem.has_models()) {
      if (std::string reason = whole_table_breaks(problem); !reason.empty()) return {NoAnswer{reason}, {}, {}, {}};
    }
    return Search(problem, heuristicmin_options(problem.params), progress).run();
  }
};

}  // namespace

MethodEntry heuristicmin_method() {
  return {.name = "heuristicmin",
          .title = "keeps the most distinct rows, raising the values of rows that violate, best state first",
          .paper = "HeuristicMin, AI4P 2020 and its journal version",
          .shape = Shape::cut,
          .parameters = {{.name = "memory",
                          .meaning = "MB that states may take; beyond it the search stops with its best answer",
                          .default_value = "1024",
                          .choices = {},
                          .minimum = 1,
                          .maximum = 1e6}},
          .several_requirements = true,
          .drops_rows = false,
          .needs_target = false,
          .make = []() -> std::unique_ptr<Method> { return std::make_unique<HeuristicMin>(); },
          .obeys_models = true,
          .obeys_average_risk = true,
          .obeys_population = true,
          .alike_rows = [](const Params&) { return AlikeRows{.rest = true}; }};
}

}  // namespace shoal
