// Table: which file, and what was read of it.
#include <fmt/format.h>

#include <algorithm>

#include "web/pages.h"

namespace shoal::web {
namespace {

constexpr size_t kMostEntries = 500;

std::string choice(const FolderEntry& entry) {
  return fmt::format(
      "<li><form method=\"post\" action=\"/open\">{}<button class=\"file-choice\">{}</button> "
      "<span class=\"soft\">{}{}</span></form></li>\n",
      hidden_field("file", entry.name), html_text(entry.name), entry.job ? "job, " : "", memory_size(entry.bytes));
}

std::string choices(Session& session) {
  const std::vector<FolderEntry> entries = Folder::entries(kMostEntries);
  std::string items;
  for (const FolderEntry& entry : entries) items += choice(entry);
  if (items.empty()) {
    items =
        "<p>There is no table in the folder of this page: no .csv, .tsv, .json or .parquet file, and no job "
        "(.yaml). Drop a file below, or put one into the folder and reload.</p>";
  } else {
    items = fmt::format("<ul class=\"files\">{}</ul>", items);
  }
  if (entries.size() == kMostEntries) {
    items += fmt::format("<p class=\"soft\">Only the first {} files are shown.</p>", kMostEntries);
  }
  const std::string list = fmt::format(
      "{}<p class=\"drop\" id=\"drop\"><label for=\"upload\">Or drop a file here, or choose one:</label> "
      "<input type=\"file\" id=\"upload\"> <span role=\"status\" id=\"upload-status\"></span></p>"
      "<p class=\"soft\">A dropped file goes into a private temporary file on this machine, which is removed when the "
      "program ends. Outputs go into the folder of this page.</p>",
      items);
  if (!session.has_table()) return fmt::format("<section><h2>Choose a table or a job</h2>{}</section>\n", list);
  return fmt::format("<section><details><summary>Choose another table or job</summary>{}</details></section>\n", list);
}

bool hides(Role role) { return role == Role::identifier || role == Role::person; }

// Tables that are wider than the screen scroll by themselves, not with the page.
std::string preview(const Session& session, const LookedAt& looked) {
  std::string head, rows;
  std::vector<bool> hidden;
  for (const std::string& column : looked.preview.columns) {
    hidden.push_back(hides(session.job().role_of(column)));
    head += fmt::format("<th scope=\"col\">{}</th>", html_text(column));
  }
  for (const std::vector<std::string>& row : looked.preview.rows) {
    rows += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) {
      rows += hidden[i] && !row[i].empty() ? "<td class=\"soft\">hidden</td>"
                                           : fmt::format("<td>{}</td>", html_text(shortened(row[i], 60)));
    }
    rows += "</tr>\n";
  }
  return fmt::format(
      "<section><h2>First rows, as in the file</h2><div class=\"wide\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"First rows\"><table class=\"rows "
      "preview\"><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
      "<p class=\"soft\">Cells of identifiers and of the column that says who is who are hidden.</p></section>\n",
      head, rows);
}

Document table_document(const Session& session, const LookedAt& looked) {
  const Inspection& inspection = looked.found.inspection;
  Facts facts;
  facts.as_tiles = true;
  facts.facts = {{"", "rows", Value::count(inspection.rows)},
                 {"", "columns", Value::count(inspection.columns.size())},
                 {"", "format", Value::text(looked.preview.format)}};
  if (!looked.preview.encoding.empty()) {
    facts.facts.push_back({"", "characters", Value::text(looked.preview.encoding)});
    facts.facts.push_back(
        {"", "between cells", Value::text(looked.preview.delimiter == "\t" ? "tab" : looked.preview.delimiter)});
  }
  if (!inspection.comma_columns.empty()) facts.facts.push_back({"", "decimal mark", Value::text("comma")});
  Document document;
  document.sections.push_back(Section{"", "", {facts}});
  Remarks notices{"", "To know", {}, kEveryone};
  for (const std::string& notice : looked.found.notices) notices.remarks.push_back(Value::text(notice));
  if (!inspection.missing.empty()) {
    notices.remarks.push_back(Value::text(
        fmt::format("taken for \"missing\", besides empty cells: {}", words_of(Value::texts(inspection.missing)))));
  }
  if (!session.job_file().empty()) {
    notices.remarks.push_back(Value::text(fmt::format("roles and goal come from the job {}", session.job_file())));
  }
  if (!notices.remarks.empty()) document.sections.push_back(Section{"", "", {notices}});
  return document;
}

}  // namespace

std::string looked_part(Session& session) {
  if (!session.has_table()) return "";
  std::string inside;
  if (session.ready()) {
    const std::shared_ptr<const LookedAt> looked = session.looked_at();
    Document more = inspect_document(session.table_name(), looked->found.inspection, false);
    more.findings.reset();  // they stand on the next page, for the roles as they are there
    inside = html_inside(table_document(session, *looked)) + preview(session, *looked) +
             "<p class=\"next\"><a class=\"button\" href=\"/columns\">Go on to the columns</a></p>\n" +
             fmt::format("<section><details><summary>All that was seen by looking</summary>{}</details></section>",
                         html_inside(more));
  }
  return run_part("look", session.look.status(), "/part/look", inside);
}

std::string table_page(Session& session) {
  std::string body = looked_part(session) + choices(session);
  if (session.has_table()) {
    body += same_by_command(
        session, fmt::format("shoal inspect {} --write-job {}\n", input_word(session), shell_word(session.job_name())));
  }
  return body;
}

}  // namespace shoal::web
