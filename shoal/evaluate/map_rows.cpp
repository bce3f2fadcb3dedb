#include "shoal/evaluate/map_rows.h"

#include <algorithm>
#include <limits>

#include "shoal/measure/cell_loss.h"
#include "shoal/recode/apply.h"
#include "shoal/table/groups.h"

namespace shoal {
namespace {

// Regions as boxes of leaves, to find the one a row belongs to.
class Boxes {
 public:
  Boxes(const Recoding& recoding, const std::vector<Hierarchy>& hierarchies)
      : releases_(recoding.group_releases), width_(recoding.recoded_columns.size()) {
    for (size_t j : recoding.recoded_columns) leaves_.push_back(static_cast<double>(hierarchies[j].leaves()));
    for (size_t region = 0; region < releases_.size() / width_; ++region) {
      double loss = 0;
      for (size_t i = 0; i < width_; ++i) {
        loss += ncp(hierarchies[recoding.recoded_columns[i]], releases_[region * width_ + i]);
      }
      losses_.push_back(loss);
    }
  }

  uint32_t region_of(std::span<const uint32_t> row) const {
    uint32_t best = 0;
    double best_gap = std::numeric_limits<double>::infinity(), best_loss = best_gap;
    for (uint32_t region = 0; region < losses_.size(); ++region) {
      double gap = 0;
      for (size_t i = 0; i < width_ && gap <= best_gap; ++i) {
        const Released& box = releases_[region * width_ + i];
        const uint32_t off = row[i] < box.first ? box.first - row[i] : row[i] > box.last ? row[i] - box.last : 0;
        gap += off / leaves_[i];
      }
      if (gap > best_gap || (gap == best_gap && losses_[region] >= best_loss)) continue;
      best = region;
      best_gap = gap;
      best_loss = losses_[region];
    }
    return best;
  }

 private:
  const std::vector<Released>& releases_;
  size_t width_;
  std::vector<double> leaves_, losses_;
};

}  // namespace

std::vector<ReleasedColumn> map_rows(const Recoding& recoding, const Table& table,
                                     const std::vector<Hierarchy>& hierarchies) {
  Recoding mapped;
  mapped.shape = recoding.shape;
  mapped.levels = recoding.levels;
  mapped.value_map = recoding.value_map;
  if (recoding.shape == Shape::regions && !recoding.group_releases.empty()) {
    mapped.recoded_columns = recoding.recoded_columns;
    mapped.group_releases = recoding.group_releases;
    std::vector<GroupKey> keys;
    for (size_t j : recoding.recoded_columns) keys.push_back({&table.quasi[j].codes, hierarchies[j].leaves()});
    const Tuples tuples = distinct_tuples(table.rows, keys);
    const Boxes boxes(recoding, hierarchies);
    std::vector<uint32_t> region_of_tuple(tuples.size()), row(keys.size());
    for (size_t tuple = 0; tuple < tuples.size(); ++tuple) {
      for (size_t i = 0; i < row.size(); ++i) row[i] = tuples.columns[i][tuple];
      region_of_tuple[tuple] = boxes.region_of(row);
    }
    for (uint32_t tuple : tuples.tuple_of_row) mapped.group_of_row.push_back(region_of_tuple[tuple]);
  }
  return apply(mapped, table, hierarchies, 1).quasi;
}

}  // namespace shoal
