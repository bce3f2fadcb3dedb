#include "shoal/method/cuts/cut_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shoal/method/cuts/tuple_rules.h"

namespace shoal {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr size_t kClausesPerRequirement = 4;  // learned from each expanded node
constexpr uint64_t kNodesBetweenDives = 64;

bool contains(const Cut& cut, const Cut& part) {
  for (size_t word = 0; word < cut.words.size(); ++word) {
    if (part.words[word] & ~cut.words[word]) return false;
  }
  return true;
}

}  // namespace

CutSearch::CutSearch(const Problem& problem, const std::vector<size_t>& requirements, const CutSpace& space,
                     const CutObjective& objective, Limits limits)
    : space_(space), objective_(objective), limits_(limits) {
  for (size_t place : requirements) {
    requirements_.push_back(problem.requirements[place]);
    rules_.push_back(problem.rule(place));
  }
  std::vector<TupleTable::View> views;
  auto view_index = [&](const TupleTable::View& view) {
    const auto found = std::find(views.begin(), views.end(), view);
    if (found != views.end()) return static_cast<size_t>(found - views.begin());
    views.push_back(view);
    return views.size() - 1;
  };
  for (size_t i = 0; i < requirements_.size(); ++i) {
    view_of_requirement_.push_back(view_index({requirements_[i].columns, false, false, needs_counts(*rules_[i])}));
  }
  if (objective.view()) view_of_objective_ = view_index(*objective.view());
  for (const TupleTable::View& view : views) first_.emplace_back(problem, view);
  base_ = tables_ = first_;
  base_low_ = tables_low_ = space_.lowest();
  price_.assign(space_.size(), kInfinite);
  best_ = space_.highest();
  best_loss_ = loss_of(best_, rolled(first_, best_));
}

// ---- the queue ----

size_t CutSearch::node_bytes() const { return sizeof(Node) + 2 * (best_.words.size() * 8 + 16); }

bool CutSearch::depth_first() const { return heap_.size() * node_bytes() > limits_.queue_bytes; }

void CutSearch::put(Node&& node) {
  ++counts_.generated;
  if (depth_first()) {
    stack_.push_back(std::move(node));
  } else {
    heap_.push_back(std::move(node));
    std::push_heap(heap_.begin(), heap_.end(), worse);
  }
}

CutSearch::Node CutSearch::take() {
  if (!stack_.empty()) {
    Node node = std::move(stack_.back());
    stack_.pop_back();
    ++counts_.depth_first;
    return node;
  }
  std::pop_heap(heap_.begin(), heap_.end(), worse);
  Node node = std::move(heap_.back());
  heap_.pop_back();
  return node;
}

double CutSearch::bound() const {
  if (proven_) return best_loss_;
  double bound = best_loss_;
  if (!heap_.empty()) bound = std::min(bound, heap_.front().bound);
  for (const Node& node : stack_) bound = std::min(bound, node.bound);
  return bound;
}

// Losses this large or larger are no improvement; the margin takes up rounding in sums over cells.
double CutSearch::cutoff() const { return best_loss_ - 1e-12 * std::max(1.0, std::abs(best_loss_)); }

void CutSearch::run(Progress& progress) {
  progress_ = &progress;
  Node root{space_.lowest(), space_.highest(), loss_of(tables_low_, tables_), 0};
  const double start = root.bound;
  put(std::move(root));
  while (!heap_.empty() || !stack_.empty()) {
    progress.check();
    if (progress.out_of_time()) break;
    if (counts_.expanded % kNodesBetweenDives == 1) dive(stack_.empty() ? heap_.front() : stack_.back(), progress);
    Node node = take();
    if (node.bound >= cutoff()) {
      ++counts_.bounded;
      continue;
    }
    expand(std::move(node), progress);
    const double whole = best_loss_ - start;
    progress.update(whole <= 0 ? 1 : std::clamp((bound() - start) / whole, 0.0, 0.99));
  }
  proven_ = heap_.empty() && stack_.empty();
  refine(progress);
}

// ---- one node ----

void CutSearch::expand(Node&& node, Progress& progress) {
  ++counts_.expanded;
  const bool root = counts_.expanded == 1;
  if (!narrow(node)) {
    ++counts_.dead;
    return;
  }
  if (root) {
    if (!force_at_root(node, progress)) {
      ++counts_.dead;
      return;
    }
    base_ = tables_;
    base_low_ = tables_low_;
  }
  if (!violation(tables_)) {
    offer(node.low, loss_of(node.low, tables_));
    return;
  }
  learn_from_low();
  split(node);
}

// Tries every raise once: if nothing satisfies without it, the clause that says so is worth having from the start.
bool CutSearch::force_at_root(Node& node, Progress& progress) {
  for (uint32_t raise : open_raises(node)) {
    if (progress.out_of_time()) break;
    progress.check();
    if (!node.high.has(raise) || node.low.has(raise)) continue;
    Cut high = node.high;
    space_.keep_below(high, raise);
    const Tables tables = rolled(tables_, high);
    if (const auto found = violation(tables)) learn(*found, tables, high);
  }
  passing_.clear();
  return narrow(node);
}

// Goes down from a node to an answer by always taking the least loss, forbidding nothing; leaves no states behind.
void CutSearch::dive(Node node, Progress& progress) {
  while (!progress.out_of_time()) {
    progress.check();
    ++counts_.dived;
    if (!narrow(node)) return;
    if (!violation(tables_)) return offer(node.low, loss_of(node.low, tables_));
    learn_from_low();
    space_.raise_to(node.low, choose_clause(node).back());
  }
}

// Tightens both ends until nothing changes. False: no cut in between is worth looking at.
bool CutSearch::narrow(Node& node) {
  bool probed = false;
  for (;;) {
    const Cut low_before = node.low;
    if (!clauses_.propagate(space_, node.low, node.high)) return false;
    if (!probed || !(node.low == low_before)) {
      move_tables(node.low);
      node.bound = std::max(node.bound, loss_of(node.low, tables_));
      if (node.bound >= cutoff()) return false;
      std::fill(price_.begin(), price_.end(), kInfinite);
      objective_.probe(node.low, view_of_objective_ ? &tables_[*view_of_objective_] : nullptr, open_raises(node),
                       index_, price_, *progress_);
      probed = true;
    }
    const Cut high_before = node.high;
    if (!narrow_high(node)) return false;
    if (node.high == high_before) return true;
  }
}

// Raises that cost too much are forbidden; what is left must still satisfy, and is an answer.
bool CutSearch::narrow_high(Node& node) {
  for (uint32_t raise : open_raises(node)) {
    if (price_[raise] < cutoff()) continue;
    space_.keep_below(node.high, raise);
    price_[raise] = kInfinite;
  }
  const Tables high = rolled(tables_, node.high);
  if (const auto found = violation(high)) {
    learn(*found, high, node.high);
    return false;
  }
  offer(node.high, loss_of(node.high, high));
  return true;
}

// Of the clauses that low does not meet, the one whose raises promise least: few of them, and dear ones. Its open
// raises, dear ones first.
std::vector<uint32_t> CutSearch::choose_clause(const Node& node) {
  std::vector<uint32_t> chosen, open;
  double least = kInfinite;
  auto consider = [&](std::span<const uint32_t> clause) {
    open.clear();
    double promise = 0;
    for (uint32_t raise : clause) {
      if (node.low.has(raise)) return;
      if (!node.high.has(raise)) continue;
      open.push_back(raise);
      const double gain = std::max(0.0, best_loss_ - price_[raise]);
      promise += gain * gain;
    }
    if (promise < least) {
      least = promise;
      chosen = open;
    }
  };
  for (size_t i = 0; i < clauses_.size(); ++i) consider(clauses_.clause(i));
  for (const Clause& clause : passing_) consider(clause);
  passing_.clear();
  std::sort(chosen.begin(), chosen.end(),
            [&](uint32_t a, uint32_t b) { return price_[a] != price_[b] ? price_[a] > price_[b] : a < b; });
  return chosen;
}

// Dear raises first: their children are pruned soon, and the most promising child comes last, with most forbidden.
void CutSearch::split(const Node& node) {
  Cut high = node.high;
  for (uint32_t raise : choose_clause(node)) {
    if (!high.has(raise)) continue;  // forbidden with an earlier raise below it
    Node child{node.low, high, std::max(node.bound, price_[raise]), counts_.generated};
    space_.raise_to(child.low, raise);
    if (child.bound < cutoff()) put(std::move(child));
    space_.keep_below(high, raise);
  }
}

// Rolls from the tables at hand when they are fine enough (a child after its parent), else from the first ones.
void CutSearch::move_tables(const Cut& low) {
  if (tables_low_ == low) return;
  tables_ = rolled(contains(low, tables_low_) ? tables_ : base_, low);
  tables_low_ = low;
}

std::vector<uint32_t> CutSearch::open_raises(const Node& node) const {
  std::vector<uint32_t> open;
  for (uint32_t raise = 0; raise < space_.size(); ++raise) {
    if (node.high.has(raise) && !node.low.has(raise)) open.push_back(raise);
  }
  return open;
}

CutSearch::Tables CutSearch::rolled(const Tables& tables, const Cut& cut) {
  Tables result;
  for (const TupleTable& table : tables) result.push_back(table.rolled(space_, cut, index_));
  return result;
}

double CutSearch::loss_of(const Cut& cut, const Tables& tables) const {
  return objective_.loss(cut, view_of_objective_ ? &tables[*view_of_objective_] : nullptr);
}

// The first one, if any.
std::optional<CutSearch::Violation> CutSearch::violation(const Tables& tables) {
  for (size_t i = 0; i < requirements_.size(); ++i) {
    if (needs_counts(*rules_[i])) {
      const std::vector<size_t> tuples = violating_tuples(i, tables);
      if (!tuples.empty()) return Violation{i, tuples.front()};
      continue;
    }
    const auto& rows = tables[view_of_requirement_[i]].rows();
    for (size_t tuple = 0; tuple < rows.size(); ++tuple) {
      if (rows[tuple] < requirements_[i].k) return Violation{i, tuple};
    }
  }
  return std::nullopt;
}

// One of each group that violates, ascending; kAllGroups last, where all groups together do.
std::vector<size_t> CutSearch::violating_tuples(size_t requirement, const Tables& tables) {
  const TupleTable& table = tables[view_of_requirement_[requirement]];
  if (needs_counts(*rules_[requirement])) {
    const BreakingGroups breaking = breaking_groups(
        table, {requirements_[requirement].columns, *rules_[requirement], space_.hierarchies()}, index_);
    std::vector<size_t> tuples = breaking.firsts();
    if (breaking.risk_too_high) tuples.push_back(kAllGroups);
    return tuples;
  }
  std::vector<size_t> tuples;
  for (size_t tuple = 0; tuple < table.size(); ++tuple) {
    if (table.rows()[tuple] < requirements_[requirement].k) tuples.push_back(tuple);
  }
  return tuples;
}

// The clause of a violation under `cut`, whose tables may be coarser than those at hand.
void CutSearch::learn(const Violation& violation, const Tables& tables, const Cut& cut) {
  const size_t i = violation.requirement;
  Clause clause;
  if (violation.tuple == kAllGroups) {
    clause = beyond(space_, cut, requirements_[i].columns);
  } else {
    const TupleTable& boxes = tables[view_of_requirement_[i]];
    std::vector<Hierarchy::Node> nodes;
    for (const TupleTable::Field& field : boxes.fields()) nodes.push_back(boxes.node(violation.tuple, field));
    clause = grow_clause(space_, tables_[view_of_requirement_[i]], nodes, *rules_[i], price_);
  }
  if (clauses_.bytes() < limits_.clause_bytes) {
    clauses_.add(std::move(clause));
  } else {
    passing_.push_back(std::move(clause));
  }
}

// A few of low's violating tuples, spread over the table.
void CutSearch::learn_from_low() {
  for (size_t i = 0; i < requirements_.size(); ++i) {
    const std::vector<size_t> violating = violating_tuples(i, tables_);
    const size_t step = std::max<size_t>(1, violating.size() / kClausesPerRequirement);
    for (size_t j = 0; j < violating.size(); j += step) learn({i, violating[j]}, tables_, tables_low_);
  }
}

void CutSearch::offer(const Cut& cut, double loss) {
  if (loss >= cutoff()) return;
  best_ = cut;
  best_loss_ = loss;
}

// Takes back every raise of the answer that no requirement needs, the most precise first: among equally good cuts the
// answer is one that cannot be made finer. What fails once fails for good, for the cut only becomes finer.
void CutSearch::refine(Progress& progress) {
  std::vector<bool> failed(space_.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t raise = 0; raise < space_.size(); ++raise) {
      const uint32_t parent = space_.raise(raise).parent;
      if (failed[raise] || !best_.has(raise) || (parent != CutSpace::kNone && best_.has(parent))) continue;
      progress.check();
      if (progress.out_of_time()) return;
      Cut finer = best_;
      finer.remove(raise);
      const Tables tables = rolled(contains(finer, base_low_) ? base_ : first_, finer);
      if (violation(tables)) {
        failed[raise] = true;
        continue;
      }
      best_ = finer;
      best_loss_ = loss_of(finer, tables);
      changed = true;
    }
  }
}

}  // namespace shoal
