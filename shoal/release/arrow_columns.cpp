// What we give out is released by whoever took it, maybe long after the release object is gone: every struct carries a
// shared pointer to the columns, and its own small arrays of pointers.
#include "shoal/release/arrow_columns.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "shoal/encode/arrow_cells.h"
#include "shoal/error.h"
#include "shoal/table/dictionary.h"

namespace shoal {
namespace {

using Kind = ArrowType::Kind;

// ---- schemas ----

struct SchemaMemory {
  std::string format, name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> child_pointers;
  std::unique_ptr<ArrowSchema> dictionary;
};

void release_schema(ArrowSchema* schema) {
  const std::unique_ptr<SchemaMemory> memory(static_cast<SchemaMemory*>(schema->private_data));
  for (ArrowSchema& child : memory->children) {
    if (child.release != nullptr) child.release(&child);
  }
  if (memory->dictionary && memory->dictionary->release != nullptr) {
    memory->dictionary->release(memory->dictionary.get());
  }
  schema->release = nullptr;
}

void fill_schema(ArrowSchema& schema, std::unique_ptr<SchemaMemory> memory, int64_t flags) {
  for (ArrowSchema& child : memory->children) memory->child_pointers.push_back(&child);
  schema = {};
  schema.format = memory->format.c_str();
  schema.name = memory->name.c_str();
  schema.flags = flags;
  schema.n_children = static_cast<int64_t>(memory->children.size());
  schema.children = memory->child_pointers.data();
  schema.dictionary = memory->dictionary.get();
  schema.release = release_schema;
  schema.private_data = memory.release();
}

// ---- arrays ----

struct ArrayMemory {
  std::shared_ptr<const void> keep;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  std::unique_ptr<ArrowArray> dictionary;
};

void release_array(ArrowArray* array) {
  const std::unique_ptr<ArrayMemory> memory(static_cast<ArrayMemory*>(array->private_data));
  for (ArrowArray& child : memory->children) {
    if (child.release != nullptr) child.release(&child);
  }
  if (memory->dictionary && memory->dictionary->release != nullptr) {
    memory->dictionary->release(memory->dictionary.get());
  }
  array->release = nullptr;
}

void fill_array(ArrowArray& array, int64_t rows, int64_t nulls, std::unique_ptr<ArrayMemory> memory) {
  for (ArrowArray& child : memory->children) memory->child_pointers.push_back(&child);
  array = {};
  array.length = rows;
  array.null_count = nulls;
  array.n_buffers = static_cast<int64_t>(memory->buffers.size());
  array.buffers = memory->buffers.data();
  array.n_children = static_cast<int64_t>(memory->children.size());
  array.children = memory->child_pointers.data();
  array.dictionary = memory->dictionary.get();
  array.release = release_array;
  array.private_data = memory.release();
}

// ---- streams ----

struct StreamMemory {
  std::shared_ptr<const std::vector<ArrowColumn>> columns;
  bool given = false;
};

int stream_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  const auto& columns = *static_cast<StreamMemory*>(stream->private_data)->columns;
  auto memory = std::make_unique<SchemaMemory>();
  memory->format = "+s";
  memory->children.resize(columns.size());
  for (size_t j = 0; j < columns.size(); ++j) columns[j].describe(memory->children[j]);
  fill_schema(*out, std::move(memory), 0);
  return 0;
}

int stream_next(ArrowArrayStream* stream, ArrowArray* out) {
  auto& state = *static_cast<StreamMemory*>(stream->private_data);
  *out = {};
  if (std::exchange(state.given, true)) return 0;  // one batch
  auto memory = std::make_unique<ArrayMemory>();
  memory->keep = state.columns;
  memory->buffers = {nullptr};
  memory->children.resize(state.columns->size());
  for (size_t j = 0; j < state.columns->size(); ++j) (*state.columns)[j].give(memory->children[j], state.columns);
  fill_array(*out, state.columns->empty() ? 0 : state.columns->front().rows(), 0, std::move(memory));
  return 0;
}

const char* stream_error(ArrowArrayStream* /*stream*/) { return nullptr; }

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<StreamMemory*>(stream->private_data);
  stream->release = nullptr;
}

// Which batch a row of the table lies in, for rows in any order.
class RowPlaces {
 public:
  explicit RowPlaces(const ArrowTable& table) {
    uint64_t first = 0;
    for (const OwnedArray& batch : table.batches()) {
      firsts_.push_back(first);
      first += static_cast<uint64_t>(batch->length);
    }
  }
  // Sets `batch`, and the row within its children.
  int64_t find(uint32_t row, size_t& batch) const {
    if (batch >= firsts_.size() || row < firsts_[batch] || (batch + 1 < firsts_.size() && row >= firsts_[batch + 1])) {
      batch =
          static_cast<size_t>(std::upper_bound(firsts_.begin(), firsts_.end(), uint64_t{row}) - firsts_.begin()) - 1;
    }
    return static_cast<int64_t>(row - firsts_[batch]);
  }

 private:
  std::vector<uint64_t> firsts_;
};

bool is_valid(const ArrowArray& array, int64_t at) {
  if (array.n_buffers == 0 || array.buffers[0] == nullptr) return true;
  return (static_cast<const uint8_t*>(array.buffers[0])[at / 8] >> (at % 8)) & 1;
}

bool holds_texts(const ArrowType& type) {
  return type.kind == Kind::text || type.kind == Kind::large_text || type.kind == Kind::text_view;
}

}  // namespace

ArrowColumn ArrowColumn::of_texts(std::string name) {
  ArrowColumn column;
  column.name_ = std::move(name);
  column.format_ = "U";
  column.offsets_ = {0};
  return column;
}

ArrowColumn ArrowColumn::of_codes(std::string name, const std::vector<std::string>& texts) {
  auto dictionary = std::make_shared<ArrowColumn>(of_texts(""));
  for (const std::string& text : texts) dictionary->add_text(text);
  ArrowColumn column;
  column.name_ = std::move(name);
  column.format_ = "i";
  column.width_ = 4;
  column.dictionary_ = std::move(dictionary);
  return column;
}

ArrowColumn ArrowColumn::taken(const ArrowTable& table, size_t number, const std::vector<uint32_t>& rows) {
  const ArrowSchema& schema = table.column_schema(number);
  const std::string& name = table.columns()[number];
  const ArrowSchema& value_schema = schema.dictionary != nullptr ? *schema.dictionary : schema;
  const ArrowType type = arrow_type(value_schema, name);
  const RowPlaces places(table);
  size_t batch = 0;

  if (holds_texts(type)) {
    // Through texts: the reader knows offsets, views and dictionaries.
    std::vector<ArrowCells> cells;
    for (const OwnedArray& array : table.batches()) cells.emplace_back(schema, *array->children[number], name);
    Dictionary codes;
    ArrowColumn column = schema.dictionary != nullptr ? of_codes(name, {}) : of_texts(name);
    TextArena arena;
    std::string_view text;
    for (uint32_t row : rows) {
      const int64_t at = places.find(row, batch);
      cells[batch].texts(static_cast<size_t>(at + table.batches()[batch]->offset), 1, arena, &text);
      if (text.data() == nullptr) {
        column.add_null();
      } else if (schema.dictionary != nullptr) {
        column.add_code(codes.code(text));
      } else {
        column.add_text(text);
      }
    }
    if (schema.dictionary != nullptr) {
      auto dictionary = std::make_shared<ArrowColumn>(of_texts(""));
      for (const std::string& value : codes.texts()) dictionary->add_text(value);
      column.dictionary_ = std::move(dictionary);
    }
    return column;
  }

  ArrowColumn column;
  column.name_ = name;
  column.format_ = value_schema.format;
  column.width_ = static_cast<size_t>(type.bytes);
  for (uint32_t row : rows) {
    int64_t at = places.find(row, batch);
    const ArrowArray& parent = *table.batches()[batch];
    const ArrowArray* array = parent.children[number];
    at += parent.offset + array->offset;
    bool valid = type.kind != Kind::null && is_valid(*array, at);
    if (valid && schema.dictionary != nullptr) {
      int64_t index = 0;
      const int bytes = arrow_type(schema, name).bytes;
      std::memcpy(&index, static_cast<const char*>(array->buffers[1]) + at * bytes, static_cast<size_t>(bytes));
      array = array->dictionary;
      if (index < 0 || index >= array->length) {
        throw Error(ErrorKind::input, "an Arrow dictionary is shorter than its indices say");
      }
      at = index + array->offset;
      valid = is_valid(*array, at);
    }
    if (!valid) {
      column.add_null();
    } else if (type.kind == Kind::boolean) {
      column.add_bit((static_cast<const uint8_t*>(array->buffers[1])[at / 8] >> (at % 8)) & 1);
    } else {
      column.add_fixed(static_cast<const char*>(array->buffers[1]) + at * type.bytes);
    }
  }
  return column;
}

void ArrowColumn::mark_valid() {
  if (rows_ % 8 == 0) validity_.push_back(0);
  validity_.back() = static_cast<uint8_t>(validity_.back() | 1 << (rows_ % 8));
  ++rows_;
}

void ArrowColumn::add_text(std::string_view text) {
  mark_valid();
  texts_ += text;
  offsets_.push_back(static_cast<int64_t>(texts_.size()));
}

void ArrowColumn::add_code(uint32_t code) { add_fixed(&code); }

void ArrowColumn::add_fixed(const void* value) {
  mark_valid();
  const auto* bytes = static_cast<const uint8_t*>(value);
  values_.insert(values_.end(), bytes, bytes + width_);
}

void ArrowColumn::add_bit(bool value) {
  if (rows_ % 8 == 0) values_.push_back(0);
  values_.back() = static_cast<uint8_t>(values_.back() | (value ? 1 : 0) << (rows_ % 8));
  mark_valid();
}

void ArrowColumn::add_null() {
  if (format_ == "b" && rows_ % 8 == 0) values_.push_back(0);
  if (rows_ % 8 == 0) validity_.push_back(0);
  ++rows_;
  ++nulls_;
  values_.insert(values_.end(), width_, 0);
  if (format_ == "U") offsets_.push_back(static_cast<int64_t>(texts_.size()));
}

void ArrowColumn::describe(ArrowSchema& schema) const {
  auto memory = std::make_unique<SchemaMemory>();
  memory->format = format_;
  memory->name = name_;
  if (dictionary_) {
    memory->dictionary = std::make_unique<ArrowSchema>();
    dictionary_->describe(*memory->dictionary);
  }
  fill_schema(schema, std::move(memory), ARROW_FLAG_NULLABLE);
}

void ArrowColumn::give(ArrowArray& array, std::shared_ptr<const void> keep) const {
  auto memory = std::make_unique<ArrayMemory>();
  if (format_ != "n") memory->buffers.push_back(nulls_ > 0 ? validity_.data() : nullptr);
  if (format_ == "U") {
    memory->buffers.push_back(offsets_.data());
    memory->buffers.push_back(texts_.data());
  } else if (format_ != "n") {
    memory->buffers.push_back(values_.data());
  }
  if (dictionary_) {
    memory->dictionary = std::make_unique<ArrowArray>();
    dictionary_->give(*memory->dictionary, keep);
  }
  memory->keep = std::move(keep);
  fill_array(array, rows_, nulls_, std::move(memory));
}

ArrowColumns::ArrowColumns(std::vector<ArrowColumn> columns)
    : columns_(std::make_shared<const std::vector<ArrowColumn>>(std::move(columns))) {}

int64_t ArrowColumns::rows() const { return !columns_ || columns_->empty() ? 0 : columns_->front().rows(); }

void ArrowColumns::stream(ArrowArrayStream& out) const {
  out = {};
  out.get_schema = stream_schema;
  out.get_next = stream_next;
  out.get_last_error = stream_error;
  out.release = release_stream;
  out.private_data = new StreamMemory{columns_ ? columns_ : std::make_shared<const std::vector<ArrowColumn>>(), false};
}

}  // namespace shoal
