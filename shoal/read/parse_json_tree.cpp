// JSON: {"label": "Any", "children": ["9th", {...}]}, or nested objects {"Any": {"High": ["9th", "10th"]}}.

#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "shoal/hierarchy/label_text.h"
#include "shoal/hierarchy/tree_draft.h"
#include "shoal/read/read_tree.h"

namespace shoal {
namespace {

// Two JSON levels for one of the tree (object, its list of children), and some room.
constexpr size_t kDeepestNesting = 2 * kDeepestTree + 10;

// Reads characters and knows the line of the last one read. Copies share the line, since the parser copies iterators.
class LineCounting {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  LineCounting(const char* at, size_t* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  LineCounting& operator++() {
    // A line break is read before the next line begins: it counts once the character after it is passed.
    if (started_ && previous_ == '\n') ++*line_;
    previous_ = *at_++;
    started_ = true;
    return *this;
  }
  LineCounting operator++(int) {
    LineCounting before = *this;
    ++*this;
    return before;
  }
  bool operator==(const LineCounting& other) const { return at_ == other.at_; }
  bool operator!=(const LineCounting& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  size_t* line_;
  char previous_ = 0;
  bool started_ = false;
};

// A JSON value with its line: nlohmann::json keeps neither lines nor repeated keys, and we want both.
struct Item {
  enum class Kind { object, array, text, null, other };
  Kind kind = Kind::null;
  std::string key;   // within an object
  std::string text;  // of Kind::text; for `other` as words
  size_t line = 0;   // of the key, if any, else of the value (of its opening bracket)
  std::vector<Item> items;
};

class ItemReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit ItemReader(const size_t* line) : line_(line) { open_.push_back(&top_); }

  bool null() override { return put(Item::Kind::null, "null"); }
  bool boolean(bool value) override { return put(Item::Kind::other, value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return put(Item::Kind::text, std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return put(Item::Kind::text, std::to_string(value)); }
  // As written: 1.50 stays 1.50.
  bool number_float(number_float_t, const string_t& written) override { return put(Item::Kind::text, written); }
  bool string(string_t& value) override { return put(Item::Kind::text, value); }
  bool binary(binary_t&) override { return put(Item::Kind::other, "binary"); }
  bool start_object(std::size_t) override { return open(Item::Kind::object); }
  bool start_array(std::size_t) override { return open(Item::Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    key_ = name;
    key_line_ = *line_;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& exception) override {
    const std::string_view what = exception.what();
    // "[...] parse error at line 2, column 3: syntax error ...": line and file are ours to say.
    const size_t column = what.find("column ");
    const size_t colon = what.find(": ", column == std::string_view::npos ? 0 : column);
    fault_ = "this is not JSON: " + std::string(colon == std::string_view::npos ? what : what.substr(colon + 2));
    fault_line_ = *line_;
    return false;
  }

  const std::vector<Item>& items() const { return top_.items; }
  const std::string& fault() const { return fault_; }
  size_t fault_line() const { return fault_line_; }

 private:
  bool put(Item::Kind kind, std::string text) {
    Item item{kind, {}, std::move(text), *line_, {}};
    if (open_.back()->kind == Item::Kind::object) {
      item.key = std::move(key_);
      item.line = key_line_;
    }
    open_.back()->items.push_back(std::move(item));
    return true;
  }
  bool open(Item::Kind kind) {
    if (open_.size() > kDeepestNesting) {
      fault_ = fmt::format("the tree is deeper than {} levels; merge some levels", kDeepestTree);
      fault_line_ = *line_;
      return false;
    }
    put(kind, {});
    // Stays valid: nothing is added to the outer list while this one is open.
    open_.push_back(&open_.back()->items.back());
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const size_t* line_;
  Item top_;
  std::vector<Item*> open_;
  std::string key_;
  size_t key_line_ = 0;
  std::string fault_;
  size_t fault_line_ = 0;
};

// Turns JSON values into named nodes. Recursion is bounded by kDeepestNesting.
class Interpreter {
 public:
  void children(const Item& list, size_t parent) {
    for (const Item& item : list.items) child(item, parent);
  }
  void child(const Item& item, size_t parent) {
    switch (item.kind) {
      case Item::Kind::text:
        name(item.text, item.line, parent);
        return;
      case Item::Kind::object:
        if (const Item* label = label_of(item)) {
          labelled(item, *label, parent);
        } else {
          for (const Item& entry : item.items) keyed(entry, parent);
        }
        return;
      default:
        error(item.line, fmt::format("found {} where a label or an object belongs; write labels as \"text\"",
                                     item.kind == Item::Kind::array ? "a list" : item.text));
    }
  }

  std::vector<NamedNode> named;
  std::vector<HierarchyFault> faults;

 private:
  static const Item* label_of(const Item& object) {
    for (const Item& entry : object.items) {
      if (entry.key == "label" && entry.kind == Item::Kind::text) return &entry;
    }
    return nullptr;
  }

  // {"label": ..., "children": [...]}
  void labelled(const Item& object, const Item& label, size_t parent) {
    const size_t node = name(label.text, label.line, parent);
    for (const Item& entry : object.items) {
      if (&entry == &label || (entry.key == "children" && entry.kind == Item::Kind::null)) continue;
      if (entry.key != "children") {
        error(entry.line,
              fmt::format("an object with a \"label\" may have \"children\" besides, not {}", quoted_label(entry.key)));
      } else if (entry.kind != Item::Kind::array && entry.kind != Item::Kind::object) {
        error(entry.line, "\"children\" must be a list");
      } else if (entry.kind == Item::Kind::array) {
        children(entry, node);
      } else {
        child(entry, node);
      }
    }
  }

  // "High": [...] or {...}; null and empty lists make it a leaf
  void keyed(const Item& entry, size_t parent) {
    const size_t node = name(entry.key, entry.line, parent);
    if (entry.kind == Item::Kind::array) {
      children(entry, node);
    } else if (entry.kind == Item::Kind::object) {
      child(entry, node);
    } else if (entry.kind != Item::Kind::null) {
      error(entry.line, fmt::format("below {} stands {}, not a list; write [\"...\"]", quoted_label(entry.key),
                                    quoted_label(entry.text)));
    }
  }

  size_t name(const std::string& label, size_t line, size_t parent) {
    if (label.find_first_not_of(" \t") == std::string::npos) error(line, "a label is empty; give it a name");
    named.push_back({label, parent, line});
    return named.size() - 1;
  }
  void error(size_t line, std::string message) {
    faults.push_back({HierarchyFault::Severity::error, line, std::move(message)});
  }
};

}  // namespace

ParsedTree parse_json_tree(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return {{},
            {{HierarchyFault::Severity::error, 0, R"(the file is empty; write {"label": ..., "children": [...]})"}}};
  }
  size_t line = 1;
  ItemReader reader(&line);
  const bool whole = nlohmann::json::sax_parse(LineCounting(text.data(), &line),
                                               LineCounting(text.data() + text.size(), &line), &reader);
  if (!whole) return {{}, {{HierarchyFault::Severity::error, reader.fault_line(), reader.fault()}}};
  Interpreter interpreter;
  for (const Item& top : reader.items()) {
    if (top.kind == Item::Kind::array) {
      interpreter.children(top, NamedNode::kTop);
    } else {
      interpreter.child(top, NamedNode::kTop);
    }
  }
  return grow_named(interpreter.named, std::move(interpreter.faults));
}

}  // namespace shoal
