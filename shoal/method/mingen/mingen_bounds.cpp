// The bounds of MinGenSearch: boxes that cannot pay, the cheapest flow, and prices.
#include <algorithm>
#include <cmath>

#include "shoal/method/mingen/mingen_search.h"

namespace shoal {

bool MinGenSearch::allowed(uint32_t tuple, uint32_t box) const {
  if (use_[box] == Use::never) return false;
  if (only_box_[tuple] != kNone) return only_box_[tuple] == box;
  const std::vector<uint32_t>& never = never_boxes_[tuple];
  return std::find(never.begin(), never.end(), box) == never.end();
}

// Cost of all rows where they lose least; INT64_MAX when a tuple has no place left.
KacaCost MinGenSearch::cheapest_places() {
  KacaCost sum = 0;
  for (uint32_t tuple = 0; tuple < space_.tuples(); ++tuple) {
    const auto& options = space_.options(tuple);
    const auto place = std::find_if(options.begin(), options.end(),
                                    [&](const MinGenSpace::Option& option) { return allowed(tuple, option.box); });
    if (place == options.end()) return INT64_MAX;
    cheapest_[tuple] = place->cost;
    sum += place->cost * KacaCost{space_.rows_of(tuple)};
  }
  return sum;
}

// How much more than in their cheapest places k rows lose in this box, at least; `enough` or more when it cannot be
// used.
KacaCost MinGenSearch::price_of_use(uint32_t box, KacaCost enough) {
  regrets_.clear();
  for (const MinGenSpace::Covered& covered : space_.tuples_in(box)) {
    if (allowed(covered.tuple, box)) {
      regrets_.emplace_back(covered.cost - cheapest_[covered.tuple], space_.rows_of(covered.tuple));
    }
  }
  std::sort(regrets_.begin(), regrets_.end());
  KacaCost price = 0;
  auto missing = static_cast<KacaCost>(space_.k());
  for (const auto& [regret, rows] : regrets_) {
    price += regret * std::min<KacaCost>(rows, missing);
    missing -= std::min<KacaCost>(rows, missing);
    if (missing == 0 || price >= enough) return price;
  }
  return enough;
}

// False: this state holds no better release.
bool MinGenSearch::close_hopeless_boxes() {
  for (bool again = true; again;) {
    again = false;
    const KacaCost least = cheapest_places();
    if (least >= best_.cost) return false;
    for (uint32_t box = 0; box < space_.boxes(); ++box) {
      if (use_[box] == Use::never || price_of_use(box, best_.cost - least) < best_.cost - least) continue;
      if (use_[box] == Use::must) return false;
      use_[box] = Use::never;
      closed_.push_back(box);
      again = true;
    }
  }
  return true;
}

// Every row in the cheapest box it is allowed in, then k rows in every box that must be used, at the least cost.
std::optional<MinGenAnswer> MinGenSearch::relax() {
  ++states_;
  if (!close_hopeless_boxes()) return std::nullopt;
  std::fill(load_.begin(), load_.end(), 0);
  std::fill(filled_.begin(), filled_.end(), 0);
  for (uint32_t tuple = 0; tuple < space_.tuples(); ++tuple) {
    flow_[tuple].clear();
    for (const MinGenSpace::Option& option : space_.options(tuple)) {
      if (!allowed(tuple, option.box)) continue;
      flow_[tuple].push_back({option.box, space_.rows_of(tuple), option.cost});
      load_[option.box] += space_.rows_of(tuple);
      break;
    }
    if (flow_[tuple].empty()) return std::nullopt;
  }
  for (uint32_t box : must_) {
    if (!fill(box)) return std::nullopt;
  }
  if (priced_out()) return std::nullopt;
  MinGenAnswer answer;
  for (uint32_t tuple = 0; tuple < space_.tuples(); ++tuple) {
    for (const Share& share : flow_[tuple]) {
      answer.cost += share.cost * KacaCost{share.rows};
      answer.parts.push_back({tuple, share.box, share.rows});
    }
  }
  return answer;
}

// The bound of the prices as they are; `taken`: rows of each tuple that the boxes take for it.
double MinGenSearch::price_boxes(std::vector<double>& taken) {
  double sum = 0;
  for (uint32_t tuple = 0; tuple < space_.tuples(); ++tuple) sum += price_[tuple] * space_.rows_of(tuple);
  for (uint32_t box = 0; box < space_.boxes(); ++box) {
    if (use_[box] == Use::never) continue;
    bids_.clear();
    for (const MinGenSpace::Covered& covered : space_.tuples_in(box)) {
      if (!allowed(covered.tuple, box)) continue;
      bids_.emplace_back(double(covered.cost) - price_[covered.tuple], covered.tuple);
    }
    std::sort(bids_.begin(), bids_.end());
    double value = 0, missing = double(space_.k());
    size_t used = 0;
    for (; used < bids_.size() && (missing > 0 || bids_[used].first < 0); ++used) {
      const double all = space_.rows_of(bids_[used].second);
      const double rows = bids_[used].first < 0 ? all : std::min(all, missing);
      value += bids_[used].first * rows;
      missing -= rows;
    }
    box_value_[box] = value;
    if (value >= 0 && use_[box] != Use::must) continue;
    sum += value;
    missing = double(space_.k());
    for (size_t i = 0; i < used; ++i) {
      const double all = space_.rows_of(bids_[i].second);
      const double rows = bids_[i].first < 0 ? all : std::min(all, missing);
      taken[bids_[i].second] += rows;
      missing -= rows;
    }
  }
  return sum;
}

// True: by some prices this state holds no better release. Closes boxes whose use would make it so.
bool MinGenSearch::priced_out() {
  std::vector<double> taken(space_.tuples());
  const double goal = double(best_.cost - space_.step()) + 0.5;  // a better release costs less, by a step or more
  double step = 1.5, greatest = -1e300;
  for (uint32_t tuple = 0; tuple < space_.tuples(); ++tuple) {
    price_[tuple] = std::max(price_[tuple], double(cheapest_[tuple]));
  }
  const uint64_t rounds = std::clamp<uint64_t>(kPriceWork / (space_.pairs() + 1), 5, 60);
  for (uint64_t round = 0; round < rounds; ++round) {
    std::fill(taken.begin(), taken.end(), 0);
    const double bound = price_boxes(taken);
    if (bound >= goal) return true;
    if (bound > greatest + 1e-4 * std::abs(goal)) {
      greatest = bound;
    } else {
      step *= 0.85;
    }
    for (uint32_t box = 0; box < space_.boxes(); ++box) {
      if (use_[box] != Use::open || box_value_[box] <= 0 || bound + box_value_[box] < goal) continue;
      use_[box] = Use::never;
      closed_.push_back(box);
    }
    double length = 0;
    for (uint32_t tuple = 0; tuple < space_.tuples(); ++tuple) {
      taken[tuple] = double(space_.rows_of(tuple)) - taken[tuple];
      length += taken[tuple] * taken[tuple];
    }
    if (length == 0) return false;
    for (uint32_t tuple = 0; tuple < space_.tuples(); ++tuple) {
      price_[tuple] += step * (goal - bound) / length * taken[tuple];
    }
  }
  return false;
}

// Brings rows to the box until it has k, each time along the cheapest chain of moves: a row comes from another box,
// which, if it may not lose one, gets one from a third, and so on (successive shortest paths; there are no cycles that
// would save anything, since the flow is the cheapest one for what was asked so far).
bool MinGenSearch::fill(uint32_t box) {
  filled_[box] = 1;
  while (load_[box] < space_.k()) {
    reached_.assign(1, box);
    steps_[box] = {0, kNone, kNone};
    for (size_t at = 0; at < reached_.size(); ++at) {  // as in Bellman and Ford: a box may come up again
      const uint32_t here = reached_[at];
      const KacaCost so_far = steps_[here].distance;
      for (const MinGenSpace::Covered& covered : space_.tuples_in(here)) {
        if (!allowed(covered.tuple, here)) continue;
        for (const Share& share : flow_[covered.tuple]) {
          if (share.box == here) continue;
          const KacaCost distance = so_far + covered.cost - share.cost;
          if (distance >= steps_[share.box].distance) continue;
          steps_[share.box] = {distance, here, covered.tuple};
          reached_.push_back(share.box);
        }
      }
    }
    uint32_t source = kNone;
    for (uint32_t other : reached_) {
      const bool can_give = other != box && load_[other] > 0 && (!filled_[other] || load_[other] > space_.k());
      if (!can_give || (source != kNone && steps_[other].distance > steps_[source].distance)) continue;
      if (source == kNone || steps_[other].distance < steps_[source].distance || other < source) source = other;
    }
    uint32_t rows = source == kNone ? 0 : static_cast<uint32_t>(space_.k()) - load_[box];
    if (source != kNone) {
      rows = std::min(rows, filled_[source] ? load_[source] - static_cast<uint32_t>(space_.k()) : load_[source]);
      for (uint32_t at = source; at != box; at = steps_[at].towards)
        rows = std::min(rows, rows_in(steps_[at].tuple, at));
      for (uint32_t at = source; at != box; at = steps_[at].towards)
        move(steps_[at].tuple, at, steps_[at].towards, rows);
    }
    for (uint32_t other : reached_) steps_[other].distance = INT64_MAX;
    if (source == kNone) return false;
  }
  return true;
}

uint32_t MinGenSearch::rows_in(uint32_t tuple, uint32_t box) const {
  for (const Share& share : flow_[tuple]) {
    if (share.box == box) return share.rows;
  }
  return 0;
}

void MinGenSearch::move(uint32_t tuple, uint32_t from, uint32_t to, uint32_t rows) {
  std::vector<Share>& shares = flow_[tuple];
  const auto place = [&](uint32_t box) {
    return std::find_if(shares.begin(), shares.end(), [&](const Share& share) { return share.box == box; });
  };
  const auto giver = place(from);
  giver->rows -= rows;
  if (giver->rows == 0) shares.erase(giver);
  if (const auto taker = place(to); taker != shares.end()) {
    taker->rows += rows;
  } else {
    const auto& covered = space_.tuples_in(to);
    const auto own =
        std::lower_bound(covered.begin(), covered.end(), tuple,
                         [](const MinGenSpace::Covered& entry, uint32_t wanted) { return entry.tuple < wanted; });
    shares.push_back({to, rows, own->cost});
  }
  load_[from] -= rows;
  load_[to] += rows;
}

}  // namespace shoal
