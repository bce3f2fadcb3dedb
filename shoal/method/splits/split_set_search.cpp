// Bayardo and Agrawal walk a tree of sets depth-first: a node adds one more value, and does without those before it,
// whose order is chosen anew at every node. Deciding one split at a time, in or out, is the same tree; taking the state
// with the least bound first closes the gap from below, which is what a search that is stopped can show.
#include "shoal/method/splits/split_set_search.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr size_t kBatch = 8;  // the same for any number of threads
constexpr uint64_t kBatchesToDive = 8, kBatchesToLookNear = 16;
constexpr int kLooksNear = 3;
constexpr uint64_t kNearStates = 200;
constexpr size_t kCoarseParts[] = {8, 24};
constexpr uint64_t kCoarseStates = 2000;

}  // namespace

SplitSetSearch::SplitSetSearch(const SplitScene& scene, size_t queue_bytes)
    : scene_(scene), queue_bytes_(queue_bytes), tuples_(scene.tuples()), random_(scene.problem().seed) {
  if (scene.ruled()) ruled_ = *scene.ruled();
  root_.fates.assign(scene.space().size(), Fate::open);
  SplitMemory memory;
  best_.splits = scene.space().none();
  const auto judged = scene.judge(best_.splits, memory);
  best_.cost = judged ? static_cast<uint64_t>(judged->cost) : UINT64_MAX;
}

uint64_t SplitSetSearch::bound() const {
  uint64_t least = best_.cost;
  for (const auto* states : {&heap_, &stack_}) {
    for (const State& state : *states) least = std::min(least, state.bound);
  }
  return std::min(best_.cost, std::max(least, root_.bound));
}

void SplitSetSearch::offer(const FoundSet& found) {
  if (found.cost < best_.cost) best_ = found;
}

// One split more or less, or one border moved, as long as that is cheaper.
void SplitSetSearch::climb(FoundSet from, Progress& progress) {
  for (bool better = true; better && !progress.out_of_time();) {
    std::vector<SplitSet> steps = steps_from(from.splits);
    better = try_steps(from, steps, progress);
  }
  offer(from);
}

std::vector<SplitSet> SplitSetSearch::steps_from(const SplitSet& set) const {
  const SplitSpace& space = scene_.space();
  std::vector<SplitSet> steps;
  for (uint32_t split = 0; split < space.size(); ++split) {
    const uint32_t parent = space.split(split).parent;
    if (parent != SplitSpace::kNone && !set[parent]) continue;
    steps.push_back(set);
    if (set[split]) {
      space.remove(steps.back(), split);
    } else {
      space.add(steps.back(), split);
    }
    if (!space.split(split).border || !set[split]) continue;
    for (uint32_t other : {split - 1, split + 1}) {  // out here, in beside it
      if (other >= space.size() || set[other] || !space.split(other).border) continue;
      if (space.split(other).column != space.split(split).column) continue;
      steps.push_back(set);
      steps.back()[split] = 0;
      steps.back()[other] = 1;
    }
  }
  return steps;
}

bool SplitSetSearch::try_steps(FoundSet& set, std::vector<SplitSet>& steps, Progress& progress) {
  std::vector<double> costs(steps.size(), std::numeric_limits<double>::infinity());
  run_tasks_with(
      steps.size(), scene_.problem().threads, [] { return std::make_unique<SplitMemory>(); },
      [&](SplitMemory& memory, size_t i) {
        progress.check();
        if (progress.out_of_time()) return;
        if (const auto judged = scene_.judge(steps[i], memory)) costs[i] = judged->cost;
      });
  counts_.judged += steps.size();
  const auto least = std::min_element(costs.begin(), costs.end());
  if (least == costs.end() || !(*least < double(set.cost))) return false;
  set = {std::move(steps[static_cast<size_t>(least - costs.begin())]), static_cast<uint64_t>(*least)};
  return true;
}

// The best set's splits stay as they are but for those of some columns, drawn by chance: the same search over these
// alone, which is quick, and finds what no single step does.
void SplitSetSearch::search_near(Progress& progress) {
  SplitSetSearch near(scene_, queue_bytes_);
  near.near_another_ = true;
  near.best_ = best_;
  for (size_t column : scene_.space().columns()) {
    const bool open = random_.below(5) < 2;
    for (uint32_t split = scene_.space().first_split(column); split < scene_.space().first_split(column + 1); ++split) {
      if (!open) near.root_.fates[split] = best_.splits[split] ? Fate::in : Fate::out;
    }
  }
  near.branch(kNearStates, progress);
  counts_.near += near.counts_.examined;
  offer(near.best_);
}

// What holds for all sets that are better than the best: examined again whenever that is a new one.
void SplitSetSearch::look_at_all(Progress& progress) {
  if (root_cost_ == best_.cost) return;
  StateExaminer examiner(scene_);
  ExaminedState examined = examine(examiner, root_.fates, best_.cost, progress);
  if (!examined.finished) return;
  root_cost_ = best_.cost;
  offer(examined.found);
  if (examined.dead) {  // nothing is better: what waits need not be looked at
    root_.bound = best_.cost;
    heap_.clear();
    stack_.clear();
    return;
  }
  root_.fates = std::move(examined.fates);
  root_.bound = std::max(root_.bound, examined.bound);
  SplitSet tail;
  for (Fate fate : root_.fates) tail.push_back(fate == Fate::out ? 0 : 1);
  const auto maps = scene_.space().maps(tail);
  KeyIndex index;
  tuples_ = tuples_.rolled(maps, index);
  if (ruled_) ruled_ = ruled_->rolled(maps, index);
}

void SplitSetSearch::run(Progress& progress, uint64_t most_states) {
  progress.check();
  begin(progress);
  branch(most_states, progress);
}

// A good answer before all splits are open: numbers parted at few places only, then at more.
void SplitSetSearch::begin(Progress& progress) {
  climb(best_, progress);
  look_at_all(progress);  // a bound, should time run out before the search of all sets begins
  if (root_.bound >= best_.cost) return;
  for (size_t parts : kCoarseParts) {
    Fates fates = coarse_borders(parts);
    if (std::find(fates.begin(), fates.end(), Fate::out) == fates.end()) return;
    SplitSetSearch coarse(scene_, queue_bytes_);
    coarse.root_.fates = std::move(fates);
    coarse.best_ = best_;
    coarse.branch(kCoarseStates, progress);
    counts_.coarse += coarse.counts_.examined;
    counts_.judged += coarse.counts_.judged;
    offer(coarse.best_);
    climb(best_, progress);
    for (int i = 0; i < 4 * kLooksNear; ++i) search_near(progress);
  }
}

// Borders that part a column's rows into so many parts of about equal size are open, the others out.
Fates SplitSetSearch::coarse_borders(size_t parts) const {
  const SplitSpace& space = scene_.space();
  Fates fates(space.size(), Fate::open);
  for (size_t column : space.columns()) {
    std::vector<uint64_t> rows_before(space.hierarchies()[column].leaves() + 1, 0);
    const Table& table = scene_.problem().table;
    table.quasi[column].codes.visit([&](auto codes) {
      for (size_t row = 0; row < codes.size(); ++row) rows_before[codes[row] + size_t{1}] += table.times_of(row);
    });
    std::partial_sum(rows_before.begin(), rows_before.end(), rows_before.begin());
    for (uint32_t split = space.first_split(column); split < space.first_split(column + 1); ++split) {
      if (!space.split(split).border) continue;
      const uint32_t start = space.split(split).starts[0];
      const auto part = [&](uint32_t leaf) { return rows_before[leaf] * parts / scene_.rows(); };
      if (part(start) == part(start - 1)) fates[split] = Fate::out;
    }
  }
  return fates;
}

void SplitSetSearch::branch(uint64_t most_states, Progress& progress) {
  put({root_.fates, root_.bound, 0});
  std::vector<StateExaminer> examiners;
  for (size_t i = 0; i < task_workers(kBatch, scene_.problem().threads); ++i) examiners.emplace_back(scene_);
  for (uint64_t batches = 1; !(heap_.empty() && stack_.empty()) && !progress.out_of_time(); ++batches) {
    if (counts_.examined >= most_states) return;
    progress.check();
    look_at_all(progress);
    std::vector<State> batch = take();
    if (batch.empty()) continue;
    progress.update(double(batch[0].bound) / double(best_.cost));
    std::vector<ExaminedState> examined(batch.size());
    std::vector<FoundSet> dived(batch.size());
    const uint64_t best = best_.cost;
    run_tasks(batch.size(), scene_.problem().threads, [&](size_t worker, size_t i) {
      examined[i] = examine(examiners[worker], batch[i].fates, best, progress);
      if (batches % kBatchesToDive == 0) dived[i] = dive(examiners[worker], examined[i], best, progress);
    });
    for (size_t i = 0; i < batch.size(); ++i) {
      take_in(batch[i], examined[i]);
      offer(dived[i]);
    }
    if (!near_another_ && batches % kBatchesToLookNear == 0) {
      for (int i = 0; i < kLooksNear; ++i) search_near(progress);
    }
  }
  progress.check();
}

ExaminedState SplitSetSearch::examine(StateExaminer& examiner, Fates fates, uint64_t best,
                                      const Progress& progress) const {
  return examiner.examine(std::move(fates), best, tuples_, ruled_ ? &*ruled_ : nullptr, progress);
}

// The state with its branch decided.
Fates SplitSetSearch::decided(const ExaminedState& state, bool in) const {
  Fates fates = state.fates;
  const uint32_t end = in ? state.branch + 1 : scene_.space().split(state.branch).end;
  std::fill(fates.begin() + state.branch, fates.begin() + end, in ? Fate::in : Fate::out);
  return fates;
}

// Always the side that promises more, down to the end: what is found on the way.
FoundSet SplitSetSearch::dive(StateExaminer& examiner, ExaminedState state, uint64_t best,
                              const Progress& progress) const {
  FoundSet found;
  while (state.finished && !state.dead) {
    state = examine(examiner, decided(state, state.in_bound <= state.out_bound), std::min(best, found.cost), progress);
    if (state.found.cost < found.cost) found = state.found;
  }
  return found;
}

std::vector<SplitSetSearch::State> SplitSetSearch::take() {
  std::vector<State> batch;
  while (batch.size() < kBatch && !(heap_.empty() && stack_.empty())) {
    State state;
    if (!stack_.empty()) {
      state = std::move(stack_.back());
      stack_.pop_back();
      ++counts_.depth_first;
    } else {
      std::pop_heap(heap_.begin(), heap_.end(), worse);
      state = std::move(heap_.back());
      heap_.pop_back();
    }
    if (state.bound >= best_.cost || !meet_root(state.fates)) {
      ++counts_.dead;
      continue;
    }
    batch.push_back(std::move(state));
  }
  return batch;
}

// False when the state has no set that is better than the best.
bool SplitSetSearch::meet_root(Fates& fates) const {
  for (size_t i = 0; i < fates.size(); ++i) {
    if (root_.fates[i] == Fate::open || fates[i] == root_.fates[i]) continue;
    if (fates[i] != Fate::open) return false;
    fates[i] = root_.fates[i];
  }
  return true;
}

void SplitSetSearch::put(State state) {
  state.order = ++made_;
  const size_t bytes = heap_.size() * (sizeof(State) + state.fates.size());
  if (bytes < queue_bytes_) {
    heap_.push_back(std::move(state));
    std::push_heap(heap_.begin(), heap_.end(), worse);
  } else {
    stack_.push_back(std::move(state));
  }
}

void SplitSetSearch::take_in(const State& state, const ExaminedState& examined) {
  if (!examined.finished) {
    put(state);
    return;
  }
  ++counts_.examined;
  offer(examined.found);
  if (examined.dead) {
    ++counts_.dead;
    return;
  }
  State out{decided(examined, false), std::max(state.bound, examined.out_bound)};
  State in{decided(examined, true), std::max(state.bound, examined.in_bound)};
  counts_.generated += 2;
  // The one with the lower bound last: of a stack that one is taken first.
  if (in.bound > out.bound) std::swap(in, out);
  put(std::move(out));
  put(std::move(in));
}

}  // namespace shoal
