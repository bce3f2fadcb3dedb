// The report's page cuts nothing off: looked at in a browser, narrow, wide and on paper, with few columns and with
// fifty.
#include <gtest/gtest.h>

#include <sstream>

#include "shoal/report/comparison_document.h"
#include "shoal/report/release_document.h"
#include "shoal/report/render.h"
#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

Report report_with(size_t columns) {
  Report report;
  report.status = Status::released;
  report.input = "some/folder/people of the year 2024.csv";
  report.output = "release.csv";
  report.method = "mondrian";
  report.rows_in = report.rows_out = 123456789;
  std::vector<std::string> names;
  for (size_t i = 0; i < columns; ++i) {
    names.push_back(i % 3 == 0 ? fmt::format("a_name_without_any_blank_that_is_longer_than_a_phone_is_wide_{}", i)
                               : fmt::format("a name of several words, as spreadsheets have them {}", i));
    report.columns.push_back({names.back(), i % 2 == 0 ? "numeric" : "categorical",
                              fmt::format("hierarchies/the_hierarchy_of_{}.csv", names.back()),
                              i % 2 == 0 ? "tight" : "", 1234567, 1234567, double(i) / double(columns), 3, 12});
    ColumnReport& column = report.columns.back();
    column.told_apart_before = 0.99;
    for (size_t v = 0; v < 12; ++v)
      column.shares.push_back({fmt::format("{} value {}", names.back(), v), 0.1, 0.02 * double(v)});
    report.input_columns.push_back({names.back(), i % 4 == 3 ? Role::plain : Role::quasi});
  }
  report.group_sizes_before = {100, 200, 300, 400, 0, 0, 0, 1};
  report.group_sizes = {0, 0, 300, 400, 0, 0, 0, 1234567};
  report.job = "input: " + names[0] + "\nmethod: mondrian\n";
  report.search.bound = 0.01;
  report.requirements = {{names, 1000, 1234567, true}, {{names[0]}, 5, 5, true}};
  report.measures.dm = 1.5e14;
  report.risk_before = {20000, 15000, 1, 9, 1.5, 1.0, 0.66, 0.2, 0.9, 1.0, 0.66};
  report.risk = {1234, 0, 6, 60, 24.3, 1.0 / 6, 0.04, 0.2, 0.0, 1.0 / 6, 0.04};
  report.search.details = {{std::string(kLowerBoundDetail), "no release can have a GCP below 0.01; this one has 0"},
                           {"a detail", "with words_that_have_no_blank_and_are_longer_than_a_phone_is_wide in it"}};
  report.timings = {0.1, 0.2, 0.3, 0.04, 0.05, 0.06, 0.75};
  report.hashes = {std::string(64, 'a'), std::string(64, 'b'), std::string(64, 'c')};
  report.verification = {
      {{fmt::format("requirement ({}) k=1000", names[0]), CheckResult::failed, "smallest group 1234567",
        "a_culprit_without_any_blank_that_is_longer_than_a_phone_is_wide_at_all"}},
      {}};
  return report;
}

// Names stand on the page in full, and no rule of the style could hide a part of them.
TEST(ReportPage, SpellsEveryNameOutAndHidesNothing) {
  const Report report = report_with(50);
  const std::string html = html_page(release_document(report));
  for (const ColumnReport& column : report.columns) {
    EXPECT_NE(html.find("<span class=\"name\">" + column.name + "</span>"), std::string::npos) << column.name;
    EXPECT_NE(html.find(">" + column.name + "</td>"), std::string::npos) << column.name;
  }
  for (const char* hiding :
       {"…", "text-overflow", "overflow:hidden", "overflow-x", "line-clamp", "<svg", "max-height"}) {
    EXPECT_EQ(html.find(hiding), std::string::npos) << hiding;
  }
}

// Elements that stick out of the page, or hold more than they show. The page stands in a frame, since browsers have a
// least width for their windows; a script that only this copy has measures it and tells the page around.
constexpr const char* kMeasure = R"js(<script>
addEventListener('load',()=>{const bad=[];for(const e of document.querySelectorAll('body *')){
if(e.tagName==='SCRIPT')continue;const r=e.getBoundingClientRect();
if(r.right>innerWidth+1||r.left<-1||e.scrollWidth>e.clientWidth+1&&getComputedStyle(e).display!=='inline')
bad.push(e.tagName+'.'+e.className+' '+e.textContent.slice(0,40));}
parent.postMessage(bad.length+' of '+document.querySelectorAll('body *').length+' cut off '+bad.slice(0,5).join('|'),'*');});
</script>)js";
constexpr const char* kFrame =
    R"(<!DOCTYPE html><body><iframe id="f" style="border:0;width:{}px;height:2000px"></iframe>
<p id="told">nothing told</p><script>addEventListener('message',m=>{{document.getElementById('told').textContent=m.data;}});
document.getElementById('f').src='page.html';</script></body>)";

Document comparison_of(size_t columns) {
  ComparisonReport report;
  MethodComparison& comparison = report.comparison;
  comparison.input = "some/folder/people of the year 2024.csv";
  comparison.rows = comparison.compared_rows = 123456789;
  for (const ColumnReport& column : report_with(columns).columns) comparison.quasi.push_back(column.name);
  for (const uint64_t k : {2, 5, 10, 100}) {
    for (size_t method = 0; method < columns / 3 + 1; ++method) {
      ComparedRun run;
      run.method = fmt::format("a-method-with-quite-a-long-name-{}", method);
      run.k = k;
      run.measures.gcp = 0.001 * double(k) * double(method + 1) / double(columns);
      run.measures.column_gcp.assign(columns, 0.5);
      run.risk.prosecutor_max = 1.0 / double(k);
      run.seconds = 12345;
      run.bound = 0.001;
      if (method == 1) run.refused = "words_that_have_no_blank_and_are_longer_than_a_phone_is_wide_and_say_why";
      comparison.runs.push_back(std::move(run));
    }
  }
  report.recommendation = recommend(comparison);
  return comparison_document(report);
}

TEST(ReportPage, CutsNothingOffInABrowser) {
  const testing::Workplace place;
  if (place.shell("command -v chromium").exit_code != 0) GTEST_SKIP() << "chromium is not installed";
  const std::string chromium =
      "timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir=\"$PWD/profile\" ";
  for (const auto& [columns, document] : {std::pair{5, release_document(report_with(5))},
                                          {50, release_document(report_with(50))},
                                          {5, comparison_of(5)},
                                          {50, comparison_of(50)}}) {
    std::string html = html_page(document);
    for (size_t folded = html.find("<details>"); folded != std::string::npos;
         folded = html.find("<details>", folded + 1)) {
      html.insert(folded + 8, " open");  // what is folded must not be cut off either
    }
    html.insert(html.find("</body>"), kMeasure);
    place.write("page.html", html);
    for (const int width : {360, 420, 700, 1200}) {  // 700: about what paper has
      place.write("frame.html", fmt::format(kFrame, width));
      const auto run = place.shell(chromium +
                                   "--window-size=1300,1000 --virtual-time-budget=8000 --dump-dom \"file://$PWD/"
                                   "frame.html\"");
      ASSERT_EQ(run.exit_code, 0) << run.err;
      const size_t told = run.out.find("<p id=\"told\">");
      ASSERT_NE(told, std::string::npos) << run.out;
      const std::string words = run.out.substr(told + 13, run.out.find("</p>", told) - told - 13);
      EXPECT_TRUE(words.starts_with("0 of "))
          << document.title << ", " << columns << " columns, " << width << " px: " << words;
    }
  }
}

// On paper whoever signs has the statement, the file and its fingerprint on the sheet that is signed, whatever the
// number of columns.
TEST(ReportPage, ASheetToSignSaysWhatIsSigned) {
  const testing::Workplace place;
  if (place.shell("command -v chromium && command -v pdftotext").exit_code != 0)
    GTEST_SKIP() << "chromium or pdftotext is not installed";
  for (const size_t columns : {5, 12, 20, 50}) {
    place.write("page.html", html_page(release_document(report_with(columns))));
    const auto printed = place.shell(
        "timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir=\"$PWD/profile\" "
        "--no-pdf-header-footer "
        "--print-to-pdf=page.pdf \"file://$PWD/page.html\" && pdftotext -layout page.pdf page.txt");
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    std::istringstream sheets(place.read("page.txt"));
    bool signed_on = false;
    for (std::string sheet; std::getline(sheets, sheet, '\f');) {
      if (sheet.find("Place and date") == std::string::npos) continue;
      signed_on = true;
      for (const char* part : {"agree that this release is given out", "release.csv", "its SHA-256",
                               "To whom, for what purpose", "Signature"}) {
        EXPECT_NE(sheet.find(part), std::string::npos) << columns << " columns: " << part << " in\n" << sheet;
      }
    }
    EXPECT_TRUE(signed_on) << columns;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
