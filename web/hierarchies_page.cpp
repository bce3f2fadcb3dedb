// Hierarchies: the tree of a column, shown and edited; nothing counts until it is saved or built.
#include <fmt/format.h>

#include <algorithm>

#include "web/hierarchy_acts.h"
#include "web/pages.h"

namespace shoal::web {
namespace {

constexpr size_t kMostNodes = 1500;  // drawn; the text has all
constexpr size_t kMostEdited =
    20000;  // values of a column: its text must fit into a form, and be drawn while others wait

std::string words_of_spec(const std::optional<HierarchySpec>& spec) {
  if (!spec) return "none: a value stays or becomes *";
  if (!spec->file.empty()) return "file " + spec->file;
  if (!spec->builder) return "given";
  std::string words = spec->builder->kind;
  for (const auto& [name, value] : spec->builder->settings) words += fmt::format(", {}={}", name, value);
  return "built: " + words;
}

std::string column_list(const Session& session, const std::string& chosen) {
  std::string items;
  for (const ColumnJob& column : session.job().columns) {
    if (column.role != Role::quasi) continue;
    items += fmt::format("<li><a href=\"/hierarchies?column={}\"{}>{}</a> <span class=\"soft\">{}</span></li>\n",
                         url_text(column.name), column.name == chosen ? " aria-current=\"true\"" : "",
                         html_text(column.name), html_text(words_of_spec(hierarchy_of(session.job(), column.name))));
  }
  if (items.empty()) return "<section><p>No column is quasi, so that none needs a hierarchy.</p></section>\n";
  return fmt::format("<section><h2>Quasi columns</h2><ul>{}</ul></section>\n", items);
}

// Nodes with a box each to mark them, nested; subtrees of many values are folded.
std::string drawn_tree(const Tree& tree) {
  std::vector<std::vector<uint32_t>> children(tree.nodes.size());
  std::vector<size_t> leaves(tree.nodes.size(), 0);
  for (size_t node = tree.nodes.size(); node-- > 0;) {
    if (tree.nodes[node].leaf) leaves[node] = 1;
    if (node > 0) leaves[tree.nodes[node].parent] += leaves[node];
  }
  for (uint32_t node = 1; node < tree.nodes.size(); ++node) children[tree.nodes[node].parent].push_back(node);
  size_t drawn = 0;
  std::string html = "<ul class=\"tree\">";
  struct Visit {
    uint32_t node;
    bool closes;
  };
  std::vector<Visit> to_visit{{0, false}};
  while (!to_visit.empty()) {
    const Visit visit = to_visit.back();
    to_visit.pop_back();
    if (visit.closes) {
      html += "</ul></details></li>\n";
      continue;
    }
    const Tree::Node& node = tree.nodes[visit.node];
    if (++drawn > kMostNodes) {
      if (drawn == kMostNodes + 1) html += "<li class=\"soft\">... and more: see the text</li>";
      continue;
    }
    const std::string box = visit.node == 0
                                ? html_text(node.label)
                                : fmt::format("<label><input type=\"checkbox\" name=\"node\" value=\"{}\"> {}</label>",
                                              visit.node, html_text(node.label));
    if (children[visit.node].empty()) {
      html += fmt::format("<li>{}</li>\n", box);
      continue;
    }
    const bool open = leaves[visit.node] <= 12 || visit.node == 0 || !tree.nodes[children[visit.node].front()].leaf;
    html += fmt::format("<li><details{}><summary>{} <span class=\"soft\">{} value{}</span></summary><ul>",
                        open ? " open" : "", visit.node == 0 ? box : html_text(node.label),
                        with_commas(leaves[visit.node]), leaves[visit.node] == 1 ? "" : "s");
    if (visit.node != 0)
      html += fmt::format(
          "<li class=\"itself\"><label><input type=\"checkbox\" name=\"node\" value=\"{}\"> {} itself</label></li>",
          visit.node, html_text(node.label));
    to_visit.push_back({visit.node, true});
    for (size_t i = children[visit.node].size(); i-- > 0;) to_visit.push_back({children[visit.node][i], false});
  }
  return html + "</ul>";
}

// Ends of the intervals that stand now, to be dragged; for columns of numbers.
std::string edges_form(const Session& session, const std::string& column, const ColumnLeaves& leaves) {
  double low = 0, high = 0;
  bool first = true;
  for (const std::string& value : leaves.values.values) {
    double number = 0;
    try {
      number = parse_number(column, value);
    } catch (const Error&) {
      return "";  // no column of numbers
    }
    low = first ? number : std::min(low, number);
    high = first ? number : std::max(high, number);
    first = false;
  }
  if (first || low == high) return "";
  std::vector<std::string> edges;
  const std::optional<HierarchySpec> spec = hierarchy_of(session.job(), column);
  if (spec && spec->builder && spec->builder->settings.contains("edges")) {
    edges = split_list(spec->builder->settings.at("edges"));
  } else {
    for (int i = 1; i < 5; ++i) edges.push_back(fmt::format("{:.4g}", low + (high - low) * i / 5));
  }
  edges.emplace_back();
  std::string fields;
  for (size_t i = 0; i < edges.size(); ++i) {
    fields += fmt::format(
        "<p class=\"edge\"><input name=\"edge\" value=\"{0}\" inputmode=\"decimal\" aria-label=\"Edge {1}\"> "
        "<input type=\"range\" min=\"{2}\" max=\"{3}\" step=\"any\" value=\"{4}\" aria-label=\"Edge {1}, by a "
        "slider\"></p>",
        html_text(edges[i]), i + 1, low, high, edges[i].empty() ? fmt::format("{}", high) : html_text(edges[i]));
  }
  return fmt::format(
      "<section><details><summary>Intervals by their edges</summary><p>From {} to {}. Drag an edge or type it; an "
      "emptied "
      "one goes, the last field adds one.</p><form method=\"post\" action=\"/hierarchy/edges\" id=\"edges\">{}{}{}"
      "<p><button>Take these edges</button></p></form></details></section>\n",
      decimal(low), decimal(high), table_field(session), hidden_field("column", column), fields);
}

std::string build_form(const Session& session, const std::string& column) {
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const std::string& kind : builder_kinds()) kinds.emplace_back(kind, kind);
  const std::optional<HierarchySpec> spec = hierarchy_of(session.job(), column);
  std::string kind = "auto", settings;
  if (spec && spec->builder) {
    kind = spec->builder->kind;
    for (const auto& [name, value] : spec->builder->settings)
      settings += fmt::format("{}{}={}", settings.empty() ? "" : ",", name, value);
  }
  std::string files;
  for (const FolderEntry& entry : Folder::entries(500)) {
    if (!entry.job && entry.name != session.job().files.input)
      files += fmt::format("<option value=\"{0}\">{0}</option>", html_text(entry.name));
  }
  const std::string common = table_field(session) + hidden_field("column", column);
  return fmt::format(
      "<section><details><summary>Build it, or take a file</summary><form method=\"post\" "
      "action=\"/hierarchy/build\">{0}<p>"
      "<label for=\"kind\">Kind</label><select id=\"kind\" name=\"kind\">{1}</select></p><p><label "
      "for=\"settings\">Settings, "
      "as in <code>width=5,levels=3</code></label><input id=\"settings\" name=\"settings\" value=\"{2}\"></p>"
      "<p><button>Build</button></p></form>{3}<form method=\"post\" action=\"/hierarchy/none\">{0}<p><button "
      "class=\"quiet\">"
      "No hierarchy</button></p></form></details></section>\n",
      common, options(kinds, kind), html_text(settings),
      files.empty()
          ? ""
          : fmt::format("<form method=\"post\" action=\"/hierarchy/file\">{}<p><label for=\"hierarchy-file\">A file of "
                        "the folder</label><select id=\"hierarchy-file\" name=\"file\">{}</select></p>"
                        "<p><button>Take the file</button></p></form>",
                        common, files));
}

// The hierarchy as it stands, by command: built, or checked where it is a file.
std::string hierarchy_command(const Session& session, const std::string& column) {
  const std::optional<HierarchySpec> spec = hierarchy_of(session.job(), column);
  std::string missing;
  for (const std::string& text : session.job().missing) missing += " --missing " + shell_word(text);
  if (spec && !spec->file.empty()) {
    return fmt::format("shoal hierarchy check {} --values {} --column {}{}\n", shell_word(spec->file),
                       input_word(session), shell_word(column), missing);
  }
  std::string settings;
  if (spec && spec->builder) {
    for (const auto& [name, value] : spec->builder->settings)
      settings += " --set " + shell_word(fmt::format("{}={}", name, value));
  }
  return fmt::format("shoal hierarchy build {} --column {} --kind {}{}{} -o {}\n", input_word(session),
                     shell_word(column), spec && spec->builder ? spec->builder->kind : "flat", settings, missing,
                     shell_word(session.hierarchy_file(column)));
}

}  // namespace

std::string draft_check(const std::string& draft, const ColumnLeaves& leaves) {
  const CheckedDraft checked = check_draft(draft, leaves);
  std::string items;
  size_t shown = 0;
  bool wrong = false;
  for (const HierarchyFault& fault : checked.faults) {
    const bool error = fault.severity == HierarchyFault::Severity::error;
    wrong = wrong || error;
    if (++shown > 20) continue;
    items += fmt::format("<li>{}: {}{}</li>", error ? "error" : "warning",
                         fault.line > 0 ? fmt::format("line {}: ", fault.line) : "", html_text(fault.message));
  }
  if (shown > 20) items += fmt::format("<li>and {} more</li>", shown - 20);
  return fmt::format("<div id=\"draft-check\" role=\"status\" class=\"{}\">{}</div>",
                     wrong           ? "verdict bad"
                     : items.empty() ? "verdict good"
                                     : "note",
                     items.empty() ? "Every value has its place." : "<ul>" + items + "</ul>");
}

std::string draft_editor(const Session& session, const std::string& column, const std::string& draft,
                         const ColumnLeaves& leaves) {
  const CheckedDraft checked = check_draft(draft, leaves);
  std::string labels;
  if (checked.usable) {
    for (size_t i = 0; i < checked.tree.nodes.size() && i < kMostNodes; ++i) {
      if (!checked.tree.nodes[i].leaf)
        labels += fmt::format("<option value=\"{}\"></option>", html_text(checked.tree.nodes[i].label));
    }
  }
  return fmt::format(
      "<form method=\"post\" action=\"/hierarchy/edit\" id=\"editor\" hx-post=\"/hierarchy/edit\" "
      "hx-target=\"#editor\" "
      "hx-swap=\"outerHTML\">{0}{1}<section><h2>Hierarchy of {2}</h2><div "
      "class=\"two\"><div><h3>Tree</h3>{3}</div><div>"
      "<h3><label for=\"draft\">Text, a line for each value: the value, then what each level releases</label></h3>"
      "<textarea id=\"draft\" name=\"draft\" rows=\"14\" spellcheck=\"false\" hx-post=\"/hierarchy/check\" "
      "hx-trigger=\"input changed delay:400ms\" hx-target=\"#draft-check\" "
      "hx-swap=\"outerHTML\">{4}</textarea>{5}</div></div>"
      "<p class=\"change\"><label for=\"operation\">Change what is marked</label> <select id=\"operation\" "
      "name=\"operation\">"
      "<option value=\"rename\">rename it to</option><option value=\"join\">join them under a new node</option>"
      "<option value=\"split\">split them off into a new node</option><option value=\"move\">move them under the "
      "node</option>"
      "<option value=\"dissolve\">dissolve it: its children take its place</option></select> "
      "<label for=\"label\">Name</label> <input id=\"label\" name=\"label\" list=\"labels\"><datalist "
      "id=\"labels\">{6}</datalist> "
      "<button class=\"quiet\">Change</button></p><p><button formaction=\"/hierarchy/save\" "
      "hx-post=\"/hierarchy/save\" "
      "hx-target=\"#message\" hx-swap=\"innerHTML\">Save as {7} and use it</button></p></section></form>\n",
      table_field(session), hidden_field("column", column), html_text(column),
      checked.usable ? drawn_tree(checked.tree) : "<p class=\"soft\">The text is no tree yet.</p>", html_lines(draft),
      draft_check(draft, leaves), labels, html_text(session.hierarchy_file(column)));
}

std::string hierarchies_page(Session& session, const std::string& column, const std::string& draft) {
  std::string chosen = column;
  if (session.job().role_of(chosen) != Role::quasi) chosen.clear();
  for (const ColumnJob& entry : session.job().columns) {
    if (chosen.empty() && entry.role == Role::quasi) chosen = entry.name;
  }
  std::string body = column_list(session, chosen);
  if (!chosen.empty()) {
    const std::shared_ptr<const ColumnLeaves> leaves = session.values_of(chosen);
    if (!leaves) {
      body += run_part("values", session.values.status(), "/part/values", "");
    } else {
      try {
        if (leaves->values.values.size() > kMostEdited) {
          throw Error(ErrorKind::job,
                      fmt::format("{} has {} values: too many to show and edit by hand here (at most {}). Build its "
                                  "hierarchy, or take a file of the folder, below; `shoal hierarchy` shows it on "
                                  "the command line",
                                  chosen, with_commas(leaves->values.values.size()), with_commas(kMostEdited)));
        }
        body += draft_editor(session, chosen,
                             draft.empty() ? level_table(tree_as_it_stands(session, chosen, *leaves)) : draft, *leaves);
      } catch (const Error& error) {
        body += error_box(error.what());
      }
      body += edges_form(session, chosen, *leaves) + build_form(session, chosen);
    }
  }
  body += "<p class=\"next\"><a class=\"button\" href=\"/goal\">Go on to the goal</a></p>\n";
  return body +
         same_by_command(session, chosen.empty() ? "shoal hierarchy --help\n" : hierarchy_command(session, chosen));
}

}  // namespace shoal::web
