// Columns: the role of each, why it was suggested, and what follows from the roles as they are.
#include <fmt/format.h>

#include "web/pages.h"

namespace shoal::web {
namespace {

struct RoleWords {
  const char *word, *name, *meaning;
};
constexpr RoleWords kRoleWords[] = {
    {"none", "left out", "not released"},
    {"identifier", "identifier", "tells who somebody is: never released"},
    {"person", "person", "says which rows are one person: never released, k counts persons"},
    {"quasi", "quasi", "others may know it: recoded until k rows look alike"},
    {"sensitive", "sensitive", "to be protected: released, models are about it"},
    {"target", "target", "what others will want to predict"},
    {"plain", "plain", "released as it is"}};

std::string role_options(const std::string& chosen) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const RoleWords& role : kRoleWords) list.emplace_back(role.word, role.name);
  return options(list, chosen);
}

std::string role_meanings() {
  std::string items;
  for (const RoleWords& role : kRoleWords) items += fmt::format("<dt>{}</dt><dd>{}</dd>", role.name, role.meaning);
  return fmt::format("<details><summary>What the roles mean</summary><dl>{}</dl></details>", items);
}

std::string column_row(const Session& session, const ColumnInspection& column, size_t number) {
  static const std::vector<std::pair<std::string, std::string>> kTypes{{"automatic", "as found"},
                                                                       {"numeric", "number"},
                                                                       {"categorical", "category"},
                                                                       {"ordinal", "ordered"},
                                                                       {"date", "date"}};
  const Job& job = session.job();
  const ColumnJob* entry = job.find_column(column.name);
  const Role role = job.role_of(column.name);
  const bool changed = role != column.role;
  const std::string name = html_text(column.name);
  return fmt::format(
      "<tr><th scope=\"row\">{0}<span class=\"soft small\">{1}</span></th>"
      "<td data-label=\"Role\"><div><select name=\"role-{2}\" aria-label=\"Role of {0}\">{3}</select>{4}</div></td>"
      "<td data-label=\"Read as\"><select name=\"type-{2}\" aria-label=\"Type of {0}\">{5}</select></td>"
      "<td data-label=\"Values\" class=\"n\">{6}</td><td data-label=\"Missing\" class=\"n\">{7}</td>"
      "<td data-label=\"Tells apart\" class=\"n\">{8}</td><td data-label=\"Why\" class=\"small\">{9}</td></tr>\n",
      name, html_text(column.type), number, role_options(role == Role::none ? "none" : to_string(role)),
      changed ? fmt::format("<span class=\"soft small\">suggested: {}</span>",
                            column.role == Role::none ? "left out" : to_string(column.role))
              : "",
      options(kTypes, entry == nullptr ? "automatic" : to_string(entry->type)), with_commas(column.distinct),
      with_commas(column.missing), percent(column.separation),
      (column.careful ? "<b>Look at this one first.</b> " : "") + html_text(column.reason));
}

std::string names_or_none(const std::vector<std::string>& names) {
  return names.empty() ? "none" : words_of(Value::texts(names));
}

Document roles_document(const Session& session, const RiskReport& report) {
  Document document;
  std::vector<std::string> kept, out;
  for (const ColumnInspection& column : session.looked_at()->found.inspection.columns) {
    const Role role = session.job().role_of(column.name);
    const bool leaves = role == Role::none || role == Role::identifier || role == Role::person;
    (leaves ? out : kept).push_back(column.name);
  }
  Facts facts;
  facts.as_tiles = true;
  facts.facts = {{"", "rows that are alone on the quasi columns", Value::count(report.all_quasi.uniques)},
                 {"", "groups", Value::count(report.all_quasi.groups)},
                 {"", "highest risk of a row", Value::share(report.all_quasi.prosecutor_max)}};
  document.findings = report.findings;
  document.sections.push_back(Section{"As the table stands",
                                      "",
                                      {facts, Paragraph{Value::text("Released: " + names_or_none(kept) + ".")},
                                       Paragraph{Value::text("Not released: " + names_or_none(out) + ".")}}});
  return document;
}

}  // namespace

std::string findings_part(Session& session) {
  if (!session.ready()) return "";
  const std::shared_ptr<const RiskReport> report = session.findings.result();
  return run_part("findings", session.findings.status(), "/part/findings",
                  report ? html_inside(roles_document(session, *report)) : "");
}

std::string columns_page(Session& session) {
  std::string rows;
  const std::shared_ptr<const LookedAt> looked = session.looked_at();
  const std::vector<ColumnInspection>& columns = looked->found.inspection.columns;
  for (size_t i = 0; i < columns.size(); ++i) rows += column_row(session, columns[i], i);
  const std::string form = fmt::format(
      "<p>Roles are suggestions: only you know who could know what. Findings follow every change.</p>{}"
      "<form method=\"post\" action=\"/columns\" hx-post=\"/columns\" hx-trigger=\"change\" "
      "hx-target=\"#part-findings\" "
      "hx-swap=\"outerHTML\" id=\"columns\">{}<section><table class=\"rows cards columns\"><thead><tr><th "
      "scope=\"col\">Column</th>"
      "<th scope=\"col\">Role</th><th scope=\"col\">Read as</th><th scope=\"col\" class=\"n\">Values</th>"
      "<th scope=\"col\" class=\"n\">Missing</th><th scope=\"col\" class=\"n\">Tells apart</th><th "
      "scope=\"col\">Why</th>"
      "</tr></thead><tbody>{}</tbody></table><noscript><p><button>Take these "
      "roles</button></p></noscript></section></form>\n",
      role_meanings(), table_field(session) + changes_field(session), rows);
  return form + findings_part(session) +
         "<p class=\"next\"><a class=\"button\" href=\"/hierarchies\">Go on to the hierarchies</a> "
         "<a href=\"/goal\">or straight to the goal</a></p>\n" +
         same_by_command(session,
                         fmt::format("shoal risk {} --job {}\n", input_word(session), shell_word(session.job_name())));
}

}  // namespace shoal::web
