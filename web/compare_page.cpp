// Compare: methods side by side on this table, and the one to take.
#include <fmt/format.h>

#include <algorithm>

#include "web/pages.h"

namespace shoal::web {

std::string compared_part(Session& session) {
  const std::shared_ptr<const ComparisonReport> report = session.compare.result();
  std::string inside;
  if (report) {
    inside = html_inside(comparison_document(*report));
    std::string takes;
    for (size_t i = 0; i < report->comparison.runs.size(); ++i) {
      const ComparedRun& run = report->comparison.runs[i];
      if (!run.done() || run.shape == Shape::model) continue;
      const bool best = report->recommendation && report->recommendation->run == i;
      takes +=
          fmt::format("<form method=\"post\" action=\"/take\" class=\"inline\">{}{}<button{}>{}{}{}</button></form> ",
                      table_field(session), hidden_field("run", fmt::format("{}", i)), best ? "" : " class=\"quiet\"",
                      html_text(run.method), run.k ? fmt::format(", k {}", *run.k) : "", best ? " (recommended)" : "");
    }
    if (!takes.empty())
      inside += fmt::format("<section><h2>Take one of them</h2><div class=\"takes\">{}</div></section>\n", takes);
  }
  return run_part("compare", session.compare.status(), "/part/compare", inside);
}

std::string compare_page(Session& session) {
  const Job& job = session.job();
  const std::vector<std::string> usual = default_methods(job);
  std::string boxes, names, ks;
  for (const MethodEntry& entry : methods()) {
    const bool checked = std::find(usual.begin(), usual.end(), entry.name) != usual.end();
    boxes += fmt::format(
        "<label class=\"box\"><input type=\"checkbox\" name=\"method\" value=\"{0}\"{2}> <b>{0}</b> <span "
        "class=\"soft\">{1}</span></label>\n",
        html_text(entry.name), html_text(entry.title), checked ? " checked" : "");
    if (checked) names += (names.empty() ? "" : ",") + entry.name;
  }
  for (const uint64_t k : default_ks(job)) ks += (ks.empty() ? "" : ",") + fmt::format("{}", k);
  const std::string form = fmt::format(
      "<p>Nothing is released here. Each method runs on the table with each k; what is done stays when you cancel.</p>"
      "<form method=\"post\" action=\"/compare\">{}<section><h2>What to run</h2><p><label for=\"ks\">k, one or "
      "several</label><input id=\"ks\" name=\"ks\" value=\"{}\"></p><p><label for=\"sample\">Rows to draw (empty: "
      "all)</label><input id=\"sample\" name=\"sample\" inputmode=\"numeric\" value=\"2000\"></p>"
      "<fieldset><legend>Methods</legend>{}</fieldset><p><button>Compare</button></p></section></form>\n",
      table_field(session), ks, boxes);
  return compared_part(session) + form +
         "<p class=\"next\"><a class=\"button\" href=\"/release\">Go on to the release</a></p>\n" +
         same_by_command(session,
                         fmt::format("shoal compare {} --job {} --methods {}{} --sample 2000\n", input_word(session),
                                     shell_word(session.job_name()), names, ks.empty() ? "" : " --k " + ks));
}

}  // namespace shoal::web
