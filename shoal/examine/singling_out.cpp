#include "shoal/examine/singling_out.h"

#include <algorithm>
#include <set>

#include "shoal/table/dictionary.h"

namespace shoal {
namespace {

constexpr size_t kCompared = 10'000;  // rows of the sample
constexpr size_t kMostSets = 1'500;
constexpr size_t kBest = 30;
constexpr size_t kGiven = 3;
constexpr size_t kLargest = 4;
constexpr double kEnough = 0.95;

uint64_t mixed(uint64_t hash, uint64_t cell) {
  hash = (hash ^ cell) * 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 29);
}

uint64_t unique_in(std::vector<uint64_t>& keys) {
  std::sort(keys.begin(), keys.end());
  uint64_t unique = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    const bool before = i > 0 && keys[i - 1] == keys[i], after = i + 1 < keys.size() && keys[i + 1] == keys[i];
    unique += before || after ? 0 : 1;
  }
  return unique;
}

using Set = std::vector<size_t>;  // into the columns, ascending
struct Scored {
  Set set;
  uint64_t unique = 0;
};

class SetSearch {
 public:
  SetSearch(const TableProfile& profile, const std::vector<size_t>& columns, const Progress& progress)
      : profile_(profile),
        columns_(columns),
        progress_(progress),
        rows_(std::min<size_t>(profile.sampled, kCompared)) {}

  // The best of every size.
  std::vector<Scored> found() {
    std::vector<Scored> given, level{{{}, 0}};
    for (size_t size = 1; size <= std::min(kLargest, columns_.size()); ++size) {
      level = next(level);
      given.insert(given.end(), level.begin(), level.begin() + static_cast<ptrdiff_t>(std::min(kGiven, level.size())));
      if (static_cast<double>(level.front().unique) >= kEnough * static_cast<double>(rows_)) break;
    }
    return given;
  }
  double rows() const { return static_cast<double>(rows_); }

 private:
  std::vector<Scored> next(const std::vector<Scored>& level) {
    std::set<Set> sets;
    for (size_t i = 0; i < level.size(); ++i) {
      if (i >= kBest && sets.size() >= kMostSets) break;
      for (size_t j = 0; j < columns_.size(); ++j) {
        Set set = level[i].set;
        if (std::find(set.begin(), set.end(), j) != set.end()) continue;
        set.insert(std::upper_bound(set.begin(), set.end(), j), j);
        sets.insert(std::move(set));
      }
    }
    std::vector<Scored> scored;
    std::vector<uint64_t> keys(rows_);
    for (const Set& set : sets) {
      progress_.check();
      for (size_t row = 0; row < rows_; ++row) {
        uint64_t key = 0;
        for (const size_t j : set) key = mixed(key, profile_.columns[columns_[j]].sample[row]);
        keys[row] = key;
      }
      scored.push_back({set, unique_in(keys)});
    }
    std::stable_sort(scored.begin(), scored.end(),
                     [](const Scored& a, const Scored& b) { return a.unique > b.unique; });
    return scored;
  }

  const TableProfile& profile_;
  const std::vector<size_t>& columns_;
  const Progress& progress_;
  size_t rows_;
};

}  // namespace

std::vector<SinglingSet> singling_sets(const TableProfile& profile, const std::vector<size_t>& columns,
                                       TableSource& source, const Progress& progress) {
  std::vector<SinglingSet> result;
  if (columns.empty()) return result;
  SetSearch search(profile, columns, progress);
  const std::vector<Scored> found = search.found();
  std::vector<std::vector<uint64_t>> keys;
  source.read(columns, progress, [&](TextStream& stream) {
    keys.assign(found.size(), {});
    for (auto& of_set : keys) of_set.reserve(profile.rows);
    std::vector<uint64_t> hashes;
    while (stream.next()) {
      progress.check();
      const size_t rows = stream.size();
      hashes.resize(rows * columns.size());
      for (size_t j = 0; j < columns.size(); ++j) {
        for (size_t row = 0; row < rows; ++row) hashes[j * rows + row] = hash_text(stream.cell(j, row)) | 1;
      }
      for (size_t i = 0; i < found.size(); ++i) {
        for (size_t row = 0; row < rows; ++row) {
          uint64_t key = 0;
          for (const size_t j : found[i].set) key = mixed(key, hashes[j * rows + row]);
          keys[i].push_back(key);
        }
      }
    }
  });
  for (size_t i = 0; i < found.size(); ++i) {
    progress.check();
    SinglingSet set;
    for (const size_t j : found[i].set) set.columns.push_back(profile.columns[columns[j]].name);
    set.unique_rows = unique_in(keys[i]);
    set.share = static_cast<double>(set.unique_rows) / static_cast<double>(std::max<uint64_t>(profile.rows, 1));
    set.at_most = static_cast<double>(found[i].unique) / search.rows();
    result.push_back(std::move(set));
  }
  return result;
}

}  // namespace shoal
