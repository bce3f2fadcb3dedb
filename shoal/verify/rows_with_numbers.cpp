#include "shoal/verify/rows_with_numbers.h"

#include <fmt/format.h>

#include <stdexcept>

#include "shoal/error.h"

namespace shoal {

RowsWithNumbers::RowsWithNumbers(TextStream& rows, size_t columns, std::span<const uint32_t> numbers,
                                 const std::vector<uint32_t>* row_of_release)
    : rows_(rows), numbers_(numbers), row_of_release_(row_of_release), views_(columns + 1) {
  cells_.resize(columns + 1);
}

bool RowsWithNumbers::next() {
  const bool more = rows_.next();
  size_ = more ? rows_.size() : 0;
  texts_.resize(size_);
  for (auto& column : views_) column.resize(size_);
  for (size_t row = 0; row < size_; ++row, ++at_) {
    const size_t original = row_of_release_ != nullptr ? row_of_release_->at(at_) : at_;
    if (original >= numbers_.size()) throw std::out_of_range("a released row that the original does not have");
    texts_[row] = std::to_string(numbers_[original]);
    for (size_t j = 0; j + 1 < views_.size(); ++j) views_[j][row] = rows_.cell(j, row);
    views_.back()[row] = texts_[row];
  }
  for (size_t j = 0; j < views_.size(); ++j) cells_[j] = views_[j].data();
  return more;
}

ReleaseWithTimes::ReleaseWithTimes(TableSource& release, std::span<const uint32_t> times,
                                   const std::vector<uint32_t>& row_of_release)
    : release_(release), times_(times), row_of_release_(row_of_release), columns_(release.columns()) {
  if (release.find(kTimes)) {
    throw Error(ErrorKind::input,
                fmt::format("a column of '{}' is called '{}', which is where it would be said for how "
                            "many rows each stands; rename it",
                            release.name(), kTimes));
  }
  columns_.emplace_back(kTimes);
}

void ReleaseWithTimes::read(std::span<const size_t> columns, const Progress& progress, const Body& body) {
  if (columns.empty() || columns.back() + 1 != columns_.size()) return release_.read(columns, progress, body);
  const auto cells = columns.first(columns.size() - 1);
  release_.read(cells, progress, [&](TextStream& rows) {
    RowsWithNumbers both(rows, cells.size(), times_, &row_of_release_);
    body(both);
  });
}

}  // namespace shoal
