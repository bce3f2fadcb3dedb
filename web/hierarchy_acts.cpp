#include "web/hierarchy_acts.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "web/pages.h"
#include "web/tree_edit.h"

namespace shoal::web {
namespace {

std::string page_of(const std::string& column) { return "/hierarchies?column=" + url_text(column); }

std::vector<uint32_t> marked_nodes(const Fields& form) {
  std::vector<uint32_t> nodes;
  for (const std::string& text : form.all("node")) {
    const uint64_t number = parse_whole_number("node", text);
    if (number > 0xffffffff) throw Error(ErrorKind::job, "the tree has no such node any more");
    nodes.push_back(static_cast<uint32_t>(number));
  }
  return nodes;
}

uint32_t node_called(const Tree& tree, const std::string& label) {
  for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
    if (tree.nodes[node].label == label) return node;
  }
  throw Error(ErrorKind::job, fmt::format("no node is called '{}'", label));
}

Tree edited(const Tree& tree, const Fields& form) {
  const std::string &operation = form.at("operation"), &label = form.at("label");
  const std::vector<uint32_t> nodes = marked_nodes(form);
  if (operation == "join") return joined(tree, nodes, label);
  if (operation == "split") return split_off(tree, nodes, label);
  if (operation == "move") return moved(tree, nodes, node_called(tree, label));
  if (nodes.size() != 1) throw Error(ErrorKind::job, "mark one node of the tree for this");
  if (operation == "rename") return renamed(tree, nodes.front(), label);
  if (operation == "dissolve") return dissolved(tree, nodes.front());
  throw Error(ErrorKind::job, fmt::format("no such change: '{}'", operation));
}

void set_edges(Session& session, const std::string& column, const Fields& form) {
  std::vector<std::string> edges;
  for (const std::string& edge : form.all("edge")) {
    if (edge.empty()) continue;  // a field that was emptied: the edge goes
    parse_number("edge", edge);
    edges.push_back(edge);
  }
  std::sort(edges.begin(), edges.end(), [](const std::string& a, const std::string& b) {
    return parse_number("edge", a) < parse_number("edge", b);
  });
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  if (edges.empty()) throw Error(ErrorKind::job, "give at least one edge");
  HierarchySpec spec;
  spec.builder = BuilderSpec{"intervals", {{"edges", fmt::format("{}", fmt::join(edges, ","))}}};
  session.set_hierarchy(column, std::move(spec));
}

// Into a file that the job names from now on.
void save(Session& session, const std::string& column, const std::string& draft, const ColumnLeaves& leaves) {
  const CheckedDraft checked = check_draft(draft, leaves);
  for (const HierarchyFault& fault : checked.faults) {
    if (fault.severity == HierarchyFault::Severity::error) {
      throw Error(ErrorKind::job, fmt::format("the hierarchy cannot be saved: line {}: {}", fault.line, fault.message));
    }
  }
  const std::string file = session.check_output(session.hierarchy_file(column));
  Outputs outputs;
  outputs.reads("the table", session.job().files.input);
  Output& output = outputs.writes("the hierarchy", file);
  outputs.prepare();
  output.write(level_table(checked.tree));
  Progress progress;
  outputs.publish(progress);
  session.remember_files({file});
  session.set_hierarchy(column, HierarchySpec{file, std::nullopt, std::nullopt});
}

}  // namespace

Tree tree_as_it_stands(const Session& session, const std::string& column, const ColumnLeaves& leaves) {
  const std::optional<HierarchySpec> spec = hierarchy_of(session.job(), column);
  if (spec && spec->builder) return build_tree(*spec->builder, leaves.values.values, leaves.values.counts);
  if (spec && !spec->file.empty()) return read_tree(Folder::file(spec->file));
  if (spec && spec->tree) return *spec->tree;
  return build_tree(BuilderSpec{"flat", {}}, leaves.values.values, leaves.values.counts);
}

CheckedDraft check_draft(const std::string& draft, const ColumnLeaves& leaves) {
  // In a file, so that it is read by the reader that will read it, and checked by the same words.
  const TemporaryFile file(".csv");
  std::ofstream(file.path(), std::ios::binary) << draft;
  CheckedDraft checked;
  checked.faults = check_tree(file.path(), std::span<const std::string>(leaves.values.values));
  ParsedTree parsed = parse_tree_text(draft, "draft.csv");
  checked.usable = !has_error(parsed.faults) && !parsed.tree.nodes.empty();
  checked.tree = std::move(parsed.tree);
  return checked;
}

Reply act_on_hierarchy(Session& session, const std::string& action, const Fields& form, bool from_script) {
  const std::string& column = form.at("column");
  if (session.job().role_of(column) != Role::quasi) {
    throw Error(ErrorKind::job, fmt::format("'{}' is no quasi column, so that it needs no hierarchy", column));
  }
  if (action == "build") {
    const std::string& settings = form.at("settings");
    session.set_hierarchy(column,
                          parse_hierarchy("build:" + form.at("kind") + (settings.empty() ? "" : "," + settings)));
    return redirect(page_of(column));
  }
  if (action == "none") {
    session.set_hierarchy(column, std::nullopt);
    return redirect(page_of(column));
  }
  if (action == "edges") {
    set_edges(session, column, form);
    return redirect(page_of(column));
  }
  if (action == "file") {
    session.set_hierarchy(column, HierarchySpec{Folder::file(form.at("file")), std::nullopt, std::nullopt});
    return redirect(page_of(column));
  }
  const std::shared_ptr<const ColumnLeaves> leaves = session.values_of(column);
  if (!leaves) return redirect(page_of(column));
  std::string draft = form.at("draft");
  std::erase(draft, '\r');  // browsers end lines with both
  if (action == "save") {
    save(session, column, draft, *leaves);
    if (!from_script) return redirect(page_of(column));
    Reply reply;
    reply.headers.emplace_back("HX-Redirect", page_of(column));
    return reply;
  }
  if (action == "edit") {
    const CheckedDraft checked = check_draft(draft, *leaves);
    if (!checked.usable) throw Error(ErrorKind::job, "mend the text first: it is no tree yet");
    draft = level_table(edited(checked.tree, form));
  } else if (action != "check") {
    throw Error(ErrorKind::job, fmt::format("no such action: '{}'", action));
  }
  Reply reply;
  if (from_script) {
    reply.body = action == "check" ? draft_check(draft, *leaves) : draft_editor(session, column, draft, *leaves);
  } else {
    reply.body = whole_page(session, "/hierarchies", hierarchies_page(session, column, draft), "");
  }
  return reply;
}

}  // namespace shoal::web
