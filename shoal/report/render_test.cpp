// Renderers over documents made by hand and by chance; the oracle for JSON is another library.
#include "shoal/report/render.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "shoal/report/format.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using Json = nlohmann::ordered_json;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Document of_block(Block block, const std::string& path = "") {
  Document document;
  document.title = "test";
  document.sections.push_back({"part", path, {std::move(block)}});
  return document;
}

Json read(const Document& document, Audience audience = Audience::internal) {
  return Json::parse(json_text(document, audience));
}

Json fact_read_back(Value value) { return read(of_block(Facts{"", {{"key", "label", std::move(value)}}})).at("key"); }

TEST(RenderJson, NumbersReadBackAsTheyWere) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const uint64_t bits = random();
    double number = 0;
    static_assert(sizeof number == sizeof bits);
    std::memcpy(&number, &bits, sizeof number);
    const Json json = fact_read_back(Value::number(number));
    if (!std::isfinite(number)) {
      EXPECT_TRUE(json.is_null());
      continue;
    }
    ASSERT_TRUE(json.is_number_float()) << number;
    EXPECT_EQ(json.get<double>(), number);
    EXPECT_EQ(fact_read_back(Value::count(bits)).get<uint64_t>(), bits);
  }
  for (const double number : {0.0, 1.0, -3.0, 1e7, 1e15, 1e16, 1e22, 5e-324, std::numeric_limits<double>::max()}) {
    const Json json = fact_read_back(Value::share(number));
    ASSERT_TRUE(json.is_number_float()) << number;
    EXPECT_EQ(json.get<double>(), number);
  }
  EXPECT_TRUE(fact_read_back(Value::number(std::nan(""))).is_null());
  EXPECT_TRUE(fact_read_back(Value::number(std::numeric_limits<double>::infinity())).is_null());
  EXPECT_EQ(fact_read_back(Value::counts({3, 1u << 31})), (Json{3, 2147483648u}));
}

// Any bytes: what is UTF-8 reads back as it was, the rest as U+FFFD where the library puts it, or more of them.
TEST(RenderJson, TextsReadBackAsTheyWere) {
  std::mt19937 random(3);
  const char* const pieces[] = {"a", "\"", "\\", "\n", "\t",           "\x01", "\x7f",
                                "/", "é",  "€",  "😀",  "\xEF\xBF\xBD", "<b>",  ""};
  for (int i = 0; i < 500; ++i) {
    std::string text;
    for (size_t n = random() % 12; n > 0; --n) text += pieces[random() % std::size(pieces)];
    EXPECT_EQ(fact_read_back(Value::text(text)).get<std::string>(), text);
    text.insert(text.size() / 2, 1, static_cast<char>(0x80 + random() % 0x80));
    text += static_cast<char>(random());
    const std::string back = fact_read_back(Value::text(text)).get<std::string>();
    const std::string again = Json(text).dump(-1, ' ', false, Json::error_handler_t::ignore);
    std::string without = back, replacement = "\xEF\xBF\xBD";
    for (size_t at; (at = without.find(replacement)) != std::string::npos;) without.erase(at, 3);
    std::string expected = Json::parse(again).get<std::string>();
    for (size_t at; (at = expected.find(replacement)) != std::string::npos;) expected.erase(at, 3);
    EXPECT_EQ(without, expected);
  }
  for (const char* wrong :
       {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xE2\x82"}) {
    const std::string back = fact_read_back(Value::text(wrong)).get<std::string>();
    EXPECT_TRUE(holds(back, "\xEF\xBF\xBD")) << wrong;
    EXPECT_EQ(back.find_first_not_of("\xEF\xBF\xBD"), std::string::npos);
  }
}

// Its first line says for whom it is.
TEST(RenderJson, IsIndented) {
  Document document = of_block(Facts{"a.b", {{"x", "", Value::count(1)}, {"y", "", Value::texts({})}}});
  document.sections.push_back({"", "list[1]", {Facts{"", {{"z", "", Value::texts({"p", "q"})}}}}});
  const std::string text = json_text(document);
  EXPECT_EQ(text, "{ " + Json::parse(text).dump(2).substr(4) + "\n");
  EXPECT_EQ(Json::parse(text)["a"], (Json{{"b", {{"x", 1}, {"y", Json::array()}}}}));
  EXPECT_TRUE(Json::parse(text)["list"][0].is_null());
  EXPECT_EQ(Json::parse(text)["list"][1]["z"][1], "q");
}

TEST(RenderJson, TablesAreRecordsPerRowOrPerColumn) {
  FactTable rows{"rows", {{"name", "n"}, {"deep.er", "d"}, {"", "people only"}, {"hidden", "", kPeople}}, {}};
  rows.rows = {{{Value::text("a"), Value::count(1), Value::text("p"), Value::text("h")}},
               {{Value::text("b"), Value::absent(), Value::text("p"), Value::text("h")}},
               {{Value::text("c"), Value::nothing(), Value::text("p"), Value::text("h")}, "", kPeople}};
  EXPECT_EQ(read(of_block(rows))["rows"], (Json{{{"name", "a"}, {"deep", {{"er", 1}}}}, {{"name", "b"}}}));
  FactTable columns{"", {{"", ""}, {"before", "before"}, {"after", "after"}}, {}, true};
  columns.rows = {{{Value::text("risk"), Value::share(1), Value::share(0.5)}, "risk"},
                  {{Value::text("for people"), Value::share(1), Value::share(0.5)}, ""}};
  const Json json = read(of_block(columns));
  EXPECT_EQ(json["before"], (Json{{"risk", 1.0}}));
  EXPECT_EQ(json["after"], (Json{{"risk", 0.5}}));
}

TEST(RenderJson, FindingsWhereSomebodyLooked) {
  Document document = of_block(Facts{});
  EXPECT_FALSE(read(document).contains("findings"));
  document.findings.emplace();
  EXPECT_EQ(read(document)["findings"], Json::array());
  document.findings->push_back({"reveals", {"education-num"}, "30 rows fall below k", "drop the column", true, true});
  EXPECT_EQ(read(document)["findings"][0]["code"], "reveals");
  EXPECT_EQ(read(document)["findings"][0]["accepted"], true);
  EXPECT_TRUE(holds(terminal_text(document), "Finding reveals (education-num), accepted: 30 rows fall below k"));
  EXPECT_TRUE(holds(html_page(document), "accepted by the user"));
}

// Every kind of block with a marked value and an unmarked one.
TEST(Render, ThePublicSeesNoMarkedValue) {
  const Value secret = Value::text("SECRET").as_data(), open = Value::text("OPEN");
  const std::vector<Block> blocks{Paragraph{secret},
                                  Facts{"f", {{"s", "s", secret}, {"o", "o", open}}},
                                  Facts{"t", {{"s", "s", secret}}, true},
                                  FactTable{"r", {{"s", "s"}, {"o", "o"}}, {{{secret, open}}}},
                                  FactTable{"", {{"", ""}, {"c", "c"}}, {{{open, secret}, "k"}}, true},
                                  Remarks{"n", "Note", {secret, open}},
                                  Chart{Chart::Kind::bars, "bars", {}, {{"bar", {secret}}}},
                                  Chart{Chart::Kind::parts, "parts", {}, {{"part", {secret}}}}};
  Document document = of_block(blocks[0]);
  document.verdict = Verdict{Tone::bad, "headline", secret};
  document.subtitle = secret;
  for (const Block& block : blocks) document.sections.push_back({"section", "", {block}});
  EXPECT_FALSE(holds(html_page(document, Audience::everyone), "SECRET"));
  EXPECT_FALSE(holds(json_text(document, Audience::everyone), "SECRET"));
  EXPECT_TRUE(holds(html_page(document, Audience::everyone), "OPEN"));
  EXPECT_TRUE(holds(json_text(document, Audience::everyone), "OPEN"));
  EXPECT_TRUE(holds(html_page(document), "SECRET"));
  const Json json = read(document);
  EXPECT_EQ(json["holds_data"], (Json{"f.s", "t.s", "r[0].s", "c.k", "n[0]"}));
  for (const auto& path : json["holds_data"]) {
    std::string pointer = "/" + path.get<std::string>();
    for (char& c : pointer) c = c == '.' || c == '[' ? '/' : c;
    std::erase(pointer, ']');
    EXPECT_EQ(json.at(Json::json_pointer(pointer)), "SECRET") << path;
  }
}

TEST(Render, FilesOfThePublicHaveNoFolders) {
  const Document document = of_block(Facts{"", {{"input", "input", Value::file("/wards/alice/people.csv")}}});
  EXPECT_EQ(read(document)["input"], "/wards/alice/people.csv");
  EXPECT_EQ(read(document, Audience::everyone)["input"], "people.csv");
  EXPECT_FALSE(holds(html_page(document), "alice"));
}

// Whatever a name holds, it is text on the page: in every place where a name can stand.
TEST(RenderHtml, HostileNamesAreText) {
  const std::string hostile = "</td><script>alert('x')</script><img src=x onerror=\"y\">&amp;";
  const Value value = Value::text(hostile);
  Document document;
  document.title = hostile;
  document.subtitle = value;
  document.verdict = Verdict{Tone::good, hostile, value};
  document.findings.emplace();
  document.findings->push_back({hostile, {hostile}, hostile, hostile});
  document.sections.push_back(
      {hostile,
       "",
       {Paragraph{value}, Facts{"", {{"a", hostile, value, hostile}}},
        Facts{"", {{"b", hostile, Value::hash(hostile)}}, true},
        FactTable{"t", {{"c", hostile}, {"d", ""}}, {{{value, Value::texts({hostile, hostile})}}}},
        Remarks{"r", hostile, {value}}, Entries{{{hostile, {hostile}}}},
        Chart{Chart::Kind::bars, hostile, {hostile, hostile}, {{hostile, {value, value}}}},
        Chart{Chart::Kind::parts, hostile, {}, {{hostile, {value}}}}}});
  const std::string html = html_page(document);
  for (const char* tag : {"<script", "<img", "onerror=\"", "alert('"}) EXPECT_FALSE(holds(html, tag)) << tag;
  EXPECT_TRUE(holds(html, "&lt;script&gt;"));
  EXPECT_TRUE(holds(html, "&amp;amp;"));
  EXPECT_EQ(Json::parse(json_text(document))["t"][0]["c"], hostile);
}

TEST(RenderTerminal, NamesCannotCommandIt) {
  const std::string hostile = "a\x1b[31m\nb\x07\xC2\x9B";
  Document document = of_block(FactTable{"t", {{"c", hostile}}, {{{Value::texts({hostile})}}}});
  document.verdict = Verdict{Tone::good, hostile, Value::text(hostile)};
  document.sections.push_back(
      {hostile, "", {Remarks{"r", "Note", {Value::text(hostile)}}, Entries{{{hostile, {hostile}}}}}});
  const std::string text = terminal_text(document);
  for (const char* command : {"\x1b", "\x07", "\xC2\x9B", "a\nb"}) EXPECT_FALSE(holds(text, command));
  EXPECT_TRUE(holds(text, "a?[31m?b??"));
}

TEST(RenderTerminal, NumbersToTheRightWordsToTheLeft) {
  FactTable table{"t", {{"n", "name"}, {"v", "value"}, {"w", ""}}, {}};
  table.rows = {{{Value::text("größe"), Value::count(1234567), Value::yes_no(true, "ok", "BAD")}},
                {{Value::text("x"), Value::share(0.5), Value::yes_no(false, "ok", "BAD")}}};
  EXPECT_EQ(terminal_text(of_block(table)),
            "part\n  name       value\n  größe  1,234,567  ok\n  x           50 %  BAD\n");
}

TEST(RenderTerminal, LongNamesKeepTheirEnds) {
  std::string name = "größe";
  while (name.size() < 200) name += " und größe";
  FactTable table{"t", {{"n", "name"}, {"v", "value"}}, {{{Value::text(name + " k=5"), Value::count(1)}}}};
  const std::string text = terminal_text(of_block(table));
  EXPECT_TRUE(holds(text, "  größe und größe")) << text;
  EXPECT_TRUE(holds(text, "… größe k=5")) << text;
  EXPECT_TRUE(valid_utf8(text) == text);
  EXPECT_LE(width_of(text.substr(text.rfind("  gr"))), 75u);
  // The last cell of a line is never cut.
  std::swap(table.rows[0].cells[0], table.rows[0].cells[1]);
  EXPECT_TRUE(holds(terminal_text(of_block(table)), name));
}

TEST(RenderHtml, BarsStayOnTheirLine) {
  const Document document = of_block(Chart{Chart::Kind::bars,
                                           "t",
                                           {},
                                           {{"a", {Value::share(7)}},
                                            {"b", {Value::share(-1)}},
                                            {"c", {Value::share(std::nan(""))}},
                                            {"d", {Value::nothing()}}}});
  const std::string html = html_page(document);
  EXPECT_TRUE(holds(html, "width:100.00%"));
  EXPECT_FALSE(holds(html, "width:-"));
  EXPECT_FALSE(holds(html, "nan"));
  EXPECT_FALSE(holds(html, "700.00%"));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
