// Each different row of a table in private files once: its rows are sorted by content, so that alike ones are
// neighbours.
#include <algorithm>

#include "shoal/files/outsized_table.h"

namespace shoal {

uint64_t OutsizedTable::count_alike(Alike by) const {
  const size_t words = alike_words(by);
  std::vector<uint64_t> last;
  uint64_t count = 0;
  rows_->each([&](const uint64_t* record) {
    if (count > 0 && std::equal(last.begin(), last.end(), record)) return;
    last.assign(record, record + words);
    ++count;
  });
  return count;
}

void OutsizedTable::each_alike(Alike by, const std::function<void(const AlikeRow&)>& take) const {
  const size_t words = alike_words(by);
  std::vector<uint64_t> last;
  std::vector<uint32_t> packed(layout_->column_at.size()), asked(asked_columns());
  uint32_t number = 0;
  rows_->each([&](const uint64_t* record) {
    if (!std::equal(last.begin(), last.end(), record)) ++number;
    last.assign(record, record + words);
    layout_->packed.unpack(record, packed.data());
    if (asked_) asked_->unpack(record + layout_->asked_word, asked.data());
    take({number, packed, asked, record[layout_->rest_word], static_cast<uint32_t>(record[layout_->row_word])});
  });
}

Table OutsizedTable::alike_rows(Alike by, uint64_t count) const {
  Table table = columns();
  table.rows = count;
  for (size_t j = 0; j < quasi(); ++j) table.quasi[j].codes = Codes(count, streamed_.encoding.hierarchies[j].leaves());
  if (table.target) table.target->codes = Codes(count, streamed_.target_values.size());
  if (!by.asked) table.sensitive.clear();
  for (size_t j = 0; j < table.sensitive.size(); ++j) {
    table.sensitive[j].codes = Codes(count, streamed_.whole.counts[j].size());
  }
  table.person.reset();
  if (by.rest && streamed_.has_rest) table.rest.resize(count);
  table.times.assign(count, 0);
  each_alike(by, [&](const AlikeRow& row) {
    if (table.times[row.number]++ > 0) return;
    for (size_t j = 0; j < quasi(); ++j) table.quasi[j].codes.set(row.number, row.codes[j]);
    if (table.target) table.target->codes.set(row.number, row.codes[quasi()]);
    for (size_t j = 0; j < table.sensitive.size(); ++j) table.sensitive[j].codes.set(row.number, row.asked[j]);
    if (!table.rest.empty()) table.rest[row.number] = row.rest;
  });
  return table;
}

}  // namespace shoal
