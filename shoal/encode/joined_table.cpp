#include "shoal/encode/joined_table.h"

#include <fmt/format.h>

#include "shoal/error.h"

namespace shoal {
namespace {

class JoinedStream : public TextStream {
 public:
  JoinedStream(TextStream& first, TextStream& second, size_t columns)
      : first_(first), second_(second), views_(columns) {
    cells_.resize(columns);
  }

  bool next() override {
    if (!first_ended_) {
      if (first_.next()) {
        rows_of_first_ += first_.size();
        show(first_);
        return true;
      }
      first_ended_ = true;
    }
    const bool more = second_.next();
    show(second_);
    return more;
  }
  uint64_t rows_of_first() const { return rows_of_first_; }

 private:
  void show(const TextStream& stream) {
    size_ = stream.size();
    for (size_t j = 0; j < views_.size(); ++j) {
      views_[j].resize(size_);
      for (size_t row = 0; row < size_; ++row) views_[j][row] = stream.cell(j, row);
      cells_[j] = views_[j].data();
    }
  }

  TextStream& first_;
  TextStream& second_;
  std::vector<std::vector<std::string_view>> views_;
  bool first_ended_ = false;
  uint64_t rows_of_first_ = 0;
};

}  // namespace

JoinedTable::JoinedTable(TableSource& first, TableSource& second) : first_(first), second_(second) {
  for (const std::string& column : first.columns()) {
    const auto found = second.find(column);
    if (!found) {
      throw Error(ErrorKind::input,
                  fmt::format("'{}' has no column '{}', which '{}' has", second.name(), column, first.name()));
    }
    column_in_second_.push_back(*found);
  }
}

void JoinedTable::read(std::span<const size_t> columns, const Progress& progress, const Body& body) {
  std::vector<size_t> in_second;
  for (size_t column : columns) in_second.push_back(column_in_second_[column]);
  // The first table is read inside the reading of the second: when the second must start anew, so does the first; when
  // the first must, nothing of the second has been read yet.
  second_.read(in_second, progress, [&](TextStream& second) {
    first_.read(columns, progress, [&](TextStream& first) {
      JoinedStream both(first, second, columns.size());
      body(both);
      rows_of_first_ = both.rows_of_first();
    });
  });
}

std::string JoinedTable::place(uint64_t row) const {
  if (row < rows_of_first_) return first_.place(row);
  return fmt::format("{} of '{}'", second_.place(row - rows_of_first_), second_.name());
}

}  // namespace shoal
