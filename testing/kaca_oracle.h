// KACA as the paper writes it down: for every merge, the distance to every other group. The oracle of method `kaca`,
// and what its index is measured against. Shares with it only what a cell is and costs (KacaSpace).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "shoal/method/kaca/kaca_space.h"

namespace shoal::testing {

struct KacaSettings {
  double beta = 0;     // 0: uniform weights
  double outlier = 0;  // 0: no rows are dropped
};

class KacaScan {
 public:
  struct Group {
    std::vector<KacaCell> cells;
    std::vector<KacaCost> shares;  // one per column; 1 outside uneven trees
    std::vector<uint32_t> rows;
    KacaCost kept = 0;
  };

  KacaScan(const Problem& problem, const KacaSettings& settings)
      : problem_(problem),
        settings_(settings),
        k_(problem.requirements.front().k),
        space_(problem, problem.requirements.front().columns, settings.beta, k_) {
    tabulate();
    std::vector<uint32_t> leaves(space_.columns());
    for (uint32_t row = 0; row < problem.table.rows; ++row) {
      space_.gather(row, leaves.data());
      Group group;
      for (size_t j = 0; j < leaves.size(); ++j) {
        group.cells.push_back({leaves[j], leaves[j]});
        group.shares.push_back(space_.uneven(j) ? space_.share(j, leaves[j]) : 1);
      }
      group.rows = {row};
      add(std::move(group));
    }
  }

  // Merges until no group is smaller than k.
  void run() {
    std::vector<uint32_t> small;
    for (uint32_t i = 0; i < groups_.size(); ++i) {
      if (groups_[i].rows.size() < k_) small.push_back(i);
    }
    std::mt19937_64 random(problem_.seed);
    while (!small.empty()) {
      const uint32_t group = small[random() % small.size()];
      const auto [nearest, distance] = scan(group);
      if (drops(group, nearest, distance)) {
        dropped_.insert(dropped_.end(), groups_[group].rows.begin(), groups_[group].rows.end());
        groups_[group].rows.clear();
        update(small, group);
      } else {
        const uint32_t merged = merge(group, nearest);
        for (uint32_t changed : {group, nearest, merged}) update(small, changed);
      }
    }
  }

  const KacaSpace& space() const { return space_; }
  const std::vector<Group>& groups() const { return groups_; }  // those without rows are gone
  const std::vector<uint32_t>& dropped() const { return dropped_; }

 private:
  // kept of any two nodes joined, so that the scan pays no more per pair than it must.
  void tabulate() {
    pairs_.resize(space_.trees());
    for (size_t j = 0; j < space_.trees(); ++j) {
      const Hierarchy& tree = space_.hierarchy(j);
      for (uint32_t a = 0; a < tree.nodes(); ++a) {
        for (uint32_t b = 0; b < tree.nodes(); ++b) {
          const KacaCell one{tree.node(a).first, tree.node(a).last}, other{tree.node(b).first, tree.node(b).last};
          pairs_[j].push_back(space_.kept(j, space_.join(j, one, other)));
        }
      }
    }
  }

  uint32_t add(Group group) {
    std::vector<uint32_t> look;
    for (const KacaCell& cell : group.cells) look.insert(look.end(), {cell.first, cell.last});
    const auto [found, fresh] = by_look_.emplace(std::move(look), static_cast<uint32_t>(groups_.size()));
    if (!fresh && !groups_[found->second].rows.empty()) {  // the paper's classes: all rows that look alike
      Group& same = groups_[found->second];
      const auto own = static_cast<KacaCost>(same.rows.size()), more = static_cast<KacaCost>(group.rows.size());
      for (size_t j = 0; j < group.shares.size(); ++j) {
        same.shares[j] = (own * same.shares[j] + more * group.shares[j]) / (own + more);
      }
      same.rows.insert(same.rows.end(), group.rows.begin(), group.rows.end());
      settle(same);
      return found->second;
    }
    found->second = static_cast<uint32_t>(groups_.size());
    for (size_t j = 0; j < space_.trees(); ++j) {
      nodes_.push_back(space_.hierarchy(j).common_ancestor(group.cells[j].first, group.cells[j].last));
    }
    settle(group);
    groups_.push_back(std::move(group));
    return found->second;
  }

  void settle(Group& group) const {
    group.kept = 0;
    for (size_t j = 0; j < group.cells.size(); ++j) group.kept += group.shares[j] * space_.kept(j, group.cells[j]);
  }

  uint64_t taken_from(const Group& small, const Group& other) const {
    const uint64_t both = small.rows.size() + other.rows.size();
    return both < 2 * k_ ? other.rows.size() : k_ - small.rows.size();
  }

  KacaCost distance(uint32_t one, uint32_t other) const {
    const Group &a = groups_[one], &b = groups_[other];
    KacaCost kept_a = 0, kept_b = 0;
    for (size_t j = 0; j < space_.trees(); ++j) {
      const size_t nodes = space_.hierarchy(j).nodes();
      const KacaCost kept = pairs_[j][nodes_[one * space_.trees() + j] * nodes + nodes_[other * space_.trees() + j]];
      kept_a += a.shares[j] * kept;
      kept_b += b.shares[j] * kept;
    }
    for (size_t j = space_.trees(); j < space_.columns(); ++j) {
      const KacaCost kept = space_.kept(j, space_.join(j, a.cells[j], b.cells[j]));
      kept_a += kept;
      kept_b += kept;
    }
    return static_cast<KacaCost>(a.rows.size()) * (a.kept - kept_a) +
           static_cast<KacaCost>(taken_from(a, b)) * (b.kept - kept_b);
  }

  std::pair<uint32_t, KacaCost> scan(uint32_t group) const {
    uint32_t best = UINT32_MAX;
    KacaCost least = 0;
    for (uint32_t i = 0; i < groups_.size(); ++i) {
      if (i == group || groups_[i].rows.empty()) continue;
      const KacaCost here = distance(group, i);
      if (best != UINT32_MAX && here >= least) continue;  // of equally near ones the first
      best = i;
      least = here;
    }
    return {best, least};
  }

  bool drops(uint32_t group, uint32_t nearest, KacaCost distance) const {
    const size_t rows = groups_[group].rows.size(), all = problem_.table.rows;
    const double recoded = double(rows + taken_from(groups_[group], groups_[nearest]));
    const double limit = settings_.outlier * double(space_.whole_row()) * recoded;
    const double most = problem_.suppress_rows.value_or(0) * double(all) + 1e-9;
    return settings_.outlier > 0 && double(distance) > limit && double(dropped_.size() + rows) <= most &&
           all - dropped_.size() - rows >= k_;
  }

  uint32_t merge(uint32_t a, uint32_t b) {
    const auto taken = static_cast<std::ptrdiff_t>(taken_from(groups_[a], groups_[b]));
    Group merged;
    merged.rows = std::move(groups_[a].rows);
    const auto from_a = static_cast<KacaCost>(merged.rows.size()), from_b = static_cast<KacaCost>(taken);
    for (size_t j = 0; j < space_.columns(); ++j) {
      merged.cells.push_back(space_.join(j, groups_[a].cells[j], groups_[b].cells[j]));
      merged.shares.push_back((from_a * groups_[a].shares[j] + from_b * groups_[b].shares[j]) / (from_a + from_b));
    }
    groups_[a].rows.clear();
    std::vector<uint32_t>& other = groups_[b].rows;
    merged.rows.insert(merged.rows.end(), other.begin(), other.begin() + taken);
    other.erase(other.begin(), other.begin() + taken);
    return add(std::move(merged));
  }

  // The list of small groups: one that leaves is replaced by the last, one that comes goes behind.
  void update(std::vector<uint32_t>& small, uint32_t group) const {
    const bool wanted = !groups_[group].rows.empty() && groups_[group].rows.size() < k_;
    const auto found = std::find(small.begin(), small.end(), group);
    if (wanted && found == small.end()) small.push_back(group);
    if (!wanted && found != small.end()) {
      *found = small.back();
      small.pop_back();
    }
  }

  const Problem& problem_;
  const KacaSettings settings_;
  const uint64_t k_;
  const KacaSpace space_;
  std::vector<Group> groups_;
  std::vector<uint32_t> nodes_;  // [group * trees + column]
  std::map<std::vector<uint32_t>, uint32_t> by_look_;
  std::vector<std::vector<KacaCost>> pairs_;  // [tree column][node * nodes + node]
  std::vector<uint32_t> dropped_;
};

}  // namespace shoal::testing
