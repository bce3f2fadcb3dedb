#include "shoal/method/mondrian/mondrian_several.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "shoal/measure/cell_loss.h"
#include "shoal/method/mondrian/mondrian_joint.h"
#include "shoal/run/tasks.h"
#include "shoal/table/groups.h"

namespace shoal::mondrian {
namespace {

// Packs the rows so that those of a region stand together. `region_of_row` numbers regions 0 .. count - 1, each with at
// least one row. Boxes are left to the caller.
BoxedRegions regions_of(const Search& search, std::span<const uint32_t> region_of_row, size_t count) {
  std::vector<size_t> next(count, 0);  // where the next row of each region stands
  for (uint32_t region : region_of_row) ++next[region];
  BoxedRegions boxed;
  size_t begin = 0;
  for (size_t& rows : next) {
    boxed.regions.push_back({begin, begin + rows});
    begin += std::exchange(rows, begin);
  }
  std::vector<uint32_t> order(region_of_row.size());
  for (size_t row = 0; row < order.size(); ++row) order[next[region_of_row[row]]++] = static_cast<uint32_t>(row);
  boxed.rows = Rows::pack(search.table, search.quasi, order, search.threads);
  return boxed;
}

// Rows that are in the same cell for every requirement, in the boxes of their cells.
BoxedRegions start_jointly(const Search& search) {
  const JointCuts joint = make_joint_cuts(search);
  const size_t width = search.columns.size(), rows = search.table.rows;
  std::vector<Codes> cells;
  for (size_t r = 0; r < joint.cells.size(); ++r) {
    cells.emplace_back(rows, joint.cells[r].boxes.size()).visit([&](auto codes) {
      using Code = typename decltype(codes)::value_type;
      for (size_t row = 0; row < rows; ++row) codes[row] = static_cast<Code>(joint.cells[r].cell_of_row[row]);
    });
  }
  std::vector<GroupKey> keys;
  for (size_t r = 0; r < cells.size(); ++r) keys.push_back({&cells[r], joint.cells[r].boxes.size()});
  const Groups groups = group_rows(rows, keys);
  BoxedRegions boxed = regions_of(search, groups.group_of_row, groups.sizes.size());
  boxed.boxes.resize(boxed.regions.size() * width);
  for (size_t region = 0; region < boxed.regions.size(); ++region) {
    const uint32_t row = boxed.rows->numbers(boxed.regions[region]).front();
    for (size_t r = 0; r < joint.cells.size(); ++r) {
      const std::vector<size_t>& columns = search.requirements[r].columns;
      const size_t cell = joint.cells[r].cell_of_row[row];
      for (size_t i = 0; i < columns.size(); ++i) {
        boxed.boxes[region * width + columns[i]] = joint.cells[r].boxes[cell * columns.size() + i];
      }
    }
  }
  boxed.cuts_tried = joint.cuts_tried;
  boxed.cuts_made = joint.cuts_made;
  boxed.out_of_time = joint.out_of_time;
  return boxed;
}

// The regions of the one requirement that implies all: every column, the largest k. Boxes are what their rows take up.
BoxedRegions start_as_one(const Search& search) {
  Search one = search;
  const size_t width = search.columns.size();
  Requirement all{std::vector<size_t>(width), 0};
  std::iota(all.columns.begin(), all.columns.end(), size_t{0});
  for (const Requirement& requirement : search.requirements) all.k = std::max(all.k, requirement.k);
  if (!search.rules.empty()) {
    std::vector<CountedModel> models;
    for (const auto& rule : search.rules) models.insert(models.end(), rule->models().begin(), rule->models().end());
    one.rules = {std::make_shared<const GroupRule>(all.k, std::move(models))};
  }
  one.requirements = {std::move(all)};
  const Regions found = cut_for_one(one);
  BoxedRegions boxed = regions_of(search, found.region_of_row, found.releases.size() / width);
  std::vector<uint32_t> least(width), greatest(width);
  for (const Region region : boxed.regions) {
    boxed.rows->extents(region, least, greatest);
    for (size_t column = 0; column < width; ++column) boxed.boxes.push_back({least[column], greatest[column]});
  }
  boxed.cuts_tried = found.cuts_tried;
  boxed.cuts_made = found.cuts_made;
  boxed.out_of_time = found.out_of_time;
  return boxed;
}

struct Answer {
  Regions regions;
  double loss = 0;  // weighted NCP of all rows
};

Answer finish(const Search& search, BoxedRegions boxed) {
  if (!boxed.out_of_time) make_lone_cuts(search, boxed);
  const std::vector<Interval> shrunk = shrunk_boxes(search, boxed);
  const size_t width = search.columns.size();
  Answer answer;
  Regions& regions = answer.regions;
  regions.region_of_row.resize(search.table.rows);
  for (size_t region = 0; region < boxed.regions.size(); ++region) {
    const std::span<const uint32_t> rows = boxed.rows->numbers(boxed.regions[region]);
    const auto input_rows = static_cast<double>(boxed.rows->rows(boxed.regions[region]));
    for (uint32_t row : rows) regions.region_of_row[row] = static_cast<uint32_t>(region);
    for (size_t column = 0; column < width; ++column) {
      const Hierarchy& hierarchy = *search.columns[column].hierarchy;
      const Interval interval = shrunk[region * width + column];
      regions.releases.push_back(released_interval(hierarchy, interval.first, interval.last));
      answer.loss += input_rows * search.columns[column].weight * ncp(hierarchy, regions.releases.back());
    }
  }
  regions.cuts_tried = boxed.cuts_tried;
  regions.cuts_made = boxed.cuts_made;
  regions.out_of_time = boxed.out_of_time;
  regions.boxes = std::move(boxed.boxes);
  return answer;
}

}  // namespace

Regions cut_for_several(const Search& search) {
  // Requirements that share few columns are best cut apart, those that share most as one: both are tried, side by side
  // where there are threads.
  Answer one, apart;
  auto try_one = [&] { one = finish(search, start_as_one(search)); };
  auto try_apart = [&] { apart = finish(search, start_jointly(search)); };
  if (search.threads > 1) {
    run_tasks(2, 2, [&](size_t, size_t number) { number == 0 ? try_one() : try_apart(); });
  } else {
    try_one();
    try_apart();
  }
  Answer& best = apart.loss <= one.loss ? apart : one;
  best.regions.cuts_tried = one.regions.cuts_tried + apart.regions.cuts_tried;
  best.regions.cuts_made = one.regions.cuts_made + apart.regions.cuts_made;
  best.regions.out_of_time = one.regions.out_of_time || apart.regions.out_of_time;
  return std::move(best.regions);
}

}  // namespace shoal::mondrian
