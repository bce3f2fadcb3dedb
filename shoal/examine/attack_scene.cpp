#include "shoal/examine/attack_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "shoal/error.h"
#include "shoal/recode/apply.h"
#include "shoal/run/seeded_random.h"
#include "shoal/run/tasks.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

struct ReadCell {
  LeafInterval covers;
  CellForm form = CellForm::nothing;
  bool low_is_value = false, high_is_value = false;
};

// Cells of one quasi column, as an attacker reads them. Ranges of any origin will do, and a number that is no value of
// the column is taken for a mean: it stands for any number.
class CellReader {
 public:
  CellReader(const Column& column, const Hierarchy& hierarchy)
      : column_(column), hierarchy_(hierarchy), cells_(column, hierarchy) {
    const size_t known = hierarchy.leaves() - (hierarchy.missing() ? 1 : 0);
    for (size_t leaf = 0; hierarchy.numeric() && leaf < known; ++leaf) {
      numbers_.push_back(Decimal::parse(column.values[leaf]).value_or(Decimal()));
    }
  }

  std::optional<ReadCell> read(const std::string& text) const {
    if (!numbers_.empty()) {
      if (const auto range = parse_decimal_range(text)) return read_range(*range);
    }
    if (const auto released = cells_.parse(text)) {
      ReadCell cell{{released->first, released->last}, CellForm::node};
      if (released->is_root()) cell.form = CellForm::nothing;
      if (hierarchy_.is_leaf(released->number)) cell.form = CellForm::value;
      return cell;
    }
    if (!numbers_.empty() && Decimal::parse(text)) {
      return ReadCell{{0, static_cast<uint32_t>(numbers_.size() - 1)}, CellForm::nothing};
    }
    return std::nullopt;
  }

 private:
  ReadCell read_range(const DecimalRange& range) const {
    const auto first = std::lower_bound(numbers_.begin(), numbers_.end(), range.low);
    const auto beyond = std::upper_bound(numbers_.begin(), numbers_.end(), range.high);
    ReadCell cell{{1, 0}, CellForm::range};
    if (first >= beyond) return cell;  // covers no value that the original has
    cell.covers = {static_cast<uint32_t>(first - numbers_.begin()),
                   static_cast<uint32_t>(beyond - numbers_.begin() - 1)};
    cell.low_is_value = *first == range.low;
    cell.high_is_value = *std::prev(beyond) == range.high;
    return cell;
  }

  const Column& column_;
  const Hierarchy& hierarchy_;
  ReleasedCells cells_;
  std::vector<Decimal> numbers_;
};

std::vector<ReadCell> read_cells(const RawColumn& raw, const Column& column, const Hierarchy& hierarchy,
                                 const TableSource& release) {
  const CellReader reader(column, hierarchy);
  std::vector<ReadCell> cells;
  for (size_t text = 0; text < raw.texts.size(); ++text) {
    const auto cell = reader.read(raw.texts[text]);
    if (!cell) {
      throw Error(ErrorKind::input,
                  fmt::format("'{}' {}: '{}' in the column '{}' is no value, range or hierarchy node of the original",
                              release.name(), release.place(raw.first_rows[text]), raw.texts[text], raw.name));
    }
    cells.push_back(*cell);
  }
  return cells;
}

std::vector<uint32_t> sensitive_codes(const RawColumn& raw, const Column& original) {
  std::unordered_map<std::string_view, uint32_t> code_of;
  for (uint32_t code = 0; code < original.values.size(); ++code) code_of.emplace(original.values[code], code);
  std::vector<uint32_t> of_text;
  for (const std::string& text : raw.texts) {
    const auto found = code_of.find(text);
    of_text.push_back(found == code_of.end() ? AttackedRelease::kUnknownValue : found->second);
  }
  std::vector<uint32_t> codes(raw.codes.size());
  raw.codes.visit([&](auto texts) {
    for (size_t row = 0; row < codes.size(); ++row) codes[row] = of_text[texts[row]];
  });
  return codes;
}

}  // namespace

bool AttackedRelease::by_value(size_t columns) const {
  for (size_t j = 0; j < columns; ++j) {
    std::vector<std::pair<uint32_t, uint32_t>> intervals;
    for (size_t group = 0; group < groups(); ++group) {
      const LeafInterval& box = boxes[group * columns + j];
      intervals.emplace_back(box.first, box.last);
    }
    std::sort(intervals.begin(), intervals.end());
    intervals.erase(std::unique(intervals.begin(), intervals.end()), intervals.end());
    for (size_t i = 1; i < intervals.size(); ++i) {
      if (intervals[i].first <= intervals[i - 1].second) return false;
    }
  }
  return true;
}

AttackedRelease read_attacked(TableSource& release, const EncodedTable& original, Progress& progress) {
  std::vector<size_t> columns;
  for (const Column& column : original.table.quasi) {
    const auto found = release.find(column.name);
    if (!found) {
      throw Error(ErrorKind::input, fmt::format("the release '{}' has no column '{}'", release.name(), column.name));
    }
    columns.push_back(*found);
  }
  const size_t width = columns.size();
  std::vector<std::optional<size_t>> place_of_sensitive;
  for (const Column& column : original.table.sensitive) {
    const auto found = release.find(column.name);
    place_of_sensitive.emplace_back();
    if (!found) continue;
    place_of_sensitive.back() = columns.size();
    columns.push_back(*found);
  }
  const RawTable raw = read_columns(release, columns, {}, progress);
  std::vector<GroupKey> keys;
  for (size_t j = 0; j < width; ++j) keys.push_back({&raw.columns[j].codes, raw.columns[j].texts.size()});
  Tuples tuples = distinct_tuples(raw.rows, keys);

  AttackedRelease result;
  result.name = release.name();
  result.sizes = std::move(tuples.counts);
  result.group_of_row = std::move(tuples.tuple_of_row);
  const size_t cells = result.groups() * width;
  result.boxes.resize(cells);
  result.forms.resize(cells);
  result.low_is_value.resize(cells);
  result.high_is_value.resize(cells);
  for (size_t j = 0; j < width; ++j) {
    progress.check();
    const auto read = read_cells(raw.columns[j], original.table.quasi[j], original.encoding.hierarchies[j], release);
    for (size_t group = 0; group < result.groups(); ++group) {
      const ReadCell& cell = read[tuples.columns[j][group]];
      result.boxes[group * width + j] = cell.covers;
      result.forms[group * width + j] = cell.form;
      result.low_is_value[group * width + j] = cell.low_is_value;
      result.high_is_value[group * width + j] = cell.high_is_value;
    }
  }
  for (size_t s = 0; s < place_of_sensitive.size(); ++s) {
    result.sensitive.emplace_back();
    if (!place_of_sensitive[s]) continue;
    result.sensitive.back() = sensitive_codes(raw.columns[*place_of_sensitive[s]], original.table.sensitive[s]);
  }
  return result;
}

Estimate mean_estimate(double sum, double squares, uint64_t count, bool exact) {
  if (count == 0) return {};
  const double mean = sum / double(count);
  if (exact || count == 1) return {mean, 0};
  const double variance = std::max(0.0, squares / double(count) - mean * mean);
  return {mean, std::sqrt(variance / double(count - 1))};
}

RowSample sample_rows(size_t first, size_t last, size_t most, uint64_t seed) {
  RowSample sample;
  for (size_t row = first; row < last; ++row) sample.rows.push_back(static_cast<uint32_t>(row));
  if (sample.rows.size() <= most) return sample;
  sample.all = false;
  SeededRandom random(seed);
  for (size_t i = 0; i < most; ++i) std::swap(sample.rows[i], sample.rows[i + random.below(sample.rows.size() - i)]);
  sample.rows.resize(most);
  std::sort(sample.rows.begin(), sample.rows.end());
  return sample;
}

std::vector<size_t> leaf_counts(const AttackScene& scene) {
  std::vector<size_t> leaves;
  for (const Hierarchy& hierarchy : scene.hierarchies) leaves.push_back(hierarchy.leaves());
  return leaves;
}

BoxIndex::BoxIndex(const AttackedRelease& release, std::span<const size_t> leaves)
    : BoxIndex(
          release,
          [&] {
            std::vector<uint32_t> all(release.groups());
            std::iota(all.begin(), all.end(), uint32_t{0});
            return all;
          }(),
          leaves) {}

BoxIndex::BoxIndex(const AttackedRelease& release, std::vector<uint32_t> chosen, std::span<const size_t> leaves)
    : release_(release), chosen_(std::move(chosen)), words_((chosen_.size() + 63) / 64) {
  constexpr size_t kMostWords = size_t{8} << 20;
  const size_t width = leaves.size();
  for (size_t j = 0; j < width; ++j) {
    ColumnBits column;
    while (((leaves[j] >> column.shift) + 1) * words_ > kMostWords) ++column.shift;
    coarse_ = coarse_ || column.shift > 0;
    column.bits.assign(((leaves[j] >> column.shift) + 1) * words_, 0);
    for (size_t place = 0; place < chosen_.size(); ++place) {
      const LeafInterval& box = release.boxes[chosen_[place] * width + j];
      if (box.first > box.last) continue;
      for (size_t stretch = box.first >> column.shift; stretch <= box.last >> column.shift; ++stretch) {
        column.bits[stretch * words_ + place / 64] |= uint64_t{1} << place % 64;
      }
    }
    columns_.push_back(std::move(column));
  }
}

bool BoxIndex::really(size_t place, std::span<const uint32_t> point) const {
  for (size_t j = 0; j < point.size(); ++j) {
    const LeafInterval& box = release_.boxes[chosen_[place] * point.size() + j];
    if (point[j] < box.first || point[j] > box.last) return false;
  }
  return true;
}

void BoxContents::Ends::add(uint32_t leaf, uint32_t rows) {
  Ends one;
  one.low = one.high = leaf;
  one.low_rows = one.high_rows = rows;
  add(one);
}

// Both sides hold leaves with their rows; `next` is the nearest leaf behind the outermost one.
void BoxContents::Ends::add(const Ends& other) {
  if (other.low_rows == 0) return;
  if (low_rows == 0) {
    *this = other;
    return;
  }
  const bool differ = low != other.low || high != other.high;
  const uint32_t others_next_low = other.any_next ? other.next_low : UINT32_MAX;
  const uint32_t own_next_low = any_next ? next_low : UINT32_MAX;
  const uint32_t others_next_high = other.any_next ? other.next_high : 0;
  const uint32_t own_next_high = any_next ? next_high : 0;
  uint32_t lows = std::min(own_next_low, others_next_low), highs = std::max(own_next_high, others_next_high);
  if (low == other.low) {
    low_rows += other.low_rows;
  } else {
    lows = std::min(lows, std::max(low, other.low));
    if (other.low < low) low_rows = other.low_rows;
    low = std::min(low, other.low);
  }
  if (high == other.high) {
    high_rows += other.high_rows;
  } else {
    highs = std::max(highs, std::min(high, other.high));
    if (other.high > high) high_rows = other.high_rows;
    high = std::max(high, other.high);
  }
  any_next = any_next || other.any_next || differ;
  if (any_next) {
    next_low = lows;
    next_high = highs;
  }
}

BoxContents box_contents(const AttackScene& scene, const BoxIndex& index, const Progress& progress) {
  const size_t width = scene.columns();
  std::vector<GroupKey> keys;
  for (size_t j = 0; j < width; ++j) keys.push_back({&scene.table.quasi[j].codes, scene.hierarchies[j].leaves()});
  const Tuples tuples = distinct_tuples(scene.members, keys);
  constexpr size_t kBlock = 2048;
  const size_t blocks = (tuples.size() + kBlock - 1) / kBlock;
  std::vector<BoxContents> parts(task_workers(blocks, scene.threads));
  for (BoxContents& part : parts) {
    part.rows.assign(index.size(), 0);
    part.ends.resize(index.size() * width);
  }
  run_tasks(blocks, scene.threads, [&](size_t worker, size_t block) {
    progress.check();
    BoxContents& part = parts[worker];
    std::vector<uint32_t> point(width);
    for (size_t tuple = block * kBlock; tuple < std::min((block + 1) * kBlock, tuples.size()); ++tuple) {
      for (size_t j = 0; j < width; ++j) point[j] = tuples.columns[j][tuple];
      index.covering(point, [&](size_t place) {
        part.rows[place] += tuples.counts[tuple];
        for (size_t j = 0; j < width; ++j) part.ends[place * width + j].add(point[j], tuples.counts[tuple]);
      });
    }
  });
  for (size_t worker = 1; worker < parts.size(); ++worker) {  // in any order: sums and least ones
    for (size_t place = 0; place < index.size(); ++place) parts[0].rows[place] += parts[worker].rows[place];
    for (size_t cell = 0; cell < parts[0].ends.size(); ++cell) parts[0].ends[cell].add(parts[worker].ends[cell]);
  }
  return std::move(parts[0]);
}

}  // namespace shoal
