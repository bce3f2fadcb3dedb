#include "shoal/release/new_rows.h"

#include <algorithm>

#include "shoal/encode/raw_table.h"
#include "shoal/error.h"
#include "shoal/measure/cell_loss.h"
#include "shoal/nearest_word.h"
#include "shoal/recode/apply.h"

namespace shoal {
namespace {

// released_text() reads nothing of a column but its name and texts.
Column texts_only(const ColumnEncoding& quasi) { return {quasi.name, Codes(), quasi.leaf_texts}; }

// Every text finds its leaf; numbers between those known find the nearest.
WrittenRecoding::Column leaves_of(const ColumnEncoding& quasi, const Hierarchy& hierarchy) {
  WrittenRecoding::Column column;
  column.name = quasi.name;
  column.missing = hierarchy.missing();
  for (size_t text = 0; text < quasi.texts.size(); ++text) {
    if (quasi.leaf_of_text[text] != hierarchy.missing()) column.places[quasi.texts[text]] = quasi.leaf_of_text[text];
  }
  for (uint32_t leaf = 0; hierarchy.numeric() && leaf < hierarchy.leaves(); ++leaf) {
    if (leaf == hierarchy.missing()) continue;
    column.stretches.push_back({hierarchy.number(leaf), hierarchy.number(leaf), leaf});
  }
  return column;
}

// The recoding in the form in which new rows find theirs, as if it had been written and read.
WrittenRecoding written(const Release& release) {
  const Recoding& recoding = *release.recoding;
  const Encoding& encoding = release.encoding;
  WrittenRecoding result;
  if (recoding.is_by_value()) {
    result.shape = recoding.shape();
    for (size_t j = 0; j < encoding.columns.size(); ++j) {
      result.columns.push_back(leaves_of(encoding.columns[j], encoding.hierarchies[j]));
      const Column texts = texts_only(encoding.columns[j]);
      for (const Released& released : recoding.by_value().value_map[j]) {
        result.columns.back().releases.push_back(released_text(released, texts, encoding.hierarchies[j]));
      }
    }
    return result;
  }
  const GroupRecoding& groups = recoding.by_group();
  result.shape = Shape::regions;
  // Groups lie in each other's way, so that having held a row says nothing about rows that look like it.
  const bool regions = recoding.shape() == Shape::regions;
  result.boxes = region_boxes(recoding, encoding.hierarchies, group_losses(groups, encoding.hierarchies),
                              regions ? &release.original : nullptr);
  result.boxes.count_cells = !regions;
  std::vector<Column> texts;
  for (size_t j : groups.recoded_columns) {
    result.columns.push_back(leaves_of(encoding.columns[j], encoding.hierarchies[j]));
    texts.push_back(texts_only(encoding.columns[j]));
  }
  for (size_t cell = 0; cell < groups.group_releases.size(); ++cell) {
    const size_t i = cell % texts.size();
    result.region_releases.push_back(
        released_text(groups.group_releases[cell], texts[i], encoding.hierarchies[groups.recoded_columns[i]],
                      groups.means.empty() ? std::span<const std::string>{} : groups.means[i]));
  }
  return result;
}

ArrowColumn as_column(const std::string& name, const RecodedTexts& recoded, size_t rows) {
  ArrowColumn column = ArrowColumn::of_codes(name, recoded.texts);
  for (size_t row = 0; row < rows; ++row) {
    const uint32_t code = recoded.codes[row];
    if (recoded.texts[code].empty()) {
      column.add_null();
    } else {
      column.add_code(code);
    }
  }
  return column;
}

}  // namespace

RowMapping row_mapping(const Release& release, const Job& job) {
  return {written(release), job.missing, release.columns};
}

ArrowColumns recode_new_rows(const RowMapping& mapping, ArrowTable& rows, const Progress& progress) {
  const WrittenRecoding& recoding = mapping.recoding;
  std::vector<size_t> places;
  for (const WrittenRecoding::Column& column : recoding.columns) {
    const auto found = rows.find(column.name);
    if (!found) {
      throw Error(ErrorKind::input, "no column '" + column.name + "' in " + rows.name() +
                                        ", which the release recodes" + did_you_mean(column.name, rows.columns()));
    }
    places.push_back(*found);
  }
  const RawTable raw = read_columns(rows, places, {}, progress);
  std::vector<NewColumn> cells;
  for (const RawColumn& column : raw.columns) cells.push_back({column.texts, &column.codes});
  const auto recoded = recode_new_texts(recoding, MissingTexts(mapping.missing), raw.rows, cells);
  std::vector<uint32_t> all(rows.rows());
  for (uint32_t row = 0; row < all.size(); ++row) all[row] = row;
  std::vector<ArrowColumn> columns;
  for (size_t j = 0; j < rows.columns().size(); ++j) {
    const auto place = std::find(places.begin(), places.end(), j);
    if (place != places.end()) {
      const auto i = static_cast<size_t>(place - places.begin());
      columns.push_back(as_column(recoding.columns[i].name, recoded[i], raw.rows));
      continue;
    }
    const auto& released = mapping.columns;
    if (std::find(released.begin(), released.end(), rows.columns()[j]) != released.end()) {
      columns.push_back(ArrowColumn::taken(rows, j, all));
    }
  }
  return ArrowColumns(std::move(columns));
}

std::vector<CellMeaning> cell_meanings(const Release& release, size_t quasi) {
  const Hierarchy& hierarchy = release.encoding.hierarchies[quasi];
  const Column texts = texts_only(release.encoding.columns[quasi]);
  std::vector<CellMeaning> meanings;
  const auto add = [&](const Released& released, std::span<const std::string> means) {
    meanings.push_back({released_text(released, texts, hierarchy, means), released.first, released.last});
  };
  if (release.recoding->is_by_value()) {
    for (const Released& released : release.recoding->by_value().value_map[quasi]) add(released, {});
    return meanings;
  }
  const GroupRecoding& groups = release.recoding->by_group();
  const size_t width = groups.recoded_columns.size();
  for (size_t i = 0; i < width; ++i) {
    if (groups.recoded_columns[i] != quasi) continue;
    for (size_t group = 0; group < groups.groups(); ++group) {
      add(groups.group_releases[group * width + i],
          groups.means.empty() ? std::span<const std::string>{} : groups.means[i]);
    }
    return meanings;
  }
  for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) add(released_leaf(hierarchy, leaf), {});
  return meanings;
}

}  // namespace shoal
