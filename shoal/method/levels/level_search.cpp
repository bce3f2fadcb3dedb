// The lattice of LeFevre 2005 and Samarati 2001 with everything their searches share. A verdict is inherited: what is
// coarser than a satisfying vector satisfies, what is finer than a failing one fails, so that most vectors are decided
// without counting. Those that must be counted are sorted so that neighbours share their first levels, and are cut into
// the same tasks for any number of threads; the best vector is chosen by an order in which nobody can be first.
#include "shoal/method/levels/level_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "shoal/method/rules.h"
#include "shoal/run/counted.h"
#include "shoal/run/tasks.h"
#include "shoal/table/groups.h"

namespace shoal {
namespace {

constexpr double kMostVectors = 20e6;
constexpr double kMostSubsetVectors = 268435456;  // 2^28
constexpr size_t kFewestTasks = 16;  // the same for any number of threads: what is counted must not depend on it
constexpr size_t kShownVectors = 20;

std::vector<size_t> required_columns(const Problem& problem) {
  std::vector<size_t> columns;
  for (const Requirement& requirement : problem.requirements) {
    columns.insert(columns.end(), requirement.columns.begin(), requirement.columns.end());
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

std::vector<int> heights(std::span<const LevelColumn> columns) {
  std::vector<int> heights;
  for (const LevelColumn& column : columns) heights.push_back(column.height());
  return heights;
}

std::string too_large_text(const std::string& what, double number, double most) {
  return fmt::format(
      "the lattice of level vectors is too large to search: {:.0f} {}, at most {:.0f} are allowed; require fewer "
      "columns, use hierarchies with fewer levels, or use a method that does not walk the lattice, such as mondrian or "
      "datafly",
      number, what, most);
}

// What the rules count, as a tail; nothing where they count rows alone.
std::optional<Tail> rule_tail(const Problem& problem) {
  if (!problem.has_models()) return std::nullopt;
  CountedTuples counted = counted_tuples(problem);
  Tail tail;
  tail.size = static_cast<uint32_t>(counted.size());
  tail.of_row.resize(problem.table.rows);
  counted.codes.visit([&](auto codes) { std::copy(codes.begin(), codes.end(), tail.of_row.begin()); });
  tail.row_with = std::make_shared<const std::vector<uint32_t>>(std::move(counted.row_of_tuple));
  return tail;
}

// Two tails as one, that rules can be asked on.
struct JoinedTail {
  Tail tail;
  std::vector<uint32_t> loss_tail;  // [tail]: what it is for the loss
};

JoinedTail join(const Tail& rules, const Tail& loss) {
  Codes rule_codes(rules.of_row.size(), rules.size), loss_codes(loss.of_row.size(), loss.size);
  const auto fill = [](const Tail& from, Codes& to) {
    to.visit([&](auto codes) {
      using Code = typename decltype(codes)::value_type;
      for (size_t row = 0; row < codes.size(); ++row) codes[row] = static_cast<Code>(from.of_row[row]);
    });
  };
  fill(rules, rule_codes);
  fill(loss, loss_codes);
  const std::vector<GroupKey> keys{{&rule_codes, rules.size}, {&loss_codes, loss.size}};
  Groups groups = group_rows(rules.of_row.size(), keys);
  JoinedTail joined;
  std::vector<uint32_t> row_with;
  for (uint32_t row = 0; row < groups.group_of_row.size(); ++row) {
    if (groups.group_of_row[row] < row_with.size()) continue;  // numbered as they appear
    row_with.push_back(row);
    joined.loss_tail.push_back(loss.of_row[row]);
  }
  joined.tail = {std::move(groups.group_of_row), static_cast<uint32_t>(row_with.size()),
                 std::make_shared<const std::vector<uint32_t>>(std::move(row_with))};
  return joined;
}

// The groups with the loss's own tails, ascending and each once. One per thread.
class LossTails {
 public:
  GroupsView of(const GroupsView& groups, const std::vector<uint32_t>& loss_tail) {
    first_ = {0};
    tails_.clear();
    counts_.clear();
    for (size_t group = 0; group < groups.sizes.size(); ++group) {
      entries_.clear();
      for (uint32_t i = groups.first[group]; i < groups.first[group + 1]; ++i) {
        entries_.emplace_back(loss_tail[groups.tails[i]], groups.tail_counts[i]);
      }
      std::sort(entries_.begin(), entries_.end());
      for (size_t i = 0; i < entries_.size(); ++i) {
        if (i > 0 && entries_[i].first == entries_[i - 1].first) {
          counts_.back() += entries_[i].second;
        } else {
          tails_.push_back(entries_[i].first);
          counts_.push_back(entries_[i].second);
        }
      }
      first_.push_back(static_cast<uint32_t>(tails_.size()));
    }
    return {groups.dropped, groups.sizes, groups.gains, first_, tails_, counts_};
  }

 private:
  std::vector<std::pair<uint32_t, uint32_t>> entries_;
  std::vector<uint32_t> first_, tails_, counts_;
};

}  // namespace

std::optional<std::string> lattice_too_large(const Problem& problem) {
  for (size_t i = 0; i < problem.requirements.size(); ++i) {
    double states = 1;
    for (size_t quasi : problem.requirements[i].columns) states *= problem.hierarchies[quasi].height() + 2;
    if (states > kMostSubsetVectors) {
      return too_large_text("vectors over all sets of the " + std::to_string(problem.requirements[i].columns.size()) +
                                " columns of requirement " + std::to_string(i + 1),
                            states, kMostSubsetVectors);
    }
  }
  double vectors = 1;
  for (size_t quasi : required_columns(problem)) vectors *= problem.hierarchies[quasi].height() + 1;
  if (vectors <= kMostVectors) return std::nullopt;
  return too_large_text("vectors over all required columns", vectors, kMostVectors);
}

std::optional<std::string> top_breaks(const Problem& problem) {
  if (!problem.has_models()) return std::nullopt;
  std::string reason = whole_table_breaks(problem);
  if (reason.empty() || row_limit(problem) > 0) return std::nullopt;
  return reason;
}

std::vector<LevelColumn> level_columns(const Problem& problem) {
  std::vector<LevelColumn> columns;
  for (size_t quasi : required_columns(problem)) {
    columns.push_back(level_column(problem.table, problem.hierarchies[quasi], quasi));
  }
  return columns;
}

std::vector<SweepRequirement> sweep_requirements(const Problem& problem, std::span<const LevelColumn> columns) {
  std::vector<SweepRequirement> result;
  for (size_t i = 0; i < problem.requirements.size(); ++i) {
    const Requirement& requirement = problem.requirements[i];
    SweepRequirement& wanted = result.emplace_back(SweepRequirement{{}, requirement.k});
    const auto rule = without_population(problem.rule(i));
    if (!rule->rows_only() || rule->average_risk()) wanted.rule = rule;
    for (size_t column = 0; column < columns.size(); ++column) {
      if (std::binary_search(requirement.columns.begin(), requirement.columns.end(), columns[column].quasi)) {
        wanted.columns.push_back(column);
      }
    }
  }
  return result;
}

bool BestVector::precedes(VectorIndex a, VectorIndex b) const {
  const int sum_a = lattice_->sum_of_levels(a), sum_b = lattice_->sum_of_levels(b);
  return sum_a != sum_b ? sum_a < sum_b : a < b;
}

void BestVector::add(VectorIndex vector, double loss) {
  if (!by_loss_.empty() && loss > by_loss_.begin()->first + tolerance_) return;
  const auto [entry, fresh] = by_loss_.emplace(loss, vector);
  if (!fresh && precedes(vector, entry->second)) entry->second = vector;
  by_loss_.erase(by_loss_.upper_bound(by_loss_.begin()->first + tolerance_), by_loss_.end());
}

void BestVector::add(const BestVector& other) {
  for (const auto& [loss, vector] : other.by_loss_) add(vector, loss);
}

BestVector::Choice BestVector::choice() const {
  Choice choice{by_loss_.begin()->second, by_loss_.begin()->first};
  for (const auto& [loss, vector] : by_loss_) {
    if (precedes(vector, choice.vector)) choice = {vector, loss};
  }
  return choice;
}

LevelSearch::LevelSearch(const Problem& problem, Progress& progress)
    : problem_(problem),
      progress_(progress),
      limit_(row_limit(problem)),
      columns_(level_columns(problem)),
      lattice_(heights(columns_)),
      rule_tail_(rule_tail(problem)),
      tuples_(problem.table, columns_, rule_tail_ ? &*rule_tail_ : nullptr, problem.threads),
      requirements_(sweep_requirements(problem, columns_)) {
  progress.check();
  for (const SweepRequirement& requirement : requirements_) {
    if (limit_ == 0 || !requirement.rule) continue;
    if (requirement.rule->closure() != Closure::any_superset || requirement.rule->average_risk()) inherits_ = false;
  }
  measure_ = setting(problem.params, "measure");
  if (limit_ == 0) {
    for (size_t i = 0; i < requirements_.size(); ++i) {
      add_part(requirements_[i].columns, {requirements_[i]});
      if (problem.rule(i)->needs_population()) parts_.back().population.emplace(problem, i);
    }
  } else {
    for (size_t i = 0; i < requirements_.size(); ++i) {
      if (!problem.rule(i)->needs_population()) continue;
      throw Error(ErrorKind::job, "rows cannot be dropped where a model asks about the population");
    }
    std::vector<size_t> all(columns_.size());
    std::iota(all.begin(), all.end(), size_t{0});
    add_part(all, requirements_);
  }
}

void LevelSearch::add_part(std::vector<size_t> columns, std::vector<SweepRequirement> requirements) {
  std::vector<int> part_heights;
  std::vector<LatticeTuples::Position> positions;
  for (size_t column : columns) {
    part_heights.push_back(columns_[column].height());
    positions.push_back({column, 0});
  }
  PartLattice& part = parts_.emplace_back(
      PartLattice{std::move(columns), std::move(requirements), Lattice(part_heights), {}, std::nullopt});
  part.verdicts.assign(part.lattice.size(), VectorVerdict::unknown);
  if (positions.size() == columns_.size()) return;
  tuples_.unpack_digits();
  part.own_tuples = tuples_.project(columns_, positions);
}

bool LevelSearch::out_of_time() {
  if (!out_of_time_ && progress_.out_of_time()) out_of_time_ = true;
  return out_of_time_;
}

VectorIndex LevelSearch::in_part(const PartLattice& part, VectorIndex vector) const {
  if (!part.own_tuples) return vector;
  VectorIndex own = 0;
  for (size_t i = 0; i < part.columns.size(); ++i) {
    own += static_cast<VectorIndex>(lattice_.level(vector, part.columns[i])) * part.lattice.stride(i);
  }
  return own;
}

VectorVerdict LevelSearch::verdict(VectorIndex vector) const {
  VectorVerdict verdict = VectorVerdict::satisfies;
  for (const PartLattice& part : parts_) {
    const VectorVerdict own = part.verdicts[in_part(part, vector)];
    if (own == VectorVerdict::fails) return own;
    if (own == VectorVerdict::unknown) verdict = own;
  }
  return verdict;
}

void LevelSearch::decide(std::span<const VectorIndex> vectors) {
  for (PartLattice& part : parts_) {
    std::vector<VectorIndex> open;
    for (VectorIndex vector : vectors) {
      const VectorIndex own = in_part(part, vector);
      if (part.verdicts[own] == VectorVerdict::unknown) open.push_back(own);
    }
    std::sort(open.begin(), open.end());
    open.erase(std::unique(open.begin(), open.end()), open.end());
    evaluate(tuples(part), part.requirements, part.lattice, open,
             [&](size_t, VectorIndex vector, Sweep::Outcome outcome, const Sweep&) {
               const bool satisfies = outcome == Sweep::Outcome::satisfies && population_holds(part, vector);
               part.verdicts[vector] = satisfies ? VectorVerdict::satisfies : VectorVerdict::fails;
             });
    if (inherits_) inherit_verdicts(part.lattice, part.verdicts);
  }
}

bool LevelSearch::population_holds(const PartLattice& part, VectorIndex own) const {
  if (!part.population) return true;
  std::vector<int> levels(problem_.table.quasi.size(), 0);
  for (size_t i = 0; i < part.columns.size(); ++i) {
    levels[columns_[part.columns[i]].quasi] = part.lattice.level(own, i);
  }
  return part.population->holds(levels);
}

std::vector<VectorIndex> LevelSearch::satisfying() const {
  std::vector<VectorIndex> vectors;
  for (VectorIndex vector = 0; vector < lattice_.size(); ++vector) {
    if (satisfies(vector)) vectors.push_back(vector);
  }
  return vectors;
}

std::vector<VectorIndex> LevelSearch::minimal() const {
  std::vector<VectorIndex> vectors;
  std::vector<bool> above(lattice_.size(), false);  // satisfies, or is coarser than one that does
  for (VectorIndex vector = 0; vector < lattice_.size(); ++vector) {
    const bool own = satisfies(vector);
    bool least = true;
    for (size_t column = 0; column < lattice_.columns() && least; ++column) {
      least = lattice_.level(vector, column) == 0 || !above[vector - lattice_.stride(column)];
    }
    above[vector] = own || !least;
    if (own && least) vectors.push_back(vector);
  }
  return vectors;
}

std::optional<BestVector::Choice> LevelSearch::best(std::span<const VectorIndex> vectors) {
  if (!loss_) loss_.emplace(problem_, columns_, measure_);
  std::vector<BestVector> best(task_workers(SIZE_MAX, problem_.threads), BestVector(lattice_, loss_->tolerance()));
  if (limit_ == 0 && loss_->sums_cells()) {
    for (VectorIndex vector : vectors) best.front().add(vector, loss_->of_levels(lattice_.levels(vector)));
  } else {
    count_losses(vectors, best);
  }
  for (size_t worker = 1; worker < best.size(); ++worker) best.front().add(best[worker]);
  if (best.front().empty()) return std::nullopt;
  return best.front().choice();
}

// While no row may be dropped, the vectors satisfy, and rules need not be asked again: the loss's own tail is enough.
void LevelSearch::count_losses(std::span<const VectorIndex> vectors, std::vector<BestVector>& best) {
  std::optional<LatticeTuples> with_tail;
  std::optional<JoinedTail> joined;
  if (loss_->tail() && rule_tail_ && limit_ > 0) joined = join(*rule_tail_, *loss_->tail());
  if (loss_->tail()) {
    with_tail.emplace(problem_.table, columns_, joined ? &joined->tail : loss_->tail(), problem_.threads);
  }
  std::vector<LossTails> loss_tails(best.size());
  evaluate(
      with_tail ? *with_tail : tuples_, requirements_, lattice_, vectors,
      [&](size_t worker, VectorIndex vector, Sweep::Outcome outcome, const Sweep& sweep) {
        const bool satisfies = outcome == Sweep::Outcome::satisfies;
        if (satisfies) {
          const GroupsView groups = sweep.groups();
          best[worker].add(vector,
                           loss_->of_groups(joined ? loss_tails[worker].of(groups, joined->loss_tail) : groups));
        }
        if (limit_ > 0) parts_.front().verdicts[vector] = satisfies ? VectorVerdict::satisfies : VectorVerdict::fails;
      },
      loss_->gains());
}

void LevelSearch::evaluate(const LatticeTuples& table, std::span<const SweepRequirement> requirements,
                           const Lattice& lattice, std::span<const VectorIndex> vectors, const Visit& visit,
                           const SweepGains* gains) {
  // The table's columns in its own order: positions of `lattice`, whose columns ascend.
  std::vector<size_t> order;
  for (const LatticeTuples::Position& position : table.positions()) {
    size_t smaller = 0;
    for (const LatticeTuples::Position& other : table.positions()) smaller += other.column < position.column;
    order.push_back(smaller);
  }
  std::vector<int> reordered_heights;
  reordered_heights.reserve(order.size());
  for (size_t column : order) reordered_heights.push_back(lattice.height(column));
  const Lattice reordered(reordered_heights);
  std::vector<std::pair<VectorIndex, VectorIndex>> sorted;  // number in table order, number in `lattice`
  std::vector<int> levels(order.size());
  for (VectorIndex vector : vectors) {
    for (size_t i = 0; i < order.size(); ++i) levels[i] = lattice.level(vector, order[i]);
    sorted.emplace_back(reordered.index(levels), vector);
  }
  std::sort(sorted.begin(), sorted.end());

  // A task has all vectors that share their first levels.
  std::vector<size_t> first_of_task;
  for (size_t depth = 1; depth <= order.size(); ++depth) {
    first_of_task.clear();
    const VectorIndex stride = reordered.stride(depth - 1);
    for (size_t i = 0; i < sorted.size(); ++i) {
      if (i == 0 || sorted[i].first / stride != sorted[i - 1].first / stride) first_of_task.push_back(i);
    }
    if (first_of_task.size() >= kFewestTasks) break;
  }
  const size_t tasks = first_of_task.size();
  first_of_task.push_back(sorted.size());
  std::vector<std::optional<Sweep>> sweeps(task_workers(tasks, problem_.threads));
  std::atomic<size_t> done{0};
  run_tasks(tasks, problem_.threads, [&](size_t worker, size_t task) {
    std::optional<Sweep>& sweep = sweeps[worker];
    if (!sweep) sweep.emplace(table, columns_, requirements, limit_, gains);
    sweep->forget_failure();
    for (size_t i = first_of_task[task]; i < first_of_task[task + 1]; ++i) {
      progress_.check();
      if (out_of_time()) return;
      const Sweep::Outcome outcome = sweep->evaluate(reordered.levels(sorted[i].first));
      if (outcome != Sweep::Outcome::fails_with_branch) ++counted_;
      visit(worker, sorted[i].second, outcome, *sweep);
    }
    progress_.update(double(++done) / double(tasks));
  });
}

std::vector<int> LevelSearch::all_levels(VectorIndex vector) const {
  std::vector<int> levels(problem_.table.quasi.size(), 0);
  for (size_t column = 0; column < columns_.size(); ++column) {
    levels[columns_[column].quasi] = lattice_.level(vector, column);
  }
  return levels;
}

std::string LevelSearch::text(std::span<const VectorIndex> vectors) const {
  std::string text;
  for (size_t i = 0; i < std::min(vectors.size(), kShownVectors); ++i) {
    text += fmt::format("{}[{}]", i == 0 ? "" : " ", fmt::join(all_levels(vectors[i]), ","));
  }
  if (vectors.size() > kShownVectors) text += fmt::format(" and {} more", vectors.size() - kShownVectors);
  return text;
}

SearchResult LevelSearch::answer(const std::optional<BestVector::Choice>& choice) const {
  SearchResult result;
  if (!choice && !out_of_time_) {
    result.answer =
        problem_.has_models()
            ? NoAnswer{fmt::format("under no level vector the groups obey their models with at most {} dropped",
                                   shoal::counted(limit_, "row"))}
            : NoAnswer{"no level vector satisfies the requirements, not even with all required columns at the top: " +
                       shoal::counted(problem_.table.input_rows(), "row") + " and k is more"};
    return result;
  }
  std::vector<int> levels = all_levels(choice ? choice->vector : lattice_.top());
  std::vector<uint32_t> dropped;
  if (limit_ > 0) {
    LevelDrop drop = drop_rows(problem_, levels);
    if (!choice && problem_.has_models() && (drop.input_rows > limit_ || !drop.risks_hold)) {
      result.answer = NoAnswer{
          "stopped by the time budget before a level vector was found; with all required columns "
          "at the top of their hierarchies the groups break a model"};
      return result;
    }
    dropped = std::move(drop.rows);
  }
  Recoding recoding = levels_recoding(problem_.hierarchies, std::move(levels));
  recoding.dropped_rows = std::move(dropped);
  result.answer = std::move(recoding);
  result.stats.optimal = !out_of_time_;
  if (choice) result.stats.details.emplace_back("loss by " + measure_, fmt::format("{:.6g}", choice->loss));
  if (out_of_time_) {
    result.notices.emplace_back(
        choice ? "stopped by the time budget: the best level vector found so far is released, there may be better ones"
               : "stopped by the time budget before a level vector was found: all required columns are released at the "
                 "top of their hierarchies");
  }
  return result;
}

}  // namespace shoal
