#include "shoal/method/local/population_merges.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "shoal/method/local/group_index.h"
#include "shoal/model/population_index.h"

namespace shoal {
namespace {

class Merges {
 public:
  Merges(const Problem& problem, const GroupRecoding& found)
      : hierarchies_(problem.hierarchies),
        columns_(problem.requirements.front().columns),
        rule_(problem.rule(0)),
        population_(*population_of(*rule_)),
        space_(problem, columns_, 0) {
    if (found.recoded_columns != columns_) throw std::logic_error("a recoding of other columns than its requirement's");
    rows_.assign(found.groups(), 0);
    for (uint32_t group : found.group_of_row) ++rows_[group];
    into_.resize(rows_.size());
    for (uint32_t group = 0; group < rows_.size(); ++group) into_[group] = group;
    releases_ = found.group_releases;
    std::vector<LeafSpan> boxes(releases_.size());
    std::vector<uint32_t> rows(rows_.begin(), rows_.end());
    for (uint32_t group = 0; group < rows_.size(); ++group) {
      if (rows_[group] == 0) throw std::logic_error("a group without rows");
      for (size_t i = 0; i < columns_.size(); ++i) {
        const Released& cell = release(group, place(i));
        boxes[group * columns_.size() + i] = {cell.first, cell.last};
      }
      note(group);
    }
    index_.emplace(space_, Nearness::least_growth, boxes, rows);
  }

  // False where all rows as one group fit too few people.
  bool run(Progress& progress) {
    const auto at_first = static_cast<double>(short_.size());
    while (!short_.empty()) {
      if (merged_ % 64 == 0) {
        progress.check();
        progress.update(1 - static_cast<double>(short_.size()) / at_first);
      }
      const uint32_t group = short_.begin()->second;
      const GroupIndex::Neighbour nearest = progress.out_of_time() ? any_but(group) : index_->nearest(group);
      if (nearest.group == GroupIndex::kNone) return false;
      merge(group, nearest.group);
    }
    return true;
  }

  uint64_t merged() const { return merged_; }

  // The groups that are left, numbered by their first rows' groups before.
  void put_into(GroupRecoding& recoding) {
    std::vector<uint32_t> number(rows_.size(), GroupIndex::kNone);
    std::vector<Released> releases;
    uint32_t next = 0;
    for (uint32_t& group : recoding.group_of_row) {
      const uint32_t left = last(group);
      if (number[left] == GroupIndex::kNone) {
        number[left] = next++;
        for (size_t i = 0; i < columns_.size(); ++i) releases.push_back(release(left, i));
      }
      group = number[left];
    }
    recoding.group_releases = std::move(releases);
  }

 private:
  Released& release(uint32_t group, size_t i) { return releases_[size_t{group} * columns_.size() + i]; }
  // Where the space's column stands among the requirement's.
  size_t place(size_t column) const {
    return static_cast<size_t>(std::find(columns_.begin(), columns_.end(), space_.quasi(column)) - columns_.begin());
  }
  uint32_t last(uint32_t group) {
    while (into_[group] != group) group = into_[group] = into_[into_[group]];
    return group;
  }

  // Lists the group among those that fit too few people, or not.
  void note(uint32_t group) {
    std::vector<LeafStretch> box(columns_.size());
    for (size_t i = 0; i < columns_.size(); ++i) box[i] = {release(group, i).first, release(group, i).last};
    if (!population_holds(*rule_, rows_[group], population_.people_in(box))) short_.insert({rows_[group], group});
  }

  // No time is left to look for the nearest.
  GroupIndex::Neighbour any_but(uint32_t group) {
    for (const auto& [rows, other] : short_) {
      if (other != group) return {0, static_cast<uint32_t>(rows), other};
    }
    while (first_left_ < rows_.size() && (into_[first_left_] != first_left_ || first_left_ == group)) ++first_left_;
    if (first_left_ == rows_.size()) return index_->nearest(group);  // there may be one before
    return {0, static_cast<uint32_t>(rows_[first_left_]), first_left_};
  }

  void merge(uint32_t a, uint32_t b) {
    ++merged_;
    const auto [into, gone] = std::minmax({a, b});
    for (uint32_t group : {into, gone}) short_.erase({rows_[group], group});
    index_->merge(into, gone);
    for (size_t i = 0; i < columns_.size(); ++i) {
      Released& cell = release(into, i);
      const Released& other = release(gone, i);
      if (cell == other) continue;
      cell = released_interval(hierarchies_[columns_[i]], std::min(cell.first, other.first),
                               std::max(cell.last, other.last));
    }
    rows_[into] += rows_[gone];
    rows_[gone] = 0;
    into_[gone] = into;
    note(into);
  }

  const std::vector<Hierarchy>& hierarchies_;
  const std::vector<size_t>& columns_;
  const std::shared_ptr<const GroupRule> rule_;
  const PopulationIndex& population_;
  const NcpSpace space_;
  std::optional<GroupIndex> index_;
  std::vector<uint64_t> rows_;                     // [group]; 0: gone
  std::vector<uint32_t> into_;                     // [group]: where it went, or itself
  std::vector<Released> releases_;                 // [group * columns + i]
  std::set<std::pair<uint64_t, uint32_t>> short_;  // rows, group: smallest first
  uint32_t first_left_ = 0;
  uint64_t merged_ = 0;
};

}  // namespace

void merge_for_population(const Problem& problem, SearchResult& result, Progress& progress) {
  auto* recoding = std::get_if<Recoding>(&result.answer);
  if (recoding == nullptr) return;
  if (!recoding->dropped_rows.empty()) throw std::logic_error("rows were dropped beside a population");
  GroupRecoding groups = recoding->by_group();
  Merges merges(problem, groups);
  if (!merges.run(progress)) {
    result.answer = NoAnswer{"even with all rows in one group too few people of the population fit what is released"};
    return;
  }
  result.stats.details.emplace_back("population",
                                    fmt::format("{} merges of groups that fitted too few people", merges.merged()));
  if (merges.merged() == 0) return;
  result.stats.optimal = false;
  // The bound is that of k alone and still one; how far the answer is from it is not what the search said.
  std::erase_if(result.stats.details, [](const auto& detail) { return detail.first == kLowerBoundDetail; });
  merges.put_into(groups);
  recoding->cells = std::move(groups);
}

}  // namespace shoal
