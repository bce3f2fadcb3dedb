#include "shoal/recode/new_rows.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "shoal/recode/apply.h"
#include "shoal/recode/region_index.h"
#include "shoal/table/dictionary.h"
#include "shoal/table/groups.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

constexpr uint32_t kNoPlace = RegionBoxes::kAny;

// Region of every row. Rows that are alike ask once.
std::vector<uint32_t> regions_of(const RegionBoxes& boxes, size_t rows, std::span<const GroupKey> keys,
                                 const auto& leaf_of) {
  const Tuples tuples = distinct_tuples(rows, keys);
  const RegionIndex index(boxes);
  std::vector<uint32_t> region_of_tuple(tuples.size()), row(keys.size()), region_of_row;
  for (size_t tuple = 0; tuple < tuples.size(); ++tuple) {
    for (size_t i = 0; i < row.size(); ++i) row[i] = leaf_of(i, tuples.columns[i][tuple]);
    region_of_tuple[tuple] = index.region_of(row);
  }
  region_of_row.reserve(rows);
  for (uint32_t tuple : tuples.tuple_of_row) region_of_row.push_back(region_of_tuple[tuple]);
  return region_of_row;
}

double distance(const WrittenRecoding::Stretch& stretch, double number) {
  return std::max({stretch.low - number, number - stretch.high, 0.0});
}

// Where a text that was not known belongs; kNoPlace for an unknown category.
uint32_t nearest_place(const WrittenRecoding::Column& column, const std::string& text) {
  const auto number = parse_number(text);
  if (column.stretches.empty() || !number) return kNoPlace;
  const WrittenRecoding::Stretch* nearest = &column.stretches.front();
  for (const WrittenRecoding::Stretch& stretch : column.stretches) {  // ascending: of two equally near ones the lower
    if (distance(stretch, *number) < distance(*nearest, *number)) nearest = &stretch;
  }
  return nearest->place;
}

// The place of every text of a new column.
std::vector<uint32_t> places_of(const WrittenRecoding::Column& column, const MissingTexts& missing,
                                const NewColumn& cells, std::vector<bool>& known) {
  std::vector<uint32_t> places;
  for (const std::string& text : cells.texts) {
    const auto found = column.places.find(text);
    known.push_back(missing(text) || found != column.places.end());
    if (missing(text)) {
      places.push_back(column.missing.value_or(kNoPlace));
    } else {
      places.push_back(found != column.places.end() ? found->second : nearest_place(column, text));
    }
  }
  return places;
}

// `release_of(row)`: number of the text that the row is released as, below `count`.
Codes codes_of(size_t rows, size_t count, const auto& release_of) {
  Codes codes(rows, count);
  codes.visit([&](auto to) {
    using Code = typename decltype(to)::value_type;
    for (size_t row = 0; row < rows; ++row) to[row] = static_cast<Code>(release_of(row));
  });
  return codes;
}

}  // namespace

double RegionBoxes::gap(std::span<const LeafInterval> box, std::span<const uint32_t> row) const {
  double sum = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    if (row[i] == kAny) continue;
    const uint32_t off = row[i] < box[i].first  ? box[i].first - row[i]
                         : row[i] > box[i].last ? row[i] - box[i].last
                                                : 0;
    sum += count_cells ? static_cast<double>(off > 0) : off / static_cast<double>(leaves[i]);
  }
  return sum;
}

RegionMatch RegionBoxes::match(uint32_t region, std::span<const uint32_t> row) const {
  const size_t first = region * row.size();
  RegionMatch match{gap(std::span(covers).subspan(first, row.size()), row), !holds.empty(), losses[region]};
  for (size_t i = 0; i < row.size() && match.held; ++i) {
    match.held = row[i] == kAny || (holds[first + i].first <= row[i] && row[i] <= holds[first + i].last);
  }
  return match;
}

uint32_t RegionBoxes::region_of(std::span<const uint32_t> row) const {
  uint32_t best = 0;
  RegionMatch found = match(0, row);
  for (uint32_t region = 1; region < losses.size(); ++region) {
    const RegionMatch other = match(region, row);
    if (!other.better_than(found)) continue;
    found = other;
    best = region;
  }
  return best;
}

RegionBoxes region_boxes(const Recoding& recoding, const std::vector<Hierarchy>& hierarchies,
                         std::vector<double> losses, const Table* own_rows) {
  const GroupRecoding& regions = recoding.by_group();
  RegionBoxes boxes;
  for (size_t j : regions.recoded_columns) boxes.leaves.push_back(hierarchies[j].leaves());
  for (const Released& released : regions.group_releases) boxes.covers.push_back({released.first, released.last});
  boxes.losses = std::move(losses);
  if (!own_rows) return boxes;
  const size_t width = regions.recoded_columns.size();
  boxes.holds.assign(boxes.covers.size(), {UINT32_MAX, 0});
  std::vector<bool> dropped(own_rows->rows, false);
  for (uint32_t row : recoding.dropped_rows) dropped[row] = true;
  for (size_t i = 0; i < width; ++i) {
    own_rows->quasi[regions.recoded_columns[i]].codes.visit([&](auto codes) {
      for (size_t row = 0; row < codes.size(); ++row) {
        if (dropped[row]) continue;
        LeafInterval& held = boxes.holds[regions.group_of_row[row] * width + i];
        held.first = std::min<uint32_t>(held.first, codes[row]);
        held.last = std::max<uint32_t>(held.last, codes[row]);
      }
    });
  }
  return boxes;
}

std::vector<ReleasedColumn> recode_new_rows(const Recoding& recoding, const Table& table,
                                            const std::vector<Hierarchy>& hierarchies, std::vector<double> losses) {
  if (recoding.is_by_value()) return apply({recoding.by_value()}, table, hierarchies, 1).quasi;
  const GroupRecoding& old = recoding.by_group();
  GroupRecoding mapped;  // without recoded columns: as they are
  if (old.equal_rows_alike && old.groups() > 0) {
    mapped = {.equal_rows_alike = true,
              .recoded_columns = old.recoded_columns,
              .group_releases = old.group_releases,
              .means = old.means};
    std::vector<GroupKey> keys;
    for (size_t j : old.recoded_columns) keys.push_back({&table.quasi[j].codes, hierarchies[j].leaves()});
    mapped.group_of_row = regions_of(region_boxes(recoding, hierarchies, std::move(losses)), table.rows, keys,
                                     [](size_t, uint32_t leaf) { return leaf; });
  }
  return apply({std::move(mapped)}, table, hierarchies, 1).quasi;
}

std::vector<uint32_t> nearest_groups(const GroupRecoding& recoding, const Table& table,
                                     const std::vector<Hierarchy>& hierarchies, const std::vector<double>& losses) {
  const size_t width = recoding.recoded_columns.size();
  std::vector<uint32_t> order(recoding.groups());
  std::iota(order.begin(), order.end(), uint32_t{0});
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return losses[a] < losses[b]; });
  std::vector<GroupKey> keys;
  for (size_t j : recoding.recoded_columns) keys.push_back({&table.quasi[j].codes, hierarchies[j].leaves()});
  const Tuples tuples = distinct_tuples(table.rows, keys);
  std::vector<uint32_t> group_of_tuple(tuples.size()), row(width);
  for (size_t tuple = 0; tuple < tuples.size(); ++tuple) {
    for (size_t i = 0; i < width; ++i) row[i] = tuples.columns[i][tuple];
    size_t fewest = width + 1;
    for (uint32_t group : order) {
      const Released* const cells = recoding.group_releases.data() + group * width;
      size_t outside = 0;
      for (size_t i = 0; i < width && outside < fewest; ++i)
        outside += row[i] < cells[i].first || row[i] > cells[i].last;
      if (outside >= fewest) continue;
      fewest = outside;
      group_of_tuple[tuple] = group;
      if (fewest == 0) break;
    }
  }
  std::vector<uint32_t> group_of_row;
  group_of_row.reserve(table.rows);
  for (uint32_t tuple : tuples.tuple_of_row) group_of_row.push_back(group_of_tuple[tuple]);
  return group_of_row;
}

std::vector<ReleasedColumn> recode_like_groups(const GroupRecoding& recoding, const Table& table,
                                               const std::vector<Hierarchy>& hierarchies,
                                               std::vector<uint32_t> group_of_row) {
  GroupRecoding mapped{.equal_rows_alike = recoding.equal_rows_alike,
                       .recoded_columns = recoding.recoded_columns,
                       .group_of_row = std::move(group_of_row),
                       .group_releases = recoding.group_releases,
                       .means = recoding.means};
  return apply({std::move(mapped)}, table, hierarchies, 1).quasi;
}

std::vector<RecodedTexts> recode_new_texts(const WrittenRecoding& recoding, const MissingTexts& missing, size_t rows,
                                           std::span<const NewColumn> columns) {
  const size_t width = columns.size();
  std::vector<RecodedTexts> result(width);
  std::vector<std::vector<uint32_t>> places;
  std::vector<GroupKey> keys;
  for (size_t i = 0; i < width; ++i) {
    places.push_back(places_of(recoding.columns[i], missing, columns[i], result[i].known));
    keys.push_back({columns[i].codes, std::max<size_t>(1, columns[i].texts.size())});
  }
  std::vector<uint32_t> region_of_row;
  if (recoding.shape == Shape::regions && !recoding.boxes.losses.empty()) {
    region_of_row = regions_of(recoding.boxes, rows, keys, [&](size_t i, uint32_t text) { return places[i][text]; });
  }
  for (size_t i = 0; i < width; ++i) {
    Dictionary texts;
    const Codes& codes = *columns[i].codes;
    if (recoding.shape != Shape::regions) {
      std::vector<uint32_t> release_of_text;
      for (uint32_t place : places[i]) {
        release_of_text.push_back(texts.code(place == kNoPlace ? "*" : recoding.columns[i].releases[place]));
      }
      result[i].codes = codes_of(rows, texts.size(), [&](size_t row) { return release_of_text[codes[row]]; });
    } else {
      const uint32_t any = texts.code("*");
      std::vector<uint32_t> release_of_region;
      for (size_t region = 0; region < recoding.boxes.losses.size(); ++region) {
        release_of_region.push_back(texts.code(recoding.region_releases[region * width + i]));
      }
      result[i].codes = codes_of(rows, texts.size(), [&](size_t row) {
        return region_of_row.empty() || places[i][codes[row]] == kNoPlace ? any : release_of_region[region_of_row[row]];
      });
    }
    result[i].texts = texts.texts();
  }
  return result;
}

}  // namespace shoal
