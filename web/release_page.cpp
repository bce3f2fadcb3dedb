// Release: where it goes, how far it is, what stands in the way, and what came out.
#include <fmt/format.h>

#include <algorithm>

#include "web/pages.h"

namespace shoal::web {
namespace {

// The finding as a job accepts it: one for each of its columns that is not accepted yet.
std::vector<std::string> acceptable(const Finding& finding, const Job& job) {
  std::vector<std::string> codes;
  for (const std::string& column : finding.columns) codes.push_back(finding.code + ":" + column);
  if (codes.empty()) codes.push_back(finding.code);
  std::erase_if(codes, [&](const std::string& code) {
    return std::find(job.accept.begin(), job.accept.end(), code) != job.accept.end();
  });
  return codes;
}

std::string in_the_way(const Session& session, const Report& report) {
  if (report.status != Status::finding || !report.findings) return "";
  std::string items;
  size_t number = 0;
  for (const Finding& finding : *report.findings) {
    if (!finding.stands_in_the_way || finding.accepted) continue;
    for (const std::string& code : acceptable(finding, session.job())) {
      items += fmt::format(
          "<form method=\"post\" action=\"/accept\" class=\"finding\">{0}{1}<p><b>{2}</b>: {3}; {4}</p>"
          "<p><label for=\"reason-{5}\">Why it is acceptable (all reports repeat it, the public one too)</label>"
          "<textarea id=\"reason-{5}\" name=\"reason\" rows=\"2\" required></textarea></p>"
          "<p><button class=\"quiet\">Accept {2}</button></p></form>\n",
          table_field(session), hidden_field("finding", code), html_text(code), html_text(finding.evidence),
          html_text(finding.what_to_do), number++);
    }
  }
  return fmt::format(
      "<section id=\"in-the-way\"><h2>What stands in the way</h2><p>Mend the roles or the goal, or accept each finding "
      "with a reason; then release again.</p>{}</section>\n",
      items);
}

std::string accepted(const Session& session) {
  std::string items;
  for (const std::string& code : session.job().accept) {
    const auto reason = session.job().reasons.find(code);
    items += fmt::format(
        "<li><form method=\"post\" action=\"/withdraw\" class=\"inline\">{}{}<b>{}</b>{} <button class=\"quiet\">"
        "Withdraw {}</button></form></li>",
        table_field(session), hidden_field("finding", code), html_text(code),
        reason == session.job().reasons.end() ? "" : ": " + html_text(reason->second), html_text(code));
  }
  return items.empty() ? "" : fmt::format("<section><h2>Accepted findings</h2><ul>{}</ul></section>\n", items);
}

std::string downloads(const ReleaseOutcome& released) {
  std::string items;
  for (const std::string& file : released.files) {
    const Files& files = released.job.files;
    const char* what = file == files.output          ? "the release"
                       : file == files.report        ? "the report, for internal use"
                       : file == files.report_public ? "the report without values of the table"
                       : file == files.json          ? "the report for programs, internal"
                       : file == files.recoding      ? "what became of every value, internal"
                                                     : "the job: runs again as it is";
    items += fmt::format("<li><a href=\"/download?file={}\" download>{}</a> <span class=\"soft\">{}</span></li>\n",
                         url_text(file), html_text(file), what);
  }
  if (items.empty()) return "";
  const bool done = released.report.status == Status::released;
  return fmt::format(
      "<section id=\"downloads\"><h2>Files in the folder</h2><ul>{}</ul><p><a href=\"/report\" target=\"_blank\" "
      "rel=\"noopener\">Open the report as a page</a>{}</p></section>\n",
      items, done ? " to print and sign" : "");
}

}  // namespace

std::string released_part(Session& session) {
  const std::shared_ptr<const ReleaseOutcome> released = session.release.result();
  std::string inside;
  if (released) {
    inside =
        in_the_way(session, released->report) + downloads(*released) + html_inside(release_document(released->report));
  }
  return run_part("release", session.release.status(), "/part/release", inside);
}

std::string release_page(Session& session) {
  const FileJob job = session.release_job();
  const std::string form = fmt::format(
      "<form method=\"post\" action=\"/release\">{}<section><h2>Where it goes</h2><p><label for=\"stem\">Outputs begin "
      "with</label><input id=\"stem\" name=\"stem\" value=\"{}\" maxlength=\"100\" required></p><p><label "
      "for=\"format\">Format of the release</label><select id=\"format\" name=\"format\">{}</select></p>"
      "<p class=\"soft\">Into the folder of this page: {}, reports, recoding and job. Nothing is written unless the "
      "written release passes every check.</p><p><button>Release</button></p></section></form>\n",
      table_field(session), html_text(session.stem()),
      options({{".csv", "CSV"}, {".tsv", "TSV"}, {".json", "JSON"}, {".parquet", "Parquet"}}, session.format()),
      html_text(job.files.output));
  const std::string job_name = shell_word(session.job_name());
  std::string command = fmt::format(
      "shoal anonymize {} --job {} -o {} \\\n  --report {} --report-public {} \\\n  --json {} --recoding {}",
      input_word(session), job_name, shell_word(job.files.output), shell_word(job.files.report),
      shell_word(job.files.report_public), shell_word(job.files.json), shell_word(job.files.recoding));
  return form + accepted(session) + released_part(session) + same_by_command(session, command + "\n");
}

}  // namespace shoal::web
