#include "shoal/report/job_keys_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "shoal/job/job_keys.h"
#include "shoal/model/model_spec.h"

namespace shoal {
namespace {

constexpr std::pair<JobPart, const char*> kParts[] = {
    {JobPart::job, "The job"},
    {JobPart::column, "A column (under `columns`)"},
    {JobPart::hierarchy, "A hierarchy (of a column)"},
    {JobPart::requirement, "A requirement (in the list `requirements`)"}};

std::string takes(const JobKey& key) {
  if (key.choices.empty()) return key.takes;
  return fmt::format("`{}`", fmt::join(key.choices, "`, `"));
}

// l: a whole number; distance: equal, ordered or hierarchical (equal).
std::string parameters_of(const ModelEntry& model) {
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
  if (model.has_column) add("`column`: a sensitive column");
  for (const ModelParameter& parameter : model.parameters) {
    std::string words = fmt::format("`{}`: {}", parameter.name, parameter.meaning);
    if (!parameter.choices.empty()) words += fmt::format(" (`{}`)", fmt::join(parameter.choices, "`, `"));
    if (!parameter.default_value.empty()) words += fmt::format(", `{}` if not given", parameter.default_value);
    add(words);
  }
  return text;
}

// For a terminal, where back quotes are no marks.
std::string without_marks(std::string text) {
  std::erase(text, '`');
  return text;
}

// In a cell of a Markdown table.
std::string in_cell(const std::string& text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

}  // namespace

Document job_keys_document() {
  Document document;
  document.title = "Job files";
  for (const auto& [part, title] : kParts) {
    Entries entries;
    for (const JobKey& key : job_keys()) {
      if (key.part != part) continue;
      const std::string without = key.standard.empty() ? "" : fmt::format(" (if not given: {})", key.standard);
      entries.entries.push_back({key.name, {without_marks(fmt::format("{}: {}{}", takes(key), key.meaning, without))}});
    }
    document.sections.push_back({without_marks(title), "", {std::move(entries)}});
  }
  Entries models;
  for (const ModelEntry& model : model_entries()) {
    models.entries.push_back(
        {std::string(model.word), {std::string(model.promise), without_marks(parameters_of(model))}});
  }
  document.sections.push_back({"A model (in the lists models)", "", {std::move(models)}});
  return document;
}

std::string job_keys_markdown() {
  std::string text;
  for (const auto& [part, title] : kParts) {
    text += fmt::format("{}## {}\n\n| key | takes | if not given | meaning |\n|---|---|---|---|\n",
                        text.empty() ? "" : "\n", title);
    for (const JobKey& key : job_keys()) {
      if (key.part != part) continue;
      text += fmt::format("| `{}` | {} | {} | {} |\n", key.name, in_cell(takes(key)), in_cell(key.standard),
                          in_cell(key.meaning));
    }
  }
  text +=
      "\n## A model (in the lists `models`)\n\n| model | what every group has | keys beside `model` |\n|---|---|---|\n";
  for (const ModelEntry& model : model_entries()) {
    text += fmt::format("| `{}` | {} | {} |\n", model.word, model.promise, in_cell(parameters_of(model)));
  }
  return text;
}

}  // namespace shoal
