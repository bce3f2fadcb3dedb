#include "shoal/files/found_rows.h"

#include <algorithm>

namespace shoal {

uint64_t count_different(std::vector<uint64_t>& values) {
  std::sort(values.begin(), values.end());
  return static_cast<uint64_t>(std::unique(values.begin(), values.end()) - values.begin());
}

FoundRows::FoundRows(const OutsizedTable& table, OutsizedPrivacy& privacy, const std::string& folder,
                     const Progress& progress)
    : table_(table),
      privacy_(privacy),
      width_(table.quasi()),
      with_leaves_(privacy.asked_of_some_columns()),
      rows_((table.quasi() + 1) / 2 * (with_leaves_ ? 2 : 1) + table.asked_words() + 2, folder, progress),
      record_(rows_.words()),
      tuple_(table.quasi()),
      group_(table) {}

void FoundRows::add(const Row& row) {
  count_before(row);
  std::fill(record_.begin(), record_.end(), 0);
  if (row.releases == nullptr) {
    record_[0] = UINT64_MAX;
    if (kept_.empty()) kept_.assign(table_.streamed().rows, true);
    kept_[row.row] = false;
    ++dropped_;
  }
  for (size_t j = 0; j < width_; ++j) {
    const int shift = j % 2 == 0 ? 0 : 32;
    if (row.releases != nullptr) record_[j / 2] |= uint64_t{row.releases[j]} << shift;
    if (with_leaves_) record_[cell_words() + j / 2] |= uint64_t{row.leaves[j]} << shift;
  }
  if (privacy_.asked()) table_.asked()->pack(row.asked, record_.data() + asked_word());
  record_[rest_word()] = row.rest;
  record_[rest_word() + 1] = uint64_t{row.target} << 32 | row.row;
  rows_.add(record_.data());
  ++size_;
}

void FoundRows::count_before(const Row& row) {
  if (in_tuple_ > 0 && !std::equal(tuple_.begin(), tuple_.end(), row.leaves)) end_tuples();
  std::copy_n(row.leaves, width_, tuple_.begin());
  ++in_tuple_;
  if (table_.streamed().has_rest) rests_.push_back(row.rest);
  if (privacy_.asked()) group_.add_codes(row.asked);
}

void FoundRows::end_tuples() {
  if (in_tuple_ == 0) return;
  ++sizes_before_[in_tuple_];
  tuples_before_ += table_.streamed().has_rest ? count_different(rests_) : 1;
  rests_.clear();
  in_tuple_ = 0;
  privacy_.add_before(group_.codes());
  group_.clear();
}

}  // namespace shoal
