// Indented text: every label on its own line, children deeper than their parent.

#include <fmt/format.h>

#include <algorithm>

#include "shoal/hierarchy/label_text.h"
#include "shoal/hierarchy/tree_draft.h"

namespace shoal {
namespace {

// The lines still open: the last one and its ancestors, with how far they are indented.
struct Open {
  size_t indentation;
  size_t named;
};

std::string allowed_indentations(const std::vector<Open>& open) {
  std::string text;
  for (const Open& line : open) text += fmt::format("{}{}", text.empty() ? "" : ", ", line.indentation);
  return text;
}

}  // namespace

ParsedTree parse_indented(std::string_view text) {
  std::vector<NamedNode> named;
  std::vector<HierarchyFault> faults;
  std::vector<Open> open;
  const auto error = [&](size_t line, std::string message) {
    faults.push_back({HierarchyFault::Severity::error, line, std::move(message)});
  };
  size_t line = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view content = text.substr(at, end - at);
    at = end + 1;
    ++line;
    if (!content.empty() && content.back() == '\r') content.remove_suffix(1);
    const size_t last = content.find_last_not_of(" \t");
    if (last == std::string_view::npos) continue;  // blank
    content = content.substr(0, last + 1);
    if (content.find('\t') != std::string_view::npos) {
      error(line, "there is a tab; indent with spaces only");
      continue;
    }
    const size_t indentation = content.find_first_not_of(' ');
    size_t kept = open.size();  // lines above that stay open: those less indented
    while (kept > 0 && open[kept - 1].indentation > indentation) --kept;
    const bool shallower = kept < open.size();
    const bool sibling = kept > 0 && open[kept - 1].indentation == indentation;
    if (shallower && !sibling) {
      error(line,
            fmt::format("{} spaces of indentation fit no line above; indent {} as far as its siblings ({} spaces)",
                        indentation, quoted_label(content.substr(indentation)), allowed_indentations(open)));
      continue;
    }
    open.resize(sibling ? kept - 1 : kept);
    const size_t parent = open.empty() ? NamedNode::kTop : open.back().named;
    open.push_back({indentation, named.size()});
    named.push_back({std::string(content.substr(indentation)), parent, line});
  }
  if (named.empty() && faults.empty()) error(0, "the file is empty; write the root, and the labels below it indented");
  return grow_named(named, std::move(faults));
}

}  // namespace shoal
