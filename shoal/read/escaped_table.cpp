#include "shoal/read/escaped_table.h"

#include "shoal/table/formula_cell.h"

namespace shoal {
namespace {

class UnescapedStream : public TextStream {
 public:
  UnescapedStream(TextStream& stream, size_t columns) : stream_(stream), views_(columns) {}
  bool next() override {
    const bool more = stream_.next();
    size_ = more ? stream_.size() : 0;
    cells_.clear();
    for (size_t j = 0; j < views_.size(); ++j) {
      views_[j].resize(size_);
      for (size_t row = 0; row < size_; ++row) views_[j][row] = without_apostrophe(stream_.cell(j, row));
      cells_.push_back(views_[j].data());
    }
    return more;
  }

 private:
  TextStream& stream_;
  std::vector<std::vector<std::string_view>> views_;
};

}  // namespace

void EscapedTable::read(std::span<const size_t> columns, const Progress& progress, const Body& body) {
  if (!escaped_) return table_.read(columns, progress, body);
  table_.read(columns, progress, [&](TextStream& stream) {
    UnescapedStream unescaped(stream, columns.size());
    body(unescaped);
  });
}

}  // namespace shoal
