// The cells of some columns of a table, a chunk of rows at a time. Who parses the file is not the reader's business.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace shoal {

class TextStream {
 public:
  TextStream() = default;
  TextStream(const TextStream&) = delete;
  TextStream& operator=(const TextStream&) = delete;
  virtual ~TextStream() = default;

  // Moves to the next chunk of rows, in order; false at the end. Throws what the stream's kind says.
  virtual bool next() = 0;
  size_t size() const { return size_; }  // rows in this chunk
  // The cell's text, valid until next(); an empty view for NULL.
  std::string_view cell(size_t column, size_t row) const { return cells_[column][row]; }

 protected:
  size_t size_ = 0;
  std::vector<const std::string_view*> cells_;  // for each column, one view per row of the chunk
};

}  // namespace shoal
