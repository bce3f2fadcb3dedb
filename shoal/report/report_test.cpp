#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "shoal/report/format.h"
#include "shoal/report/measure_words.h"
#include "shoal/report/release_document.h"
#include "shoal/report/render.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

nlohmann::ordered_json json_of(const Report& report, Audience audience = Audience::internal) {
  return nlohmann::ordered_json::parse(json_text(release_document(report), audience));
}
std::string text_of(const Report& report) { return terminal_text(release_document(report)); }
std::string page_of(const Report& report, Audience audience = Audience::internal) {
  return html_page(release_document(report), audience);
}

Report sample_report() {
  Report report;
  report.status = Status::released;
  report.input = "data/people.csv";
  report.output = "data/release.csv";
  report.method = "mondrian";
  report.shape = Shape::regions;
  report.params = {{"cuts", "strict"}};
  report.seed = 7;
  report.threads = 2;
  report.rows_in = 30162;
  report.rows_out = 30000;
  report.rows_dropped = 162;
  report.cells_suppressed = 12;
  report.requirements = {{{"age", "zip"}, 5, 6, true}, {{"zip"}, 10, 11, true}};
  report.columns = {{"age", "numeric", "flat", "tight", 72, 30, 0.25, {}, {}},
                    {"zip", "categorical", "zip.csv", "", 500, 40, 0.5, 2, 5}};
  report.groups = 1234;
  report.measures.prec = 0.75;
  report.measures.gcp = 0.375;
  report.measures.dm = 1e7;
  report.risk_before = {20000, 15000, 1, 9, 1.5, 1.0, 0.66, 0.2, 0.9, 1.0, 0.66};
  report.risk = {1234, 0, 6, 60, 24.3, 1.0 / 6, 0.04, 0.2, 0.0, 1.0 / 6, 0.04};
  report.search = {100, 60, 40, true, 0.5, {{"cuts tried", "17"}}, {{"age: * -> [17,30], [31,90]", {{"score", 0.25}}}}};
  report.timings = {0.1, 0.2, 0.3, 0.04, 0.05, 0.06, 0.75};
  report.peak_memory_bytes = 123456789;
  report.hashes = {"aa", "bb", "cc"};
  report.verification = {{{"columns", CheckResult::passed, "9 columns"}, {"rows", CheckResult::passed, ""}}, {6, 11}};
  report.notices = {"162 rows were dropped"};
  return report;
}

TEST(ReportJson, HasEveryFieldOfTheInterface) {
  const auto json = json_of(sample_report());
  const char* const fields[] = {"audience",         "holds_data",   "status",  "reason",   "input",
                                "output",           "method",       "shape",   "params",   "seed",
                                "threads",          "version",      "rows_in", "rows_out", "rows_dropped",
                                "cells_suppressed", "requirements", "columns", "groups",   "measures",
                                "risk_before",      "risk",         "search",  "timings",  "peak_memory_bytes",
                                "hashes",           "verification", "notices"};
  for (const char* field : fields) EXPECT_TRUE(json.contains(field)) << field;
  EXPECT_EQ(json.size(), std::size(fields));
  for (const char* field : {"prec", "rows", "rows_ratio", "dm", "c_avg", "ncp", "gcp", "distortion", "distortion_ratio",
                            "modification_rate", "lm", "cm", "entropy", "entropy_ratio"}) {
    EXPECT_TRUE(json["measures"].contains(field)) << field;
  }
  for (const char* field : {"generated", "expanded", "pruned", "optimal", "bound", "details"}) {
    EXPECT_TRUE(json["search"].contains(field)) << field;
  }
  for (const char* field : {"read", "encode", "search", "recode", "write", "verify", "total", "processor_search",
                            "processor_findings", "processor_total"}) {
    EXPECT_TRUE(json["timings"].contains(field)) << field;
  }
  EXPECT_EQ(json["status"], "released");
  EXPECT_TRUE(json["reason"].is_null());
  EXPECT_EQ(json["shape"], "regions");
  EXPECT_EQ(json["params"], (nlohmann::ordered_json{{"cuts", "strict"}}));
  EXPECT_EQ(json["requirements"][1],
            (nlohmann::ordered_json{{"columns", {"zip"}}, {"k", 10}, {"min_group", 11}, {"ok", true}}));
  EXPECT_EQ(json["columns"][0]["gcp"], 0.25);
  EXPECT_TRUE(json["columns"][0]["level"].is_null());
  EXPECT_EQ(json["columns"][1]["level"], 2);
  EXPECT_TRUE(json["measures"]["cm"].is_null());
  EXPECT_EQ(json["measures"]["gcp"], 0.375);
  EXPECT_EQ(json["risk"]["smallest_group"], 6);
  EXPECT_EQ(json["risk_before"]["uniques"], 15000);
  EXPECT_EQ(json["search"]["details"]["cuts tried"], "17");
  EXPECT_EQ(json["search"]["steps"][0]["what"], "age: * -> [17,30], [31,90]");
  EXPECT_EQ(json["search"]["steps"][0]["score"], 0.25);
  EXPECT_EQ(json["timings"]["total"], 0.75);
  EXPECT_EQ(json["hashes"]["job"], "cc");
  EXPECT_EQ(json["verification"]["checks"][0]["detail"], "9 columns");
  EXPECT_TRUE(json["verification"]["ok"].get<bool>());
  EXPECT_EQ(json["notices"][0], "162 rows were dropped");
}

TEST(ReportJson, WhatDoesNotApplyIsNullButThere) {
  Report report = sample_report();
  report.status = Status::unsatisfied;
  report.reason = "the table has 3 rows";
  report.requirements[0].ok = false;
  report.risk_before = {};
  report.measures.cm = 0.5;
  const auto json = json_of(report);
  EXPECT_EQ(json["status"], "unsatisfied");
  EXPECT_EQ(json["reason"], "the table has 3 rows");
  EXPECT_TRUE(json["groups"].is_null());
  EXPECT_TRUE(json["requirements"][0]["min_group"].is_null());
  EXPECT_FALSE(json["requirements"][0]["ok"].get<bool>());
  for (const char* part : {"measures", "risk", "risk_before"}) {
    EXPECT_GT(json[part].size(), 9u);
    for (const auto& value : json[part]) EXPECT_TRUE(value.is_null()) << part;
  }
  report.status = Status::verification_failed;
  EXPECT_EQ(json_of(report)["status"], "verification_failed");
  EXPECT_EQ(json_of(report)["measures"]["cm"], 0.5);
  report.measures.dm = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(holds(json_text(release_document(report)), "\"dm\": null"));
}

TEST(ReportJson, BytesThatAreNoUtf8AreReplaced) {
  Report report = sample_report();
  report.input = "caf\xE9.csv";
  EXPECT_NO_THROW(json_text(release_document(report)));
  EXPECT_EQ(json_text(release_document(report)).back(), '\n');
}

TEST(ReportText, VerdictComesFirst) {
  Report report = sample_report();
  const std::string text = text_of(report);
  EXPECT_EQ(text.rfind("Released and verified: 30,000 of 30,162 rows (162 dropped). Every requirement holds.\n", 0), 0u)
      << text;
  for (const char* part : {"mondrian (regions), cuts=strict, seed 7, proven best", "age, zip  ", "72          30",
                           "25 %", "2 of 5", "37.5 %", "100 %", "16.7 %", "Time 0.75 s: read 0.10 s", "memory 123 MB",
                           "Note: 162 rows were dropped", "Cells suppressed: 12"}) {
    EXPECT_TRUE(holds(text, part)) << part << "\n" << text;
  }
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 24);
  report.rows_dropped = 0;
  EXPECT_TRUE(holds(text_of(report), "all 30,000 rows"));
  EXPECT_FALSE(holds(text_of(report), "Lower bound"));
  report.search.details.emplace_back(kLowerBoundDetail, "at most 9 % above the best possible");
  EXPECT_TRUE(holds(text_of(report), "Lower bound: at most 9 % above the best possible\n"));
}

// Requirements that leave columns out can hold while rows stand out over all of them.
TEST(ReportText, SaysWhenRequirementsLeaveRowsStandingOut) {
  Report report = sample_report();
  EXPECT_FALSE(holds(text_of(report), "No requirement covers"));
  report.requirements = {{{"age"}, 5, 6, true}, {{"zip"}, 10, 11, true}};
  report.risk.smallest_group = 1;
  report.risk.prosecutor_max = 1;
  const char* sentence = "No requirement covers all quasi columns together";
  EXPECT_TRUE(holds(text_of(report), sentence)) << text_of(report);
  EXPECT_TRUE(holds(page_of(report), sentence));
  report.risk.smallest_group = 10;
  EXPECT_FALSE(holds(text_of(report), sentence));
}

TEST(ReportText, FailuresSayWhy) {
  Report report = sample_report();
  report.status = Status::unsatisfied;
  report.reason = "The table has 3 rows, k is 5.";
  report.requirements[0].ok = false;
  EXPECT_EQ(
      text_of(report).rfind("NOT RELEASED: no recoding satisfies the requirements. The table has 3 rows, k is 5.\n", 0),
      0u);
  EXPECT_TRUE(holds(text_of(report), "NOT MET"));
  report.status = Status::verification_failed;
  report.verification.checks[0] = {"columns", CheckResult::failed, "column 'name' is an identifier"};
  report.verification.checks[1] = {"coverage", CheckResult::not_checked, "too large", ""};
  EXPECT_TRUE(holds(text_of(report), "FAILED       columns  "));
  EXPECT_TRUE(holds(text_of(report), "NOT CHECKED  coverage "));
  EXPECT_TRUE(holds(text_of(report), "  column 'name' is an identifier\n"));
}

TEST(ReportText, NamesCannotCommandTheTerminal) {
  Report report = sample_report();
  report.columns[0].name = "age\x1b[31m";
  report.requirements[0].columns[0] = "a\nb";
  report.notices = {"\x07"};
  const std::string text = text_of(report);
  EXPECT_FALSE(holds(text, "\x1b"));
  EXPECT_FALSE(holds(text, "\x07"));
  EXPECT_TRUE(holds(text, "a?b"));
}

TEST(ReportHtml, IsSelfContainedAndEscaped) {
  Report report = sample_report();
  report.columns[0].name = "<script>alert(1)</script>";
  report.requirements[0].columns[0] = "a\"b&c";
  report.notices = {"<img src=x>"};
  report.input = "dir/<b>.csv";
  const std::string html = page_of(report);
  EXPECT_EQ(html.rfind("<!DOCTYPE html>", 0), 0u);
  for (const char* outside :
       {"<script", "<img", "http://", "https://", "<link", "@import", "url(", "dir/", "<b>.csv"}) {
    EXPECT_FALSE(holds(html, outside)) << outside;
  }
  EXPECT_TRUE(holds(html, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_TRUE(holds(html, "a&quot;b&amp;c"));
  EXPECT_TRUE(holds(html, "prefers-color-scheme:dark"));
  for (const char* part :
       {"Released and verified", "37.5 %", "class=\"bars\"", "16.7 %", "cuts tried", "9 columns", "bb"}) {
    EXPECT_TRUE(holds(html, part)) << part;
  }
}

TEST(ReportHtml, ThePublicPageShowsNoValuesOfTheTable) {
  Report report = sample_report();
  report.status = Status::verification_failed;
  report.verification = {
      {{"coverage", CheckResult::failed, "a row covers no other", "row 3: 'Alice Liddell' became 'Bob'"}}, {}};
  report.data_notices = {"hierarchy of 'name': line 3: 'Alice Liddell' stands twice"};
  const std::string html = page_of(report, Audience::everyone);
  EXPECT_TRUE(holds(html, "NOT RELEASED: the release failed its verification."));
  EXPECT_TRUE(holds(html, "coverage"));
  EXPECT_TRUE(holds(html, "Public: holds no values of the table."));
  for (const char* data : {"Liddell", "[17,30]", "hashes of the input: aa"}) EXPECT_FALSE(holds(html, data)) << data;
  EXPECT_FALSE(holds(html, "<code>aa</code>"));
  EXPECT_TRUE(holds(html, "<code>bb</code>"));
  const std::string internal = page_of(report);
  EXPECT_TRUE(holds(internal.substr(0, internal.find('\n')), "Internal: may quote values of the table"));
  EXPECT_TRUE(holds(internal, "Alice Liddell"));
}

TEST(ReportJson, ThePublicReportHoldsNoValuesOfTheTable) {
  Report report = sample_report();
  report.data_notices = {"hierarchy of 'name': line 3: 'Alice Liddell' stands twice"};
  report.verification = {
      {{"coverage", CheckResult::failed, "a row covers no other", "row 3: 'Alice Liddell' became 'Bob'"}}, {}};
  const std::string text = json_text(release_document(report), Audience::everyone);
  for (const char* data : {"Liddell", "[17,30]", "\"aa\"", "data/people.csv"}) EXPECT_FALSE(holds(text, data)) << data;
  const auto open = json_of(report, Audience::everyone), full = json_of(report);
  EXPECT_EQ(open["input"], "people.csv");
  EXPECT_FALSE(open.contains("holds_data"));
  EXPECT_EQ(full["audience"], "internal: may hold values of the table");
  EXPECT_EQ(full["holds_data"], (nlohmann::ordered_json{"notices[0]", "verification.checks[0].culprit", "hashes.input",
                                                        "search.steps[0].what"}));
  // Every other field of the internal report is there, for the public too.
  for (const auto& [key, value] : full.items()) {
    EXPECT_TRUE(key == "holds_data" || open.contains(key)) << key;
  }
  EXPECT_TRUE(open["verification"]["checks"][0]["culprit"].is_null());
  EXPECT_EQ(open["measures"], full["measures"]);
}

// ---- the first page, and what is before and after ----

Report report_of_columns() {
  Report report = sample_report();
  report.input_columns = {{"name", Role::identifier}, {"who", Role::person},        {"age", Role::quasi},
                          {"zip", Role::quasi},       {"illness", Role::sensitive}, {"hours", Role::plain},
                          {"note", Role::none}};
  report.group_sizes_before = {15000, 5000, 4000, 6000, 162, 0, 0, 0};
  report.group_sizes = {0, 0, 20000, 10000, 0, 0, 0, 0};
  report.columns[0].told_apart_before = 0.98;
  report.columns[0].told_apart = 0.9;
  report.columns[0].shares = {{"Alice Liddell's age", 0.25, 0.3}, {"18 to 90", 0.75, 0.7}};
  report.columns[0].shares_moved = 0.05;
  report.search.details.emplace_back(kLowerBoundDetail, "no release can have a GCP below 0.3; this one has 0.375");
  report.job = "input: data/people.csv\ncolumns:\n  age: {role: quasi, order: [Alice Liddell]}\n";
  report.findings = std::vector<Finding>{};
  report.findings->push_back({"reveals", {"hours"}, "hours tells zip", "make it quasi", false, true});
  return report;
}

TEST(ReportHtml, NamesEveryColumnAndWhatBecameOfIt) {
  const std::string page = page_of(report_of_columns());
  for (const char* part :
       {">name</td>", "not released; says which rows are one person",
        "recoded: 72 values became 30 values and ranges; 25 % lost",
        "recoded: 500 values became 40, level 2 of 5; 50 % lost", "not released: nobody said what it is",
        "Released as they are: illness, hours.", "Findings that were accepted: reveals (hours).",
        "accepted by the user", "at least 6 rows that fit: a risk of at most 16.7 % (before: 100 %)",
        "Why these columns and this k", "Signature", "Group sizes, before and after", "10 to 19",
        "Alice Liddell&#39;s age", "Loss against the bound", "columns:\n  age: {role: quasi"}) {
    EXPECT_TRUE(holds(page, part)) << part;
  }
  EXPECT_LT(page.find("Every column"), page.find("Sign-off"));
  EXPECT_LT(page.find("Sign-off"), page.find("Group sizes"));
  EXPECT_TRUE(holds(page, "<details><summary><h2>Search</h2></summary>"));
  const std::string open = page_of(report_of_columns(), Audience::everyone);
  EXPECT_FALSE(holds(open, "Alice"));
  EXPECT_TRUE(holds(open, "5 %"));  // how much moved is no value
  const std::string public_json = json_text(release_document(report_of_columns()), Audience::everyone);
  EXPECT_FALSE(holds(public_json, "Alice"));
  const auto json = json_of(report_of_columns());
  EXPECT_EQ(json["input_columns"].size(), 7u);
  EXPECT_EQ(json["input_columns"][1]["role"], "person");
  EXPECT_EQ(json["columns"].size(), 2u);
  EXPECT_EQ(json["columns"][0]["told_apart_before"], 0.98);
  EXPECT_EQ(json["columns"][0]["shares"][1]["after"], 0.7);
  EXPECT_EQ(json["group_sizes"][2]["after"], 20000);
}

TEST(ReportHtml, ARefusedJobHasAReportOfWhy) {
  for (const Status status : {Status::unsatisfied, Status::verification_failed, Status::finding}) {
    Report report = report_of_columns();
    report.status = status;
    report.reason = "this is why";
    const std::string page = page_of(report);
    EXPECT_TRUE(holds(page, "NOT RELEASED"));
    EXPECT_TRUE(holds(page, "this is why"));
    EXPECT_TRUE(holds(page, "Nothing was released. The table is where it was"));
    EXPECT_TRUE(holds(page, "there is nothing to sign"));
    EXPECT_FALSE(holds(page, "Signature"));
    // What a refused release would have shown is told as such, and nothing else is.
    const bool refused_release = status != Status::unsatisfied;
    EXPECT_EQ(holds(page, "not released: nothing was"), !refused_release);
    EXPECT_EQ(holds(page, "what would have become of it"), refused_release);
    EXPECT_FALSE(holds(page, "what became of it") && refused_release);
    EXPECT_EQ(holds(page, "rows it would have had"), refused_release);
    EXPECT_FALSE(holds(page, ">rows out<"));
    EXPECT_EQ(holds(page, "Group sizes"), refused_release);
  }
}

// Tags open and close in order: cheap proof that no piece of the page was forgotten.
TEST(ReportHtml, TagsBalance) {
  for (Status status : {Status::released, Status::unsatisfied, Status::verification_failed}) {
    Report report = report_of_columns();
    report.status = status;
    const std::string html = page_of(report);
    std::vector<std::string> open;
    for (size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
      const size_t end = html.find('>', at);
      ASSERT_NE(end, std::string::npos);
      const std::string tag = html.substr(at + 1, end - at - 1);
      const std::string name = tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" /", 1) - (tag[0] == '/' ? 1 : 0));
      if (tag[0] == '!' || tag.starts_with("!--") || tag.back() == '/' || name == "meta") continue;
      if (tag[0] != '/') {
        open.push_back(name);
      } else {
        ASSERT_FALSE(open.empty());
        EXPECT_EQ(open.back(), name);
        open.pop_back();
      }
    }
    EXPECT_TRUE(open.empty());
  }
}

TEST(ReportFormat, Numbers) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(0.0001), "<0.1 %");
  EXPECT_EQ(percent(0.123), "12.3 %");
  EXPECT_EQ(percent(0.99999), ">99.9 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(decimal(0.88888888), "0.8889");
  EXPECT_EQ(decimal(1234567.4), "1,234,567");
  EXPECT_EQ(decimal(-1500), "-1,500");
  EXPECT_EQ(duration(0.0012), "1.2 ms");
  EXPECT_EQ(duration(0.42), "0.42 s");
  EXPECT_EQ(duration(75), "75 s");
  EXPECT_EQ(duration(200), "3 min 20 s");
  EXPECT_EQ(duration(7260), "2 h 1 min");
  EXPECT_EQ(memory_size(123456789), "123 MB");
  EXPECT_EQ(memory_size(2500000000), "2.5 GB");
}

TEST(ReportFormat, Names) {
  EXPECT_EQ(short_list({"a", "b", "c"}, 20), "a, b, c");
  EXPECT_EQ(short_list({"alpha", "beta", "gamma", "delta"}, 23), "alpha, beta and 2 more");
  EXPECT_EQ(short_list({"alpha", "beta", "gamma", "delta"}, 25), "alpha, beta, gamma, delta");
  EXPECT_EQ(short_list({"alpha", "beta", "gamma", "delta"}, 21), "alpha and 3 more");
  EXPECT_EQ(short_list({"a very long name"}, 5), "a very long name");
  EXPECT_EQ(width_of("größe"), 5u);
  EXPECT_EQ(left("größe", 7), "größe  ");
  EXPECT_EQ(right("größe", 7), "  größe");
  EXPECT_EQ(shortened("größe", 5), "größe");
  EXPECT_EQ(shortened("größer", 5), "größ…");
  EXPECT_EQ(printable("a\x1b[31m\xC2\x9B"
                      "31m\xC3\xA9"),
            "a?[31m?31mé");
  EXPECT_EQ(wrapped("one two three", 2, 9), "  one two\n  three\n");
}

// Words, unit and direction of a measure stand in one table: all of them, each once.
TEST(MeasureWords, NameEveryMeasureOnce) {
  std::vector<std::string> keys;
  for (const MeasureWords& words : measure_words()) {
    keys.push_back(words.key);
    EXPECT_STRNE(words.label, "");
    EXPECT_STRNE(words.meaning, "");
    EXPECT_NE(words.direction, Direction::neutral) << words.key;
  }
  for (const std::string& name : measure_names()) {
    EXPECT_EQ(std::count(keys.begin(), keys.end(), name), 1) << name;
  }
  EXPECT_EQ(keys.size(), 14u);
}

// The stated direction is that of the loss a search minimises: a larger value of a lower-is-better measure loses more.
TEST(MeasureWords, DirectionsAgreeWithTheLoss) {
  const auto set = [](Measures& m, const std::string& key, double v) {
    if (key == "prec") m.prec = v;
    if (key == "rows") m.rows = static_cast<uint64_t>(v);
    if (key == "dm") m.dm = v;
    if (key == "c_avg") m.c_avg = v;
    if (key == "ncp") m.ncp = v;
    if (key == "gcp") m.gcp = v;
    if (key == "distortion") m.distortion = v;
    if (key == "modification_rate") m.modification_rate = v;
    if (key == "lm") m.lm = v;
    if (key == "cm") m.cm = v;
    if (key == "entropy") m.entropy = v;
  };
  for (const MeasureWords& words : measure_words()) {
    const auto names = measure_names();
    if (std::find(names.begin(), names.end(), words.key) == names.end()) continue;
    Measures low, high;
    set(low, words.key, 0);
    set(high, words.key, 1);
    EXPECT_EQ(loss(words.key, high) > loss(words.key, low), words.direction == Direction::lower_is_better) << words.key;
    EXPECT_NE(words_of(words.value(high)), words_of(words.value(low))) << words.key;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
