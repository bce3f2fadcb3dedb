#include "shoal/files/model_file.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

namespace shoal {
namespace {

using Json = nlohmann::json;

// Looks at the fields of the first object in a file and stops as soon as it is known. JSON tables begin with a row, so
// that this is over after one row.
class FirstObject : public nlohmann::json_sax<Json> {
 public:
  // "model" says decision tree, and "tree" is an object: a row of a table would be strange to have both.
  bool is_tree() const { return named_ && (has_tree_ || broken_); }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool string(string_t& value) override {
    named_ |= depth_ == 1 && key_ == "model" && value == "decision tree";
    return true;
  }
  bool start_object(std::size_t) override {
    has_tree_ |= depth_ == 1 && key_ == "tree";
    ++depth_;
    return !(named_ && has_tree_);
  }
  bool end_object() override { return --depth_ > 0; }
  bool key(string_t& name) override {
    if (depth_ == 1) key_ = name;
    return true;
  }
  bool start_array(std::size_t) override {
    ++depth_;
    return true;
  }
  bool end_array() override { return --depth_ > 0; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    broken_ = true;
    return false;
  }

 private:
  size_t depth_ = 0;
  std::string key_;  // the last one of the first object
  bool named_ = false, has_tree_ = false, broken_ = false;
};

// "... (120/14)": all rows and those of other classes.
bool ends_like_leaf(std::string_view line) {
  const size_t open = line.rfind(" (");
  if (open == std::string_view::npos || !line.ends_with(')')) return false;
  const std::string_view inside = line.substr(open + 2, line.size() - open - 3);
  const size_t slash = inside.find('/');
  auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return slash != std::string_view::npos && is_number(inside.substr(0, slash)) && is_number(inside.substr(slash + 1));
}

bool is_test(std::string_view line) {
  constexpr std::string_view tests[] = {" <= ", " > ", " = ", " missing"};
  return std::any_of(std::begin(tests), std::end(tests),
                     [&](std::string_view test) { return line.find(test) != std::string_view::npos; });
}

// Lines of tests, each one level deeper than the last, up to the first leaf; or a leaf alone. This is how kadet.cpp
// writes a tree for people.
bool is_tree_text(std::string_view head) {
  std::string indent;
  while (!head.empty()) {
    const size_t end = std::min(head.find('\n'), head.size());
    std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 1, head.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.starts_with(indent)) return false;
    line.remove_prefix(indent.size());
    if (ends_like_leaf(line)) return is_test(line) || (indent.empty() && head.empty());
    if (!is_test(line)) return false;
    indent += "|   ";
  }
  return false;
}

}  // namespace

ModelFile model_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(1 << 16, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(file.gcount()));
  const size_t start = head.find_first_not_of(" \t\r\n");
  if (start == std::string::npos) return ModelFile::other;
  if (head[start] != '{') return is_tree_text(head) ? ModelFile::tree_text : ModelFile::other;
  file.clear();
  file.seekg(0);
  FirstObject first;
  Json::sax_parse(file, &first, Json::input_format_t::json, /*strict=*/false);
  return first.is_tree() ? ModelFile::tree : ModelFile::other;
}

}  // namespace shoal
