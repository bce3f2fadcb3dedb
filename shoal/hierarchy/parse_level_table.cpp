// Level tables (ARX form): one line per leaf, leaf first, root last.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "shoal/hierarchy/label_text.h"
#include "shoal/hierarchy/tree_draft.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

struct Record {
  size_t line = 0;
  std::vector<std::string> labels;  // leaf first
  std::string fault;                // what makes the line unreadable; "" when nothing does
};

// Splits a text into records at one delimiter. A label may stand in double quotes ("" inside is one quote, and a line
// break is then part of the label). Blank lines are no records.
class RecordSplitter {
 public:
  RecordSplitter(std::string_view text, char delimiter) : text_(text), delimiter_(delimiter) {}

  std::vector<Record> split() {
    std::vector<Record> records;
    while (at_ < text_.size()) {
      Record record;
      record.line = line_;
      while (read_label(record)) {
      }
      const bool blank = record.labels.size() == 1 && record.fault.empty() &&
                         record.labels[0].find_first_not_of(" \t") == std::string::npos;
      if (!blank) records.push_back(std::move(record));
    }
    return records;
  }

 private:
  // True when another label follows on the line.
  bool read_label(Record& record) {
    record.labels.emplace_back();
    const bool quoted = at_ < text_.size() && text_[at_] == '"';
    if (quoted) read_quoted(record);
    const size_t end = std::min(text_.find_first_of(stops(), at_), text_.size());
    std::string_view rest = text_.substr(at_, end - at_);
    at_ = end;
    const bool more = at_ < text_.size() && text_[at_] == delimiter_;
    if (!more && !rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
    if (quoted && !rest.empty() && record.fault.empty()) {
      record.fault = "there is text after a closing quote; write a quote inside a label twice (\"\")";
    }
    if (!quoted) record.labels.back() = rest;
    if (at_ < text_.size()) {
      if (!more) ++line_;
      ++at_;
    }
    return more;
  }

  // Past the closing quote; when there is none, to the end of the line, so that the other lines are still read.
  void read_quoted(Record& record) {
    std::string& label = record.labels.back();
    const size_t opened = at_;
    for (size_t at = at_ + 1; at < text_.size(); ++at) {
      if (text_[at] == '"') {
        if (at + 1 >= text_.size() || text_[at + 1] != '"') {
          line_ += static_cast<size_t>(std::count(label.begin(), label.end(), '\n'));
          at_ = at + 1;
          return;
        }
        ++at;
      }
      label += text_[at];
    }
    record.fault = "a quote is opened but never closed; close it, or write a quote inside a label twice (\"\")";
    at_ = std::min(text_.find('\n', opened), text_.size());
    label = text_.substr(opened + 1, at_ - opened - 1);
  }

  std::string_view stops() const { return {stops_.data(), stops_.size()}; }

  std::string_view text_;
  char delimiter_;
  std::array<char, 2> stops_{delimiter_, '\n'};
  size_t at_ = 0;
  size_t line_ = 1;
};

// The delimiter that splits the most lines. Labels may hold commas ("[1,37)"), so on ties the rarer characters win.
std::vector<Record> split_at_found_delimiter(std::string_view text, bool tab_first) {
  std::vector<Record> best;
  size_t most = 0;
  for (char delimiter : std::string_view(tab_first ? "\t;," : ";\t,")) {
    // The comma comes last, and is tried even where there is none: that is a file of one column.
    const bool needed = delimiter == ',' && best.empty();
    if (text.find(delimiter) == std::string_view::npos && !needed) continue;
    auto records = RecordSplitter(text, delimiter).split();
    const auto split = static_cast<size_t>(
        std::count_if(records.begin(), records.end(), [](const Record& record) { return record.labels.size() > 1; }));
    if (split > most || best.empty()) {
      most = split;
      best = std::move(records);
    }
  }
  return best;
}

// The number of labels most lines have (the larger on ties: a missing level is likelier than an invented one).
size_t usual_width(const std::vector<Record>& records) {
  std::map<size_t, size_t> lines_of_width;
  for (const Record& record : records) {
    if (record.fault.empty()) ++lines_of_width[record.labels.size()];
  }
  size_t width = 0, most = 0;
  for (const auto& [candidate, lines] : lines_of_width) {
    if (lines >= most) std::tie(width, most) = std::pair(candidate, lines);
  }
  return width;
}

void find_unreadable(std::vector<Record>& records, size_t width) {
  for (Record& record : records) {
    if (!record.fault.empty()) continue;
    if (record.labels.size() != width) {
      record.fault = fmt::format(
          "the line has {}, most lines have {}; give every line the same number, repeating a label where a "
          "branch is shorter",
          counted(record.labels.size(), "level"), width);
      continue;
    }
    for (size_t level = 0; level < width && record.fault.empty(); ++level) {
      if (record.labels[level].find_first_not_of(" \t") != std::string::npos) continue;
      record.fault =
          fmt::format("label {} of {} is empty; give it a name, or repeat the one before it", level + 1, width);
    }
  }
}

class LevelTableReader {
 public:
  LevelTableReader(const std::vector<Record>& records, size_t width)
      : records_(records), width_(width), named_root_(all_end_alike()), draft_(root_label(), 1) {}

  ParsedTree read() {
    levels_.resize(named_root_ ? width_ : width_ + 1);
    for (const Record& record : records_) {
      if (record.fault.empty()) {
        read_line(record);
      } else {
        draft_.error(record.line, record.fault);
        if (!record.labels[0].empty()) draft_.add_misplaced_leaf(record.labels[0], record.line);
      }
    }
    ParsedTree parsed = std::move(draft_).take();
    parsed.tree.level_nodes = std::move(levels_);
    if (!has_error(parsed.faults)) check_levels(parsed);
    return parsed;
  }

 private:
  // One column alone holds leaves, never a root.
  bool all_end_alike() const {
    const std::string* last = nullptr;
    for (const Record& record : records_) {
      if (!record.fault.empty()) continue;
      if (last != nullptr && *last != record.labels.back()) return false;
      last = &record.labels.back();
    }
    return last != nullptr && width_ > 1;
  }
  std::string root_label() const {
    if (!named_root_) return "*";
    return std::find_if(records_.begin(), records_.end(), [](const Record& r) { return r.fault.empty(); })
        ->labels.back();
  }

  void read_line(const Record& record) {
    const auto& labels = record.labels;
    size_t leaf_run = 1;  // levels at which the leaf stands as it is
    while (leaf_run < width_ && labels[leaf_run] == labels[0]) ++leaf_run;
    if (named_root_ && leaf_run == width_) {
      draft_.error(record.line, fmt::format("value {} is the root itself; take the line out, and if the table has such "
                                            "cells list it under `missing` in the job",
                                            quoted_label(labels[0])));
      return;
    }
    std::vector<uint32_t> path(levels_.size(), 0);  // node of each level; the root's is 0
    uint32_t node = 0;
    bool fresh = false;
    for (size_t level = named_root_ ? width_ - 1 : width_; level-- > 0;) {
      const bool repeated = level + 1 < width_ && labels[level] == labels[level + 1];
      if (!repeated) std::tie(node, fresh) = add(node, record, level, level + 1 == leaf_run);
      path[level] = node;
    }
    if (fresh) {
      leaf_of_node_.emplace(node, levels_[0].size());
      for (size_t level = 0; level < path.size(); ++level) levels_[level].push_back(path[level]);
    } else {
      note_repeated_leaf(record, node, path);
    }
  }

  std::pair<uint32_t, bool> add(uint32_t parent, const Record& record, size_t level, bool leaf) {
    const auto added = draft_.add(parent, record.labels[level], record.line, leaf);
    return {added.node, added.fresh};
  }

  void note_repeated_leaf(const Record& record, uint32_t node, const std::vector<uint32_t>& path) {
    const auto known = leaf_of_node_.find(node);
    if (known == leaf_of_node_.end()) return;  // an inner node by mistake, noted already
    bool same = true;
    for (size_t level = 0; level < path.size(); ++level) same = same && levels_[level][known->second] == path[level];
    const std::string value = quoted_label(record.labels[0]);
    const size_t first = draft_.node(node).line;
    if (same) {
      draft_.warning(record.line,
                     fmt::format("duplicate line: value {} stands on line {} already, with the same labels; "
                                 "take one of them out",
                                 value, first));
    } else {
      draft_.error(record.line, fmt::format("value {} stands on line {} already, and changes its label at other levels "
                                            "there; keep one of the two lines",
                                            value, first));
    }
  }

  // A label must stand for the same leaves at every level where it is released. (The root covers everything at any
  // level, so a value may reach it early: that is only worth a warning.)
  static void check_levels(ParsedTree& parsed) {
    const Tree& tree = parsed.tree;
    std::vector<uint32_t> under(tree.nodes.size(), 0);
    std::vector<uint32_t> leaf_nodes;
    for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
      if (tree.nodes[node].leaf) leaf_nodes.push_back(node);
    }
    for (uint32_t leaf : leaf_nodes) under[leaf] = 1;
    for (size_t node = tree.nodes.size(); node-- > 1;) under[tree.nodes[node].parent] += under[node];
    std::vector<uint8_t> noted(tree.nodes.size(), 0);
    for (size_t level = 1; level + 1 < tree.level_nodes.size(); ++level) {
      std::vector<uint32_t> here(tree.nodes.size(), 0);
      for (uint32_t node : tree.level_nodes[level]) ++here[node];
      if (here[0] > 0 && here[0] < under[0] && std::exchange(noted[0], uint8_t{1}) == 0)
        note_early_root(parsed, level, here[0]);
      const auto split = [&](uint32_t node) { return here[node] > 0 && here[node] < under[node]; };
      bool any = false;
      for (uint32_t node = 1; node < tree.nodes.size(); ++node) any = any || split(node);
      for (size_t i = 0; any && i < leaf_nodes.size(); ++i) {
        for (uint32_t node = leaf_nodes[i]; node != 0; node = tree.nodes[node].parent) {
          if (!split(node) || tree.level_nodes[level][i] == node || std::exchange(noted[node], uint8_t{1}) != 0)
            continue;
          note_split_label(parsed, level, node, leaf_nodes[i]);
        }
      }
    }
  }

  static void note_early_root(ParsedTree& parsed, size_t level, uint32_t count) {
    const Tree& tree = parsed.tree;
    const auto& nodes = tree.level_nodes[level];
    const auto at = static_cast<size_t>(std::find(nodes.begin(), nodes.end(), 0U) - nodes.begin());
    const Tree::Node& leaf = tree.nodes[tree.level_nodes[0][at]];
    parsed.faults.push_back({HierarchyFault::Severity::warning, leaf.line,
                             fmt::format("{} of {} values ({}, ...) reach the root at level {} already, before the "
                                         "others; repeat their labels if that is not meant",
                                         count, nodes.size(), quoted_label(leaf.label), level)});
  }

  static void note_split_label(ParsedTree& parsed, size_t level, uint32_t node, uint32_t leaf) {
    const auto& nodes = parsed.tree.nodes;
    parsed.faults.push_back(
        {HierarchyFault::Severity::error, nodes[leaf].line,
         fmt::format("at level {} the label {} does not stand for {}, which lies under it at another level: released "
                     "text would be ambiguous; let the label stand at the same levels on all its lines, or rename it",
                     level, quoted_label(nodes[node].label), quoted_label(nodes[leaf].label))});
  }

  const std::vector<Record>& records_;
  size_t width_;
  bool named_root_;
  TreeDraft draft_;
  std::vector<std::vector<uint32_t>> levels_;
  std::unordered_map<uint32_t, size_t> leaf_of_node_;
};

}  // namespace

ParsedTree parse_level_table(std::string_view text, bool tab_first) {
  std::vector<Record> records = split_at_found_delimiter(text, tab_first);
  if (records.empty()) {
    return {{}, {{HierarchyFault::Severity::error, 0, "the file is empty; write one line per value, value first"}}};
  }
  const size_t width = usual_width(records);
  if (width > kDeepestTree + 1) {
    return {{},
            {{HierarchyFault::Severity::error, records.front().line,
              fmt::format("the lines have {} levels; {} are the most", width, kDeepestTree + 1)}}};
  }
  find_unreadable(records, width);
  return LevelTableReader(records, width).read();
}

}  // namespace shoal
