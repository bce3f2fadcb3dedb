#include "shoal/verify/spread_persons.h"

#include <algorithm>
#include <unordered_map>

namespace shoal {
namespace {

constexpr int kMostSideways = 10;

// The persons of every group of one requirement.
class PersonCounts {
 public:
  PersonCounts(const PersonGroups& groups, std::span<const uint32_t> person, std::span<const uint32_t> row_of_release)
      : groups_(groups), person_(person) {
    for (uint32_t row = 0; row < row_of_release.size(); ++row) {
      if (group(row) >= persons_.size()) persons_.resize(group(row) + 1), rows_.resize(group(row) + 1);
      rows_[group(row)].push_back(row);
      add(group(row), person_[row_of_release[row]]);
    }
  }

  uint32_t group(uint32_t released) const { return groups_.group_of_row[released]; }
  const std::vector<uint32_t>& rows_of(uint32_t group) const { return rows_[group]; }
  size_t groups() const { return rows_.size(); }
  uint64_t missing(uint32_t group) const { return groups_.persons - std::min(groups_.persons, persons_[group]); }
  uint32_t rows_about(uint32_t group, uint32_t person) const {
    const auto found = counts_.find(key(group, person));
    return found == counts_.end() ? 0 : found->second;
  }

  void add(uint32_t group, uint32_t person) { persons_[group] += counts_[key(group, person)]++ == 0 ? 1 : 0; }
  void remove(uint32_t group, uint32_t person) {
    const auto found = counts_.find(key(group, person));
    if (--found->second > 0) return;
    counts_.erase(found);
    --persons_[group];
  }

 private:
  static uint64_t key(uint32_t group, uint32_t person) { return uint64_t{group} << 32 | person; }

  const PersonGroups& groups_;
  const std::span<const uint32_t> person_;
  std::unordered_map<uint64_t, uint32_t> counts_;  // rows of a group about a person
  std::vector<uint64_t> persons_;                  // of each group
  std::vector<std::vector<uint32_t>> rows_;        // released rows of each group
};

class PersonSpreader {
 public:
  PersonSpreader(const RowsToSpread& rows, std::vector<uint32_t>& row_of_release, uint64_t work,
                 const Progress& progress)
      : rows_(rows), row_of_release_(row_of_release), work_(work), progress_(progress) {
    for (const PersonGroups& groups : rows.groups) counts_.emplace_back(groups, rows.person, row_of_release);
    for (uint32_t released = 0; released < row_of_release.size(); ++released) {
      members_of(rows.class_of_release[released]).push_back(released);
    }
    std::vector<bool> taken(rows.person.size(), false);
    for (uint32_t original : row_of_release) taken[original] = true;
    for (uint32_t original = 0; original < taken.size(); ++original) {
      if (taken[original]) continue;
      if (spare_.size() <= rows.class_of_original[original]) spare_.resize(rows.class_of_original[original] + 1);
      spare_[rows.class_of_original[original]].push_back(original);
    }
  }

  bool run() {
    for (int sideways = 0; !none_short();) {
      bool moved = false;
      for (PersonCounts& counts : counts_) {
        for (uint32_t group = 0; group < counts.groups(); ++group) {
          if (counts.missing(group) == 0) continue;
          progress_.check();
          moved = fill(counts, group) || moved;
        }
      }
      // Nobody can help at once: let others be short for them, who may have more to choose from.
      sideways_ = !moved;
      if (sideways_ && (++sideways > kMostSideways || work_ == 0)) return false;
    }
    return true;
  }

 private:
  std::vector<uint32_t>& members_of(uint32_t number) {
    if (members_.size() <= number) members_.resize(number + 1);
    return members_[number];
  }
  uint32_t person_of(uint32_t released) const { return rows_.person[row_of_release_[released]]; }
  uint64_t missing_in(uint32_t a, uint32_t b) const {
    uint64_t missing = 0;
    for (const PersonCounts& counts : counts_) {
      missing += counts.missing(counts.group(a));
      if (counts.group(b) != counts.group(a)) missing += counts.missing(counts.group(b));
    }
    return missing;
  }
  bool is_better(uint64_t missing, uint64_t before) const { return sideways_ ? missing <= before : missing < before; }
  bool none_short() const {
    for (const PersonCounts& counts : counts_) {
      for (uint32_t group = 0; group < counts.groups(); ++group) {
        if (counts.missing(group) > 0) return false;
      }
    }
    return true;
  }

  // Other persons for rows whose person the group has more than once.
  bool fill(PersonCounts& counts, uint32_t group) {
    bool moved = false;
    for (uint32_t released : counts.rows_of(group)) {
      if (counts.missing(group) == 0 || work_ == 0) break;
      if (counts.rows_about(group, person_of(released)) < 2) continue;
      moved = find_other(counts, group, released) || moved;
    }
    return moved;
  }

  bool find_other(PersonCounts& counts, uint32_t group, uint32_t released) {
    const uint32_t number = rows_.class_of_release[released];
    const auto is_new = [&](uint32_t original) { return counts.rows_about(group, rows_.person[original]) == 0; };
    if (number < spare_.size()) {
      for (uint32_t& spare : spare_[number]) {
        if (work_ == 0) return false;
        --work_;
        if (is_new(spare) && rows_.covers(released, spare) && try_spare(released, spare)) return true;
      }
    }
    for (uint32_t other : members_of(number)) {
      if (work_ == 0) return false;
      --work_;
      if (is_new(row_of_release_[other]) && rows_.covers(released, row_of_release_[other]) &&
          rows_.covers(other, row_of_release_[released]) && try_exchange(released, other)) {
        return true;
      }
    }
    return false;
  }

  void put(uint32_t released, uint32_t original) {
    for (PersonCounts& counts : counts_) {
      counts.remove(counts.group(released), person_of(released));
      counts.add(counts.group(released), rows_.person[original]);
    }
    row_of_release_[released] = original;
  }
  void exchange(uint32_t a, uint32_t b) {
    const uint32_t of_a = row_of_release_[a], of_b = row_of_release_[b];
    put(a, of_b);
    put(b, of_a);
  }

  bool try_spare(uint32_t released, uint32_t& spare) {
    const uint64_t before = missing_in(released, released);
    const uint32_t held = row_of_release_[released];
    put(released, spare);
    const bool better = is_better(missing_in(released, released), before);
    if (better) {
      spare = held;
    } else {
      put(released, held);
    }
    return better;
  }
  bool try_exchange(uint32_t a, uint32_t b) {
    const uint64_t before = missing_in(a, b);
    exchange(a, b);
    if (is_better(missing_in(a, b), before)) return true;
    exchange(a, b);
    return false;
  }

  const RowsToSpread& rows_;
  std::vector<uint32_t>& row_of_release_;
  uint64_t work_;
  bool sideways_ = false;  // exchanges that gain nothing are made as well
  const Progress& progress_;
  std::vector<PersonCounts> counts_;            // of each requirement
  std::vector<std::vector<uint32_t>> members_;  // released rows of each class
  std::vector<std::vector<uint32_t>> spare_;    // originals of each class that no released row stands for
};

}  // namespace

bool spread_persons(const RowsToSpread& rows, std::vector<uint32_t>& row_of_release, uint64_t work,
                    const Progress& progress) {
  return PersonSpreader(rows, row_of_release, work, progress).run();
}

}  // namespace shoal
