// Released rows with a number behind the cells of each: who the row is about, or for how many it stands.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/table/text_stream.h"

namespace shoal {

// `numbers`: of each row of the original. `row_of_release`: the original's row of each released one; nullptr: the same
// one. All must outlive the object.
class RowsWithNumbers : public TextStream {
 public:
  RowsWithNumbers(TextStream& rows, size_t columns, std::span<const uint32_t> numbers,
                  const std::vector<uint32_t>* row_of_release);
  bool next() override;

 private:
  TextStream& rows_;
  const std::span<const uint32_t> numbers_;
  const std::vector<uint32_t>* const row_of_release_;
  std::vector<std::vector<std::string_view>> views_;
  std::vector<std::string> texts_;
  size_t at_ = 0;
};

// A release whose rows stand for several (Table::times), with one more column, the last: for how many.
class ReleaseWithTimes : public TableSource {
 public:
  static constexpr std::string_view kTimes = "shoal_times";
  // Throws Error(input) where the release has a column of that name itself. All must outlive the object.
  ReleaseWithTimes(TableSource& release, std::span<const uint32_t> times, const std::vector<uint32_t>& row_of_release);

  const std::string& name() const override { return release_.name(); }
  const std::vector<std::string>& columns() const override { return columns_; }
  // Requires the column of times last, or not at all.
  void read(std::span<const size_t> columns, const Progress& progress, const Body& body) override;
  std::string place(uint64_t row) const override { return release_.place(row); }

 private:
  TableSource& release_;
  const std::span<const uint32_t> times_;
  const std::vector<uint32_t>& row_of_release_;
  std::vector<std::string> columns_;
};

}  // namespace shoal
