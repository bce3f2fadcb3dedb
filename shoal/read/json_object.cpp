#include "shoal/read/json_object.h"

#include <nlohmann/json.hpp>

#include "shoal/error.h"

namespace shoal {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

[[noreturn]] void refuse(const char* why) { throw Error(ErrorKind::input, why); }

// The length of the string in quotes that `text` starts with.
size_t quoted_length(std::string_view text) {
  for (size_t i = 1; i < text.size(); ++i) {
    i = text.find_first_of("\"\\", i);
    if (i == std::string_view::npos) break;
    if (text[i] == '"') return i + 1;
    ++i;  // what a backslash stands before
  }
  refuse("a text whose quotes are not closed");
}

// Inside the quotes; escapes are rare, and a library undoes them.
std::string_view unescaped(std::string_view quoted, std::string& room) {
  const std::string_view inside = quoted.substr(1, quoted.size() - 2);
  if (inside.find('\\') == std::string_view::npos) return inside;
  const auto parsed = nlohmann::json::parse(quoted, nullptr, false);
  if (!parsed.is_string()) refuse("a text with a wrong escape");
  room = parsed.get<std::string>();
  return room;
}

}  // namespace

JsonObject::JsonObject(std::string_view text) : rest_(text) {
  skip_blanks();
  if (!rest_.starts_with('{')) refuse("not an object; a row is written as {\"column\": value, ...}");
  rest_.remove_prefix(1);
}

void JsonObject::skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size())); }

std::string_view JsonObject::quoted() {
  const std::string_view text = rest_.substr(0, quoted_length(rest_));
  rest_.remove_prefix(text.size());
  return text;
}

// Brackets are counted, not followed: no depth is too much.
std::string_view JsonObject::scalar_or_nested() {
  size_t depth = 0, i = 0;
  for (; i < rest_.size(); ++i) {
    const char c = rest_[i];
    if (c == '"') {
      i += quoted_length(rest_.substr(i)) - 1;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (depth > 0 && (c == '}' || c == ']')) {
      --depth;
    } else if (depth == 0 && (c == ',' || c == '}')) {
      break;
    }
  }
  if (i == rest_.size()) refuse("an object that is not closed");
  std::string_view text = rest_.substr(0, i);
  rest_.remove_prefix(i);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

bool JsonObject::next() {
  skip_blanks();
  if (!first_ && rest_.starts_with(',')) {
    rest_.remove_prefix(1);
    skip_blanks();
  }
  first_ = false;
  if (rest_.starts_with('}')) return false;
  if (!rest_.starts_with('"')) refuse("a member without a name in quotes");
  name_ = unescaped(quoted(), unescaped_);
  skip_blanks();
  if (!rest_.starts_with(':')) refuse("a name without a value");
  rest_.remove_prefix(1);
  skip_blanks();
  value_ = scalar_or_nested();
  if (value_.empty()) refuse("a name without a value");
  return true;
}

std::string_view json_on_one_line(std::string_view value, std::string& room) {
  if (value.find_first_of(kBlanks) == std::string_view::npos || value.starts_with('"')) return value;
  room.clear();
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '"') {
      const size_t length = quoted_length(value.substr(i));
      room.append(value.substr(i, length));
      i += length - 1;
    } else if (kBlanks.find(value[i]) == std::string_view::npos) {
      room += value[i];
    }
  }
  return room;
}

std::string_view json_cell(std::string_view value, std::string& room) {
  if (value == "null") return {};
  if (value.starts_with('"')) return unescaped(value, room);
  return json_on_one_line(value, room);
}

}  // namespace shoal
