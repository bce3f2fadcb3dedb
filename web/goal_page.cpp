// Goal: what every group must keep, by which method, and what that costs on a sample.
#include <fmt/format.h>

#include <algorithm>

#include "web/pages.h"

namespace shoal::web {
namespace {

std::string requirement_lines(const Job& job) {
  std::string lines;
  for (const RequirementJob& requirement : job.requirements) {
    std::string columns;
    for (const std::string& column : requirement.columns) {
      const bool plain = column.find_first_of(",\": ") == std::string::npos;
      std::string quoted = column;
      for (size_t at = 0; (at = quoted.find('"', at)) != std::string::npos; at += 2) quoted.insert(at, "\"");
      columns += (columns.empty() ? "" : ",") + (plain ? column : "\"" + quoted + "\"");
    }
    lines += fmt::format("{}:{}\n", columns, requirement.k);
  }
  return lines;
}

std::string model_lines(const Job& job) {
  std::string lines;
  for (const ModelSpec& model : job.models) lines += model_text(model) + "\n";
  return lines;
}

std::string model_help(const Job& job) {
  std::string column = "COLUMN", items;
  for (const ColumnJob& entry : job.columns) {
    if (entry.role == Role::sensitive) column = entry.name;
  }
  for (const ModelEntry& entry : model_entries()) {
    std::string example(entry.word);
    if (entry.has_column) example += ":" + column;
    char before = ':';
    for (const ModelParameter& parameter : entry.parameters) {
      if (!parameter.default_value.empty() || parameter.type == ModelParameter::Type::values) continue;
      example += fmt::format("{}{}=...", before, parameter.name);
      before = ',';
    }
    items += fmt::format("<dt><code>{}</code></dt><dd>{}</dd>\n", html_text(example), html_text(entry.promise));
  }
  return fmt::format("<details><summary>Models and how they are written</summary><dl>{}</dl></details>", items);
}

std::string presets() {
  std::string items;
  for (const PresetK& preset : kPresets)
    items += fmt::format("<dt>{}</dt><dd>{}</dd>", preset.k, html_text(preset.source));
  return fmt::format("<details><summary>Which k is usual</summary><dl>{}</dl></details>", items);
}

std::string method_options(const Job& job) {
  std::vector<std::pair<std::string, std::string>> list{
      {"", fmt::format("chosen for this job: {}", chosen_method(job))}};
  for (const MethodEntry& entry : methods())
    list.emplace_back(entry.name, fmt::format("{}: {}", entry.name, entry.title));
  return options(list, job.method);
}

// The whole curve stands in the page: moving k only chooses a line of it, which the page's script does.
Document curve_document(const ComparisonReport& report, bool quick) {
  Chart chart;
  chart.kind = Chart::Kind::points;
  chart.title = "Risk against loss for several k";
  chart.across = "loss (GCP)";
  chart.upward = "highest risk of a row";
  FactTable table;
  table.columns = {{"k", "k"}, {"gcp", "loss"}, {"risk", "highest risk"}, {"groups", "groups"}};
  for (const ComparedRun& run : report.comparison.runs) {
    if (!run.done()) continue;
    const double loss = run.whole ? run.whole->gcp : run.measures.gcp;
    const std::string k = run.k ? fmt::format("{}", *run.k) : "as asked";
    chart.series.push_back("k " + k);
    chart.bars.push_back({"k " + k, {Value::share(loss), Value::share(run.highest_risk())}, chart.series.size() - 1});
    table.rows.push_back(
        {{Value::text(k), Value::share(loss), Value::share(run.highest_risk()), Value::count(run.risk.groups)}});
  }
  Document document;
  const MethodComparison& compared = report.comparison;
  Section section{"Risk against loss", "", {}};
  if (table.rows.empty()) {
    section.blocks.emplace_back(Paragraph{Value::text(
        compared.runs.empty() ? "Nothing could be run." : "No k has a release: " + compared.runs.front().refused)});
  } else {
    const bool sampled = compared.compared_rows < compared.rows;
    section.blocks.emplace_back(Paragraph{
        Value::text(fmt::format("{}{} on {}; the release itself is searched on all rows{}.",
                                compared.runs.front().method, quick ? ", for a quick look (effort=fast)," : "",
                                sampled ? fmt::format("{} rows drawn from {}, the loss told for all",
                                                      with_commas(compared.compared_rows), with_commas(compared.rows))
                                        : fmt::format("all {} rows", with_commas(compared.rows)),
                                quick ? ", for longer, and loses less" : ""))});
    section.blocks.emplace_back(chart);
    section.blocks.emplace_back(table);
  }
  document.sections.push_back(std::move(section));
  return document;
}

}  // namespace

std::string curve_part(Session& session) {
  const std::shared_ptr<const Curve> curve = session.curve.result();
  const std::string inside = curve && curve->key == session.curve_key()
                                 ? html_inside(curve_document(curve->report, session.curve_is_quick()))
                                 : "";
  return run_part("curve", session.curve.status(), "/part/curve", inside);
}

std::string goal_page(Session& session) {
  const Job& job = session.job();
  const uint64_t k = job.k.value_or(0);
  const std::string suppress = job.suppress_rows ? fmt::format("{:.6g}", 100 * *job.suppress_rows) : "";
  const std::string time = job.time_budget ? fmt::format("{:.6g}", *job.time_budget) : "";
  const std::string form = fmt::format(
      "<form method=\"post\" action=\"/goal\" id=\"goal\" hx-post=\"/goal\" hx-trigger=\"change, submit\" "
      "hx-target=\"#message\" "
      "hx-swap=\"innerHTML\">{}<section><h2>Every combination of quasi values occurs at least k times</h2>"
      "<p class=\"k\"><label for=\"k\">k</label> <input id=\"k\" name=\"k\" type=\"number\" min=\"1\" value=\"{}\"> "
      "<input id=\"k-slider\" type=\"range\" min=\"2\" max=\"50\" value=\"{}\" aria-label=\"k, by a slider\"> "
      "<output id=\"k-tells\" for=\"k k-slider\"></output></p>{}"
      "<p><label for=\"requirements\">Further requirements, a line each: columns, a colon and k, as in "
      "<code>age,zip:11</code></label><textarea id=\"requirements\" name=\"requirements\" rows=\"2\">{}</textarea></p>"
      "<p><label for=\"models\">Models for the groups, a line each</label>"
      "<textarea id=\"models\" name=\"models\" rows=\"2\">{}</textarea></p>{}</section>",
      table_field(session) + changes_field(session), k == 0 ? "" : fmt::format("{}", k), std::clamp<uint64_t>(k, 2, 50),
      presets(), html_lines(requirement_lines(job)), html_lines(model_lines(job)), model_help(job));
  const std::string how = fmt::format(
      "<section><h2>How it is searched</h2><p><label for=\"method\">Method</label><select id=\"method\" "
      "name=\"method\">{}</select></p><p><label for=\"ranges\">Ranges of numbers</label><select id=\"ranges\" "
      "name=\"ranges\">{}</select></p><p><label for=\"suppress\">Rows that may be dropped, in % (empty: the method's "
      "own "
      "rule)</label><input id=\"suppress\" name=\"suppress\" inputmode=\"decimal\" value=\"{}\"></p>"
      "<p><label for=\"time\">Seconds for the search (empty: no limit)</label><input id=\"time\" name=\"time\" "
      "inputmode=\"decimal\" value=\"{}\"></p><p><label for=\"seed\">Seed</label><input id=\"seed\" name=\"seed\" "
      "inputmode=\"numeric\" value=\"{}\"></p></section><p><button name=\"draw\" value=\"yes\">Take this goal and draw "
      "the curve</button></p></form>\n",
      method_options(job),
      options({{"tight", "tight: from the least to the greatest"},
               {"snapped", "snapped: ends at round numbers"},
               {"nodes", "nodes of the hierarchy"}},
              job.ranges == Ranges::tight     ? "tight"
              : job.ranges == Ranges::snapped ? "snapped"
                                              : "nodes"),
      suppress, time, job.seed);
  return form + how + curve_part(session) +
         "<p class=\"next\"><a class=\"button\" href=\"/compare\">Go on to compare methods</a> "
         "<a href=\"/release\">or straight to the release</a></p>\n" +
         same_by_command(
             session, fmt::format("shoal compare {} --job {} --methods {} --k 2,3,5,8,11,15,20,30,50 --sample 2000{}\n",
                                  input_word(session), shell_word(session.job_name()), chosen_method(job),
                                  session.curve_is_quick() ? " --param effort=fast" : ""));
}

}  // namespace shoal::web
