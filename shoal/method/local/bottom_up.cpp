// Method `bottom-up`: groups grow by merging with the neighbour that costs least (Xu, Wang, Pei, Wang, Shi, Fu 2006,
// Figure 3).
//
// Merging never makes a group a better neighbour: its box and its rows only grow. So the nearest group found before
// some merges is still the nearest after them, unless it took part in one itself. That is why neighbours may be looked
// up ahead, many at a time on all threads, without changing the answer.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "shoal/method/blocks/several.h"
#include "shoal/method/fragments_parameter.h"
#include "shoal/method/local/group_index.h"
#include "shoal/method/local/row_boxes.h"
#include "shoal/method/local/rule_repair.h"
#include "shoal/method/method.h"
#include "shoal/method/rules.h"
#include "shoal/method/space/groups_recoding.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr size_t kAhead = 64;  // neighbours looked up at a time per thread; also merges between two looks at the clock
constexpr size_t kTask = 8;    // of them per task

struct BottomUpOptions {
  Nearness nearness = Nearness::least_growth;
  bool scan = false;  // over all groups, instead of the index
};
BottomUpOptions bottom_up_options(const Params& params) {
  return {.nearness = setting(params, "nearest") == "union" ? Nearness::least_union : Nearness::least_growth,
          .scan = setting(params, "neighbours") == "scan"};
}

class BottomUp {
 public:
  BottomUp(const RowCodes& codes, uint64_t k, const Problem& problem, const BottomUpOptions& options,
           Progress& progress)
      : codes_(codes),
        k_(k),
        nearness_(options.nearness),
        scan_(options.scan),
        seed_(problem.seed),
        threads_(problem.threads),
        progress_(progress) {
    groups_.rows.resize(codes.rows());
    std::iota(groups_.rows.begin(), groups_.rows.end(), 0u);
    groups_.starts.resize(codes.rows() + 1);
    std::iota(groups_.starts.begin(), groups_.starts.end(), 0u);
  }

  // Each round at least doubles the least group, so ceil(log2 k) rounds are enough.
  void run() {
    while (!done() && !out_of_time_) {
      round();
      ++rounds_;
    }
  }

  const RowGroups& groups() const { return groups_; }
  uint64_t merges() const { return merges_; }
  uint64_t lookups() const { return lookups_; }
  uint64_t splits() const { return splits_; }
  size_t rounds() const { return rounds_; }
  bool out_of_time() const { return out_of_time_; }

 private:
  bool done() const {
    for (size_t g = 0; g < groups_.size(); ++g) {
      if (groups_.rows_in(g) < k_) return false;
    }
    return true;
  }

  // The groups below k, in a random order.
  std::vector<uint32_t> visiting_order() const {
    std::vector<uint32_t> order;
    for (uint32_t g = 0; g < groups_.size(); ++g) {
      if (groups_.rows_in(g) < k_) order.push_back(g);
    }
    SeededRandom random(seed_ * 0x9E3779B97F4A7C15ULL + rounds_);
    shuffle(order, random);
    return order;
  }

  GroupIndex::Neighbour look_up(const GroupIndex& index, uint32_t group) const {
    return scan_ ? index.nearest_by_scan(group) : index.nearest(group);
  }

  void round() {
    GroupIndex index(codes_, nearness_, groups_, &progress_);
    out_of_time_ = !index.finished();
    const std::vector<uint32_t> order = visiting_order();
    merged_into_.resize(groups_.size());
    std::iota(merged_into_.begin(), merged_into_.end(), 0u);
    touched_.assign(groups_.size(), false);
    const size_t step = kAhead * static_cast<size_t>(std::max(threads_, 1));
    for (size_t first = 0; first < order.size() && !out_of_time_; first += step) {
      progress_.check();
      progress_.update(progress_share(double(first) / double(order.size())));
      merge_some(index, std::span(order).subspan(first, std::min(step, order.size() - first)));
      out_of_time_ = progress_.out_of_time();
    }
    if (out_of_time_) merge_quickly();
    collect();
  }

  // When time is up some may stay unmerged.
  void merge_some(GroupIndex& index, std::span<const uint32_t> visited) {
    std::vector<GroupIndex::Neighbour> ahead(visited.size());
    if (threads_ > 1) {
      run_tasks((visited.size() + kTask - 1) / kTask, threads_, [&](size_t, size_t task) {
        progress_.check();
        if (progress_.out_of_time()) return;
        for (size_t i = task * kTask; i < std::min(visited.size(), (task + 1) * kTask); ++i) {
          if (!touched_[visited[i]]) ahead[i] = look_up(index, visited[i]);
        }
      });
    }
    std::vector<uint32_t> changed;
    for (size_t i = 0; i < visited.size(); ++i) {
      const uint32_t group = visited[i];
      if (touched_[group]) continue;  // has merged in this round already
      progress_.check();              // a look-up may take long among very many groups
      if (progress_.out_of_time()) return;
      GroupIndex::Neighbour found = ahead[i];
      if (found.group == GroupIndex::kNone || index.rows(found.group) != found.rows) {
        found = look_up(index, group);
      } else {
        for (uint32_t other : changed) {
          if (index.rows(other) > 0) found = index.nearer(group, other, found);
        }
      }
      ++lookups_;
      if (found.group == GroupIndex::kNone) return;  // all rows are one group
      const auto [into, gone] = std::minmax({group, found.group});
      touched_[into] = touched_[gone] = true;
      merged_into_[gone] = into;
      index.merge(into, gone);
      changed.push_back(into);
      ++merges_;
    }
  }

  // No time is left: what is still below k joins the next groups below k in order.
  void merge_quickly() {
    std::vector<uint32_t> sizes(groups_.size(), 0);
    for (uint32_t g = 0; g < groups_.size(); ++g) sizes[head(g)] += static_cast<uint32_t>(groups_.rows_in(g));
    uint32_t open = GroupIndex::kNone, last = GroupIndex::kNone;
    for (uint32_t g = 0; g < groups_.size(); ++g) {
      if (merged_into_[g] != g) continue;
      if (sizes[g] >= k_) {
        last = g;
        continue;
      }
      if (open == GroupIndex::kNone) {
        open = g;
        continue;
      }
      merged_into_[g] = open;
      sizes[open] += sizes[g];
      if (sizes[open] >= k_) last = std::exchange(open, GroupIndex::kNone);
    }
    if (open == GroupIndex::kNone || last == GroupIndex::kNone) return;
    merged_into_[std::max(open, last)] = std::min(open, last);
  }

  uint32_t head(uint32_t group) {
    while (merged_into_[group] != group) {
      merged_into_[group] = merged_into_[merged_into_[group]];
      group = merged_into_[group];
    }
    return group;
  }

  // The merged groups, those of 2k rows and more split; numbered by their first rows.
  void collect() {
    std::vector<std::vector<uint32_t>> members(groups_.size());
    for (uint32_t g = 0; g < groups_.size(); ++g) {
      auto& to = members[head(g)];
      to.insert(to.end(), groups_.group(g).begin(), groups_.group(g).end());
    }
    std::vector<std::vector<uint32_t>> parts;
    for (auto& rows : members) {
      if (rows.empty()) continue;
      std::sort(rows.begin(), rows.end());
      if (rows.size() < 2 * k_) {
        parts.push_back(std::move(rows));
        continue;
      }
      ++splits_;
      uint32_t from = 0;
      for (uint32_t end : split_evenly(codes_, rows, rows.size() / k_)) {
        parts.emplace_back(rows.begin() + from, rows.begin() + end);
        std::sort(parts.back().begin(), parts.back().end());
        from = end;
      }
    }
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.front() < b.front(); });
    groups_.rows.clear();
    groups_.starts = {0};
    for (const auto& rows : parts) {
      groups_.rows.insert(groups_.rows.end(), rows.begin(), rows.end());
      groups_.starts.push_back(static_cast<uint32_t>(groups_.rows.size()));
    }
  }

  // Later rounds have half as many groups each.
  double progress_share(double of_round) const {
    double before = 0, share = 0.5;
    for (size_t round = 0; round < rounds_; ++round, share /= 2) before += share;
    return before + share * of_round;
  }

  const RowCodes& codes_;
  const uint64_t k_;
  const Nearness nearness_;
  const bool scan_;
  const uint64_t seed_;
  const int threads_;
  Progress& progress_;
  RowGroups groups_;
  std::vector<uint32_t> merged_into_;  // [group]; itself: still there
  std::vector<char> touched_;          // [group]: has merged in this round
  uint64_t merges_ = 0, lookups_ = 0, splits_ = 0;
  size_t rounds_ = 0;
  bool out_of_time_ = false;
};

class BottomUpMethod final : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    SearchResult result;
    if (problem.has_models()) {
      if (std::string reason = whole_table_breaks(problem); !reason.empty()) return {NoAnswer{reason}, {}, {}, {}};
    }
    const Requirement& requirement = problem.requirements.front();
    const NcpSpace space(problem, requirement.columns, 0);
    const RowCodes codes(space);
    BottomUp search(codes, requirement.k, problem, bottom_up_options(problem.params), progress);
    search.run();
    result.stats.generated = search.lookups();
    result.stats.expanded = search.merges();
    result.stats.details.emplace_back("rounds", fmt::format("{}", search.rounds()));
    result.stats.details.emplace_back(
        "merges",
        fmt::format("{}, and splits of groups of 2k rows or more after them: {}", search.merges(), search.splits()));
    if (search.out_of_time()) {
      result.notices.push_back(
          "stopped by the time budget: the groups that were still too small were put together in input order");
    }
    const RowGroups groups = obey_rule(problem, codes, search.groups(), progress, result);
    result.answer = groups_recoding(problem, requirement.columns, groups);
    progress.update(1);
    return result;
  }
};

}  // namespace

MethodEntry bottom_up_method() {
  return {
      .name = "bottom-up",
      .title = "merges every group below k with the group that makes the least weighted NCP, splits groups of 2k rows",
      .paper = "Xu, Wang, Pei, Wang, Shi, Fu 2006",
      .shape = Shape::groups,
      .parameters = {{.name = "nearest",
                      .meaning =
                          "which group to merge with: the one that adds least to the NCP of the table, or the one "
                          "with the least NCP of the union (the words of the paper's figure)",
                      .default_value = "growth",
                      .choices = {"growth", "union"}},
                     {.name = "neighbours",
                      .meaning = "how the nearest group is found: through an index, or by a scan over all groups (the "
                                 "same answer, far slower; for comparison)",
                      .default_value = "index",
                      .choices = {"index", "scan"}},
                     fragments_parameter("off")},
      .several_requirements = true,
      .drops_rows = false,
      .needs_target = false,
      .make = []() -> std::unique_ptr<Method> { return for_several_requirements(std::make_unique<BottomUpMethod>()); },
      .ranges_over_trees = true,
      .obeys_models = true,
  };
}

}  // namespace shoal
