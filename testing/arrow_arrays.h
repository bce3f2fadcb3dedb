// Arrow arrays made by hand, as another library would give them: for tests of everything that reads Arrow.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shoal/table/arrow_abi.h"

namespace shoal::testing {

// One column. `format` as in Arrow's C interface; buffers as bytes, the first being the validity bits (empty: all
// valid).
struct HandColumn {
  std::string name, format;
  int64_t length = 0, offset = 0, nulls = 0;
  std::vector<std::string> buffers;
  std::shared_ptr<HandColumn> dictionary;
};

template <typename Value>
std::string bytes_of(const std::vector<Value>& values) {
  std::string bytes(values.size() * sizeof(Value), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

inline std::string bits_of(const std::vector<bool>& bits) {
  std::string bytes((bits.size() + 7) / 8, '\0');
  for (size_t i = 0; i < bits.size(); ++i)
    bytes[i / 8] = static_cast<char>(bytes[i / 8] | (bits[i] ? 1 : 0) << (i % 8));
  return bytes;
}

template <typename Value>
HandColumn fixed_column(std::string name, std::string format, const std::vector<std::optional<Value>>& cells) {
  HandColumn column{std::move(name), std::move(format), static_cast<int64_t>(cells.size()), 0, 0, {}, nullptr};
  std::vector<Value> values;
  std::vector<bool> valid;
  for (const auto& cell : cells) {
    values.push_back(cell.value_or(Value{}));
    valid.push_back(cell.has_value());
    column.nulls += !cell;
  }
  column.buffers = {column.nulls > 0 ? bits_of(valid) : "", bytes_of(values)};
  return column;
}

// Texts with 32-bit offsets ("u"), 64-bit offsets ("U") or as views ("vu").
inline HandColumn text_column(std::string name, std::string format,
                              const std::vector<std::optional<std::string>>& cells) {
  HandColumn column{std::move(name), std::move(format), static_cast<int64_t>(cells.size()), 0, 0, {}, nullptr};
  std::vector<bool> valid;
  std::string texts, views;
  std::vector<int32_t> offsets{0};
  std::vector<int64_t> long_offsets{0};
  for (const auto& cell : cells) {
    const std::string text = cell.value_or("");
    valid.push_back(cell.has_value());
    column.nulls += !cell;
    std::string view = bytes_of<int32_t>({static_cast<int32_t>(text.size())});
    if (text.size() <= 12) {
      view += text + std::string(12 - text.size(), '\0');
    } else {
      view += text.substr(0, 4) + bytes_of<int32_t>({0, static_cast<int32_t>(texts.size())});
    }
    views += view;
    texts += text;
    offsets.push_back(static_cast<int32_t>(texts.size()));
    long_offsets.push_back(static_cast<int64_t>(texts.size()));
  }
  const std::string validity = column.nulls > 0 ? bits_of(valid) : "";
  if (column.format == "u") column.buffers = {validity, bytes_of(offsets), texts};
  if (column.format == "U") column.buffers = {validity, bytes_of(long_offsets), texts};
  if (column.format == "vu") {
    column.buffers = {validity, views, texts, bytes_of<int64_t>({static_cast<int64_t>(texts.size())})};
  }
  return column;
}

// A stream over batches of such columns. It must outlive the streams that it gives. Counts what was not released.
class HandStream {
 public:
  explicit HandStream(std::vector<std::vector<HandColumn>> batches, int64_t batch_offset = 0)
      : batches_(std::move(batches)), offset_(batch_offset) {}

  ArrowArrayStream stream() {
    next_ = 0;
    ArrowArrayStream stream{};
    stream.private_data = this;
    stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
      return static_cast<HandStream*>(self->private_data)->schema(out);
    };
    stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
      return static_cast<HandStream*>(self->private_data)->next(out);
    };
    stream.get_last_error = [](ArrowArrayStream* self) -> const char* {
      return static_cast<HandStream*>(self->private_data)->failure.c_str();
    };
    stream.release = [](ArrowArrayStream* self) {
      --static_cast<HandStream*>(self->private_data)->unreleased;
      self->release = nullptr;
    };
    ++unreleased;
    return stream;
  }

  int unreleased = 0;          // streams, schemas and arrays given out and not yet released
  std::string failure;         // what the stream says of an error
  size_t fails_at = SIZE_MAX;  // the batch that cannot be had

 private:
  struct Node {
    HandStream* owner;
    std::string format, name;
    std::vector<const void*> buffers;
    std::deque<ArrowSchema> schemas;
    std::deque<ArrowArray> arrays;
    std::vector<ArrowSchema*> schema_pointers;
    std::vector<ArrowArray*> array_pointers;
  };

  static void release_schema(ArrowSchema* schema) {
    auto* node = static_cast<Node*>(schema->private_data);
    for (ArrowSchema& child : node->schemas) child.release(&child);
    --node->owner->unreleased;
    delete node;
    schema->release = nullptr;
  }
  static void release_array(ArrowArray* array) {
    auto* node = static_cast<Node*>(array->private_data);
    for (ArrowArray& child : node->arrays) child.release(&child);
    --node->owner->unreleased;
    delete node;
    array->release = nullptr;
  }
  void make_schema(const HandColumn& column, ArrowSchema& out) {
    auto* node = new Node{this, column.format, column.name, {}, {}, {}, {}, {}};
    out = {};
    out.format = node->format.c_str();
    out.name = node->name.c_str();
    out.flags = ARROW_FLAG_NULLABLE;
    out.release = release_schema;
    out.private_data = node;
    ++unreleased;
    if (!column.dictionary) return;
    make_schema(*column.dictionary, node->schemas.emplace_back());
    out.dictionary = &node->schemas.back();
  }
  void make_array(const HandColumn& column, ArrowArray& out) {
    auto* node = new Node{this, "", "", {}, {}, {}, {}, {}};
    for (size_t i = 0; i < column.buffers.size(); ++i) {
      node->buffers.push_back(i == 0 && column.buffers[0].empty() ? nullptr : column.buffers[i].data());
    }
    out = {};
    out.length = column.length;
    out.offset = column.offset;
    out.null_count = column.nulls;
    out.n_buffers = static_cast<int64_t>(node->buffers.size());
    out.buffers = node->buffers.data();
    out.release = release_array;
    out.private_data = node;
    ++unreleased;
    if (!column.dictionary) return;
    make_array(*column.dictionary, node->arrays.emplace_back());
    out.dictionary = &node->arrays.back();
  }
  int schema(ArrowSchema* out) {
    auto* node = new Node{this, "+s", "", {}, {}, {}, {}, {}};
    for (const HandColumn& column : batches_.front()) make_schema(column, node->schemas.emplace_back());
    for (ArrowSchema& child : node->schemas) node->schema_pointers.push_back(&child);
    *out = {};
    out->format = node->format.c_str();
    out->name = "";
    out->n_children = static_cast<int64_t>(node->schemas.size());
    out->children = node->schema_pointers.data();
    out->release = release_schema;
    out->private_data = node;
    ++unreleased;
    return 0;
  }
  int next(ArrowArray* out) {
    *out = {};
    if (next_ == fails_at) return 5;
    if (next_ == batches_.size()) return 0;
    const std::vector<HandColumn>& batch = batches_[next_++];
    auto* node = new Node{this, "", "", {nullptr}, {}, {}, {}, {}};
    for (const HandColumn& column : batch) make_array(column, node->arrays.emplace_back());
    for (ArrowArray& child : node->arrays) node->array_pointers.push_back(&child);
    out->length = batch.empty() ? 0 : batch.front().length - offset_;
    out->offset = offset_;
    out->n_buffers = 1;
    out->buffers = node->buffers.data();
    out->n_children = static_cast<int64_t>(batch.size());
    out->children = node->array_pointers.data();
    out->release = release_array;
    out->private_data = node;
    ++unreleased;
    return 0;
  }

  std::vector<std::vector<HandColumn>> batches_;
  int64_t offset_;
  size_t next_ = 0;
};

}  // namespace shoal::testing
