#include "shoal/method/trees/kactus_prune.h"

#include <algorithm>
#include <numeric>

#include "shoal/run/seeded_random.h"

namespace shoal::kactus {
namespace {

using Random = LongRandom;

// Takes `count` randomly chosen rows out of `rows`, whose order is not kept.
void take_some(std::vector<uint32_t>& rows, uint64_t count, std::vector<uint32_t>& taken, Random& random) {
  for (uint64_t i = 0; i < count; ++i) {
    std::swap(rows[random.fairly_below(rows.size())], rows.back());
    taken.push_back(rows.back());
    rows.pop_back();
  }
}

// Which rows above k go is a fair draw among all rows above k of all lists: first how many of each list, then which.
void take_surplus(std::span<std::vector<uint32_t>* const> lists, uint64_t count, uint64_t k,
                  std::vector<uint32_t>& taken, Random& random) {
  std::vector<uint64_t> surplus, from(lists.size(), 0);
  for (const auto* rows : lists) surplus.push_back(rows->size() - k);
  uint64_t total = std::reduce(surplus.begin(), surplus.end());
  for (uint64_t i = 0; i < count; ++i, --total) {
    uint64_t drawn = random.fairly_below(total);
    size_t list = 0;
    while (drawn >= surplus[list]) drawn -= surplus[list++];
    --surplus[list];
    ++from[list];
  }
  for (size_t i = 0; i < lists.size(); ++i) take_some(*lists[i], from[i], taken, random);
}

class Pruning {
 public:
  Pruning(std::span<const uint32_t> parents, std::span<const uint32_t> node_of_row, uint64_t k, uint64_t seed)
      : k_(k), random_(seed), rows_(parents.size()), first_child_(parents.size(), 0), next_sibling_(parents.size(), 0) {
    // 0 ends a list of siblings: the root is nobody's child.
    for (auto node = static_cast<uint32_t>(parents.size()); node-- > 1;) {
      next_sibling_[node] = first_child_[parents[node]];
      first_child_[parents[node]] = node;
    }
    std::vector<size_t> sizes(parents.size(), 0);
    for (uint32_t node : node_of_row) ++sizes[node];
    for (size_t node = 0; node < sizes.size(); ++node) rows_[node].reserve(sizes[node]);
    for (size_t row = 0; row < node_of_row.size(); ++row) rows_[node_of_row[row]].push_back(static_cast<uint32_t>(row));
  }

  Pruned run(Progress& progress) {
    for (auto node = static_cast<uint32_t>(rows_.size()); node-- > 0;) {
      if (first_child_[node] == 0) continue;
      progress.check();
      prune(node);
    }
    result_.left = std::move(rows_[0]);
    return std::move(result_);
  }

 private:
  void prune(uint32_t node) {
    Step step{.node = node};
    std::vector<uint32_t> stayed;
    std::vector<std::vector<uint32_t>*> complying;
    uint64_t surplus = 0;
    for (uint32_t child = first_child_[node]; child != 0; child = next_sibling_[child]) {
      std::vector<uint32_t>& rows = rows_[child];
      if (rows.size() >= k_) {
        complying.push_back(&rows);
        surplus += rows.size() - k_;
      } else {
        stayed.insert(stayed.end(), rows.begin(), rows.end());
        rows = {};
      }
    }
    step.complying = complying.size();
    step.stayed = stayed.size();
    if (!stayed.empty() && stayed.size() < k_ && surplus >= k_ - stayed.size()) {
      step.moved = k_ - stayed.size();
      take_surplus(complying, step.moved, k_, stayed, random_);
    }
    for (uint32_t child = first_child_[node]; child != 0; child = next_sibling_[child]) {
      if (rows_[child].empty()) continue;
      step.released += rows_[child].size();
      result_.groups.push_back({child, std::move(rows_[child])});
    }
    rows_[node] = std::move(stayed);
    result_.steps.push_back(step);
  }

  const uint64_t k_;
  Random random_;
  std::vector<std::vector<uint32_t>> rows_;  // [node]
  std::vector<uint32_t> first_child_, next_sibling_;
  Pruned result_;
};

}  // namespace

Pruned prune(std::span<const uint32_t> parents, std::span<const uint32_t> node_of_row, uint64_t k, uint64_t seed,
             Progress& progress) {
  return Pruning(parents, node_of_row, k, seed).run(progress);
}

std::vector<uint32_t> fill_up(std::vector<Group>& groups, size_t left, uint64_t k, uint64_t seed) {
  Random random(seed);
  std::vector<uint32_t> joined;
  std::vector<std::vector<uint32_t>*> lists;
  uint64_t surplus = 0;
  for (Group& group : groups) {
    lists.push_back(&group.rows);
    surplus += group.rows.size() - k;
  }
  take_surplus(lists, std::min(surplus, k - left), k, joined, random);
  if (left + joined.size() < k) {  // no group can spare a row now: all have k, and one of them is enough
    joined.insert(joined.end(), groups.back().rows.begin(), groups.back().rows.end());
    groups.pop_back();
  }
  return joined;
}

}  // namespace shoal::kactus
