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
#include "shoal/job/job.h"
#include "shoal/table/decimal.h"
#include "shoal/table/dictionary.h"

namespace shoal {

class CellCoverage {
 public:
  // `tree`: the column's hierarchy, or none. `missing`: texts that mean missing, the empty one among them.
  CellCoverage(ColumnType type, const std::optional<Tree>& tree, std::set<std::string, std::less<>> missing);

  // True when `released` is the original's text, `*`, a node above it or, where cells can be numbers, the same number
  // or a range that contains it, all compared exactly. Each pair of texts is looked at once; after that the answer is
  // remembered.
  bool covers(std::string_view original, std::string_view released);

  // In a column of no stated type one original that is no number ("02139" is a code, too) makes all of them texts.
  // Call this when all pairs were seen: if such an original was among them and another pair was accepted as numbers,
  // these two.
  struct Contradiction {
    std::string code, original, released;
  };
  std::optional<Contradiction> contradiction() const;

  // Can cells be numbers? A column with a tree holds numbers only when the job says so.
  bool numeric() const { return type_ == ColumnType::numeric || (type_ == ColumnType::automatic && !tree_); }
  // From now on a number covers any number: it may be the mean of many (see MeanCheck). Requires: numeric().
  void allow_means() { means_ = true; }
  bool means_allowed() const { return means_; }
  const std::optional<Tree>& tree() const { return tree_; }
  bool is_missing(std::string_view text) const { return missing_.contains(text); }
  bool type_stated() const { return type_ != ColumnType::automatic; }

 private:
  bool covers_by_code(std::string_view original, std::string_view released);
  bool decide(const std::string& original, const std::string& released);
  bool covers_number(const std::string& original, const std::string& released) const;
  std::optional<uint32_t> leaf_of(const std::string& original) const;

  ColumnType type_;
  std::optional<Tree> tree_;
  bool means_ = false;
  std::set<std::string, std::less<>> missing_;
  std::unordered_map<std::string, uint32_t> leaf_by_label_;
  std::unordered_map<Decimal, uint32_t, DecimalHash> leaf_by_number_;
  std::optional<std::string> code_;  // an original that is no number; looked for where the type is not stated
  std::optional<std::pair<std::string, std::string>> as_numbers_;  // the first pair accepted as numbers

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
