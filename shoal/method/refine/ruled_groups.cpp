#include "shoal/method/refine/ruled_groups.h"

#include <algorithm>
#include <numeric>

#include "shoal/table/groups.h"

namespace shoal {

RuledGroups::RuledGroups(const Problem& problem, size_t requirement, const CountedTuples& counted)
    : problem_(problem), columns_(problem.requirements[requirement].columns), rule_(problem.rule(requirement)) {
  std::vector<GroupKey> keys;
  for (size_t j : columns_) keys.push_back({&problem.table.quasi[j].codes, problem.hierarchies[j].leaves()});
  keys.push_back({&counted.codes, counted.size()});
  Tuples tuples = distinct_tuples(problem.table.rows, keys, problem.table.times);
  for (uint32_t code : tuples.columns.back()) row_like_.push_back(counted.row_of_tuple[code]);
  rows_ = std::move(tuples.counts);
  leaves_ = std::move(tuples.columns);
  leaves_.pop_back();
}

uint64_t RuledGroups::breaking_under(size_t column, uint32_t node) const {
  const auto place = std::lower_bound(columns_.begin(), columns_.end(), column) - columns_.begin();
  const std::vector<uint64_t>& before = breaking_before_[static_cast<size_t>(place)];
  const auto& under = problem_.hierarchies[column].node(node);
  return before[under.last + 1] - before[under.first];
}

void RuledGroups::count(const Values& values) {
  std::vector<Codes> released;
  std::vector<GroupKey> keys;
  for (size_t i = 0; i < columns_.size(); ++i) {
    released.emplace_back(rows_.size(), problem_.hierarchies[columns_[i]].nodes()).visit([&](auto codes) {
      using Code = typename decltype(codes)::value_type;
      for (size_t t = 0; t < codes.size(); ++t) codes[t] = static_cast<Code>(values[columns_[i]][leaves_[i][t]]);
    });
  }
  for (size_t i = 0; i < columns_.size(); ++i) {
    keys.push_back({&released[i], problem_.hierarchies[columns_[i]].nodes()});
  }
  const Groups groups = group_rows(rows_.size(), keys);
  std::vector<uint32_t> all(rows_.size());
  for (uint32_t t = 0; t < all.size(); ++t) all[t] = t;
  const std::vector<uint32_t> order = sorted_by_group<uint32_t>(groups, all);
  breaking_before_.clear();
  for (size_t j : columns_) breaking_before_.emplace_back(problem_.hierarchies[j].leaves() + 1, 0);
  holds_ = true;
  size_t begin = 0;
  for (uint32_t size : groups.sizes) {
    const auto tuples = std::span(order).subspan(begin, size);
    begin += size;
    GroupTally tally = rule_->tally();
    for (uint32_t t : tuples) rule_->add(tally, row_like_[t], rows_[t]);
    if (rule_->holds(tally)) continue;
    holds_ = false;
    for (uint32_t t : tuples) {
      for (size_t i = 0; i < columns_.size(); ++i) breaking_before_[i][leaves_[i][t] + 1] += rows_[t];
    }
  }
  for (auto& before : breaking_before_) std::partial_sum(before.begin(), before.end(), before.begin());
}

}  // namespace shoal
