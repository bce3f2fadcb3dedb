#include "shoal/report/methods_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace shoal {
namespace {

// Methods that take one requirement get the strictest union of several, if the job asks for it.
Value several(const MethodEntry& method) { return Value::yes_no(method.several_requirements, "yes", "by union"); }

std::string shape_of(const MethodEntry& method) { return to_string(method.shape); }

std::string page_of(const MethodEntry& method) { return fmt::format("docs/methods/{}.md", method.name); }

std::string title_of(const MethodEntry& method) {
  return method.title + (method.needs_target ? " (needs a target)" : "");
}

Entries::Entry entry_of(const Parameter& parameter) {
  Entries::Entry entry{fmt::format("{}={}", parameter.name, parameter.default_value), {parameter.meaning}};
  if (!parameter.choices.empty() && parameter.minimum < parameter.maximum) {
    entry.paragraphs.push_back(fmt::format("One of {}, or a whole number from {} to {}.",
                                           fmt::join(parameter.choices, ", "), parameter.minimum, parameter.maximum));
  } else if (!parameter.choices.empty()) {
    entry.paragraphs.push_back(fmt::format("One of {}.", fmt::join(parameter.choices, ", ")));
  } else if (parameter.minimum < parameter.maximum) {
    entry.paragraphs.push_back(fmt::format("A number between {} and {}.", parameter.minimum, parameter.maximum));
  } else {
    entry.paragraphs.push_back("A number.");
  }
  return entry;
}

}  // namespace

Document methods_document() {
  FactTable table{"methods",
                  {{"name", "name"},
                   {"shape", "shape"},
                   {"several_requirements", "several requirements"},
                   {"drops_rows", "drops rows"},
                   {"", "what it does", kPeople},
                   {"title", "", kMachines},
                   {"needs_target", "", kMachines},
                   {"paper", "paper", kPageAndMachines}},
                  {}};
  for (const MethodEntry& method : methods()) {
    table.rows.push_back({{Value::text(method.name), Value::text(shape_of(method)), several(method),
                           Value::yes_no(method.drops_rows), Value::text(title_of(method)), Value::text(method.title),
                           Value::yes_no(method.needs_target), Value::text(method.paper)}});
  }
  Document document;
  document.title = "Methods";
  document.sections.push_back({"", "", {std::move(table)}});
  return document;
}

std::string methods_markdown() {
  std::string text =
      "| method | shape | several requirements | drops rows | what it does | paper |\n|---|---|---|---|---|---|\n";
  for (const MethodEntry& method : methods()) {
    text += fmt::format("| [`{}`]({}) | {} | {} | {} | {} | {} |\n", method.name, page_of(method), shape_of(method),
                        method.several_requirements ? "yes" : "by union", method.drops_rows ? "yes" : "no",
                        title_of(method), method.paper);
  }
  return text;
}

Document method_document(const MethodEntry& method) {
  Facts facts{"",
              {{"shape", "shape",
                Value::text(method.releases_model() ? "a model (a file that ends in .json or .txt), not a table"
                                                    : to_string(method.shape))},
               {"several_requirements", "several requirements",
                Value::yes_no(method.several_requirements, "yes", "no; one over all their columns (union)")},
               {"drops_rows", "drops rows", Value::yes_no(method.drops_rows, "yes, within suppress_rows", "no")},
               {"needs_target", "needs a target", Value::yes_no(method.needs_target)},
               {"paper", "paper", Value::text(method.paper)},
               {"page", "more", Value::text(page_of(method))}}};
  Document document;
  document.title = fmt::format("{}: {}", method.name, method.title);
  document.sections.push_back({"", "", {Paragraph{Value::text(document.title), kTerminal}}});
  document.sections.push_back({"", "", {std::move(facts)}});
  Entries parameters;
  for (const Parameter& parameter : method.parameters) parameters.entries.push_back(entry_of(parameter));
  if (parameters.entries.empty()) {
    document.sections.push_back({"", "", {Paragraph{Value::text("No parameters.")}}});
  } else {
    document.sections.push_back({"Parameters and their defaults:", "", {std::move(parameters)}});
  }
  return document;
}

}  // namespace shoal
