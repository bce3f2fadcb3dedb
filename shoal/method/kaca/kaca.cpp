// Method `kaca`: k-anonymisation by clustering in attribute hierarchies. The parts: kaca_space (what raising a cell
// costs), kaca_groups (groups and how they merge), kaca_index (the nearest group).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "shoal/method/blocks/several.h"
#include "shoal/method/fragments_parameter.h"
#include "shoal/method/kaca/kaca_index.h"
#include "shoal/method/kaca/kaca_rules.h"
#include "shoal/method/levels/level_search.h"
#include "shoal/method/rules.h"
#include "shoal/method/space/groups_recoding.h"
#include "shoal/run/counted.h"
#include "shoal/run/seeded_random.h"

namespace shoal {
namespace {

struct KacaOptions {
  double beta = 0;     // weights of steps: 0 uniform, else 1/depth^beta
  double outlier = 0;  // share of all detail that a merge may lose before its rows are dropped; 0: none are
};
KacaOptions kaca_options(const Params& params) {
  return {.beta = setting(params, "weights") == "height" ? number_setting(params, "beta") : 0,
          .outlier = number_setting(params, "outlier")};
}

// The groups of less than k rows, in an order that only the seed and the merges decide: distinct rows as they came, new
// ones behind, and the last one takes the place of one that leaves.
class SmallGroups {
 public:
  SmallGroups(const KacaGroups& groups, uint64_t k) : groups_(groups), k_(k) {
    for (uint32_t group = 0; group < groups.size(); ++group) update(group);
  }
  size_t size() const { return list_.size(); }
  uint32_t operator[](size_t place) const { return list_[place]; }
  // Lists the group, or not any more, by how many rows it has now.
  void update(uint32_t group) {
    if (place_.size() <= group) place_.resize(group + 1, kNowhere);
    const bool small = groups_.rows(group) > 0 && groups_.rows(group) < k_;
    if (small && place_[group] == kNowhere) {
      place_[group] = static_cast<uint32_t>(list_.size());
      list_.push_back(group);
    } else if (!small && place_[group] != kNowhere) {
      list_[place_[group]] = list_.back();
      place_[list_.back()] = place_[group];
      place_[group] = kNowhere;
      list_.pop_back();
    }
  }

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;
  const KacaGroups& groups_;
  const uint64_t k_;
  std::vector<uint32_t> list_, place_;
};

class Clustering {
 public:
  Clustering(const Problem& problem, const KacaOptions& options, Progress& progress)
      : problem_(problem),
        progress_(progress),
        k_(problem.requirements.front().k),
        space_(problem, problem.requirements.front().columns, options.beta, k_),
        groups_(space_, problem),
        small_(groups_, k_),
        index_(groups_, k_, progress),
        random_(problem.seed),
        outlier_(options.outlier),
        may_drop_(row_limit(problem)),
        alive_(groups_.size()) {}

  SearchResult run() {
    const size_t at_first = small_.size();
    uint32_t beats = 0;
    while (small_.size() > 0) {
      progress_.check();  // one step may look at very many groups
      if (beats++ % 64 == 0) progress_.update(1 - double(small_.size()) / double(at_first));
      if (progress_.out_of_time()) {
        pack_the_rest();
        break;
      }
      step();
    }
    const auto rule = problem_.rule(0);
    if (!rule->rows_only()) obedience_ = obey_rule(groups_, *rule, progress_);
    return result();
  }

 private:
  void step() {
    const uint32_t group = small_[random_.below(small_.size())];
    scanned_ += alive_ - 1;
    const KacaNearest nearest = index_.nearest(group);
    if (is_outlier(group, nearest)) {
      drop(group);
    } else {
      merge(group, nearest.group);
    }
  }

  // The group that holds the small one's rows then.
  uint32_t merge(uint32_t small, uint32_t other) {
    const uint64_t taken = KacaGroups::rows_taken(groups_.rows(small), groups_.rows(other), k_);
    const bool stub = taken < groups_.rows(other);
    if (!packing_) index_.erase(small);
    if (!packing_ && !stub) index_.erase(other);
    const size_t created = groups_.size();
    const uint32_t merged = groups_.merge(small, other, taken);
    if (!packing_ && groups_.size() > created) index_.insert(merged);
    for (uint32_t changed : {small, other, merged}) small_.update(changed);
    alive_ = alive_ - 1 - (stub ? 0 : 1) + (groups_.size() > created ? 1 : 0);
    ++merges_;
    stubs_ += stub;
    return merged;
  }

  // Farther from everything than the threshold, on average over the rows that a merge would recode. Dropped unless
  // that would be too many, or leave less than k.
  bool is_outlier(uint32_t group, const KacaNearest& nearest) {
    if (outlier_ <= 0) return false;
    const uint64_t rows = groups_.rows(group);
    const uint64_t recoded = rows + KacaGroups::rows_taken(rows, groups_.rows(nearest.group), k_);
    if (double(nearest.distance) <= outlier_ * double(space_.whole_row()) * double(recoded)) return false;
    const bool possible = dropped_.size() + rows <= may_drop_ && problem_.table.rows - dropped_.size() - rows >= k_;
    if (!possible) ++outliers_kept_;
    return possible;
  }

  void drop(uint32_t group) {
    index_.erase(group);
    const std::vector<uint32_t> rows = groups_.drop(group);
    dropped_.insert(dropped_.end(), rows.begin(), rows.end());
    small_.update(group);
    --alive_;
  }

  void pack_the_rest();
  uint32_t nearest_by_scan(uint32_t group) const;
  SearchResult result();
  Recoding recoding();

  const Problem& problem_;
  Progress& progress_;
  const uint64_t k_;
  const KacaSpace space_;
  KacaGroups groups_;
  SmallGroups small_;
  KacaIndex index_;
  LongRandom random_;
  const double outlier_;
  const uint64_t may_drop_;
  std::vector<uint32_t> dropped_;
  uint64_t alive_;  // groups with rows
  uint64_t merges_ = 0, stubs_ = 0, outliers_kept_ = 0;
  KacaObedience obedience_;
  bool packing_ = false;  // time is up: the index is not kept any more
  uint64_t packed_ = 0;   // groups left then
  uint64_t scanned_ = 0;  // distances that plain scans would have computed
};

// No time is left: neighbours in the order of the trees are put together until they have k rows.
void Clustering::pack_the_rest() {
  packing_ = true;
  std::vector<uint32_t> rest;
  for (size_t i = 0; i < small_.size(); ++i) rest.push_back(small_[i]);
  packed_ = rest.size();
  const auto cell_before = [](KacaCell a, KacaCell b) {
    return std::pair(a.first, a.last) < std::pair(b.first, b.last);
  };
  std::sort(rest.begin(), rest.end(), [&](uint32_t a, uint32_t b) {
    const auto one = groups_.cells(a), other = groups_.cells(b);
    return std::lexicographical_compare(one.begin(), one.end(), other.begin(), other.end(), cell_before);
  });
  const auto is_small = [&](uint32_t group) { return groups_.rows(group) > 0 && groups_.rows(group) < k_; };
  uint32_t open = KacaNearest::kNone;
  for (uint32_t group : rest) {
    progress_.check();
    if (group == open || !is_small(group)) continue;  // rows that came to look like it may have filled it
    open = open == KacaNearest::kNone ? group : merge(open, group);
    if (!is_small(open)) open = KacaNearest::kNone;
  }
  while (open != KacaNearest::kNone && is_small(open)) open = merge(open, nearest_by_scan(open));
}

uint32_t Clustering::nearest_by_scan(uint32_t group) const {
  KacaNearest best{KacaNearest::kNone, INT64_MAX};
  for (uint32_t other = 0; other < groups_.size(); ++other) {
    if (other == group || groups_.rows(other) == 0) continue;
    const KacaCost distance = groups_.distance(group, other, k_);
    if (distance < best.distance) best = {other, distance};
  }
  return best.group;
}

// A group is released as the cells it was merged to: in a numeric column with a tree that is a node, not the range that
// groups_recoding() would give.
Recoding Clustering::recoding() {
  RowGroups partition;
  std::vector<uint32_t> group_of;  // that stands at each place of the partition
  for (uint32_t group = 0; group < groups_.size(); ++group) {
    if (groups_.rows(group) == 0) continue;
    const auto rows = groups_.rows_of(group);
    partition.rows.insert(partition.rows.end(), rows.begin(), rows.end());
    partition.starts.push_back(static_cast<uint32_t>(partition.rows.size()));
    group_of.push_back(group);
  }
  GroupRecoding recoding = unreleased_groups(problem_, problem_.requirements.front().columns, partition);
  const std::vector<size_t>& recoded = recoding.recoded_columns;
  for (size_t j = 0; j < space_.columns(); ++j) {
    const auto place = std::find(recoded.begin(), recoded.end(), space_.quasi(j)) - recoded.begin();
    for (size_t g = 0; g < group_of.size(); ++g) {
      recoding.group_releases[g * recoded.size() + static_cast<size_t>(place)] =
          space_.released(j, groups_.cells(group_of[g])[j]);
    }
  }
  std::sort(dropped_.begin(), dropped_.end());
  return {std::move(recoding), dropped_};
}

SearchResult Clustering::result() {
  SearchResult result;
  if (!obedience_.holds) {
    result.answer = NoAnswer{"without the rows dropped as outliers, even one group of all rows breaks a model"};
    return result;
  }
  if (obedience_.merges > 0) {
    result.stats.details.emplace_back("models",
                                      fmt::format("{} merges of groups that broke a model", obedience_.merges));
  }
  if (obedience_.out_of_time) {
    result.notices.push_back("stopped by the time budget: groups that still broke a model were put together in order");
  }
  result.stats.generated = index_.groups_seen();
  result.stats.expanded = merges_;
  result.stats.details.emplace_back("merges", fmt::format("{}, {} of them with a stub", merges_, stubs_));
  result.stats.details.emplace_back("nearest groups",
                                    fmt::format("{} distances and {} entries looked at; plain scans: {} distances",
                                                index_.groups_seen(), index_.entries_seen(), scanned_));
  if (packed_ > 0) {
    result.notices.push_back(
        fmt::format("stopped by the time budget: {} of less than k rows had to be put together in tree order, "
                    "not with the nearest; more time lowers the loss",
                    counted(packed_, "group")));
  }
  if (outliers_kept_ > 0) {
    result.notices.push_back(
        fmt::format("{} farther from all others than outlier={} but kept, since more "
                    "rows may not be dropped",
                    counted(outliers_kept_, "group was", "groups were"), outlier_));
  }
  if (outlier_ <= 0 && problem_.suppress_rows.value_or(0) > 0) {
    result.notices.push_back(
        "kaca drops no rows unless it is told which are outliers; set its parameter `outlier` (a share, as in 0.5)");
  }
  result.answer = recoding();
  progress_.update(1);
  return result;
}

class Kaca : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    KacaOptions options = kaca_options(problem.params);
    if (problem.has_models()) {
      if (std::string reason = whole_table_breaks(problem); !reason.empty()) return {NoAnswer{reason}, {}, {}, {}};
    }
    SearchResult result = Clustering(problem, options, progress).run();
    if (result.recoding() || options.outlier <= 0) return result;
    // The outliers are what the others lack: with them there is an answer.
    options.outlier = 0;
    result = Clustering(problem, options, progress).run();
    result.notices.emplace_back("no rows were dropped as outliers: without them the groups cannot obey the models");
    return result;
  }
};

}  // namespace

MethodEntry kaca_method() {
  return {.name = "kaca",
          .title = "merges groups that are too small, each with the one that is nearest along the hierarchies",
          .paper = "Li, Wong, Fu, Pei 2006",
          .shape = Shape::groups,
          .parameters =
              {{"weights",
                "what a step up a hierarchy costs: all steps the same, or steps near the root more",
                "uniform",
                {"uniform", "height"}},
               {"beta", "how much more, with weights=height: the step down to depth d weighs 1/d^beta", "1", {}, 1, 10},
               {"outlier",
                "drop rows whose merge with the nearest group would lose more than this share of all detail; "
                "0 drops none",
                "0",
                {},
                0,
                1},
               fragments_parameter("off")},
          .several_requirements = true,
          .drops_rows = true,
          .needs_target = false,
          .make = [] { return for_several_requirements(std::make_unique<Kaca>()); },
          .obeys_models = true};
}

}  // namespace shoal
