// Looking at a state takes what is known (clauses, the best loss) and gives back what it found, and changes nothing
// else. So several states can be looked at by several threads, and what they find is put together in a fixed order.
#include "shoal/method/cuts/cut_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr size_t kClausesPerRequirement = 4;  // learned from each split state

}  // namespace

CutLooker::CutLooker(const CutQuestion& question, const Progress& progress)
    : question_(question), space_(question.space()), progress_(progress), price_(question.space().size(), kInfinite) {}

double CutLooker::cutoff(double best_loss) { return best_loss - 1e-12 * std::max(1.0, std::abs(best_loss)); }

void CutLooker::begin(const CutState& state, const Known& known) {
  clauses_ = &known.clauses;
  best_loss_ = known.best_loss;
  place_ = state.from;
  look_ = {};
  look_.begun = true;
}

CutLook CutLooker::end() {
  look_.place = std::move(place_);
  return std::move(look_);
}

CutLook CutLooker::expand(CutState state, const Known& known) {
  progress_.check();
  if (progress_.out_of_time()) return {};
  begin(state, known);
  if (!narrow(state)) {
    look_.dead = true;
  } else if (!question_.violation(place_->tables, index_)) {
    offer(state.low, question_.loss_of(state.low, place_->tables));
  } else {
    learn_from_low();
    split(state);
  }
  return end();
}

CutLook CutLooker::dive(CutState state, const Known& known) {
  begin(state, known);
  while (!progress_.out_of_time()) {
    progress_.check();
    ++look_.steps;
    if (!narrow(state)) break;
    if (!question_.violation(place_->tables, index_)) {
      offer(state.low, question_.loss_of(state.low, place_->tables));
      break;
    }
    learn_from_low();
    const std::vector<uint32_t> raises = choose_clause(state);
    if (raises.empty()) break;  // nothing between the ends meets the clause
    space_.raise_to(state.low, raises.back());
  }
  return end();
}

CutLook CutLooker::narrow_only(CutState& state, const Known& known) {
  begin(state, known);
  look_.dead = !narrow(state);
  return end();
}

// Tightens both ends until nothing changes. False: no cut in between is worth looking at.
bool CutLooker::narrow(CutState& state) {
  bool probed = false;
  for (;;) {
    const Cut low_before = state.low;
    if (!clauses_->propagate(space_, state.low, state.high, look_.learned)) return false;
    if (!probed || !(state.low == low_before)) {
      move_to(state.low);
      state.bound = std::max(state.bound, question_.loss_of(state.low, place_->tables));
      if (state.bound >= cutoff()) return false;
      std::fill(price_.begin(), price_.end(), kInfinite);
      question_.objective().probe(state.low, question_.counted(place_->tables), open_raises(state), index_, price_,
                                  progress_);
      probed = true;
    }
    const Cut high_before = state.high;
    if (!narrow_high(state)) return false;
    if (state.high == high_before) return true;
  }
}

// Raises that cost too much are forbidden; what is left must still satisfy, and is an answer.
bool CutLooker::narrow_high(CutState& state) {
  for (uint32_t raise : open_raises(state)) {
    if (price_[raise] < cutoff()) continue;
    space_.keep_below(state.high, raise);
    price_[raise] = kInfinite;
  }
  const CutQuestion::Place high{state.high, question_.rolled(place_->tables, state.high, index_)};
  if (const auto found = question_.violation(high.tables, index_)) {
    look_.learned.push_back(question_.clause(*found, high, place_->tables, price_));
    return false;
  }
  offer(state.high, question_.loss_of(state.high, high.tables));
  return true;
}

// A few of low's violating tuples, spread over the table.
void CutLooker::learn_from_low() {
  for (size_t i = 0; i < question_.requirements(); ++i) {
    const std::vector<size_t> violating = question_.violating_tuples(i, place_->tables, index_);
    const size_t step = std::max<size_t>(1, violating.size() / kClausesPerRequirement);
    for (size_t j = 0; j < violating.size(); j += step) {
      look_.learned.push_back(question_.clause({i, violating[j]}, *place_, place_->tables, price_));
    }
  }
}

// Of the clauses that low does not meet, the one whose raises promise least: few of them, and dear ones. Its open
// raises, dear ones first.
std::vector<uint32_t> CutLooker::choose_clause(const CutState& state) const {
  std::vector<uint32_t> chosen, open;
  double least = kInfinite;
  auto consider = [&](std::span<const uint32_t> clause) {
    open.clear();
    double promise = 0;
    for (uint32_t raise : clause) {
      if (state.low.has(raise)) return;
      if (!state.high.has(raise)) continue;
      open.push_back(raise);
      const double gain = std::max(0.0, best_loss_ - price_[raise]);
      promise += gain * gain * gain;
    }
    if (promise < least) {
      least = promise;
      chosen = open;
    }
  };
  for (size_t i = 0; i < clauses_->size(); ++i) consider(clauses_->clause(i));
  for (const Clause& clause : look_.learned) consider(clause);
  std::sort(chosen.begin(), chosen.end(),
            [&](uint32_t a, uint32_t b) { return price_[a] != price_[b] ? price_[a] > price_[b] : a < b; });
  return chosen;
}

// Dear raises first: their children are pruned soon, and the most promising child comes last, with most forbidden.
void CutLooker::split(const CutState& state) {
  Cut high = state.high;
  for (uint32_t raise : choose_clause(state)) {
    if (!high.has(raise)) continue;  // forbidden with an earlier raise below it
    CutState child{state.low, high, std::max(state.bound, price_[raise]), nullptr};
    space_.raise_to(child.low, raise);
    if (child.bound < cutoff()) look_.children.push_back(std::move(child));
    space_.keep_below(high, raise);
  }
}

void CutLooker::move_to(const Cut& low) {
  if (place_->cut == low) return;
  place_ = std::make_shared<const CutQuestion::Place>(
      CutQuestion::Place{low, question_.rolled(place_->tables, low, index_)});
}

std::vector<uint32_t> CutLooker::open_raises(const CutState& state) const {
  std::vector<uint32_t> open;
  for (uint32_t raise = 0; raise < space_.size(); ++raise) {
    if (state.high.has(raise) && !state.low.has(raise)) open.push_back(raise);
  }
  return open;
}

void CutLooker::offer(const Cut& cut, double loss) {
  if (loss >= cutoff()) return;
  look_.answer = CutAnswer{cut, loss};
  best_loss_ = loss;
}

}  // namespace shoal
