// A table of texts at hand, as a source.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shoal/encode/table_source.h"

namespace shoal::testing {

class RowsTable : public TableSource {
 public:
  RowsTable(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows)
      : columns_(std::move(columns)), rows_(std::move(rows)) {}

  const std::string& name() const override { return name_; }
  const std::vector<std::string>& columns() const override { return columns_; }
  void read(std::span<const size_t> columns, const Progress&, const Body& body) override {
    Stream stream(rows_, columns);
    body(stream);
  }
  std::string place(uint64_t row) const override { return "row " + std::to_string(row); }
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }

 private:
  // Seven rows at a time, so that chunks end in the middle of things.
  class Stream : public TextStream {
   public:
    Stream(const std::vector<std::vector<std::string>>& rows, std::span<const size_t> columns)
        : rows_(rows), columns_(columns.begin(), columns.end()), views_(columns.size()) {}
    bool next() override {
      size_ = std::min<size_t>(7, rows_.size() - at_);
      cells_.clear();
      for (size_t j = 0; j < columns_.size(); ++j) {
        views_[j].clear();
        for (size_t i = 0; i < size_; ++i) views_[j].push_back(rows_[at_ + i][columns_[j]]);
        cells_.push_back(views_[j].data());
      }
      at_ += size_;
      return size_ > 0;
    }

   private:
    const std::vector<std::vector<std::string>>& rows_;
    std::vector<size_t> columns_;
    std::vector<std::vector<std::string_view>> views_;
    size_t at_ = 0;
  };

  std::string name_ = "table";
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace shoal::testing
