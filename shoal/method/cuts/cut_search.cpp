#include "shoal/method/cuts/cut_search.h"

#include <algorithm>
#include <optional>

#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr uint64_t kStatesBetweenDives = 64;
// States looked at together know nothing of each other. That costs a little where there are few states, so batches grow
// with the search; larger ones than this would not make two or eight threads busier.
constexpr uint64_t kLargestBatch = 16;
constexpr uint64_t kStatesPerBatchSize = 8;
constexpr size_t kKeptPerBase = 16;  // memory for tuples of waiting states, as often that of the root's tuples

bool contains(const Cut& cut, const Cut& part) {
  for (size_t word = 0; word < cut.words.size(); ++word) {
    if (part.words[word] & ~cut.words[word]) return false;
  }
  return true;
}

}  // namespace

CutSearch::CutSearch(const Problem& problem, const std::vector<size_t>& requirements, const CutSpace& space,
                     const CutObjective& objective, Limits limits)
    : question_(problem, requirements, space, objective),
      space_(space),
      limits_(limits),
      threads_(problem.threads),
      first_(std::make_shared<const Place>(Place{space.lowest(), question_.first_tables()})),
      base_(first_),
      lookers_(static_cast<size_t>(std::max(problem.threads, 1))),
      best_{space.highest(), 0} {
  KeyIndex index;
  best_.loss = question_.loss_of(best_.cut, question_.rolled(first_->tables, best_.cut, index));
}

// ---- the queue ----

size_t CutSearch::state_bytes() const { return sizeof(CutState) + 2 * (best_.cut.words.size() * 8 + 16); }

bool CutSearch::depth_first() const { return heap_.size() * state_bytes() > limits_.queue_bytes; }

void CutSearch::put(CutState&& state) {
  state.order = counts_.generated++;
  if (depth_first()) {
    stack_.push_back(std::move(state));
  } else {
    heap_.push_back(std::move(state));
    std::push_heap(heap_.begin(), heap_.end(), worse);
  }
}

CutState CutSearch::take() {
  if (!stack_.empty()) {
    CutState state = std::move(stack_.back());
    stack_.pop_back();
    ++counts_.depth_first;
    return state;
  }
  std::pop_heap(heap_.begin(), heap_.end(), worse);
  CutState state = std::move(heap_.back());
  heap_.pop_back();
  return state;
}

double CutSearch::bound() const {
  if (proven_) return best_.loss;
  double bound = best_.loss;
  if (!heap_.empty()) bound = std::min(bound, heap_.front().bound);
  for (const CutState& state : stack_) bound = std::min(bound, state.bound);
  return bound;
}

// Tuples that waiting states begin with, counted as long as one of them waits. Where there is no room for them, or they
// would save little, those of the root.
std::shared_ptr<const CutSearch::Place> CutSearch::kept(std::shared_ptr<const Place> place) {
  const size_t bytes = place->bytes(), base = base_->bytes();
  const size_t room = std::min(limits_.tuple_bytes, kKeptPerBase * base);
  if (2 * bytes > base || tuple_bytes_ + bytes > room) return base_;
  tuple_bytes_ += bytes;
  const Place* tuples = place.get();
  return {tuples, [this, bytes, held = std::move(place)](const Place*) mutable {
            tuple_bytes_ -= bytes;
            held.reset();
          }};
}

// ---- the search ----

void CutSearch::run(Progress& progress) {
  CutState root{space_.lowest(), space_.highest(), question_.loss_of(first_->cut, first_->tables), first_};
  const double start = root.bound;
  if (progress.out_of_time() || narrow_root(root, progress)) put(std::move(root));
  while (waiting()) {
    progress.check();
    if (progress.out_of_time()) break;
    look_at(next_batch(), progress);
    const double whole = best_.loss - start;
    progress.update(whole <= 0 ? 1 : std::clamp((bound() - start) / whole, 0.0, 0.99));
  }
  proven_ = !waiting();
  refine(progress);
}

CutLooker& CutSearch::looker(size_t worker, const Progress& progress) {
  if (!lookers_[worker]) lookers_[worker] = std::make_unique<CutLooker>(question_, progress);
  return *lookers_[worker];
}

// Clauses about every raise are worth having from the start. False: nothing is better than everything at the root.
bool CutSearch::narrow_root(CutState& root, Progress& progress) {
  for (bool learned : {false, true}) {
    CutLook look = looker(0, progress).narrow_only(root, known());
    base_ = root.from = look.place;
    const bool dead = look.dead;
    merge(std::move(look));
    if (dead) return false;
    if (!learned) learn_at_root(root, progress);
  }
  return true;
}

// Tries every raise once: if nothing satisfies without it, learns why.
void CutSearch::learn_at_root(const CutState& root, Progress& progress) {
  const std::vector<double>& price = looker(0, progress).price();
  std::vector<std::optional<Clause>> found(space_.size());
  auto make_index = [] { return std::make_unique<KeyIndex>(); };
  run_tasks_with(space_.size(), threads_, make_index, [&](KeyIndex& index, size_t task) {
    const auto raise = static_cast<uint32_t>(task);
    if (!root.high.has(raise) || root.low.has(raise)) return;
    progress.check();
    if (progress.out_of_time()) return;
    Place high{root.high, {}};
    space_.keep_below(high.cut, raise);
    high.tables = question_.rolled(root.from->tables, high.cut, index);
    const auto violation = question_.violation(high.tables, index);
    if (violation) found[task] = question_.clause(*violation, high, root.from->tables, price);
  });
  CutLook look;
  for (std::optional<Clause>& clause : found) {
    if (clause) look.learned.push_back(std::move(*clause));
  }
  merge(std::move(look));
}

// The best states, or the newest when the search goes depth-first.
std::vector<CutState> CutSearch::next_batch() {
  const uint64_t size = std::clamp<uint64_t>(counts_.expanded / kStatesPerBatchSize, 1, kLargestBatch);
  std::vector<CutState> batch;
  while (batch.size() < size && waiting()) {
    CutState state = take();
    if (state.bound >= cutoff()) {
      ++counts_.bounded;
    } else {
      batch.push_back(std::move(state));
    }
  }
  return batch;
}

// Splits the states of a batch, and now and then dives from its best one.
void CutSearch::look_at(std::vector<CutState> batch, Progress& progress) {
  if (batch.empty()) return;
  const bool dive = counts_.expanded >= next_dive_;
  if (dive) {
    next_dive_ = counts_.expanded + kStatesBetweenDives;
    batch.insert(batch.begin(), batch.front());  // first, for it takes longest
  }
  std::vector<CutLook> looks(batch.size());
  run_tasks(batch.size(), threads_, [&](size_t worker, size_t task) {
    CutLooker& mine = looker(worker, progress);
    looks[task] = dive && task == 0 ? mine.dive(batch[task], known()) : mine.expand(batch[task], known());
  });
  for (size_t task = 0; task < batch.size(); ++task) {
    if (dive && task == 0) {
      counts_.dived += looks[task].steps;
    } else if (!looks[task].begun) {
      --counts_.generated;
      put(std::move(batch[task]));
    } else {
      ++counts_.expanded;
      counts_.dead += looks[task].dead;
    }
    merge(std::move(looks[task]));
  }
}

void CutSearch::merge(CutLook&& look) {
  if (look.answer && look.answer->loss < cutoff()) best_ = std::move(*look.answer);
  for (Clause& clause : look.learned) {
    if (clauses_.bytes() < limits_.clause_bytes) clauses_.add(std::move(clause));
  }
  if (look.children.empty()) return;
  const std::shared_ptr<const Place> place = kept(std::move(look.place));
  for (CutState& child : look.children) {
    if (child.bound >= cutoff()) continue;
    child.from = place;
    put(std::move(child));
  }
}

// Takes back every raise of the answer that no requirement needs, the most precise first: among equally good cuts the
// answer is one that cannot be made finer. What fails once fails for good, for the cut only becomes finer.
void CutSearch::refine(Progress& progress) {
  KeyIndex index;
  std::vector<bool> failed(space_.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t raise = 0; raise < space_.size(); ++raise) {
      const uint32_t parent = space_.raise(raise).parent;
      if (failed[raise] || !best_.cut.has(raise) || (parent != CutSpace::kNone && best_.cut.has(parent))) continue;
      progress.check();
      if (progress.out_of_time()) return;
      Cut finer = best_.cut;
      finer.remove(raise);
      const Place& from = contains(finer, base_->cut) ? *base_ : *first_;
      const CutQuestion::Tables tables = question_.rolled(from.tables, finer, index);
      if (question_.violation(tables, index)) {
        failed[raise] = true;
        continue;
      }
      best_ = {finer, question_.loss_of(finer, tables)};
      changed = true;
    }
  }
}

}  // namespace shoal
