#include "shoal/read/json_rows.h"

#include <fmt/format.h>

#include <deque>
#include <map>

#include "shoal/error.h"
#include "shoal/read/json_object.h"

namespace shoal {
namespace {

[[noreturn]] void wrong_row(uint64_t row, const std::string& why) {
  throw Error(ErrorKind::input, fmt::format("row {}: {}", row + 1, why));
}

// Numbers for the names of members. Rows mostly repeat the order of the row before, so that is tried first.
class MemberNumbers {
 public:
  // Of a name that was met before or is added; -1 for others unless `add`.
  int number(std::string_view name, bool add) {
    if (expected_ < names_.size() && names_[expected_] == name) return static_cast<int>(expected_++);
    auto found = numbers_.find(name);
    if (found == numbers_.end()) {
      if (!add) return -1;
      names_.emplace_back(name);
      found = numbers_.emplace(names_.back(), names_.size() - 1).first;
    }
    expected_ = found->second + 1;
    return static_cast<int>(found->second);
  }
  void new_row() { expected_ = 0; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::map<std::string, size_t, std::less<>> numbers_;
  size_t expected_ = 0;
};

class JsonCells : public TextStream {
 public:
  JsonCells(std::unique_ptr<TextStream> objects, std::span<const std::string> wanted) : objects_(std::move(objects)) {
    for (const std::string& name : wanted) slots_.push_back(static_cast<size_t>(numbers_.number(name, true)));
  }

  bool next() override {
    first_row_ += size_;
    size_ = 0;
    if (!objects_->next()) return false;
    size_ = objects_->size();
    const size_t columns = numbers_.names().size();
    views_.assign(columns * size_, {});
    made_.clear();
    for (size_t row = 0; row < size_; ++row) read_row(row);
    cells_.clear();
    for (const size_t slot : slots_) cells_.push_back(views_.data() + slot * size_);
    return true;
  }

 private:
  void read_row(size_t row) try {
    JsonObject object(objects_->cell(0, row));
    numbers_.new_row();
    while (object.next()) {
      const int column = numbers_.number(object.name(), false);
      if (column < 0) continue;
      std::string_view& view = views_[static_cast<size_t>(column) * size_ + row];
      view = json_cell(object.value(), room_);
      if (view.data() == room_.data() && !view.empty()) view = made_.emplace_back(view);
    }
  } catch (const Error& error) {
    wrong_row(first_row_ + row, error.what());
  }

  std::unique_ptr<TextStream> objects_;
  MemberNumbers numbers_;
  std::vector<size_t> slots_;  // for each wanted column, its number
  std::vector<std::string_view> views_;
  std::deque<std::string> made_;  // texts of this chunk that are not in the objects as they stand
  std::string room_;
  uint64_t first_row_ = 0;
};

// ---- the same for SQL ----

std::string_view view_of(duckdb_string_t& text) { return {duckdb_string_t_data(&text), duckdb_string_t_length(text)}; }

bool is_valid(const uint64_t* validity, size_t row) {
  return validity == nullptr || ((validity[row / 64] >> (row % 64)) & 1);
}

using ValueOf = std::string_view (*)(std::string_view value, std::string& room);

template <ValueOf value_of, bool null_is_null>
void member_function(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const size_t rows = duckdb_data_chunk_get_size(input);
  duckdb_vector jsons = duckdb_data_chunk_get_vector(input, 0), names = duckdb_data_chunk_get_vector(input, 1);
  auto* json_texts = static_cast<duckdb_string_t*>(duckdb_vector_get_data(jsons));
  auto* name_texts = static_cast<duckdb_string_t*>(duckdb_vector_get_data(names));
  const uint64_t* json_validity = duckdb_vector_get_validity(jsons);
  duckdb_vector_ensure_validity_writable(output);
  uint64_t* validity = duckdb_vector_get_validity(output);
  std::string room;
  try {
    for (size_t row = 0; row < rows; ++row) {
      duckdb_validity_set_row_invalid(validity, row);
      if (!is_valid(json_validity, row)) continue;
      const std::string_view name = view_of(name_texts[row]);
      JsonObject object(view_of(json_texts[row]));
      while (object.next()) {
        if (object.name() != name) continue;
        if (null_is_null && object.value() == "null") break;
        const std::string_view value = value_of(object.value(), room);
        duckdb_vector_assign_string_element_len(output, row, value.data(), value.size());
        duckdb_validity_set_row_valid(validity, row);
        break;
      }
    }
  } catch (const Error& error) {
    duckdb_scalar_function_set_error(info, error.what());
  }
}

void add_function(DuckDb& duck, const char* name, duckdb_scalar_function_t body) {
  duckdb_scalar_function function = duckdb_create_scalar_function();
  duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
  duckdb_scalar_function_set_name(function, name);
  duckdb_scalar_function_add_parameter(function, text);
  duckdb_scalar_function_add_parameter(function, text);
  duckdb_scalar_function_set_return_type(function, text);
  duckdb_scalar_function_set_special_handling(function);  // rows without text are handled here
  duckdb_scalar_function_set_function(function, body);
  duckdb_register_scalar_function(duck.connection(), function);  // one that is there already stays
  duckdb_destroy_logical_type(&text);
  duckdb_destroy_scalar_function(&function);
}

}  // namespace

std::string json_relation(const std::string& path, const std::string& compression) {
  return fmt::format("(SELECT json::VARCHAR AS json FROM read_json_objects({}, hive_partitioning=false{}))",
                     sql_literal(path),
                     compression.empty() ? "" : fmt::format(", compression={}", sql_literal(compression)));
}

std::vector<std::string> json_columns(TextStream& objects) {
  MemberNumbers numbers;
  std::vector<uint64_t> last_row;  // in which each member was met, from 1
  uint64_t row = 0;
  while (objects.next()) {
    for (size_t i = 0; i < objects.size(); ++i, ++row) {
      try {
        numbers.new_row();
        JsonObject object(objects.cell(0, i));
        while (object.next()) {
          const auto member = static_cast<size_t>(numbers.number(object.name(), true));
          if (member == last_row.size()) last_row.push_back(0);
          if (last_row[member] == row + 1) {
            throw Error(ErrorKind::input, fmt::format("two members named '{}'; rename one of them", object.name()));
          }
          last_row[member] = row + 1;
        }
      } catch (const Error& error) {
        wrong_row(row, error.what());
      }
    }
  }
  return numbers.names();
}

std::unique_ptr<TextStream> json_cells(std::unique_ptr<TextStream> objects, std::span<const std::string> wanted) {
  return std::make_unique<JsonCells>(std::move(objects), wanted);
}

void add_json_functions(DuckDb& duck) {
  add_function(duck, "json_member_text", member_function<json_cell, true>);
  add_function(duck, "json_member", member_function<json_on_one_line, false>);
}

}  // namespace shoal
