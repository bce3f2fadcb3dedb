#include "shoal/method/local/rule_repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "shoal/method/local/group_index.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

using Rows = std::vector<uint32_t>;

class Merging {
 public:
  Merging(const RowCodes& codes, const RowGroups& groups, const GroupRule& rule)
      : rule_(rule), index_(codes, Nearness::least_growth, groups) {
    for (uint32_t g = 0; g < groups.size(); ++g) {
      members_.emplace_back(groups.group(g).begin(), groups.group(g).end());
      tallies_.push_back(rule.tally(members_.back()));
      note(g);
    }
  }

  void run(Progress& progress) {
    const auto at_first = static_cast<double>(breaking_.size());
    while (!breaking_.empty() && !out_of_time_) {
      if (merged_ % 64 == 0) {
        progress.check();
        progress.update(0.5 + 0.4 * (1 - static_cast<double>(breaking_.size()) / at_first));
      }
      out_of_time_ = progress.out_of_time();
      if (!out_of_time_) merge_nearest(breaking_.begin()->second);
    }
    if (out_of_time_) merge_in_order();
  }

  std::vector<Rows> take() {
    std::erase_if(members_, [](const Rows& rows) { return rows.empty(); });
    return std::move(members_);
  }
  uint64_t merged() const { return merged_; }
  bool out_of_time() const { return out_of_time_; }

 private:
  // Lists the group among those that break the rule, or not any more.
  void note(uint32_t group) {
    if (!rule_.holds(tallies_[group])) breaking_.insert({members_[group].size(), group});
  }

  // Least growth among the groups that make this one lack less; where none does (what one model gains another loses),
  // the nearest.
  void merge_nearest(uint32_t group) {
    const double lacks = rule_.deficit(tallies_[group]);
    GroupIndex::Neighbour found = index_.nearest_where(
        group, [&](uint32_t other) { return rule_.deficit_union(tallies_[group], tallies_[other]) < lacks; });
    if (found.group == GroupIndex::kNone) found = index_.nearest(group);
    merge(group, found.group);
  }

  uint32_t merge(uint32_t a, uint32_t b) {
    ++merged_;
    const auto [into, gone] = std::minmax({a, b});
    for (uint32_t group : {into, gone}) breaking_.erase({members_[group].size(), group});
    index_.merge(into, gone);
    rule_.merge(tallies_[into], tallies_[gone]);
    tallies_[gone] = rule_.tally();
    members_[into].insert(members_[into].end(), members_[gone].begin(), members_[gone].end());
    members_[gone] = {};
    note(into);
    return into;
  }

  // No time is left: what breaks the rule is put together until it holds, in the end with groups that do.
  void merge_in_order() {
    uint32_t open = GroupIndex::kNone;
    for (const bool any_group : {false, true}) {
      for (uint32_t group = 0; group < members_.size(); ++group) {
        if (any_group && open == GroupIndex::kNone) return;
        if (members_[group].empty() || open == group) continue;
        if (!any_group && rule_.holds(tallies_[group])) continue;
        open = open == GroupIndex::kNone ? group : merge(open, group);
        if (rule_.holds(tallies_[open])) open = GroupIndex::kNone;
      }
    }
  }

  const GroupRule& rule_;
  GroupIndex index_;
  std::vector<Rows> members_;  // [group]; empty: gone
  std::vector<GroupTally> tallies_;
  std::set<std::pair<size_t, uint32_t>> breaking_;  // rows, group: smallest first
  uint64_t merged_ = 0;
  bool out_of_time_ = false;
};

// Parts one group after the other, as long as both sides hold and cost less than the whole.
class Parting {
 public:
  Parting(const RowCodes& codes, const GroupRule& rule) : codes_(codes), rule_(rule) {}

  uint64_t parted() const { return parted_; }

  void part(Rows rows, std::vector<Rows>& done, const Progress& progress) {
    std::vector<Rows> open;
    open.push_back(std::move(rows));
    while (!open.empty()) {
      Rows next = std::move(open.back());
      open.pop_back();
      progress.check();
      const std::optional<Border> border = progress.out_of_time() ? std::nullopt : cheapest(next);
      if (!border) {
        std::sort(next.begin(), next.end());
        done.push_back(std::move(next));
        continue;
      }
      ++parted_;
      sort_by(border->column, next);
      const auto middle = next.begin() + static_cast<ptrdiff_t>(border->left);
      open.emplace_back(middle, next.end());
      open.emplace_back(next.begin(), middle);
    }
  }

 private:
  struct Border {
    size_t column = 0, left = 0;  // how many rows come before it in the column's order
    double penalty = 0;           // of both sides
  };

  void sort_by(size_t column, Rows& rows) const {
    std::sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(codes_.row(a)[column], a) < std::pair(codes_.row(b)[column], b);
    });
  }

  std::optional<Border> cheapest(const Rows& rows) {
    if (rows.size() < 2 * rule_.k() || rows.size() < 2) return std::nullopt;
    const Box box = codes_.box(rows);
    double least = double(rows.size()) * box_price(codes_.space(), box);
    std::optional<Border> best;
    for (size_t column = 0; column < codes_.width(); ++column) {
      if (box[column].lo == box[column].hi) continue;
      sorted_ = rows;
      sort_by(column, sorted_);
      consider(column, least, best);
    }
    return best;
  }

  // The borders between two leaves of the column that sorted_ is in the order of.
  void consider(size_t column, double& least, std::optional<Border>& best) {
    price_sides();
    GroupTally left = rule_.tally(), right = rule_.tally(sorted_);
    size_t counted = 0;
    const size_t k = std::max<size_t>(1, rule_.k());
    for (size_t border = k; border + k <= sorted_.size(); ++border) {
      if (codes_.row(sorted_[border - 1])[column] == codes_.row(sorted_[border])[column]) continue;
      const double penalty =
          double(border) * left_price_[border - 1] + double(sorted_.size() - border) * right_price_[border];
      if (penalty >= least) continue;
      for (; counted < border; ++counted) {
        rule_.add(left, sorted_[counted]);
        rule_.remove(right, sorted_[counted]);
      }
      if (!rule_.holds(left) || !rule_.holds(right)) continue;
      least = penalty;
      best = Border{column, border, penalty};
    }
  }

  // What a row pays in the box of the first rows up to it, and in that of the rows from it on.
  void price_sides() {
    left_price_.resize(sorted_.size());
    right_price_.resize(sorted_.size());
    Box box = codes_.box(std::span(sorted_).first(1));
    for (size_t i = 0; i < sorted_.size(); ++i) {
      grow_to_row(box.data(), codes_.row(sorted_[i]), codes_.width());
      left_price_[i] = box_price(codes_.space(), box);
    }
    box = codes_.box(std::span(sorted_).last(1));
    for (size_t i = sorted_.size(); i-- > 0;) {
      grow_to_row(box.data(), codes_.row(sorted_[i]), codes_.width());
      right_price_[i] = box_price(codes_.space(), box);
    }
  }

  const RowCodes& codes_;
  const GroupRule& rule_;
  Rows sorted_;
  std::vector<double> left_price_, right_price_;
  uint64_t parted_ = 0;
};

}  // namespace

RepairedGroups repair_groups(const RowCodes& codes, const RowGroups& groups, const GroupRule& rule,
                             Progress& progress) {
  Merging merging(codes, groups, rule);
  merging.run(progress);
  RepairedGroups result;
  result.merged = merging.merged();
  result.out_of_time = merging.out_of_time();
  Parting parting(codes, rule);
  std::vector<Rows> parts;
  for (Rows& rows : merging.take()) parting.part(std::move(rows), parts, progress);
  result.parted = parting.parted();
  std::sort(parts.begin(), parts.end(), [](const Rows& a, const Rows& b) { return a.front() < b.front(); });
  for (const Rows& rows : parts) {
    result.groups.rows.insert(result.groups.rows.end(), rows.begin(), rows.end());
    result.groups.starts.push_back(static_cast<uint32_t>(result.groups.rows.size()));
  }
  return result;
}

RowGroups obey_rule(const Problem& problem, const RowCodes& codes, const RowGroups& groups, Progress& progress,
                    SearchResult& result) {
  const auto rule = problem.rule(0);
  if (rule->rows_only()) return groups;
  RepairedGroups repaired = repair_groups(codes, groups, *rule, progress);
  result.stats.expanded += repaired.merged;
  result.stats.details.emplace_back(
      "models", fmt::format("{} of groups that broke a model, then {} parted again", counted(repaired.merged, "merge"),
                            counted(repaired.parted, "group")));
  if (repaired.out_of_time) {
    result.notices.push_back("stopped by the time budget: groups that still broke a model were put together in order");
  }
  return std::move(repaired.groups);
}

}  // namespace shoal
