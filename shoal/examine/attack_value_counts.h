// Sensitive values of a release, counted by group.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "shoal/examine/attack_scene.h"

namespace shoal {

struct ValueCountsOfGroups {
  struct Entry {
    uint32_t value, rows;
  };
  std::vector<uint32_t> values;  // [released row]
  std::vector<Entry> entries;    // group after group, values ascending
  std::vector<size_t> starts;    // [group] into entries; one more at the end

  size_t groups() const { return starts.size() - 1; }
  std::span<const Entry> of(size_t group) const {
    return std::span(entries).subspan(starts[group], starts[group + 1] - starts[group]);
  }
};
// Requires: the release has the column. Cost: sorting its rows.
ValueCountsOfGroups value_counts(const AttackedRelease& release, size_t sensitive_column);

// Share of each value among the members.
std::vector<double> value_shares(const AttackScene& scene, size_t sensitive_column);

// Values of all released rows that could be one person's.
class CandidateValues {
 public:
  void add(std::span<const ValueCountsOfGroups::Entry> entries);
  size_t different() const { return rows_.size(); }
  std::optional<uint32_t> most_frequent() const;
  const std::map<uint32_t, uint64_t>& rows() const { return rows_; }

 private:
  std::map<uint32_t, uint64_t> rows_;
};

}  // namespace shoal
