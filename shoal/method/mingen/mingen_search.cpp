// One state of the branch and bound: close the boxes that cannot pay, solve the flow for a bound, branch on a box that
// is short of rows (or on a tuple that is split where it must not be). States are visited depth-first, the more
// promising child first, so that memory stays small and good releases come early; the estimate of the work follows
// random paths down and weighs each by how many it stands for (Knuth 1975).
#include "shoal/method/mingen/mingen_search.h"

#include <algorithm>

namespace shoal {

MinGenSearch::MinGenSearch(const MinGenSpace& space, bool alike, Progress& progress)
    : space_(space),
      alike_(alike),
      progress_(progress),
      use_(space.boxes(), Use::open),
      only_box_(space.tuples(), kNone),
      never_boxes_(space.tuples()),
      cheapest_(space.tuples(), 0),
      price_(space.tuples(), 0),
      box_value_(space.boxes(), 0),
      flow_(space.tuples()),
      load_(space.boxes(), 0),
      filled_(space.boxes(), 0),
      steps_(space.boxes(), {INT64_MAX, kNone, kNone}) {}

// What to decide next: the box short of rows whose loss would cost most, else the largest tuple in several boxes.
std::optional<MinGenSearch::Branch> MinGenSearch::branch_of(const MinGenAnswer& answer) const {
  std::vector<uint64_t> load(space_.boxes(), 0);
  for (const MinGenPart& part : answer.parts) load[part.box] += part.rows;
  std::vector<KacaCost> regret(space_.boxes(), 0);
  std::optional<Branch> worst;
  for (const MinGenPart& part : answer.parts) {
    if (load[part.box] >= space_.k()) continue;
    KacaCost own = 0, next = INT64_MAX;
    for (const MinGenSpace::Option& option : space_.options(part.tuple)) {
      if (option.box == part.box) {
        own = option.cost;
      } else if (next == INT64_MAX && allowed(part.tuple, option.box)) {
        next = option.cost;
      }
    }
    // A row with no other place makes its box a sure one.
    regret[part.box] += next == INT64_MAX ? space_.cells().whole_row() : std::max<KacaCost>(next - own, 0) * part.rows;
    if (!worst || regret[part.box] > regret[worst->box]) worst = Branch{kNone, part.box, true};
  }
  if (worst || !alike_) return worst;
  const MinGenPart* largest = nullptr;
  for (size_t i = 0; i < answer.parts.size(); ++i) {
    const MinGenPart& part = answer.parts[i];
    if (part.rows == space_.rows_of(part.tuple)) continue;
    if (largest == nullptr || part.rows > largest->rows) largest = &part;
  }
  if (largest == nullptr) return std::nullopt;
  return Branch{largest->tuple, largest->box, true};
}

void MinGenSearch::decide(const Branch& branch) {
  if (branch.tuple == kNone) {
    use_[branch.box] = branch.wanted ? Use::must : Use::never;
    if (branch.wanted) must_.push_back(branch.box);
  } else if (branch.wanted) {
    only_box_[branch.tuple] = branch.box;
  } else {
    never_boxes_[branch.tuple].push_back(branch.box);
  }
}

void MinGenSearch::undo(const Branch& branch) {
  if (branch.tuple == kNone) {
    use_[branch.box] = Use::open;
    if (branch.wanted) must_.pop_back();
  } else if (branch.wanted) {
    only_box_[branch.tuple] = kNone;
  } else {
    never_boxes_[branch.tuple].pop_back();
  }
}

void MinGenSearch::close(const std::vector<uint32_t>& boxes) {
  for (uint32_t box : boxes) use_[box] = Use::never;
  closed_.insert(closed_.end(), boxes.begin(), boxes.end());
}

void MinGenSearch::reopen(size_t closed) {
  for (; closed_.size() > closed; closed_.pop_back()) use_[closed_.back()] = Use::open;
}

// The two states that follow from a branch, those with a bound below the best, the more promising first.
std::vector<MinGenSearch::Child> MinGenSearch::children(Branch branch) {
  std::vector<Child> children;
  for (const bool wanted : {true, false}) {
    branch.wanted = wanted;
    const size_t closed = closed_.size();
    decide(branch);
    std::optional<MinGenAnswer> relaxed = relax();
    const std::vector<uint32_t> here(closed_.begin() + static_cast<std::ptrdiff_t>(closed), closed_.end());
    reopen(closed);
    undo(branch);
    if (relaxed && relaxed->cost < best_.cost) {
      children.push_back({branch, std::move(*relaxed), here});
    } else {
      ++pruned_;
    }
  }
  if (children.size() == 2 && children[1].relaxed.cost < children[0].relaxed.cost) std::swap(children[0], children[1]);
  return children;
}

bool MinGenSearch::explore(const MinGenAnswer& relaxed, uint64_t most) {
  progress_.check();
  if (states_ > most || progress_.out_of_time()) return false;
  const std::optional<Branch> branch = branch_of(relaxed);
  if (!branch) {  // nothing is short of rows: a release
    best_ = relaxed;
    return true;
  }
  for (const Child& child : children(*branch)) {
    if (child.relaxed.cost >= best_.cost) continue;  // the first child may have found a better one
    const size_t closed = closed_.size();
    decide(child.branch);
    close(child.closed);
    const bool finished = explore(child.relaxed, most);
    reopen(closed);
    undo(child.branch);
    if (!finished) return false;
  }
  return true;
}

bool MinGenSearch::run(uint64_t most) {
  first_bound_ = cheapest_places();
  const std::optional<MinGenAnswer> first = relax();
  if (!first || first->cost >= best_.cost) return true;
  first_bound_ = first->cost;
  return explore(*first, most);
}

double MinGenSearch::estimate(double most) {
  double sum = 0;
  const uint64_t enough = states_ + std::min<uint64_t>(kLongDives, static_cast<uint64_t>(most));
  for (int i = 0; i < kDives && !progress_.out_of_time(); ++i) {
    sum += dive(most * kDives, enough);
    if (sum > most * kDives && states_ > enough) break;
  }
  return sum / kDives;
}

// One random way down: a state with c children counts for c times as many below it.
double MinGenSearch::dive(double most, uint64_t enough) {
  std::optional<MinGenAnswer> relaxed = relax();
  std::vector<Branch> decided;
  double weight = 1, sum = 1;
  while (relaxed && relaxed->cost < best_.cost && (sum <= most || states_ <= enough)) {
    progress_.check();
    const std::optional<Branch> branch = branch_of(*relaxed);
    if (!branch) {
      best_ = *relaxed;
      break;
    }
    std::vector<Child> next = children(*branch);
    sum += 2 * weight;
    weight *= double(next.size());
    if (next.empty()) break;
    Child& chosen = next[random_.below(next.size())];
    decide(chosen.branch);
    close(chosen.closed);
    decided.push_back(chosen.branch);
    relaxed = std::move(chosen.relaxed);
  }
  reopen(0);
  for (; !decided.empty(); decided.pop_back()) undo(decided.back());
  return sum;
}

}  // namespace shoal
