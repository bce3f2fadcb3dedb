// The document as plain lines. Tables are as wide as their widest cells, up to a limit beyond which lists of names end
// in "and 5 more" and names in an ellipsis: on a terminal a broken line costs more than a name that the other
// renderings spell out.
#include <algorithm>

#include "shoal/report/format.h"
#include "shoal/report/render.h"

namespace shoal {
namespace {

constexpr size_t kWidth = 100;     // of paragraphs in lists of terms
constexpr size_t kListWidth = 44;  // of a list of names in a table
constexpr size_t kCellWidth = 60;  // of a name, unless it is the last cell of its line

bool seen(Readers readers) { return (readers & kTerminal) != 0; }

// Rows of cells, each column as wide as its widest cell.
class Grid {
 public:
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  // `to_right` by column: where numbers stand.
  std::string text(const std::vector<bool>& to_right) const {
    std::vector<size_t> widths(to_right.size(), 0);
    for (const auto& cells : rows_) {
      for (size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width_of(cells[i]));
    }
    std::string result;
    for (const auto& cells : rows_) {
      std::string line = "  ";
      for (size_t i = 0; i < cells.size(); ++i) {
        if (widths[i] == 0) continue;
        line += (to_right[i] ? right(cells[i], widths[i]) : left(cells[i], widths[i])) + "  ";
      }
      result += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return result;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

// Words, names and remarks to the left; what can be compared to the right.
bool is_number(const Value& value) {
  switch (value.unit) {
    case Unit::count:
    case Unit::share:
    case Unit::number:
    case Unit::seconds:
    case Unit::bytes:
      return true;
    default:
      return false;
  }
}

// Cut in the middle: what tells long names apart (a number, "k=5") often stands at their ends.
std::string cut(const std::string& words) {
  constexpr size_t kEnd = 10;
  if (width_of(words) <= kCellWidth) return words;
  size_t end = words.size();
  for (size_t seen_back = 0; seen_back < kEnd; --end) {
    if ((words[end - 1] & 0xC0) != 0x80) ++seen_back;
  }
  return shortened(words, kCellWidth - kEnd) + words.substr(end);
}

std::string cell(const Value& value, bool last) {
  std::string words =
      value.unit == Unit::file ? printable(std::get<std::string>(value.content)) : printable(words_of(value));
  if (const auto* names = std::get_if<std::vector<std::string>>(&value.content)) words = short_list(*names, kListWidth);
  return last ? words : cut(words);
}

std::string words_of(Direction direction) {
  switch (direction) {
    case Direction::lower_is_better:
      return "lower is better";
    case Direction::higher_is_better:
      return "higher is better";
    case Direction::neutral:
      break;
  }
  return "";
}

std::string drawn(const Paragraph& paragraph) {
  return seen(paragraph.readers) ? printable(words_of(paragraph.text)) + "\n" : "";
}

std::string drawn(const Facts& facts) {
  Grid grid;
  bool any_number = false;
  for (const Fact& fact : facts.facts) any_number = any_number || (seen(fact.readers) && is_number(fact.value));
  bool any = false;
  for (const Fact& fact : facts.facts) {
    if (!seen(fact.readers)) continue;
    any = true;
    grid.row({printable(fact.label), fact.meaning, words_of(fact.direction), cell(fact.value, true)});
  }
  return any ? grid.text({false, false, false, any_number}) : "";
}

std::string drawn(const FactTable& table) {
  std::vector<size_t> shown;
  std::vector<bool> to_right;
  std::vector<std::string> head;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (!seen(table.columns[i].readers)) continue;
    shown.push_back(i);
    to_right.push_back(std::any_of(table.rows.begin(), table.rows.end(),
                                   [&](const Row& row) { return i < row.cells.size() && is_number(row.cells[i]); }));
    head.push_back(printable(table.columns[i].label));
  }
  Grid grid;
  if (std::any_of(head.begin(), head.end(), [](const std::string& label) { return !label.empty(); })) grid.row(head);
  bool any = false;
  for (const Row& row : table.rows) {
    if (!seen(row.readers)) continue;
    any = true;
    std::vector<std::string> cells;
    for (size_t i : shown) cells.push_back(i < row.cells.size() ? cell(row.cells[i], i == shown.back()) : "");
    grid.row(std::move(cells));
  }
  return any && !shown.empty() ? grid.text(to_right) : "";
}

std::string drawn(const Remarks& list) {
  std::string text;
  if (!seen(list.readers)) return text;
  for (const Value& remark : list.remarks) {
    text += (list.lead.empty() ? "" : list.lead + ": ") + printable(words_of(remark)) + "\n";
  }
  return text;
}

std::string drawn(const Entries& list) {
  std::string text;
  for (const Entries::Entry& entry : list.entries) {
    text += "  " + printable(entry.term) + "\n";
    for (const std::string& paragraph : entry.paragraphs) text += wrapped(printable(paragraph), 6, kWidth);
  }
  return text;
}

std::string drawn(const Chart&) { return ""; }  // the same numbers stand in a table
std::string drawn(const SignOff&) { return ""; }

std::string drawn(const Section& section) {
  if (!seen(section.readers)) return "";
  std::string text;
  for (const Block& block : section.blocks) {
    const std::string lines = std::visit([](const auto& held) { return drawn(held); }, block);
    text += lines;
  }
  if (text.empty() || section.title.empty() || !seen(section.title_readers)) return text;
  return printable(section.title) + "\n" + text;
}

std::string drawn(const Finding& finding) {
  const std::string state = finding.accepted ? "accepted" : finding.stands_in_the_way ? "STANDS IN THE WAY" : "to know";
  const std::string columns = finding.columns.empty() ? "" : " (" + short_list(finding.columns, kListWidth) + ")";
  return "Finding " + printable(finding.code) + columns + ", " + state + ": " + printable(finding.evidence) + "; " +
         printable(finding.what_to_do) + "\n";
}

}  // namespace

std::string terminal_text(const Document& document) {
  std::string text;
  if (document.verdict) {
    text = printable(document.verdict->headline);
    if (document.verdict->reason.unit == Unit::text) text += " " + printable(words_of(document.verdict->reason));
    text += "\n";
  }
  if (document.findings) {
    for (const Finding& finding : *document.findings) text += drawn(finding);
  }
  bool first = true;
  for (const Section& section : document.sections) {
    const std::string part = drawn(section);
    if (part.empty()) continue;
    if (!first) text += "\n";
    text += part;
    first = false;
  }
  return text;
}

}  // namespace shoal
