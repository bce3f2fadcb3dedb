// Rows of a table in private files, some at a time in memory.
#include <algorithm>

#include "shoal/files/outsized_table.h"

namespace shoal {

OutsizedTable::Part OutsizedTable::room_for(size_t rows) const {
  Part part;
  Table& table = part.table;
  table = columns();
  table.rows = rows;
  const auto make_room = [&](Column& column, size_t cardinality) {
    column.values.clear();  // methods read codes alone
    column.codes = Codes(rows, cardinality);
  };
  for (size_t j = 0; j < quasi(); ++j) make_room(table.quasi[j], streamed_.encoding.hierarchies[j].leaves());
  if (table.target) table.target->codes = Codes(rows, streamed_.target_values.size());
  for (size_t j = 0; j < table.sensitive.size(); ++j) make_room(table.sensitive[j], streamed_.whole.counts[j].size());
  if (table.person) make_room(*table.person, streamed_.whole.persons);
  if (streamed_.has_rest) table.rest.resize(rows);
  part.row.resize(rows);
  part.found.resize(rows * layout_->found);
  part.unpacked.resize(std::max(layout_->column_at.size(), asked_columns()));
  return part;
}

void OutsizedTable::put(const uint64_t* record, size_t at, Part& part) const {
  Table& table = part.table;
  std::vector<uint32_t>& codes = part.unpacked;
  layout_->packed.unpack(record, codes.data());
  for (size_t i = 0; i < layout_->column_at.size(); ++i) {
    const size_t j = layout_->column_at[i];
    (j < quasi() ? table.quasi[j] : *table.target).codes.set(at, codes[i]);
  }
  if (streamed_.has_rest) table.rest[at] = record[layout_->rest_word];
  if (asked_) asked_->unpack(record + layout_->asked_word, codes.data());
  for (size_t i = 0; i < asked_columns(); ++i) {
    (i < table.sensitive.size() ? table.sensitive[i] : *table.person).codes.set(at, codes[i]);
  }
  part.row[at] = static_cast<uint32_t>(record[layout_->row_word]);
  for (size_t i = 0; i < layout_->found; ++i) {
    part.found[at * layout_->found + i] =
        static_cast<uint32_t>(record[layout_->found_word() + i / 2] >> (i % 2 == 0 ? 0 : 32));
  }
}

OutsizedTable::Part OutsizedTable::part(size_t fragment) const {
  Part part = room_for(fragments_.rows[fragment]);
  std::vector<uint64_t> block;
  size_t at = 0;
  for (const auto& [begin, length] : extents_[fragment]) {
    block.resize(length / sizeof(uint64_t));
    routed_.read(begin, block.data(), length);
    for (size_t start = 0; start < block.size(); start += layout_->words()) put(block.data() + start, at++, part);
  }
  return part;
}

void OutsizedTable::each_part(size_t rows, const std::function<void(const Part&)>& take) const {
  SpilledRecords::Reader reader(*rows_);
  for (uint64_t left = rows_->size(); left > 0;) {
    Part part = room_for(std::min<uint64_t>(rows, left));
    for (size_t at = 0; at < part.table.rows; ++at) put(reader.next(), at, part);
    take(part);
    left -= part.table.rows;
  }
}

}  // namespace shoal
