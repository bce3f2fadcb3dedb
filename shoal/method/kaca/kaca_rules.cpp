#include "shoal/method/kaca/kaca_rules.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace shoal {
namespace {

// So large that a merge takes all rows of the other group (KacaGroups::rows_taken).
constexpr uint64_t kAllRows = uint64_t{1} << 62;

class Obedience {
 public:
  Obedience(KacaGroups& groups, const GroupRule& rule) : groups_(groups), rule_(rule) {
    for (uint32_t group = 0; group < groups.size(); ++group) recount(group);
  }

  KacaObedience run(Progress& progress) {
    KacaObedience result;
    while (!breaking_.empty()) {
      progress.check();
      result.out_of_time = result.out_of_time || progress.out_of_time();
      const uint32_t group = breaking_.begin()->second;
      const std::optional<uint32_t> other = partner(group, result.out_of_time);
      if (!other) {
        result.holds = false;
        return result;
      }
      const uint32_t merged = groups_.merge(group, *other, groups_.rows(*other));
      for (uint32_t changed : {group, *other, merged}) recount(changed);
      ++result.merges;
    }
    return result;
  }

 private:
  void recount(uint32_t group) {
    while (tallies_.size() <= group) {
      tallies_.push_back(rule_.tally());
      listed_.push_back(0);
    }
    if (listed_[group] > 0) breaking_.erase({listed_[group], group});
    tallies_[group] = rule_.tally(groups_.rows(group) > 0 ? groups_.rows_of(group) : std::vector<uint32_t>());
    listed_[group] = rule_.holds(tallies_[group]) ? 0 : groups_.rows(group);
    if (listed_[group] > 0) breaking_.insert({listed_[group], group});
  }

  // Nothing when there is no other group.
  std::optional<uint32_t> partner(uint32_t group, bool any) const {
    const double lacks = rule_.deficit(tallies_[group]);
    std::optional<uint32_t> nearest, helping;
    KacaCost least = 0, least_helping = 0;
    for (uint32_t other = 0; other < groups_.size(); ++other) {
      if (other == group || groups_.rows(other) == 0) continue;
      if (any) return other;
      const KacaCost distance = groups_.distance(group, other, kAllRows);
      if (!nearest || distance < least) {
        nearest = other;
        least = distance;
      }
      if (helping && distance >= least_helping) continue;
      if (rule_.deficit_union(tallies_[group], tallies_[other]) >= lacks) continue;
      helping = other;
      least_helping = distance;
    }
    return helping ? helping : nearest;
  }

  KacaGroups& groups_;
  const GroupRule& rule_;
  std::vector<GroupTally> tallies_;                   // [group]
  std::vector<uint32_t> listed_;                      // [group]: the rows it is listed with below; 0: it is not
  std::set<std::pair<uint32_t, uint32_t>> breaking_;  // rows, group
};

}  // namespace

KacaObedience obey_rule(KacaGroups& groups, const GroupRule& rule, Progress& progress) {
  return Obedience(groups, rule).run(progress);
}

}  // namespace shoal
