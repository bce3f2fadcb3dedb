// How the counts of tdr.txt section 4 are kept without touching rows twice. A refinement changes one masked value, and
// only the partitions linked to it can change: each is parted (split), its records are brought into the order of the
// parts (move_records), and for every part and every column that is still live there it is counted what refining that
// column would leave (count, note_part). The minimum over all partitions ever counted is the answer: a partition that
// was parted since has left a minimum that is too large to matter, since its parts are smaller, and a part that was
// counted is counted again only when it is parted. So scores cost nothing, and the work of a refinement is the rows of
// the refined value times the live columns (section 4.3). Columns on which nothing can be refined any more stay behind:
// they are not moved along, and nobody asks for them again.
#include "shoal/method/refine/anonymity_index.h"

#include <algorithm>
#include <array>

namespace shoal {
namespace {

// Distinct tuples are worth finding when they can be counted in a plain array not much larger than the table.
constexpr size_t kTupleSpacePerRow = 2;
// Up to this many parts, rows are counted in several arrays in turn: rows of one value follow each other often, and
// adding to the same counter each time would wait for the sum before.
constexpr uint32_t kInterleavedParts = 64;
constexpr size_t kInterleave = 4;

}  // namespace

AnonymityIndex::AnonymityIndex(const Table& table, const Requirement& requirement, MaskedCut& cut)
    : k_(requirement.k), cut_(cut), anonymity_(table.input_rows()) {
  for (size_t j : requirement.columns) columns_.push_back({static_cast<uint32_t>(j), {}});
  uint32_t records = static_cast<uint32_t>(table.rows);
  if (compress(table)) {
    records = static_cast<uint32_t>(weights_.size());
  } else {
    for (IndexColumn& column : columns_) {
      if (cut_.cell_live(cut_.cell_of_leaf(column.column)[0])) column.codes = table.quasi[column.column].codes;
    }
    weights_ = table.times;
  }
  partitions_.push_back({0, records, anonymity_});
  grow();
  for (const IndexColumn& column : columns_) {
    const uint32_t cell = cut_.cell_of_leaf(column.column)[0];
    if (!cut_.cell_live(cell)) continue;
    links_[cell].push_back(0);
    count(column, partitions_[0], cell);
  }
}

// Replaces rows by distinct tuples with their counts, when the space of tuples is small. True when it was done.
bool AnonymityIndex::compress(const Table& table) {
  size_t space = 1;
  for (const IndexColumn& column : columns_) {
    space *= cut_.cell_of_leaf(column.column).size();
    if (space > kTupleSpacePerRow * table.rows) return false;
  }
  std::vector<uint32_t> key(table.rows, 0), counts(space, 0);
  for (const IndexColumn& column : columns_) {
    const auto leaves = static_cast<uint32_t>(cut_.cell_of_leaf(column.column).size());
    table.quasi[column.column].codes.visit([&](auto codes) {
      for (size_t row = 0; row < key.size(); ++row) key[row] = key[row] * leaves + codes[row];
    });
  }
  for (size_t row = 0; row < key.size(); ++row) counts[key[row]] += table.times_of(row);
  std::vector<uint32_t> tuples;
  for (uint32_t tuple = 0; tuple < space; ++tuple) {
    if (counts[tuple] == 0) continue;
    tuples.push_back(tuple);
    weights_.push_back(counts[tuple]);
  }
  for (size_t i = columns_.size(); i-- > 0;) {
    const auto leaves = static_cast<uint32_t>(cut_.cell_of_leaf(columns_[i].column).size());
    columns_[i].codes = Codes(tuples.size(), leaves);
    columns_[i].codes.visit([&](auto codes) {
      for (size_t t = 0; t < tuples.size(); ++t) {
        codes[t] = static_cast<typename decltype(codes)::value_type>(tuples[t] % leaves);
        tuples[t] /= leaves;
      }
    });
  }
  return true;
}

bool AnonymityIndex::has_column(size_t column) const {
  return std::any_of(columns_.begin(), columns_.end(), [&](const IndexColumn& own) { return own.column == column; });
}

void AnonymityIndex::grow() {
  smallest_part_.resize(cut_.candidates().size(), UINT64_MAX);
  links_.resize(cut_.cells().size());
}

// All records of a partition are masked to the same cell, so the first one tells. A column whose cell was dead when
// the partition was made has not been moved along; what lies there then is of the same dead cell.
uint32_t AnonymityIndex::cell_at(const IndexColumn& column, const Partition& partition) const {
  return cut_.cell_of_leaf(column.column)[column.codes[partition.begin]];
}

bool AnonymityIndex::live_at(const IndexColumn& column, const Partition& partition) const {
  return column.codes.size() > 0 && cut_.cell_live(cell_at(column, partition));
}

bool AnonymityIndex::refine(const Refined& refined, const Progress& progress) {
  grow();
  const std::vector<uint32_t> parents = std::move(links_[refined.cell]);
  links_[refined.cell] = {};
  const uint32_t refined_column = cut_.cells()[refined.cell].column;
  IndexColumn& column = *std::find_if(columns_.begin(), columns_.end(),
                                      [&](const IndexColumn& own) { return own.column == refined_column; });
  for (uint32_t partition : parents) {
    progress.check();
    if (progress.out_of_time()) return false;
    const std::vector<Partition> parts = split(column, partitions_[partition], refined);
    if (parts.size() == 1) {
      renamed(partition, column, refined);
    } else {
      replaced(partition, parts, refined);
    }
  }
  return true;
}

// Where a partition falls apart, and in place_ where its records go (kept in order within each part). Parts are the new
// cells, and last what stays in the refined one: its number is smaller than theirs, so the difference wraps around.
std::vector<AnonymityIndex::Partition> AnonymityIndex::split(const IndexColumn& column, const Partition& partition,
                                                             const Refined& refined) {
  const auto cells = cut_.cell_of_leaf(column.column);
  const uint32_t size = partition.end - partition.begin;
  const uint32_t slots = refined.count + 1;
  auto part_of = [&](auto code) { return std::min(cells[code] - refined.first, refined.count); };
  part_records_.assign(slots, 0);
  if (part_rows_.size() < slots) part_rows_.resize(slots, 0);
  if (place_.size() < size) place_.resize(size);
  std::vector<Partition> parts;
  column.codes.visit([&](auto all_codes) {
    const auto codes = all_codes.subspan(partition.begin, size);
    for (auto code : codes) ++part_records_[part_of(code)];
    if (!weights_.empty()) {
      const uint32_t* weights = weights_.data() + partition.begin;
      for (size_t i = 0; i < size; ++i) part_rows_[part_of(codes[i])] += weights[i];
    }
    uint32_t begin = partition.begin;
    for (uint32_t part = 0; part < slots; ++part) {
      const uint32_t records = part_records_[part];
      const uint64_t rows = weights_.empty() ? records : std::exchange(part_rows_[part], 0);
      part_records_[part] = begin - partition.begin;
      if (records > 0) parts.push_back({begin, begin + records, rows});
      begin += records;
    }
    if (parts.size() < 2) return;
    for (size_t i = 0; i < size; ++i) place_[i] = part_records_[part_of(codes[i])]++;
  });
  return parts;
}

// Brings the columns that are still live there (and the weights) into the order of the parts.
void AnonymityIndex::move_records(const Partition& partition, const Refined& refined) {
  const uint32_t size = partition.end - partition.begin;
  const uint32_t refined_column = cut_.cells()[refined.cell].column;
  bool refined_live = cut_.cell_live(refined.cell);
  for (uint32_t i = 0; i < refined.count; ++i) refined_live = refined_live || cut_.cell_live(refined.first + i);
  if (moved_.size() < sizeof(uint32_t) * size) moved_.resize(sizeof(uint32_t) * size);
  auto move = [&](auto values) {
    using Value = typename decltype(values)::value_type;
    auto* moved = reinterpret_cast<Value*>(moved_.data());
    for (size_t i = 0; i < size; ++i) moved[place_[i]] = values[i];
    std::copy(moved, moved + size, values.begin());
  };
  for (IndexColumn& column : columns_) {
    if (!(column.column == refined_column ? refined_live : live_at(column, partition))) continue;
    column.codes.visit([&](auto codes) { move(codes.subspan(partition.begin, size)); });
  }
  if (!weights_.empty()) move(std::span(weights_).subspan(partition.begin, size));
}

// No group changed, only the value it is masked to: the other columns keep their counts.
void AnonymityIndex::renamed(uint32_t partition, const IndexColumn& column, const Refined& refined) {
  const uint32_t cell = cell_at(column, partitions_[partition]);
  if (!cut_.cell_live(cell)) return;
  links_[cell].push_back(partition);
  if (cell != refined.cell) count(column, partitions_[partition], cell);
}

void AnonymityIndex::replaced(uint32_t partition, const std::vector<Partition>& parts, const Refined& refined) {
  const uint32_t refined_column = cut_.cells()[refined.cell].column;
  move_records(partitions_[partition], refined);
  const auto first_new = static_cast<uint32_t>(partitions_.size());
  partitions_[partition] = parts[0];
  partitions_.insert(partitions_.end(), parts.begin() + 1, parts.end());
  for (const Partition& part : parts) anonymity_ = std::min(anonymity_, part.rows);
  for (const IndexColumn& column : columns_) {
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!live_at(column, parts[i])) continue;
      const uint32_t cell = cell_at(column, parts[i]);
      const uint32_t id = i == 0 ? partition : first_new + static_cast<uint32_t>(i) - 1;
      if (i > 0 || column.column == refined_column) links_[cell].push_back(id);
      count(column, parts[i], cell);
    }
  }
}

// ---- what refining a cell would leave of one group ----

void AnonymityIndex::count(const IndexColumn& column, const Partition& partition, uint32_t cell_id) {
  const Cell& cell = cut_.cells()[cell_id];
  const uint32_t parts = cell.parts;
  if (parts == 1) return note_part(cell, 0, partition.rows, partition.rows);
  const uint32_t size = partition.end - partition.begin;
  if (parts == 2 && !cell.one_by_one && weights_.empty()) {  // children are neighbours: one comparison tells
    const uint32_t border = cell.children[0].last;
    const uint64_t left = column.codes.visit([&](auto all_codes) -> uint64_t {
      using Code = typename decltype(all_codes)::value_type;
      const auto last = static_cast<Code>(border);
      uint32_t at_most = 0;
      for (auto code : all_codes.subspan(partition.begin, size)) at_most += code <= last;
      return at_most;
    });
    note_part(cell, 0, left, partition.rows);
    note_part(cell, 1, partition.rows - left, partition.rows);
    return;
  }
  if (part_rows_.size() < kInterleave * parts) part_rows_.resize(kInterleave * parts, 0);
  count_records(column, partition, parts);
  if (parts <= size) {
    for (uint32_t part = 0; part < parts; ++part) {
      note_part(cell, part, std::exchange(part_rows_[part], 0), partition.rows);
    }
  } else {  // more parts than records: visit only those that occur
    const auto part_of_leaf = cut_.part_of_leaf(column.column);
    for (uint32_t i = partition.begin; i < partition.end; ++i) {
      const uint32_t part = part_of_leaf[column.codes[i]];
      note_part(cell, part, std::exchange(part_rows_[part], 0), partition.rows);
    }
  }
}

void AnonymityIndex::count_records(const IndexColumn& column, const Partition& partition, uint32_t parts) {
  const uint32_t size = partition.end - partition.begin;
  const uint32_t* part_of_leaf = cut_.part_of_leaf(column.column).data();
  uint64_t* rows = part_rows_.data();
  column.codes.visit([&](auto all_codes) {
    const auto codes = all_codes.subspan(partition.begin, size);
    if (!weights_.empty()) {
      const uint32_t* weights = weights_.data() + partition.begin;
      for (size_t i = 0; i < size; ++i) rows[part_of_leaf[codes[i]]] += weights[i];
      return;
    }
    size_t i = 0;
    if (parts <= kInterleavedParts && size >= kInterleave * kInterleavedParts) {
      for (; i + kInterleave <= size; i += kInterleave) {
        for (size_t lane = 0; lane < kInterleave; ++lane) ++rows[lane * parts + part_of_leaf[codes[i + lane]]];
      }
      for (size_t lane = 1; lane < kInterleave; ++lane) {
        for (uint32_t part = 0; part < parts; ++part) rows[part] += std::exchange(rows[lane * parts + part], 0);
      }
    }
    for (; i < size; ++i) ++rows[part_of_leaf[codes[i]]];
  });
}

// `part_rows` of a group's rows would make a group of their own; where one value is disclosed, so would the others.
void AnonymityIndex::note_part(const Cell& cell, uint32_t part, uint64_t part_rows, uint64_t rows) {
  if (part_rows == 0 || (cell.one_by_one && part == 0)) return;
  uint64_t smallest = part_rows;
  if (cell.one_by_one && rows > part_rows) smallest = std::min(smallest, rows - part_rows);
  const uint32_t candidate = cell.first_candidate + (cell.one_by_one ? part - 1 : 0);
  if (smallest >= smallest_part_[candidate]) return;
  smallest_part_[candidate] = smallest;
  if (smallest < k_) cut_.kill(candidate);
}

}  // namespace shoal
