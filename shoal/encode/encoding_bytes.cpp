// An Encoding as bytes, for other processes: numbers with the low byte first, texts and lists with their length before
// them. Reading trusts nothing: lengths are checked against what is left, trees against what Hierarchy requires.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "shoal/encode/encoding.h"
#include "shoal/error.h"

namespace shoal {
namespace {

constexpr std::string_view kMark = "shoal encoding 2\n";
constexpr uint64_t kNoLeaf = std::numeric_limits<uint64_t>::max();

class ByteWriter {
 public:
  void number(uint64_t value) {
    for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>(value >> 8 * i);
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  void texts(const std::vector<std::string>& values) {
    number(values.size());
    for (const std::string& value : values) text(value);
  }
  // Codes and nodes: four bytes each.
  void list(const std::vector<uint32_t>& values) {
    number(values.size());
    for (uint32_t value : values) {
      for (int i = 0; i < 4; ++i) bytes_ += static_cast<char>(value >> 8 * i);
    }
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_{kMark};
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {
    if (!left_.starts_with(kMark)) wrong("it does not begin like one");
    left_.remove_prefix(kMark.size());
  }

  [[noreturn]] static void wrong(const std::string& what) {
    throw Error(ErrorKind::input, fmt::format("these bytes are not an encoding that shoal wrote: {}", what));
  }

  uint64_t number() {
    uint64_t value = 0;
    const std::string_view bytes = take(8);
    for (int i = 0; i < 8; ++i) value |= uint64_t{static_cast<unsigned char>(bytes[static_cast<size_t>(i)])} << 8 * i;
    return value;
  }
  // How many entries of at least `bytes_each` follow.
  size_t length(size_t bytes_each) {
    const uint64_t value = number();
    if (value > left_.size() / bytes_each) wrong("it is cut off");
    return static_cast<size_t>(value);
  }
  std::string text() { return std::string(take(length(1))); }
  std::vector<std::string> texts() {
    std::vector<std::string> values(length(8));
    for (std::string& value : values) value = text();
    return values;
  }
  std::vector<uint32_t> list() {
    std::vector<uint32_t> values(length(4));
    for (uint32_t& value : values) {
      const std::string_view bytes = take(4);
      value = 0;
      for (int i = 0; i < 4; ++i) value |= uint32_t{static_cast<unsigned char>(bytes[static_cast<size_t>(i)])} << 8 * i;
    }
    return values;
  }
  void must_be_at_end() const {
    if (!left_.empty()) wrong("something follows its end");
  }

 private:
  std::string_view take(size_t size) {
    if (size > left_.size()) wrong("it is cut off");
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }
  std::string_view left_;
};

void write_hierarchy(const Hierarchy& hierarchy, ByteWriter& out) {
  out.number(hierarchy.nodes());
  for (uint32_t node = 0; node < hierarchy.nodes(); ++node) {
    const Hierarchy::NodeInfo& info = hierarchy.node(node);
    out.text(info.label);
    out.list({info.parent, info.depth, info.first, info.last});
  }
  out.number(static_cast<uint64_t>(hierarchy.height()) + 1);
  for (int level = 0; level <= hierarchy.height(); ++level) out.list(hierarchy.level_nodes(level));
  out.number(hierarchy.numeric() ? hierarchy.leaves() : 0);
  for (uint32_t leaf = 0; hierarchy.numeric() && leaf < hierarchy.leaves(); ++leaf) {
    const bool missing = hierarchy.missing() == leaf;
    out.number(std::bit_cast<uint64_t>(missing ? std::numeric_limits<double>::quiet_NaN() : hierarchy.number(leaf)));
  }
  out.number(hierarchy.missing() ? *hierarchy.missing() : kNoLeaf);
  out.number(hierarchy.numeric() && !hierarchy.releases_ranges() ? 1 : 0);
}

// What Hierarchy's constructor requires, of nodes that came from outside. Returns the number of leaves.
size_t check_nodes(const std::vector<Hierarchy::NodeInfo>& nodes) {
  if (nodes.empty()) ByteReader::wrong("a tree without a root");
  std::vector<size_t> children(nodes.size(), 0);
  for (size_t i = 1; i < nodes.size(); ++i) {
    const Hierarchy::NodeInfo& node = nodes[i];
    if (node.parent >= i) ByteReader::wrong("a node stands before its parent");
    const Hierarchy::NodeInfo& parent = nodes[node.parent];
    if (node.first > node.last || node.first < parent.first || node.last > parent.last ||
        node.depth != parent.depth + 1) {
      ByteReader::wrong("a node does not lie in its parent");
    }
    ++children[node.parent];
  }
  const size_t leaves = size_t{nodes[0].last} + 1;
  if (nodes[0].first != 0 || nodes[0].parent != 0 || nodes[0].depth != 0) ByteReader::wrong("no root");
  std::vector<bool> seen(std::min(leaves, nodes.size()), false);
  size_t found = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (children[i] > 0) continue;
    if (nodes[i].first != nodes[i].last || nodes[i].first >= seen.size() || seen[nodes[i].first]) {
      ByteReader::wrong("leaves do not stand side by side");
    }
    seen[nodes[i].first] = true;
    ++found;
  }
  if (found != leaves) ByteReader::wrong("a leaf is missing");
  return leaves;
}

Hierarchy read_hierarchy(ByteReader& in) {
  std::vector<Hierarchy::NodeInfo> nodes(in.length(8));
  for (Hierarchy::NodeInfo& node : nodes) {
    node.label = in.text();
    const std::vector<uint32_t> place = in.list();
    if (place.size() != 4) ByteReader::wrong("a node without its place");
    node.parent = place[0];
    node.depth = place[1];
    node.first = place[2];
    node.last = place[3];
  }
  const size_t leaves = check_nodes(nodes);
  std::vector<std::vector<Hierarchy::Node>> levels(in.length(8));
  if (levels.empty()) ByteReader::wrong("a tree without levels");
  for (auto& level : levels) {
    level = in.list();
    if (level.size() != leaves) ByteReader::wrong("a level of another size than its tree");
    for (size_t leaf = 0; leaf < leaves; ++leaf) {
      if (level[leaf] >= nodes.size() || nodes[level[leaf]].first > leaf || nodes[level[leaf]].last < leaf) {
        ByteReader::wrong("a level releases a value as a node that does not cover it");
      }
    }
  }
  std::vector<double> numbers(in.length(8));
  for (double& number : numbers) number = std::bit_cast<double>(in.number());
  const uint64_t missing = in.number();
  if (missing != kNoLeaf && missing + 1 != leaves) ByteReader::wrong("the leaf for missing cells is not the last");
  const size_t known = leaves - (missing == kNoLeaf ? 0 : 1);
  if (!numbers.empty() && numbers.size() != leaves) ByteReader::wrong("numbers for other leaves");
  for (size_t leaf = 0; leaf < (numbers.empty() ? 0 : known); ++leaf) {
    if (!std::isfinite(numbers[leaf]) || (leaf > 0 && numbers[leaf] < numbers[leaf - 1])) {
      ByteReader::wrong("numbers that do not ascend");
    }
  }
  std::optional<Hierarchy::Leaf> missing_leaf;
  if (missing != kNoLeaf) missing_leaf = static_cast<Hierarchy::Leaf>(missing);
  const uint64_t as_nodes = in.number();
  if (as_nodes > (numbers.empty() ? 0 : 1)) ByteReader::wrong("nodes in place of ranges that there are none of");
  const Hierarchy hierarchy(std::move(nodes), std::move(levels), std::move(numbers), missing_leaf);
  return as_nodes == 1 ? hierarchy.releasing_nodes() : hierarchy;
}

void write_column(const ColumnEncoding& column, const Hierarchy& hierarchy, ByteWriter& out) {
  out.text(column.name);
  out.text(column.type);
  out.text(column.hierarchy);
  out.number(column.has_tree ? 1 : 0);
  out.texts(column.texts);
  out.list(column.leaf_of_text);
  out.texts(column.leaf_texts);
  out.list(column.order);
  write_hierarchy(hierarchy, out);
}

void read_columns(ByteReader& in, std::vector<ColumnEncoding>& columns, std::vector<Hierarchy>& hierarchies) {
  for (size_t left = in.length(8); left > 0; --left) {
    ColumnEncoding column;
    column.name = in.text();
    column.type = in.text();
    column.hierarchy = in.text();
    column.has_tree = in.number() != 0;
    column.texts = in.texts();
    column.leaf_of_text = in.list();
    column.leaf_texts = in.texts();
    column.order = in.list();
    hierarchies.push_back(read_hierarchy(in));
    const size_t leaves = hierarchies.back().leaves();
    if (column.leaf_of_text.size() != column.texts.size() || column.leaf_texts.size() != leaves) {
      ByteReader::wrong("texts and leaves do not belong together");
    }
    for (uint32_t leaf : column.leaf_of_text) {
      if (leaf >= leaves) ByteReader::wrong("a text without a leaf");
    }
    std::vector<uint32_t> sorted = column.order;
    std::sort(sorted.begin(), sorted.end());
    for (size_t leaf = 0; leaf < sorted.size(); ++leaf) {
      if (sorted[leaf] != leaf || sorted.size() != leaves) ByteReader::wrong("an order that leaves values out");
    }
    columns.push_back(std::move(column));
  }
}

}  // namespace

std::string Encoding::bytes() const {
  ByteWriter out;
  out.number(columns.size());
  for (size_t j = 0; j < columns.size(); ++j) write_column(columns[j], hierarchies[j], out);
  out.number(sensitive.size());
  for (size_t j = 0; j < sensitive.size(); ++j) write_column(sensitive[j], sensitive_hierarchies[j], out);
  return out.take();
}

Encoding Encoding::from_bytes(std::string_view bytes) {
  ByteReader in(bytes);
  Encoding encoding;
  read_columns(in, encoding.columns, encoding.hierarchies);
  read_columns(in, encoding.sensitive, encoding.sensitive_hierarchies);
  in.must_be_at_end();
  return encoding;
}

}  // namespace shoal
