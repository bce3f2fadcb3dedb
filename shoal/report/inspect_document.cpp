#include "shoal/report/inspect_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "shoal/report/format.h"

namespace shoal {
namespace {

std::string role_words(const ColumnInspection& column) {
  return column.role == Role::none ? "left out" : to_string(column.role);
}

FactTable column_table(const Inspection& inspection, bool examples) {
  FactTable table{"columns",
                  {{"name", "column"},
                   {"type", "type"},
                   {"distinct", "distinct"},
                   {"missing", "missing"},
                   {"unique_rows", "unique rows"},
                   {"separation", "separation"},
                   {"role", "role"},
                   {"reason", "why"},
                   {"careful", "", kMachines},
                   {"hierarchy", "", kMachines},
                   {"examples", "examples", examples ? kEveryone : kMachines}},
                  {}};
  for (const ColumnInspection& column : inspection.columns) {
    const std::string reason = column.reason + (column.careful ? " (?)" : "");
    table.rows.push_back({{Value::text(column.name), Value::text(column.type), Value::count(column.distinct),
                           Value::count(column.missing), Value::count(column.unique), Value::share(column.separation),
                           Value::text(role_words(column)), Value::text(reason), Value::yes_no(column.careful),
                           Value::text(column.hierarchy).or_nothing(),
                           examples ? Value::texts(column.examples).as_data() : Value::absent()}});
  }
  return table;
}

Section hierarchies(const Inspection& inspection) {
  FactTable table{"", {{"", "quasi column"}, {"", "suggested hierarchy"}}, {}};
  for (const ColumnInspection& column : inspection.columns) {
    if (column.role != Role::quasi) continue;
    table.rows.push_back({{Value::text(column.name), Value::text(column.hierarchy)}});
  }
  return {"Hierarchies", "", {table}};
}

Section sets(const Inspection& inspection) {
  FactTable table{"sets",
                  {{"columns", "quasi columns known together"},
                   {"unique_rows", "rows that are unique then"},
                   {"share", "share"},
                   {"at_most", "", kMachines}},
                  {}};
  for (const SinglingSet& set : inspection.sets) {
    table.rows.push_back({{Value::texts(set.columns), Value::count(set.unique_rows), Value::share(set.share),
                           Value::share(set.at_most)}});
  }
  return {"What singles out", "", {table}};
}

Section presets() {
  FactTable table{"presets", {{"k", "k"}, {"source", "where such a k comes from"}}, {}};
  for (const PresetK& preset : kPresets) {
    table.rows.push_back({{Value::count(preset.k), Value::text(preset.source)}});
  }
  return {"Requirement", "", {table}};
}

// What a careful reader does next.
Remarks remarks(const Inspection& inspection) {
  Remarks list{.path = "notices", .lead = "Note"};
  const auto say = [&](std::string words) { list.remarks.push_back(Value::text(std::move(words))); };
  const auto careful = std::count_if(inspection.columns.begin(), inspection.columns.end(),
                                     [](const ColumnInspection& column) { return column.careful; });
  if (careful > 0) {
    say(fmt::format("{} marked (?) {} a role only because nothing says otherwise: look at {} first",
                    counted(static_cast<uint64_t>(careful), "column"), careful == 1 ? "has" : "have",
                    careful == 1 ? "it" : "these"));
  }
  const auto quasi = std::count_if(inspection.columns.begin(), inspection.columns.end(),
                                   [](const ColumnInspection& column) { return column.role == Role::quasi; });
  if (quasi > 12) {
    say(
        fmt::format("{} quasi columns cost much: give those that nobody outside can know the role sensitive, or leave "
                    "them out",
                    quasi));
  }
  if (!inspection.comma_columns.empty()) {
    say(fmt::format("numbers with a decimal comma: {} (decimal: comma)", short_list(inspection.comma_columns, 60)));
  }
  if (!inspection.missing.empty()) {
    say(fmt::format("taken for missing, besides empty cells: {}", fmt::join(inspection.missing, " ")));
  }
  if (!inspection.job) say("no column could be quasi, so that there is no job to suggest; say which (role quasi)");
  return list;
}

std::string commented(std::string_view words) { return "# " + printable(words) + "\n"; }

}  // namespace

Document inspect_document(const std::string& input, const Inspection& inspection, bool examples) {
  Document document;
  document.title = "Inspection of a table";
  document.subtitle = Value::file(input);
  document.findings = inspection.findings;
  const std::string sampled =
      inspection.sampled < inspection.rows
          ? fmt::format("; pairs of columns were compared on {} sampled rows", with_commas(inspection.sampled))
          : "";
  document.sections.push_back(
      {"Columns",
       "",
       {Facts{"",
              {{"input", "", Value::file(input), "", Direction::neutral, kMachines},
               {"rows", "", Value::count(inspection.rows), "", Direction::neutral, kMachines},
               {"sampled_rows", "", Value::count(inspection.sampled), "", Direction::neutral, kMachines},
               {"missing", "", Value::texts(inspection.missing), "", Direction::neutral, kMachines}}},
        Paragraph{Value::text(fmt::format("{}: {}, {}{}", input, counted(inspection.rows, "row"),
                                          counted(inspection.columns.size(), "column"), sampled)),
                  kPeople},
        column_table(inspection, examples),
        Paragraph{Value::text("Separation: how many of all pairs of rows the column tells apart."), kPeople},
        remarks(inspection)},
       kEveryone,
       kPage});
  document.sections.push_back(hierarchies(inspection));
  document.sections.push_back(sets(inspection));
  document.sections.push_back(presets());
  return document;
}

std::string inspected_job_yaml(const FileJob& job, const Inspection& inspection) {
  JobComments comments;
  comments.head = commented("Suggested by looking at the table alone. Read every line before anything is released:") +
                  commented("a role is your answer to who could know the column, and no program knows that.") +
                  commented(fmt::format("{}, {}. Columns without a role are not released.",
                                        counted(inspection.rows, "row"), counted(inspection.columns.size(), "column")));
  for (const ColumnInspection& column : inspection.columns) {
    std::string words = column.reason + (column.careful ? " (?)" : "");
    if (column.role == Role::quasi && !column.hierarchy.empty()) words += "; " + column.hierarchy;
    comments.columns.push_back({column.name, commented(words)});
  }
  for (const PresetK& preset : kPresets) {
    comments.before_k += commented(fmt::format("k: {} = {}", preset.k, preset.source));
  }
  return job_yaml(job, comments);
}

}  // namespace shoal
