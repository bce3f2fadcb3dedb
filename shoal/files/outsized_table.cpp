#include "shoal/files/outsized_table.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "shoal/encode/problem.h"
#include "shoal/job/requirements.h"
#include "shoal/plan/pilot.h"

namespace shoal {
namespace {

constexpr size_t kLeastBuffer = 4 << 10;  // bytes collected for a fragment before they are written

}  // namespace

PackedNumbers::PackedNumbers(const std::vector<size_t>& cardinalities) {
  int used = 0;
  for (const size_t cardinality : cardinalities) {
    const int bits = static_cast<int>(std::bit_width(std::max<size_t>(cardinality, 1) - 1));  // at most 32
    if (used + bits > 64) {
      ++words_;
      used = 0;
    }
    used += bits;
    places_.push_back({words_ - 1, used, bits == 0 ? 0 : ~uint64_t{0} >> (64 - bits)});
  }
  for (Place& place : places_) place.shift = 64 - place.shift;
}

void PackedNumbers::pack(const uint32_t* numbers, uint64_t* words) const {
  std::fill(words, words + words_, 0);
  for (size_t j = 0; j < places_.size(); ++j) {
    if (places_[j].mask != 0) words[places_[j].word] |= uint64_t{numbers[j]} << places_[j].shift;
  }
}

void PackedNumbers::unpack(const uint64_t* words, uint32_t* numbers) const {
  for (size_t j = 0; j < places_.size(); ++j) {
    const Place& place = places_[j];
    numbers[j] = place.mask == 0 ? 0 : static_cast<uint32_t>(words[place.word] >> place.shift & place.mask);
  }
}

OutsizedTable::OutsizedTable(const Job& job, TableSource& source, const OutsizedPlace& place, const Progress& progress)
    : place_(place), progress_(progress), routed_(place.folder, progress) {
  read(job, source, progress);
}

void OutsizedTable::read(const Job& job, TableSource& source, const Progress& progress) {
  // Rows as they come: numbers, two in a word, and the fingerprint.
  std::unique_ptr<SpilledRecords> raw;
  std::vector<uint64_t> record;
  size_t width = 0;
  for (const ColumnPlan& column : plan_columns(job, source)) {
    width += column.role == Role::quasi || column.role == Role::target;
  }
  const size_t words = (width + 1) / 2;
  record.assign(words + 1, 0);
  const RowTaker taker{
      [&] { raw = std::make_unique<SpilledRecords>(words + 1, place_.folder, progress); },
      [&](std::span<const uint32_t> numbers, std::span<const uint64_t> rest) {
        for (size_t row = 0; row < rest.size(); ++row) {
          for (size_t j = 0; j < width; ++j) {
            const uint64_t number = numbers[row * width + j];
            record[j / 2] = j % 2 == 0 ? number : record[j / 2] | number << 32;
          }
          record[words] = rest[row];
          raw->add(record.data());
        }
      }};
  streamed_ = stream_table(job, source, taker, progress);

  std::vector<size_t> first = united(requirements_of(job, streamed_.quasi)).columns;
  column_at_ = first;
  for (size_t j = 0; j < quasi(); ++j) {
    if (std::find(first.begin(), first.end(), j) == first.end()) column_at_.push_back(j);
  }
  if (streamed_.target) column_at_.push_back(quasi());
  std::vector<size_t> cardinalities;
  for (size_t j : column_at_) {
    cardinalities.push_back(j < quasi() ? streamed_.encoding.hierarchies[j].leaves() : streamed_.target_values.size());
  }
  packed_.emplace(cardinalities);
  SortedRecords sorting(packed_->words() + 2, place_.folder, place_.most_bytes, progress);
  std::vector<uint32_t> codes(width);
  std::vector<uint64_t> packed(packed_->words() + 2);
  uint64_t row = 0;
  raw->each([&](const uint64_t* read) {
    for (size_t i = 0; i < width; ++i) {
      const size_t j = column_at_[i];
      codes[i] = streamed_.code_of[j][static_cast<uint32_t>(j % 2 == 0 ? read[j / 2] : read[j / 2] >> 32)];
    }
    packed_->pack(codes.data(), packed.data());
    packed[packed_->words()] = read[words];
    packed[packed_->words() + 1] = row++;
    sorting.add(packed.data());
  });
  raw.reset();
  rows_.emplace(sorting.sorted());
}

Table OutsizedTable::columns() const {
  Table table;
  for (size_t j = 0; j < quasi(); ++j) {
    table.quasi.push_back({streamed_.quasi[j], Codes(0, streamed_.encoding.hierarchies[j].leaves()),
                           streamed_.encoding.columns[j].leaf_texts});
  }
  if (streamed_.target) table.target = Column{*streamed_.target, Codes(0, streamed_.target_values.size()), {}};
  if (table.target) table.target->values = streamed_.target_values;
  return table;
}

// What pilot_rows draws: of each tuple the first of its rows.
Table OutsizedTable::drawn_rows(const std::vector<size_t>& columns, size_t wanted) const {
  const RowDraw draw(wanted, streamed_.rows);
  std::vector<std::vector<uint32_t>> drawn;  // [row][place]
  std::vector<uint32_t> codes(column_at_.size()), tuple(columns.size());
  std::vector<std::vector<uint32_t>> same;  // rows of the present tuple, as far as they may be drawn
  uint64_t count = 0;
  const auto end_tuple = [&] {
    if (count == 0) return;
    const uint64_t taken = draw.drawn(tuple, count);
    drawn.insert(drawn.end(), same.begin(), same.begin() + static_cast<ptrdiff_t>(taken));
    same.clear();
    count = 0;
  };
  rows_->each([&](const uint64_t* record) {
    packed_->unpack(record, codes.data());
    if (!std::equal(tuple.begin(), tuple.end(), codes.begin())) end_tuple();
    std::copy_n(codes.begin(), tuple.size(), tuple.begin());
    ++count;
    if (same.size() < wanted + wanted / 2 + 1024) same.push_back(codes);
  });
  end_tuple();
  Table table;
  table.rows = drawn.size();
  for (size_t j = 0; j < quasi(); ++j) {
    table.quasi.push_back({streamed_.quasi[j], Codes(drawn.size(), streamed_.encoding.hierarchies[j].leaves()), {}});
  }
  for (size_t i = 0; i < column_at_.size(); ++i) {
    if (column_at_[i] == quasi()) continue;
    for (size_t row = 0; row < drawn.size(); ++row) table.quasi[column_at_[i]].codes.set(row, drawn[row][i]);
  }
  return table;
}

std::vector<uint64_t> OutsizedTable::count_leaves(const CutTree& tree, std::vector<uint32_t>& codes) const {
  std::vector<uint64_t> rows(tree.nodes().size(), 0);
  std::vector<size_t> place_of(quasi());
  for (size_t i = 0; i < column_at_.size(); ++i) {
    if (column_at_[i] < quasi()) place_of[column_at_[i]] = i;
  }
  rows_->each([&](const uint64_t* record) {
    packed_->unpack(record, codes.data());
    ++rows[tree.leaf_of([&](size_t column) { return codes[place_of[column]]; })];
  });
  return rows;
}

// Rows keep their order within a fragment.
void OutsizedTable::route(const CutTree& tree, const std::vector<uint32_t>& fragment_of_leaf) {
  const size_t count = fragments_.rows.size(), words = rows_->words();
  extents_.assign(count, {});
  std::vector<std::vector<uint64_t>> buffers(count);
  const size_t most = std::max(kLeastBuffer, place_.most_bytes / count) / sizeof(uint64_t);
  const auto flush = [&](size_t f) {
    if (buffers[f].empty()) return;
    const size_t bytes = buffers[f].size() * sizeof(uint64_t);
    extents_[f].emplace_back(routed_.append(buffers[f].data(), bytes), bytes);
    buffers[f].clear();
  };
  std::vector<size_t> place_of(quasi());
  for (size_t i = 0; i < column_at_.size(); ++i) {
    if (column_at_[i] < quasi()) place_of[column_at_[i]] = i;
  }
  std::vector<uint32_t> codes(column_at_.size());
  rows_->each([&](const uint64_t* record) {
    packed_->unpack(record, codes.data());
    const size_t f = fragment_of_leaf[tree.leaf_of([&](size_t column) { return codes[place_of[column]]; })];
    buffers[f].insert(buffers[f].end(), record, record + words);
    if (buffers[f].size() + words > most) flush(f);
  });
  for (size_t f = 0; f < count; ++f) flush(f);
  rows_->clear();
}

const OutsizedTable::Fragments& OutsizedTable::cut(const Job& job, const MethodEntry& method, Progress& progress) {
  std::vector<std::string> notices;
  const Table none = columns();
  const Problem problem = make_problem(job, method, none, streamed_.encoding, notices);
  const FragmentWish wish = wanted_fragments(problem, streamed_.rows);
  if (wish.asked) fragments_.reason = wish.reason;
  fragments_.rows = {streamed_.rows};
  if (wish.sizes.fragments < 2) return fragments_;
  const Table sample = drawn_rows(united(problem.requirements).columns, wish.sizes.pilot_rows);
  std::vector<uint32_t> codes(column_at_.size());
  std::vector<uint64_t> leaf_rows;
  std::optional<PilotTree> pilot = PilotTree::grown(problem, {sample, streamed_.rows, wish.sizes}, progress);
  if (pilot) {
    while (pilot->cut_again(leaf_rows = count_leaves(pilot->tree(), codes))) {}
  }
  if (!pilot || pilot->tree().leaves() < 2) {
    fragments_.reason = "no cut leaves enough rows on both sides";
    return fragments_;
  }
  const CutTree& tree = pilot->tree();
  const std::vector<uint32_t> fragment_of_leaf =
      fragments_of_leaves(tree, leaf_rows, wish.sizes.least_rows, [](std::span<const uint32_t>) { return true; });
  std::vector<uint64_t> rows(size_t{*std::max_element(fragment_of_leaf.begin(), fragment_of_leaf.end())} + 1, 0);
  for (size_t leaf = 0; leaf < leaf_rows.size(); ++leaf) rows[fragment_of_leaf[leaf]] += leaf_rows[leaf];
  if (rows.size() < 2) {
    fragments_.reason = "no cut leaves enough rows on both sides";
    return fragments_;
  }
  fragments_.rows = std::move(rows);
  fragments_.words = fragment_words(fragments_.rows, sample.rows);
  route(tree, fragment_of_leaf);
  return fragments_;
}

OutsizedTable::Part OutsizedTable::part(size_t fragment) const {
  Part part;
  const size_t words = packed_->words() + 2, rows = fragments_.rows[fragment];
  part.table = columns();
  part.table.rows = rows;
  for (size_t j = 0; j < quasi(); ++j) {
    part.table.quasi[j].values.clear();  // methods read codes alone
    part.table.quasi[j].codes = Codes(rows, streamed_.encoding.hierarchies[j].leaves());
  }
  if (part.table.target) part.table.target->codes = Codes(rows, streamed_.target_values.size());
  part.table.rest.resize(rows);
  part.row.resize(rows);
  std::vector<uint32_t> codes(column_at_.size());
  std::vector<uint64_t> block;
  size_t at = 0;
  for (const auto& [begin, length] : extents_[fragment]) {
    block.resize(length / sizeof(uint64_t));
    routed_.read(begin, block.data(), length);
    for (size_t record = 0; record < block.size(); record += words, ++at) {
      packed_->unpack(block.data() + record, codes.data());
      for (size_t i = 0; i < codes.size(); ++i) {
        const size_t j = column_at_[i];
        (j < quasi() ? part.table.quasi[j] : *part.table.target).codes.set(at, codes[i]);
      }
      part.table.rest[at] = block[record + words - 2];
      part.row[at] = static_cast<uint32_t>(block[record + words - 1]);
    }
  }
  if (!streamed_.has_rest) part.table.rest.clear();
  return part;
}

}  // namespace shoal
