#include "shoal/measure/suda.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shoal {
namespace {

// Calls visit(mask, columns) for every set of `size` of the columns.
template <class Visit>
void each_set(size_t columns, size_t size, Visit visit) {
  std::vector<size_t> chosen(size);
  std::iota(chosen.begin(), chosen.end(), size_t{0});
  while (true) {
    uint64_t mask = 0;
    for (size_t column : chosen) mask |= uint64_t{1} << column;
    visit(mask, chosen);
    size_t place = size;
    while (place > 0 && chosen[place - 1] == columns - size + place - 1) --place;
    if (place == 0) return;
    ++chosen[place - 1];
    for (size_t i = place; i < size; ++i) chosen[i] = chosen[i - 1] + 1;
  }
}

}  // namespace

uint64_t SudaScores::rows_with_score() const {
  return static_cast<uint64_t>(
      std::count_if(score_of_row.begin(), score_of_row.end(), [](double score) { return score > 0; }));
}

double SudaScores::highest() const {
  return score_of_row.empty() ? 0 : *std::max_element(score_of_row.begin(), score_of_row.end());
}

SudaScores suda_scores(size_t rows, std::span<const GroupKey> columns, size_t largest, const Progress& progress) {
  SudaScores scores{columns.size(), largest, std::vector<uint64_t>(largest, 0), std::vector<double>(rows, 0)};
  std::vector<std::vector<uint64_t>> found(rows);  // masks of each row's minimal sample uniques
  for (size_t size = 1; size <= largest; ++size) {
    const double score = std::tgamma(static_cast<double>(columns.size() - size) + 1);
    each_set(columns.size(), size, [&](uint64_t mask, const std::vector<size_t>& chosen) {
      progress.check();
      std::vector<GroupKey> keys;
      for (size_t column : chosen) keys.push_back(columns[column]);
      const Groups groups = group_rows(rows, keys);
      for (size_t row = 0; row < rows; ++row) {
        if (groups.sizes[groups.group_of_row[row]] != 1) continue;
        // Sets are visited by size, so that all smaller ones are known.
        const bool minimal = std::none_of(found[row].begin(), found[row].end(),
                                          [&](uint64_t smaller) { return (smaller & mask) == smaller; });
        if (!minimal) continue;
        found[row].push_back(mask);
        scores.score_of_row[row] += score;
        ++scores.sets_of_size[size - 1];
      }
    });
  }
  return scores;
}

size_t suda_size(size_t columns) {
  constexpr double kMostSets = 5000;
  double sets = 0, of_size = 1;
  size_t size = 0;
  while (size < columns) {
    of_size = of_size * static_cast<double>(columns - size) / static_cast<double>(size + 1);
    if (size > 0 && sets + of_size > kMostSets) break;
    sets += of_size;
    ++size;
  }
  return size;
}

}  // namespace shoal
