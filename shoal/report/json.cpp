// The document as JSON, written by hand: the engine's core knows no JSON library. Blocks put their values into a tree
// by their paths, so that what belongs together for machines may stand apart for people; the tree is printed at the
// end.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "shoal/report/format.h"
#include "shoal/report/render.h"

namespace shoal {
namespace {

std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\t':
        result += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          result += c;
        }
    }
  }
  return result + "\"";
}

// The shortest digits that read back as the same number; with a point or an exponent, so that it stays no integer.
std::string printed(double number) {
  if (!std::isfinite(number)) return "null";
  std::string digits = fmt::format("{}", number);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits;
}

struct Node {
  enum class Kind { null, scalar, object, array };
  Kind kind = Kind::null;
  std::string scalar{};                                 // printed already
  std::vector<std::pair<std::string, Node>> members{};  // in order of arrival
  std::vector<Node> items{};

  Node& member(std::string_view name) {
    kind = Kind::object;
    for (auto& [known, node] : members) {
      if (known == name) return node;
    }
    return members.emplace_back(name, Node{}).second;
  }
  Node& item(size_t index) {
    kind = Kind::array;
    if (items.size() <= index) items.resize(index + 1);
    return items[index];
  }
  // "a.b[2].c"; "" is the node itself.
  Node& at(std::string_view path) {
    Node* node = this;
    while (!path.empty()) {
      const std::string_view part = path.substr(0, path.find('.'));
      path.remove_prefix(std::min(path.size(), part.size() + 1));
      const size_t bracket = part.find('[');
      node = &node->member(part.substr(0, bracket));
      if (bracket == std::string_view::npos) continue;
      size_t index = 0;
      std::from_chars(part.data() + bracket + 1, part.data() + part.size(), index);
      node = &node->item(index);
    }
    return *node;
  }
};

void print(const Node& node, size_t depth, std::string& out) {
  const auto list = [&](const auto& parts, char open, char close, auto print_part) {
    out += open;
    for (size_t i = 0; i < parts.size(); ++i) {
      out += (i == 0 ? "\n" : ",\n") + std::string(2 * depth + 2, ' ');
      print_part(parts[i]);
    }
    if (!parts.empty()) out += "\n" + std::string(2 * depth, ' ');
    out += close;
  };
  switch (node.kind) {
    case Node::Kind::null:
      out += "null";
      break;
    case Node::Kind::scalar:
      out += node.scalar;
      break;
    case Node::Kind::object:
      list(node.members, '{', '}', [&](const auto& member) {
        out += json_text(member.first) + ": ";
        print(member.second, depth + 1, out);
      });
      break;
    case Node::Kind::array:
      list(node.items, '[', ']', [&](const Node& item) { print(item, depth + 1, out); });
      break;
  }
}

std::string joined(const std::string& a, const std::string& b) { return a.empty() || b.empty() ? a + b : a + "." + b; }

class JsonWriter {
 public:
  explicit JsonWriter(Audience audience) : audience_(audience) {
    root_.member("audience") =
        scalar(json_text(audience == Audience::internal ? "internal: may hold values of the table"
                                                        : "public: holds no values of the table"));
    if (audience_ == Audience::internal) root_.member("holds_data").kind = Node::Kind::array;
  }

  void add(const Section& section) {
    if (section.readers & kMachines) {
      for (const Block& block : section.blocks) {
        std::visit([&](const auto& held) { add(held, section.path); }, block);
      }
    }
  }
  void add(const std::vector<Finding>& findings) {
    Node& list = root_.member("findings");
    list.kind = Node::Kind::array;
    for (size_t i = 0; i < findings.size(); ++i) {
      const std::string path = fmt::format("findings[{}]", i);
      Node& node = list.item(i);
      put(Value::text(findings[i].code), node.member("code"), path);
      put(Value::texts(findings[i].columns), node.member("columns"), path);
      put(Value::text(findings[i].evidence), node.member("evidence"), path);
      put(Value::text(findings[i].what_to_do), node.member("what_to_do"), path);
      put(Value::yes_no(findings[i].stands_in_the_way), node.member("stands_in_the_way"), path);
      put(Value::yes_no(findings[i].accepted), node.member("accepted"), path);
      for (const auto& [name, number] : findings[i].numbers) {
        put(Value::number(number), node.member("numbers").member(name), path);
      }
    }
  }

  std::string text() const {
    std::string out;
    print(root_, 0, out);
    out.replace(0, out.find('"'), "{ ");  // for whom it is, on the first line
    return out + "\n";
  }

 private:
  static Node scalar(std::string text) { return {Node::Kind::scalar, std::move(text)}; }

  void add(const Paragraph& paragraph, const std::string&) {
    if (paragraph.readers & kMachines) throw std::logic_error("a paragraph has no key");
  }
  void add(const Entries&, const std::string&) {}
  void add(const Chart&, const std::string&) {}
  void add(const SignOff&, const std::string&) {}

  void add(const Facts& block, const std::string& prefix) {
    const std::string path = joined(prefix, block.path);
    for (const Fact& fact : block.facts) {
      if (!(fact.readers & kMachines) || fact.key.empty() || fact.value.unit == Unit::absent) continue;
      put(fact.value, root_.at(path).member(fact.key), joined(path, fact.key));
    }
    if (!block.path.empty() && root_.at(path).kind == Node::Kind::null) root_.at(path).kind = Node::Kind::object;
  }

  void add(const FactTable& table, const std::string& prefix) {
    const std::string path = joined(prefix, table.path);
    if (table.record_per_column) return add_columns(table, path);
    if (table.path.empty()) return;
    Node& list = root_.at(path);
    list.kind = Node::Kind::array;
    size_t index = list.items.size();
    for (const Row& row : table.rows) {
      if (!(row.readers & kMachines)) continue;
      const std::string place = fmt::format("{}[{}]", path, index);
      Node& record = list.item(index++);
      record.kind = Node::Kind::object;
      for (size_t i = 0; i < table.columns.size() && i < row.cells.size(); ++i) {
        const Heading& column = table.columns[i];
        if (column.key.empty() || !(column.readers & kMachines) || row.cells[i].unit == Unit::absent) continue;
        put(row.cells[i], record.at(column.key), joined(place, column.key));
      }
    }
  }
  void add_columns(const FactTable& table, const std::string& path) {
    for (size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].key.empty() || !(table.columns[i].readers & kMachines)) continue;
      const std::string place = joined(path, table.columns[i].key);
      for (const Row& row : table.rows) {
        if (row.key.empty() || !(row.readers & kMachines) || row.cells[i].unit == Unit::absent) continue;
        put(row.cells[i], root_.at(place).member(row.key), joined(place, row.key));
      }
    }
  }

  void add(const Remarks& list, const std::string& prefix) {
    if (list.path.empty() || !(list.readers & kMachines)) return;
    const std::string path = joined(prefix, list.path);
    Node& node = root_.at(path);
    node.kind = Node::Kind::array;
    for (const Value& remark : list.remarks) {
      const size_t index = node.items.size();
      put(remark, node.item(index), fmt::format("{}[{}]", path, index));
    }
  }

  void put(const Value& value, Node& node, const std::string& path) {
    node = Node{};
    if (value.holds_data && audience_ == Audience::everyone) return;
    node = content_of(value);
    if (!value.holds_data || node.kind == Node::Kind::null) return;
    Node& marked = root_.member("holds_data");
    marked.items.push_back(scalar(json_text(path)));
  }

  Node content_of(const Value& value) const {
    if (value.unit == Unit::file && audience_ == Audience::everyone) return scalar(json_text(words_of(value)));
    if (const auto* answer = std::get_if<bool>(&value.content)) return scalar(*answer ? "true" : "false");
    if (const auto* count = std::get_if<uint64_t>(&value.content)) return scalar(std::to_string(*count));
    if (const auto* number = std::get_if<double>(&value.content)) return scalar(printed(*number));
    if (const auto* text = std::get_if<std::string>(&value.content)) return scalar(json_text(*text));
    Node list;
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value.content)) {
      list.kind = Node::Kind::array;
      for (const std::string& text : *texts) list.items.push_back(scalar(json_text(text)));
    } else if (const auto* numbers = std::get_if<std::vector<double>>(&value.content)) {
      list.kind = Node::Kind::array;
      for (const double number : *numbers) {
        list.items.push_back(scalar(value.unit == Unit::count ? fmt::format("{:.0f}", number) : printed(number)));
      }
    }
    return list;
  }

  Audience audience_;
  Node root_{};
};

}  // namespace

std::string json_text(const Document& document, Audience audience) {
  JsonWriter writer(audience);
  if (document.findings) writer.add(*document.findings);
  for (const Section& section : document.sections) writer.add(section);
  return writer.text();
}

}  // namespace shoal
