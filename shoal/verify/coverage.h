// Does a released cell cover its original? Decided from the two texts and the hierarchy as its file gives it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "shoal/hierarchy/tree.h"
#include "shoal/job.h"
#include "shoal/read/dictionary.h"

namespace shoal {

class CellCoverage {
 public:
  // `tree`: the column's hierarchy, or none. `missing`: texts that mean missing, the empty one among them.
  CellCoverage(ColumnType type, const std::optional<Tree>& tree, std::set<std::string, std::less<>> missing);

  // True when `released` is the original's text or number, `*`, a range that contains it or a node above it. Each pair
  // of texts is looked at once; after that the answer is remembered.
  bool covers(std::string_view original, std::string_view released);

  // Can cells be numbers? A column with a tree holds numbers only when the job says so.
  bool numeric() const { return type_ == ColumnType::numeric || (type_ == ColumnType::automatic && !tree_); }
  // From now on a number covers any number: it may be the mean of many (see MeanCheck). Requires: numeric().
  void allow_means() { means_ = true; }

 private:
  bool covers_by_code(std::string_view original, std::string_view released);
  bool decide(const std::string& original, const std::string& released) const;
  std::optional<uint32_t> leaf_of(const std::string& original) const;

  ColumnType type_;
  std::optional<Tree> tree_;
  bool means_ = false;
  std::set<std::string, std::less<>> missing_;
  std::unordered_map<std::string, uint32_t> leaf_by_label_;
  std::unordered_map<double, uint32_t> leaf_by_number_;

  // Pairs seen lately, each in the one place its hashes give it: most cells of a table are answered here.
  struct RecentPair {
    std::string original, released;
    bool used = false;
  };
  std::vector<RecentPair> recent_;

  Dictionary originals_, releases_;
  std::vector<uint64_t> accepted_slots_;  // open addressing over pairs of codes that cover; 0 = free
  size_t accepted_ = 0;
};

}  // namespace shoal
