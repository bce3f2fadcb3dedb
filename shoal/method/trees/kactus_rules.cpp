#include "shoal/method/trees/kactus_rules.h"

#include <algorithm>

#include "shoal/run/seeded_random.h"

namespace shoal::kactus {

void move_up(Pruned& pruned, std::span<const uint32_t> parents, const GroupRule& rule) {
  std::vector<std::vector<uint32_t>> rows(parents.size());
  for (const Group& group : pruned.groups) {
    rows[group.node].insert(rows[group.node].end(), group.rows.begin(), group.rows.end());
  }
  rows[0].insert(rows[0].end(), pruned.left.begin(), pruned.left.end());
  pruned.groups.clear();
  for (auto node = static_cast<uint32_t>(parents.size()); node-- > 1;) {
    if (rows[node].empty()) continue;
    if (rule.holds(rows[node])) {
      pruned.groups.push_back({node, std::move(rows[node])});
    } else {
      std::vector<uint32_t>& above = rows[parents[node]];
      above.insert(above.end(), rows[node].begin(), rows[node].end());
    }
  }
  pruned.left = std::move(rows[0]);
}

std::vector<uint32_t> fill_up(std::vector<Group>& groups, std::span<const uint32_t> left, const GroupRule& rule,
                              uint64_t seed) {
  SeededRandom random(seed);
  std::vector<uint32_t> joined;
  GroupTally tally = rule.tally(left);
  double lacks = rule.deficit(tally);
  for (Group& group : groups) {
    if (rule.holds(tally)) break;
    GroupTally own = rule.tally(group.rows);
    shuffle(group.rows, random);
    std::vector<uint32_t> stay;
    for (uint32_t row : group.rows) {
      bool goes = !rule.holds(tally) && rule.holds_after_removing(own, row);
      if (goes) {
        rule.add(tally, row);
        const double lack = rule.deficit(tally);
        goes = lack < lacks;
        if (goes) {
          lacks = lack;
          rule.remove(own, row);
        } else {
          rule.remove(tally, row);
        }
      }
      (goes ? joined : stay).push_back(row);
    }
    group.rows = std::move(stay);
  }
  std::erase_if(groups, [](const Group& group) { return group.rows.empty(); });
  while (!rule.holds(tally) && !groups.empty()) {
    rule.merge(tally, rule.tally(groups.back().rows));
    joined.insert(joined.end(), groups.back().rows.begin(), groups.back().rows.end());
    groups.pop_back();
  }
  return joined;
}

}  // namespace shoal::kactus
