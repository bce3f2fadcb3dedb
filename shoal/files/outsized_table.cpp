#include "shoal/files/outsized_table.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "shoal/encode/problem.h"
#include "shoal/files/leaf_counts.h"
#include "shoal/job/family_job.h"
#include "shoal/job/requirements.h"
#include "shoal/plan/pilot.h"

namespace shoal {
namespace {

constexpr size_t kLeastBuffer = 4 << 10;  // bytes collected for a fragment before they are written

// Of the first requirements that hang together.
std::vector<size_t> columns_of_first_family(const Job& job, const std::vector<std::string>& quasi) {
  const std::vector<RequirementFamily> families = families_of(job, quasi);
  return families.empty() ? std::vector<size_t>{} : families.front().columns;
}

}  // namespace

OutsizedTable::OutsizedTable(const Job& job, TableSource& source, Sorted sorted, const OutsizedPlace& place,
                             const Progress& progress)
    : place_(place), sorted_(sorted), progress_(progress), routed_(place.folder, progress) {
  read(job, source, progress);
}

void OutsizedTable::read(const Job& job, TableSource& source, const Progress& progress) {
  // Rows as they come: numbers, two in a word, and the fingerprint.
  std::unique_ptr<SpilledRecords> raw;
  std::vector<uint64_t> record;
  size_t width = 0;
  for (const ColumnPlan& column : plan_columns(job, source)) {
    width += column.role == Role::quasi || column.role == Role::target || column.role == Role::sensitive ||
             column.role == Role::person;
  }
  const size_t words = (width + 1) / 2;
  record.assign(words + 1, 0);
  const RowTaker taker{[&] { raw = std::make_unique<SpilledRecords>(words + 1, place_.folder, progress); },
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

  std::vector<size_t> asked;
  for (const std::vector<uint32_t>& counts : streamed_.whole.counts) asked.push_back(counts.size());
  if (streamed_.person) asked.push_back(streamed_.whole.persons);
  if (!asked.empty()) asked_.emplace(asked);
  layout_.emplace(layout_for(
      sorted_ == Sorted::for_fragments ? columns_of_first_family(job, streamed_.quasi) : std::vector<size_t>{}, 0));

  const std::vector<ModelSpec> models = all_models(job);
  SortedRecords sorting(layout_->words(), place_.folder, place_.most_bytes, progress);
  std::optional<SortedRecords> sensitive;  // for joint models
  if (std::any_of(models.begin(), models.end(), counts_pairs)) {
    sensitive.emplace(asked_words(), place_.folder, place_.most_bytes, progress);
  }
  const std::vector<size_t>& column_at = layout_->column_at;
  std::vector<uint32_t> codes(column_at.size()), asked_codes(asked.size());
  std::vector<uint64_t> packed(layout_->words());
  uint64_t row = 0;
  raw->each([&](const uint64_t* read) {
    const auto code = [&](size_t j) {
      return streamed_.code_of[j][static_cast<uint32_t>(j % 2 == 0 ? read[j / 2] : read[j / 2] >> 32)];
    };
    for (size_t i = 0; i < codes.size(); ++i) codes[i] = code(column_at[i]);
    layout_->packed.pack(codes.data(), packed.data());
    packed[layout_->rest_word] = read[words];
    for (size_t i = 0; i < asked.size(); ++i) asked_codes[i] = code(column_at.size() + i);
    uint64_t* const asked_at = packed.data() + layout_->asked_word;
    if (asked_) asked_->pack(asked_codes.data(), asked_at);
    packed[layout_->row_word] = row++;
    sorting.add(packed.data());
    if (!sensitive) return;
    if (streamed_.person) asked_codes.back() = 0;
    asked_->pack(asked_codes.data(), asked_at);
    sensitive->add(asked_at);
  });
  raw.reset();
  streamed_.code_of.clear();
  if (sensitive) count_pairs(models, *sensitive);
  rows_.emplace(sorting.sorted());
}

OutsizedTable::Layout OutsizedTable::layout_for(const std::vector<size_t>& first_columns, size_t found) const {
  std::vector<size_t> column_at = first_columns;
  for (size_t j = 0; j < quasi(); ++j) {
    if (std::find(first_columns.begin(), first_columns.end(), j) == first_columns.end()) column_at.push_back(j);
  }
  if (streamed_.target) column_at.push_back(quasi());
  std::vector<size_t> cardinalities;
  for (size_t j : column_at) {
    cardinalities.push_back(j < quasi() ? streamed_.encoding.hierarchies[j].leaves() : streamed_.target_values.size());
  }
  PackedNumbers packed(cardinalities);
  const size_t after = packed.words(), asked = asked_words();
  const bool asked_first = sorted_ == Sorted::for_alike_rows;
  return {std::move(column_at),
          std::move(packed),
          asked_first ? after + asked : after,
          asked_first ? after : after + 1,
          after + 1 + asked,
          found};
}

void OutsizedTable::begin_next(const std::vector<size_t>& columns, size_t found) {
  next_layout_.emplace(layout_for(columns, found));
  next_.emplace(next_layout_->words(), place_.folder, place_.most_bytes, progress_);
}

void OutsizedTable::add_next(const Part& part, size_t row, const uint32_t* found) {
  const Layout& layout = *next_layout_;
  const Table& table = part.table;
  std::vector<uint32_t> numbers;
  for (size_t j : layout.column_at) numbers.push_back((j < quasi() ? table.quasi[j] : *table.target).codes[row]);
  std::vector<uint64_t> record(layout.words(), 0);
  layout.packed.pack(numbers.data(), record.data());
  record[layout.rest_word] = table.rest.empty() ? 0 : table.rest[row];
  numbers.clear();
  for (const Column& column : table.sensitive) numbers.push_back(column.codes[row]);
  if (table.person) numbers.push_back(table.person->codes[row]);
  if (asked_) asked_->pack(numbers.data(), record.data() + layout.asked_word);
  record[layout.row_word] = part.row[row];
  for (size_t i = 0; i < layout.found; ++i) {
    record[layout.found_word() + i / 2] |= uint64_t{found[i]} << (i % 2 == 0 ? 0 : 32);
  }
  next_->add(record.data());
}

void OutsizedTable::end_next() {
  routed_.clear();
  layout_ = std::move(next_layout_);
  rows_.emplace(next_->sorted());
  next_layout_.reset();
  next_.reset();
}

// `rows`: their codes in the sensitive columns, packed as what is asked is, without the person.
void OutsizedTable::count_pairs(const std::vector<ModelSpec>& models, SortedRecords& rows) {
  SensitiveTuples tuples{streamed_.sensitive.size(), {}, {}};
  std::vector<uint32_t> codes(asked_columns());
  std::vector<uint64_t> last;
  rows.sorted().each([&](const uint64_t* record) {
    if (!last.empty() && std::equal(last.begin(), last.end(), record)) {
      ++tuples.counts.back();
      return;
    }
    last.assign(record, record + asked_words());
    asked_->unpack(record, codes.data());
    tuples.codes.insert(tuples.codes.end(), codes.begin(), codes.begin() + static_cast<ptrdiff_t>(tuples.columns));
    tuples.counts.push_back(1);
  });
  WholeTable& whole = streamed_.whole;
  for (const ModelSpec& model : models) {
    if (!counts_pairs(model)) continue;
    const auto column = std::find(streamed_.sensitive.begin(), streamed_.sensitive.end(), model.column);
    const auto j = static_cast<size_t>(column - streamed_.sensitive.begin());
    whole.pairs.try_emplace(j, j, static_cast<uint32_t>(whole.counts[j].size()), model.column, tuples);
  }
}

Table OutsizedTable::columns() const {
  Table table;
  for (size_t j = 0; j < quasi(); ++j) {
    table.quasi.push_back({streamed_.quasi[j], Codes(0, streamed_.encoding.hierarchies[j].leaves()),
                           streamed_.encoding.columns[j].leaf_texts});
  }
  if (streamed_.target) table.target = Column{*streamed_.target, Codes(0, streamed_.target_values.size()), {}};
  if (table.target) table.target->values = streamed_.target_values;
  for (size_t j = 0; j < streamed_.sensitive.size(); ++j) {
    table.sensitive.push_back({streamed_.sensitive[j], Codes(0, streamed_.whole.counts[j].size()),
                               streamed_.encoding.sensitive[j].leaf_texts});
  }
  if (streamed_.person) table.person = Column{*streamed_.person, Codes(0, streamed_.whole.persons), {}};
  return table;
}

// What pilot_rows draws: of each tuple the first of its rows.
Table OutsizedTable::drawn_rows(const std::vector<size_t>& columns, size_t wanted) const {
  const RowDraw draw(wanted, streamed_.rows);
  std::vector<std::vector<uint32_t>> drawn;  // [row][place]
  std::vector<uint32_t> codes(layout_->column_at.size()), tuple(columns.size());
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
    layout_->packed.unpack(record, codes.data());
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
  for (size_t i = 0; i < layout_->column_at.size(); ++i) {
    if (layout_->column_at[i] == quasi()) continue;
    for (size_t row = 0; row < drawn.size(); ++row) table.quasi[layout_->column_at[i]].codes.set(row, drawn[row][i]);
  }
  return table;
}

std::vector<size_t> OutsizedTable::place_of() const {
  std::vector<size_t> place_of(quasi());
  for (size_t i = 0; i < layout_->column_at.size(); ++i) {
    if (layout_->column_at[i] < quasi()) place_of[layout_->column_at[i]] = i;
  }
  return place_of;
}

std::vector<uint64_t> OutsizedTable::count_leaves(const CutTree& tree) const {
  std::vector<uint64_t> rows(tree.nodes().size(), 0);
  const std::vector<size_t> place_of = this->place_of();
  std::vector<uint32_t> codes(layout_->column_at.size());
  rows_->each([&](const uint64_t* record) {
    layout_->packed.unpack(record, codes.data());
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
  const std::vector<size_t> place_of = this->place_of();
  std::vector<uint32_t> codes(layout_->column_at.size());
  rows_->each([&](const uint64_t* record) {
    layout_->packed.unpack(record, codes.data());
    const size_t f = fragment_of_leaf[tree.leaf_of([&](size_t column) { return codes[place_of[column]]; })];
    buffers[f].insert(buffers[f].end(), record, record + words);
    if (buffers[f].size() + words > most) flush(f);
  });
  for (size_t f = 0; f < count; ++f) flush(f);
  rows_->clear();
}

// Where there are models, leaves whose rows as one group break one join others: what is asked about rows is counted
// first.
std::vector<uint32_t> OutsizedTable::join_leaves(const Problem& problem, const CutTree& tree,
                                                 const std::vector<uint64_t>& leaf_rows, size_t least_rows) const {
  if (!problem.has_models()) {
    return fragments_of_leaves(tree, leaf_rows, least_rows, [](std::span<const uint32_t>) { return true; });
  }
  LeafCounts counts(problem, streamed_, tree.nodes().size());
  const std::vector<size_t> place_of = this->place_of();
  std::vector<uint32_t> codes(layout_->column_at.size()), asked_codes(asked_columns());
  rows_->each([&](const uint64_t* record) {
    layout_->packed.unpack(record, codes.data());
    if (asked_) asked_->unpack(record + layout_->asked_word, asked_codes.data());
    counts.add(tree.leaf_of([&](size_t column) { return codes[place_of[column]]; }), asked_codes.data());
  });
  return fragments_of_leaves(tree, leaf_rows, least_rows,
                             [&](std::span<const uint32_t> leaves) { return counts.hold(leaves); });
}

const OutsizedTable::Fragments& OutsizedTable::cut(const Problem& problem, Progress& progress) {
  fragments_ = {};
  // It has to be cut somehow, whether or not that would be done by itself in memory.
  const FragmentWish wish = wanted_fragments(problem, streamed_.rows, CutTied::always);
  if (wish.asked) fragments_.reason = wish.reason;
  fragments_.rows = {streamed_.rows};
  if (wish.sizes.fragments < 2) return fragments_;
  const Table sample = drawn_rows(united(problem.requirements).columns, wish.sizes.pilot_rows);
  std::vector<uint64_t> leaf_rows;
  std::optional<PilotTree> pilot = PilotTree::grown(problem, {sample, streamed_.rows, wish.sizes}, progress);
  if (pilot) {
    while (pilot->cut_again(leaf_rows = count_leaves(pilot->tree()))) {
    }
  }
  if (!pilot || pilot->tree().leaves() < 2) {
    fragments_.reason = "no cut leaves enough rows on both sides";
    return fragments_;
  }
  const CutTree& tree = pilot->tree();
  const std::vector<uint32_t> fragment_of_leaf = join_leaves(problem, tree, leaf_rows, wish.sizes.least_rows);
  std::vector<uint64_t> rows(size_t{*std::max_element(fragment_of_leaf.begin(), fragment_of_leaf.end())} + 1, 0);
  for (size_t leaf = 0; leaf < leaf_rows.size(); ++leaf) rows[fragment_of_leaf[leaf]] += leaf_rows[leaf];
  if (rows.size() < 2) {
    fragments_.reason = problem.has_models() ? "on one side of every cut too few rows, or their models, hold"
                                             : "no cut leaves enough rows on both sides";
    return fragments_;
  }
  fragments_.rows = std::move(rows);
  fragments_.words = fragment_words(fragments_.rows, sample.rows);
  route(tree, fragment_of_leaf);
  return fragments_;
}

bool OutsizedTable::holds_as_it_is(const Problem& problem) const {
  uint64_t k = 0;
  for (const Requirement& requirement : problem.requirements) k = std::max(k, requirement.k);
  const bool counts_groups = std::any_of(problem.rules.begin(), problem.rules.end(),
                                         [](const auto& rule) { return rule->average_risk().has_value(); });
  if (counts_groups) return false;  // how many there are decides
  std::vector<uint32_t> codes(layout_->column_at.size()), asked_codes(asked_columns());
  const size_t width = united(problem.requirements).columns.size();  // these are packed first
  std::vector<uint32_t> tuple(width);
  uint64_t rows = 0;
  std::optional<LeafCounts> counts;
  const auto holds = [&] { return rows >= k && (!counts || counts->hold(std::array{0U})); };
  SpilledRecords::Reader reader(*rows_);
  while (const uint64_t* record = reader.next()) {
    layout_->packed.unpack(record, codes.data());
    if (rows == 0 || !std::equal(tuple.begin(), tuple.end(), codes.begin())) {
      if (rows > 0 && !holds()) return false;
      std::copy_n(codes.begin(), width, tuple.begin());
      rows = 0;
      if (problem.has_models()) counts.emplace(problem, streamed_, 1);
    }
    ++rows;
    if (!counts) continue;
    if (asked_) asked_->unpack(record + layout_->asked_word, asked_codes.data());
    counts->add(0, asked_codes.data());
  }
  return holds();
}

}  // namespace shoal
