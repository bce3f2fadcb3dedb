#include "shoal/encode/arrow_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "shoal/encode/arrow_cells.h"
#include "shoal/error.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

// Rows that are turned into texts at a time.
constexpr size_t kChunk = 4096;

// Some columns of the batches, chunk by chunk.
class ArrowTextStream : public TextStream {
 public:
  ArrowTextStream(const ArrowTable& table, std::span<const size_t> columns, const Progress& progress)
      : table_(table), wanted_(columns.begin(), columns.end()), progress_(progress), views_(columns.size()) {
    for (auto& views : views_) {
      views.resize(kChunk);
      cells_.push_back(views.data());
    }
  }

  bool next() override {
    progress_.check();
    arena_.clear();
    while (batch_ < table_.batches().size()) {
      const ArrowArray& batch = *table_.batches()[batch_];
      if (at_ == 0) open(batch);
      const auto length = static_cast<size_t>(batch.length);
      size_ = std::min(kChunk, length - at_);
      if (size_ == 0) {
        ++batch_;
        at_ = 0;
        continue;
      }
      // Children of a sliced struct are not sliced themselves.
      const size_t first = static_cast<size_t>(batch.offset) + at_;
      for (size_t j = 0; j < wanted_.size(); ++j) readers_[j].texts(first, size_, arena_, views_[j].data());
      at_ += size_;
      if (at_ == length) {
        ++batch_;
        at_ = 0;
      }
      return true;
    }
    size_ = 0;
    return false;
  }

 private:
  void open(const ArrowArray& batch) {
    readers_.clear();
    for (size_t column : wanted_) {
      readers_.emplace_back(table_.column_schema(column), *batch.children[column], table_.columns()[column]);
    }
  }

  const ArrowTable& table_;
  const std::vector<size_t> wanted_;
  const Progress& progress_;
  std::vector<std::vector<std::string_view>> views_;
  std::vector<ArrowCells> readers_;
  TextArena arena_;
  size_t batch_ = 0, at_ = 0;
};

std::string stream_error(ArrowArrayStream& stream, int code) {
  const char* words = stream.get_last_error(&stream);
  return words != nullptr ? words : fmt::format("error {}", code);
}

}  // namespace

void ReleaseArrow::operator()(ArrowSchema* schema) const {
  if (schema->release != nullptr) schema->release(schema);
  delete schema;
}

void ReleaseArrow::operator()(ArrowArray* array) const {
  if (array->release != nullptr) array->release(array);
  delete array;
}

ArrowTable::ArrowTable(ArrowArrayStream& given, std::string name) : name_(std::move(name)), schema_(new ArrowSchema{}) {
  if (given.release == nullptr) {
    throw Error(ErrorKind::input, fmt::format("'{}' was read already; a stream can be read once", name_));
  }
  ArrowArrayStream stream = std::exchange(given, ArrowArrayStream{});
  struct Closer {
    ArrowArrayStream& stream;
    ~Closer() { stream.release(&stream); }
  } const closer{stream};

  if (const int code = stream.get_schema(&stream, schema_.get()); code != 0) {
    schema_->release = nullptr;
    throw Error(ErrorKind::input, fmt::format("'{}' cannot be read: {}", name_, stream_error(stream, code)));
  }
  if (std::string_view(schema_->format) != "+s") {
    throw Error(ErrorKind::input, fmt::format("'{}' is not a table: a stream of rows with named columns", name_));
  }
  for (int64_t j = 0; j < schema_->n_children; ++j) {
    const char* column = schema_->children[j]->name;
    columns_.emplace_back(column != nullptr ? column : "");
    if (columns_.back().empty()) {
      throw Error(ErrorKind::input, fmt::format("column {} of '{}' has no name; give it one", j + 1, name_));
    }
    if (std::count(columns_.begin(), columns_.end(), columns_.back()) > 1) {
      throw Error(ErrorKind::input,
                  fmt::format("two columns of '{}' are called '{}'; rename one", name_, columns_.back()));
    }
  }
  while (true) {
    OwnedArray batch(new ArrowArray{});
    if (const int code = stream.get_next(&stream, batch.get()); code != 0) {
      batch->release = nullptr;
      throw Error(ErrorKind::input,
                  fmt::format("'{}' cannot be read to its end: {}", name_, stream_error(stream, code)));
    }
    if (batch->release == nullptr) break;
    if (batch->n_children != schema_->n_children) {
      throw Error(ErrorKind::input,
                  fmt::format("'{}' has a batch with {} instead of {}", name_,
                              counted(static_cast<uint64_t>(batch->n_children), "column"), schema_->n_children));
    }
    rows_ += static_cast<uint64_t>(batch->length);
    batches_.push_back(std::move(batch));
  }
}

void ArrowTable::read(std::span<const size_t> columns, const Progress& progress, const Body& body) {
  ArrowTextStream stream(*this, columns, progress);
  body(stream);
}

std::string ArrowTable::place(uint64_t row) const { return fmt::format("row {}", row + 1); }

}  // namespace shoal
