// The document as one page. No scripts and no outside resources: it can be mailed and archived.
//
// Nothing has a fixed width: text wraps wherever it must, charts are made of boxes that share the line with their
// names, and on narrow screens (for tables of many columns on paper, too) every row of a table becomes a card whose
// cells carry their headings. So no name is cut off, however long it is or however many columns there are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "shoal/report/format.h"
#include "shoal/report/html_style.h"
#include "shoal/report/render.h"
#include "shoal/version.h"

namespace shoal {
namespace {

constexpr size_t kFewColumns = 3;   // tables with more are cards on narrow screens,
constexpr size_t kManyColumns = 8;  // with more than this on paper, too

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    }
  }
  return result;
}

// The same with its lines kept.
std::string escaped_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    result += escaped(line) + "\n";
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return result;
}

bool seen(Readers readers) { return (readers & kPage) != 0; }

bool is_number(const Value& value) {
  return value.unit == Unit::count || value.unit == Unit::share || value.unit == Unit::number ||
         value.unit == Unit::seconds || value.unit == Unit::bytes;
}

const char* words_of(Direction direction) {
  switch (direction) {
    case Direction::lower_is_better:
      return "&darr; lower is better";
    case Direction::higher_is_better:
      return "&uarr; higher is better";
    case Direction::neutral:
      break;
  }
  return "";
}

// Words that are never broken, so that columns of short words keep their width beside columns of long names.
constexpr size_t kShort = 14;
// The same for names at the beginning of a row, where the page is wide.
constexpr size_t kShortName = 26;
bool is_short(std::string_view words, size_t longest = kShort) {
  size_t run = 0;
  for (const char c : words) {
    run = c == ' ' ? 0 : run + 1;
    if (run > longest) return false;
  }
  return true;
}

class Page {
 public:
  explicit Page(Audience audience) : audience_(audience) {}

  std::string drawn(const Document& document) const;
  // Verdict, findings and sections alone.
  std::string inside(const Document& document) const;

 private:
  bool hidden(const Value& value) const { return value.holds_data && audience_ == Audience::everyone; }

  // What stands in a cell, escaped.
  std::string shown(const Value& value) const {
    if (hidden(value)) return "<span class=\"soft\">left out: it holds data</span>";
    std::string words = escaped(words_of(value));
    if (value.unit == Unit::hash) return "<code>" + words + "</code>";
    if (const auto* answer = std::get_if<bool>(&value.content)) {
      return fmt::format("<span class=\"mark {}\">{}</span>", *answer ? "yes" : "no", words);
    }
    return words;
  }

  std::string drawn(const Section& section) const {
    if (!seen(section.readers)) return "";
    std::string body;
    for (const Block& block : section.blocks) body += std::visit([&](const auto& held) { return drawn(held); }, block);
    if (body.empty()) return "";
    const char* page = section.starts_page ? " class=\"new-page\"" : "";
    if (section.title.empty()) return body;
    if (section.folded) {
      return fmt::format("<section{}><details><summary><h2>{}</h2></summary>\n{}</details></section>\n", page,
                         escaped(section.title), body);
    }
    const bool signs = std::any_of(section.blocks.begin(), section.blocks.end(), [](const Block& block) {
      return std::holds_alternative<SignOff>(block);  // words and lines stay on one sheet
    });
    return fmt::format("<section{}><h2>{}</h2>\n{}</section>\n", signs ? " class=\"whole\"" : page,
                       escaped(section.title), body);
  }
  std::string drawn(const Verdict& verdict) const {
    const char* tone = verdict.tone == Tone::good ? "good" : verdict.tone == Tone::bad ? "bad" : "plain";
    const std::string reason =
        verdict.reason.unit == Unit::nothing ? "" : fmt::format("<p>{}</p>", shown(verdict.reason));
    return fmt::format("<div class=\"verdict {}\">{}{}</div>\n", tone, escaped(verdict.headline), reason);
  }
  std::string drawn(const std::vector<Finding>& findings) const {
    std::string items;
    for (const Finding& finding : findings) {
      const char* standing = finding.accepted            ? "accepted by the user"
                             : finding.stands_in_the_way ? "<span class=\"mark no\">stands in the way</span>"
                                                         : "to know";
      items += fmt::format("<li><b>{}</b> ({}), {}: {}.<br/><span class=\"soft\">What to do: {}.</span></li>\n",
                           escaped(finding.code), escaped(words_of(Value::texts(finding.columns))), standing,
                           escaped(finding.evidence), escaped(finding.what_to_do));
    }
    if (items.empty()) return "<section><h2>Findings</h2><p>None.</p></section>\n";
    return fmt::format("<section><h2>Findings</h2><ul>{}</ul></section>\n", items);
  }
  std::string drawn(const Paragraph& paragraph) const {
    if (!seen(paragraph.readers)) return "";
    if (paragraph.verbatim && !hidden(paragraph.text)) {
      return fmt::format("<pre>{}</pre>\n", escaped_lines(std::get<std::string>(paragraph.text.content)));
    }
    return fmt::format("<p class=\"soft\">{}</p>\n", shown(paragraph.text));
  }
  std::string drawn(const Remarks& list) const {
    if (!seen(list.readers) || list.remarks.empty()) return "";
    std::string items;
    for (const Value& remark : list.remarks) items += fmt::format("<li>{}</li>", shown(remark));
    return fmt::format("<div class=\"note\"><b>{}</b><ul>{}</ul></div>\n", escaped(list.lead), items);
  }
  std::string drawn(const Entries& list) const {
    std::string items;
    for (const Entries::Entry& entry : list.entries) {
      items += fmt::format("<dt>{}</dt>", escaped(entry.term));
      for (const std::string& paragraph : entry.paragraphs) items += fmt::format("<dd>{}</dd>", escaped(paragraph));
      items += "\n";
    }
    return fmt::format("<dl>{}</dl>\n", items);
  }
  std::string drawn(const Facts& block) const;
  std::string drawn(const FactTable& table) const;
  std::string drawn(const Chart& chart) const {
    if (chart.bars.empty() || (chart.holds_data && audience_ == Audience::everyone)) return "";
    switch (chart.kind) {
      case Chart::Kind::bars:
        return bars(chart);
      case Chart::Kind::parts:
        return parts(chart);
      case Chart::Kind::points:
        return points(chart);
    }
    return "";
  }
  std::string drawn(const SignOff& block) const {
    const auto spans = [](const char* kind, const std::vector<std::string>& names) {
      std::string lines;
      for (const std::string& name : names) lines += fmt::format("<span>{}</span>", escaped(name));
      return lines.empty() ? "" : fmt::format("<div class=\"{}\">{}</div>\n", kind, lines);
    };
    return fmt::format("<p>{}</p>\n{}{}{}", escaped(block.statement), drawn(Facts{"", block.about}),
                       spans("sign wide", block.lines), spans("sign", block.fields));
  }
  std::string bars(const Chart& chart) const;
  std::string parts(const Chart& chart) const;
  std::string points(const Chart& chart) const;

  Audience audience_;
};

std::string tile(const std::string& value, const std::string& name) {
  return fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>", value, escaped(name));
}

std::string Page::drawn(const Facts& block) const {
  std::string tiles;
  bool meanings = false, directions = false;
  for (const Fact& fact : block.facts) {
    if (!seen(fact.readers)) continue;
    tiles += tile(shown(fact.value), fact.label);
    meanings = meanings || !fact.meaning.empty();
    directions = directions || fact.direction != Direction::neutral;
  }
  if (tiles.empty()) return "";
  if (block.as_tiles) return fmt::format("<div class=\"tiles\">{}</div>\n", tiles);
  std::string rows;
  for (const Fact& fact : block.facts) {
    if (!seen(fact.readers)) continue;
    rows += fmt::format("<tr><th scope=\"row\"{}>{}</th>", is_short(fact.label) ? " class=\"short\"" : "",
                        escaped(fact.label));
    if (meanings) rows += fmt::format("<td>{}</td>", escaped(fact.meaning));
    if (directions) rows += fmt::format("<td class=\"soft\">{}</td>", words_of(fact.direction));
    rows +=
        fmt::format("<td{}>{}</td></tr>\n", is_number(fact.value) ? " class=\"n\"" : " class=\"w\"", shown(fact.value));
  }
  return fmt::format("<table class=\"facts\">\n{}</table>\n", rows);
}

std::string Page::drawn(const FactTable& table) const {
  std::vector<size_t> columns;
  std::vector<bool> to_right;
  std::string head;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (!seen(table.columns[i].readers)) continue;
    columns.push_back(i);
    to_right.push_back(std::any_of(table.rows.begin(), table.rows.end(),
                                   [&](const Row& row) { return i < row.cells.size() && is_number(row.cells[i]); }));
    head += fmt::format("<th{}>{}</th>", to_right.back() ? " class=\"n\"" : "", escaped(table.columns[i].label));
  }
  std::string rows;
  for (const Row& row : table.rows) {
    if (!seen(row.readers)) continue;
    rows += "<tr>";
    for (size_t c = 0; c < columns.size(); ++c) {
      const Value value = columns[c] < row.cells.size() ? row.cells[columns[c]] : Value::absent();
      const char* kind = to_right[c]                                       ? " class=\"n\""
                         : is_short(words_of(value))                       ? " class=\"short\""
                         : c == 0 && is_short(words_of(value), kShortName) ? " class=\"name-of-row\""
                                                                           : "";
      rows +=
          fmt::format("<td{} data-label=\"{}\">{}</td>", kind, escaped(table.columns[columns[c]].label), shown(value));
    }
    rows += "</tr>\n";
  }
  if (rows.empty() || columns.empty()) return "";
  return fmt::format("<table class=\"rows{}\">\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table>\n",
                     columns.size() > kManyColumns  ? " cards many"
                     : columns.size() > kFewColumns ? " cards"
                                                    : "",
                     head, rows);
}

// A number as a share of the whole line; values outside [0,1] end at its ends.
double length_of(const Value& value) {
  const auto* number = std::get_if<double>(&value.content);
  return number && std::isfinite(*number) ? std::clamp(*number, 0.0, 1.0) : 0.0;
}

// Two series are before and after; more have colours of their own.
std::string colour(size_t series, size_t of) {
  if (of > 2) return fmt::format("part{}", series % 6);
  return of == 2 && series == 0 ? "before" : "after";
}

std::string legend_of(const std::vector<std::string>& series) {
  if (series.size() < 2) return "";
  std::string items;
  for (size_t i = 0; i < series.size(); ++i) {
    items += fmt::format("<li><span class=\"key {}\"></span>{}</li>", colour(i, series.size()), escaped(series[i]));
  }
  return fmt::format("<ul class=\"legend\">{}</ul>\n", items);
}

std::string Page::bars(const Chart& chart) const {
  std::string rows;
  double longest = 1;
  if (chart.to_largest) {
    longest = 0;
    for (const Chart::Bar& bar : chart.bars) {
      for (const Value& value : bar.values) longest = std::max(longest, length_of(value));
    }
    if (longest == 0) longest = 1;
  }
  for (const Chart::Bar& bar : chart.bars) {
    rows += fmt::format("<div class=\"bar\"><span class=\"name\">{}</span><span class=\"tracks\">", escaped(bar.name));
    for (size_t i = 0; i < bar.values.size(); ++i) {
      const double length = length_of(bar.values[i]) / longest;
      const std::string filled = length == 0 ? ""  // nothing is nothing; the least that there is can be seen
                                             : fmt::format("<i class=\"{}\" style=\"width:{:.2f}%\"></i>",
                                                           colour(i, chart.series.size()), 100 * length);
      rows += fmt::format("<span class=\"track\"><span class=\"rail\">{}</span><b>{}</b></span>", filled,
                          shown(bar.values[i]));
    }
    rows += "</span></div>\n";
  }
  return fmt::format("{}<div class=\"bars\" role=\"img\" aria-label=\"{}\">\n{}</div>\n", legend_of(chart.series),
                     escaped(chart.title), rows);
}

// A number of at least `number` whose quarters are round; a share ends at 100 %.
double round_above(double number) {
  if (number > 0.8 && number <= 1) return 1;
  for (double ten = 1e-6;; ten *= 10) {
    for (const double step : {1.0, 2.0, 5.0}) {
      if (4 * step * ten >= number) return 4 * step * ten;
    }
  }
}

// Six colours, then the same as squares, as diamonds.
std::string look_of(size_t series) { return fmt::format("part{} shape{}", series % 6, series / 6 % 3); }

// Points stand in a field of their own; the marks beside and below it are text like any other, so that they keep their
// size however narrow the screen is.
std::string Page::points(const Chart& chart) const {
  constexpr double kRoom = 0.94;       // of the field: no point sticks out of it,
  constexpr double kRoomBelow = 0.86;  // nor the words below it
  constexpr double kSamePlace = 0.5;   // percent of the width: one point would hide the other
  constexpr double kApart = 0.055;     // marks that are closer than this would run into each other
  double widest = 0, low = 1, high = 0;
  for (const Chart::Bar& point : chart.bars) {
    widest = std::max(widest, length_of(point.values[0]));
    low = std::min(low, std::max(1e-6, length_of(point.values[1])));
    high = std::max(high, std::max(1e-6, length_of(point.values[1])));
  }
  const double end = round_above(widest);
  const auto across = [&](double share) { return 100 * (0.06 + kRoomBelow * share / end); };
  const auto upward = [&](double share) {
    const double place = high > low ? std::log(std::max(1e-6, share) / low) / std::log(high / low) : 0.5;
    return 100 * (0.03 + kRoom * place);
  };
  std::string field, marks, below;
  std::vector<double> marked;
  std::vector<Chart::Bar> by_height = chart.bars;
  std::stable_sort(by_height.begin(), by_height.end(), [](const Chart::Bar& a, const Chart::Bar& b) {
    return length_of(a.values[1]) > length_of(b.values[1]);
  });
  for (const Chart::Bar& point : by_height) {
    const double height = upward(length_of(point.values[1]));
    if (!marked.empty() && marked.back() - height < 100 * kApart) continue;
    marked.push_back(height);
    marks += fmt::format("<span style=\"bottom:{:.2f}%\">{}</span>", height, shown(point.values[1]));
    field += fmt::format("<i class=\"line\" style=\"bottom:{:.2f}%\"></i>", height);
  }
  for (int step = 0; step <= 4; ++step) {
    below += fmt::format("<span style=\"left:{:.2f}%\">{}</span>", across(end * step / 4),
                         escaped(words_of(Value::share(end * step / 4))));
  }
  // The first series is drawn last, on top of the others; a point below others of the same place looks out from under
  // them.
  std::vector<std::pair<double, double>> places;
  for (const Chart::Bar& point : chart.bars) {
    places.emplace_back(across(length_of(point.values[0])), upward(length_of(point.values[1])));
  }
  std::vector<size_t> order(chart.bars.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return chart.bars[a].series > chart.bars[b].series; });
  for (const size_t i : order) {
    const Chart::Bar& point = chart.bars[i];
    std::set<size_t> above;
    for (size_t j = 0; j < chart.bars.size(); ++j) {
      if (std::abs(places[i].first - places[j].first) > kSamePlace || chart.bars[j].series >= point.series) continue;
      if (std::abs(places[i].second - places[j].second) <= 3 * kSamePlace) above.insert(chart.bars[j].series);
    }
    const std::string wider = above.empty() ? "" : fmt::format(";scale:{:.1f}", 1 + 0.9 * double(above.size()));
    field += fmt::format("<i class=\"point {}\" title=\"{}\" style=\"left:{:.2f}%;bottom:{:.2f}%{}\"></i>",
                         look_of(point.series), escaped(point.name), places[i].first, places[i].second, wider);
  }
  std::string legend;
  for (size_t i = 0; i < chart.series.size(); ++i) {
    legend += fmt::format("<li><span class=\"key {}\"></span>{}</li>", look_of(i), escaped(chart.series[i]));
  }
  return fmt::format(
      "<ul class=\"legend\">{}</ul>\n<p class=\"axis\">&uarr; {}</p>\n<div class=\"plot\" role=\"img\" "
      "aria-label=\"{}\">"
      "<div class=\"marks\">{}</div><div class=\"field\">{}</div><div></div><div class=\"below\">{}</div></div>\n"
      "<p class=\"axis right\">{} &rarr;</p>\n",
      legend, escaped(chart.upward), escaped(chart.title), marks, field, below, escaped(chart.across));
}

std::string Page::parts(const Chart& chart) const {
  std::string boxes, legend;
  for (size_t i = 0; i < chart.bars.size(); ++i) {
    const Value& value = chart.bars[i].values.front();
    const auto* amount = std::get_if<double>(&value.content);
    const double size = amount && std::isfinite(*amount) ? std::max(0.0, *amount) : 0;
    legend += fmt::format("<li><span class=\"key part{}\"></span>{} <b>{}</b></li>", i % 6, escaped(chart.bars[i].name),
                          shown(value));
    if (size > 0) boxes += fmt::format("<i class=\"part{}\" style=\"flex-grow:{:.6g}\"></i>", i % 6, 1e6 * size);
  }
  return fmt::format("<div class=\"stack\" role=\"img\" aria-label=\"{}\">{}</div>\n<ul class=\"legend\">{}</ul>\n",
                     escaped(chart.title), boxes, legend);
}

std::string Page::drawn(const Document& document) const {
  const bool internal = audience_ == Audience::internal;
  const char* notice = internal ? "Internal: may quote values of the table. Not for those who get the release."
                                : "Public: holds no values of the table.";
  std::string html = fmt::format(
      "<!DOCTYPE html><!-- {} -->\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Shoal: {}</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<main>\n<p class=\"audience\">{}</p>\n<h1>{}</h1>\n",
      notice, escaped(document.title), kHtmlStyle, notice, escaped(document.title));
  if (document.subtitle.unit != Unit::nothing) {
    html += fmt::format("<p class=\"soft\">{}, Shoal {}</p>\n", shown(document.subtitle), version());
  }
  return html + inside(document) + "</main>\n</body>\n</html>\n";
}

std::string Page::inside(const Document& document) const {
  std::string html;
  if (document.verdict) html += drawn(*document.verdict);
  if (document.findings) html += drawn(*document.findings);
  for (const Section& section : document.sections) html += drawn(section);
  return html;
}

}  // namespace

std::string html_page(const Document& document, Audience audience) { return Page(audience).drawn(document); }
std::string html_inside(const Document& document, Audience audience) { return Page(audience).inside(document); }
std::string html_text(std::string_view text) { return escaped(text); }
std::string html_lines(std::string_view text) { return escaped_lines(text); }
std::string_view html_style() { return kHtmlStyle; }

}  // namespace shoal
