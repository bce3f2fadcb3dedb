#include "shoal/report/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "shoal/report/format.h"
#include "shoal/report/plots.h"

namespace shoal {
namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

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
  report.columns = {{"age", "numeric", "flat", 72, 30, 0.25, {}, {}},
                    {"zip", "categorical", "zip.csv", 500, 40, 0.5, 2, 5}};
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
  report.verification = {true, {{"columns", true, "9 columns"}, {"rows", true, ""}}, {6, 11}};
  report.notices = {"162 rows were dropped"};
  return report;
}

TEST(ReportJson, HasEveryFieldOfTheInterface) {
  const auto json = to_json(sample_report());
  const char* const fields[] = {"status",
                                "reason",
                                "input",
                                "output",
                                "method",
                                "shape",
                                "params",
                                "seed",
                                "threads",
                                "version",
                                "rows_in",
                                "rows_out",
                                "rows_dropped",
                                "cells_suppressed",
                                "requirements",
                                "columns",
                                "groups",
                                "measures",
                                "risk_before",
                                "risk",
                                "search",
                                "timings",
                                "peak_memory_bytes",
                                "hashes",
                                "verification",
                                "notices"};
  for (const char* field : fields) EXPECT_TRUE(json.contains(field)) << field;
  EXPECT_EQ(json.size(), std::size(fields));
  for (const char* field : {"prec", "rows", "rows_ratio", "dm", "c_avg", "ncp", "gcp", "distortion", "distortion_ratio",
                            "modification_rate", "lm", "cm", "entropy", "entropy_ratio"}) {
    EXPECT_TRUE(json["measures"].contains(field)) << field;
  }
  for (const char* field : {"generated", "expanded", "pruned", "optimal", "bound", "details"}) {
    EXPECT_TRUE(json["search"].contains(field)) << field;
  }
  for (const char* field : {"read", "encode", "search", "recode", "write", "verify", "total"}) {
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
  const auto json = to_json(report);
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
  EXPECT_EQ(to_json(report)["status"], "verification_failed");
  EXPECT_EQ(to_json(report)["measures"]["cm"], 0.5);
  report.measures.dm = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(holds(json_text(to_json(report)), "\"dm\": null"));
}

TEST(ReportJson, BytesThatAreNoUtf8AreReplaced) {
  Report report = sample_report();
  report.input = "caf\xE9.csv";
  EXPECT_NO_THROW(json_text(to_json(report)));
  EXPECT_EQ(json_text(to_json(report)).back(), '\n');
}

TEST(ReportText, VerdictComesFirst) {
  Report report = sample_report();
  const std::string text = to_text(report);
  EXPECT_EQ(text.rfind("Released and verified: 30,000 of 30,162 rows (162 dropped). Every requirement holds.\n", 0), 0u)
      << text;
  for (const char* part : {"mondrian (regions), cuts=strict, seed 7, proven best", "age, zip  ", "72 -> 30", "25 %",
                           "2 of 5", "37.5 %", "100 %", "16.7 %", "Time 0.75 s: read 0.10 s", "memory 123 MB",
                           "Note: 162 rows were dropped", "Cells suppressed: 12"}) {
    EXPECT_TRUE(holds(text, part)) << part << "\n" << text;
  }
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 24);
  report.rows_dropped = 0;
  EXPECT_TRUE(holds(to_text(report), "all 30,000 rows"));
  EXPECT_FALSE(holds(to_text(report), "Lower bound"));
  report.search.details.emplace_back(kLowerBoundDetail, "at most 9 % above the best possible");
  EXPECT_TRUE(holds(to_text(report), "Lower bound: at most 9 % above the best possible\n"));
}

TEST(ReportText, FailuresSayWhy) {
  Report report = sample_report();
  report.status = Status::unsatisfied;
  report.reason = "The table has 3 rows, k is 5.";
  report.requirements[0].ok = false;
  EXPECT_EQ(
      to_text(report).rfind("NOT RELEASED: no recoding satisfies the requirements. The table has 3 rows, k is 5.\n", 0),
      0u);
  EXPECT_TRUE(holds(to_text(report), "NOT MET"));
  report.status = Status::verification_failed;
  report.verification.checks[0] = {"columns", false, "column 'name' is an identifier"};
  EXPECT_TRUE(holds(to_text(report), "FAILED  columns: column 'name' is an identifier"));
}

TEST(ReportText, NamesCannotCommandTheTerminal) {
  Report report = sample_report();
  report.columns[0].name = "age\x1b[31m";
  report.requirements[0].columns[0] = "a\nb";
  report.notices = {"\x07"};
  const std::string text = to_text(report);
  EXPECT_FALSE(holds(text, "\x1b"));
  EXPECT_FALSE(holds(text, "\x07"));
  EXPECT_TRUE(holds(text, "a?b"));
}

TEST(ReportText, MeasuresRiskAndChecks) {
  const Report report = sample_report();
  EXPECT_TRUE(holds(to_text(report.measures), "no target"));
  EXPECT_TRUE(holds(to_text(report.measures), "10,000,000"));
  EXPECT_TRUE(holds(to_text(report.risk), "1,234"));
  EXPECT_TRUE(holds(to_text(report.risk), "above 20 %"));
  EXPECT_EQ(to_text(report.verification), "  ok      columns: 9 columns\n  ok      rows\n");
}

TEST(ReportHtml, IsSelfContainedAndEscaped) {
  Report report = sample_report();
  report.columns[0].name = "<script>alert(1)</script>";
  report.requirements[0].columns[0] = "a\"b&c";
  report.notices = {"<img src=x>"};
  report.input = "dir/<b>.csv";
  const std::string html = to_html(report);
  EXPECT_EQ(html.rfind("<!DOCTYPE html>", 0), 0u);
  for (const char* outside :
       {"<script", "<img", "http://", "https://", "<link", "@import", "url(", "dir/", "<b>.csv"}) {
    EXPECT_FALSE(holds(html, outside)) << outside;
  }
  EXPECT_TRUE(holds(html, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_TRUE(holds(html, "a&quot;b&amp;c"));
  EXPECT_TRUE(holds(html, "prefers-color-scheme:dark"));
  for (const char* part : {"Released and verified", "37.5 %", "<svg", "16.7 %", "cuts tried", "9 columns", "bb"}) {
    EXPECT_TRUE(holds(html, part)) << part;
  }
}

TEST(ReportHtml, ShowsNoValuesOfTheTable) {
  Report report = sample_report();
  report.status = Status::verification_failed;
  report.verification = {false, {{"coverage", false, "row 3: 'Alice Liddell' became 'Bob'"}}, {}};
  const std::string html = to_html(report);
  EXPECT_TRUE(holds(html, "Not released: the release failed its verification."));
  EXPECT_TRUE(holds(html, "coverage"));
  EXPECT_FALSE(holds(html, "Liddell"));
}

// Tags open and close in order: cheap proof that no piece of the page was forgotten.
TEST(ReportHtml, TagsBalance) {
  for (Status status : {Status::released, Status::unsatisfied, Status::verification_failed}) {
    Report report = sample_report();
    report.status = status;
    const std::string html = to_html(report);
    std::vector<std::string> open;
    for (size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
      const size_t end = html.find('>', at);
      ASSERT_NE(end, std::string::npos);
      const std::string tag = html.substr(at + 1, end - at - 1);
      const std::string name = tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" /", 1) - (tag[0] == '/' ? 1 : 0));
      if (tag[0] == '!' || tag.back() == '/' || name == "meta") continue;
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
  EXPECT_EQ(html_escaped("<a href=\"x\">'&'</a>\n"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;?");
}

TEST(ReportPlots, SharesStayInsideTheDrawing) {
  const std::string plot = bar_plot({{"a", {7.0}, {"700 %"}}, {"b", {-1.0, std::nan("")}, {"", ""}}}, "t");
  EXPECT_TRUE(holds(plot, "width=\"454.0\""));  // the whole scale and no more
  EXPECT_FALSE(holds(plot, "nan"));
  EXPECT_FALSE(holds(plot, "width=\"-"));
  EXPECT_FALSE(holds(stacked_bar({{"a", 0, ""}, {"b", 0, ""}}, "t"), "<rect"));
}

}  // namespace
}  // namespace shoal
