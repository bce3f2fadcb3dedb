#include "shoal/verify/spread_persons.h"

#include <algorithm>
#include <random>
#include <unordered_map>

namespace shoal {
namespace {

constexpr uint32_t kNobody = UINT32_MAX;
constexpr uint64_t kRowsBetweenChecks = 4096;

// Of so many rows one is chosen from the whole release, the others from groups that are short of persons: sometimes
// these can only be helped once others have exchanged something among themselves.
constexpr size_t kOneFromAnywhere = 8;

// The persons of every group of one requirement.
class PersonCounts {
 public:
  PersonCounts(const PersonGroups& groups, std::span<const uint32_t> person, std::span<const uint32_t> row_of_release)
      : groups_(groups) {
    for (uint32_t row = 0; row < row_of_release.size(); ++row) {
      if (group(row) >= persons_.size()) persons_.resize(group(row) + 1), rows_.resize(group(row) + 1);
      rows_[group(row)].push_back(row);
      add(group(row), person[row_of_release[row]]);
    }
    place_in_short_.resize(rows_.size());
    for (uint32_t group = 0; group < rows_.size(); ++group) {
      missing_ += missing_in(group);
      if (missing_in(group) > 0) list_short(group);
    }
  }

  uint64_t missing() const { return missing_; }
  const std::vector<uint32_t>& short_groups() const { return short_; }
  const std::vector<uint32_t>& rows_of(uint32_t group) const { return rows_[group]; }

  // A released row is about somebody else.
  void replace(uint32_t released, uint32_t old_person, uint32_t new_person) {
    const uint32_t group = this->group(released);
    const uint64_t before = missing_in(group);
    remove(group, old_person);
    add(group, new_person);
    const uint64_t now = missing_in(group);
    missing_ = missing_ - before + now;
    if (before == 0 && now > 0) list_short(group);
    if (before > 0 && now == 0) {
      const uint32_t place = place_in_short_[group], last = short_.back();
      short_[place] = last;
      place_in_short_[last] = place;
      short_.pop_back();
    }
  }

 private:
  static uint64_t key(uint32_t group, uint32_t person) { return uint64_t{group} << 32 | person; }
  uint32_t group(uint32_t released) const { return groups_.group_of_row[released]; }
  uint64_t missing_in(uint32_t group) const { return groups_.persons - std::min(groups_.persons, persons_[group]); }
  void list_short(uint32_t group) {
    place_in_short_[group] = static_cast<uint32_t>(short_.size());
    short_.push_back(group);
  }
  void add(uint32_t group, uint32_t person) { persons_[group] += rows_about_[key(group, person)]++ == 0 ? 1 : 0; }
  void remove(uint32_t group, uint32_t person) {
    const auto found = rows_about_.find(key(group, person));
    if (--found->second > 0) return;
    rows_about_.erase(found);
    --persons_[group];
  }

  const PersonGroups& groups_;
  std::unordered_map<uint64_t, uint32_t> rows_about_;  // a person in a group
  std::vector<uint64_t> persons_;                      // of each group
  std::vector<std::vector<uint32_t>> rows_;            // released rows of each group
  uint64_t missing_ = 0;                               // persons, over all groups
  std::vector<uint32_t> short_;                        // groups with fewer than wanted
  std::vector<uint32_t> place_in_short_;               // of each such group
};

class PersonSpreader {
 public:
  PersonSpreader(const RowsToSpread& rows, std::vector<uint32_t>& row_of_release, uint64_t work,
                 const Progress& progress)
      : rows_(rows), row_of_release_(row_of_release), work_(work), progress_(progress) {
    for (const PersonGroups& groups : rows.groups) counts_.emplace_back(groups, rows.person, row_of_release);
    release_of_row_.assign(rows.person.size(), kNobody);
    for (uint32_t released = 0; released < row_of_release.size(); ++released) {
      release_of_row_[row_of_release[released]] = released;
    }
    for (uint32_t original = 0; original < rows.person.size(); ++original) {
      const uint32_t number = rows.class_of_original[original];
      if (number >= originals_.size()) originals_.resize(number + 1);
      originals_[number].push_back(original);
    }
  }

  bool run() {
    for (; missing() > 0 && work_ > 0; --work_) {
      if (work_ % kRowsBetweenChecks == 0) progress_.check();
      const uint32_t released = any_row();
      const std::vector<uint32_t>& originals = originals_[rows_.class_of_release[released]];
      try_exchange(released, originals[below(originals.size())]);
    }
    return missing() == 0;
  }

 private:
  size_t below(size_t limit) { return random_() % std::max<size_t>(limit, 1); }
  uint64_t missing() const {
    uint64_t all = 0;
    for (const PersonCounts& counts : counts_) all += counts.missing();
    return all;
  }

  uint32_t any_row() {
    if (below(kOneFromAnywhere) == 0) return static_cast<uint32_t>(below(row_of_release_.size()));
    size_t all_short = 0;
    for (const PersonCounts& counts : counts_) all_short += counts.short_groups().size();
    size_t chosen = below(all_short);
    const PersonCounts* counts = counts_.data();
    for (; chosen >= counts->short_groups().size(); ++counts) chosen -= counts->short_groups().size();
    const std::vector<uint32_t>& rows = counts->rows_of(counts->short_groups()[chosen]);
    return rows[below(rows.size())];
  }

  // The row takes the original, and whoever stands for it takes what the row gives away; undone if more are missing.
  void try_exchange(uint32_t released, uint32_t original) {
    const uint32_t given = row_of_release_[released], holder = release_of_row_[original];
    if (rows_.person[original] == rows_.person[given] || !rows_.covers(released, original)) return;
    if (holder != kNobody && !rows_.covers(holder, given)) return;
    const uint64_t before = missing();
    exchange(released, original);
    if (missing() > before) exchange(released, given);
  }
  void exchange(uint32_t released, uint32_t original) {
    const uint32_t given = row_of_release_[released], holder = release_of_row_[original];
    put(released, original);
    release_of_row_[given] = kNobody;
    if (holder != kNobody) put(holder, given);
  }
  void put(uint32_t released, uint32_t original) {
    for (PersonCounts& counts : counts_) {
      counts.replace(released, rows_.person[row_of_release_[released]], rows_.person[original]);
    }
    row_of_release_[released] = original;
    release_of_row_[original] = released;
  }

  const RowsToSpread& rows_;
  std::vector<uint32_t>& row_of_release_;
  std::vector<uint32_t> release_of_row_;  // of each original; kNobody: no row stands for it
  uint64_t work_;
  const Progress& progress_;
  std::vector<PersonCounts> counts_;              // of each requirement
  std::vector<std::vector<uint32_t>> originals_;  // of each class
  std::mt19937_64 random_{1};
};

}  // namespace

bool spread_persons(const RowsToSpread& rows, std::vector<uint32_t>& row_of_release, uint64_t work,
                    const Progress& progress) {
  return PersonSpreader(rows, row_of_release, work, progress).run();
}

}  // namespace shoal
