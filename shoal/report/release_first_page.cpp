// What whoever signs reads first: every column, what remains, and where to sign.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "shoal/report/format.h"
#include "shoal/report/release_parts.h"

namespace shoal {
namespace {

const ColumnReport* find(const Report& report, const std::string& name) {
  for (const ColumnReport& column : report.columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

std::string fate_of_quasi(const ColumnReport& column) {
  if (column.gcp <= 0) return "released as it was";
  if (column.values_out == 1 && column.gcp >= 1 - 1e-12) return "hidden: * in every row";
  const std::string level =
      column.level && column.height ? fmt::format(", level {} of {}", *column.level, *column.height) : "";
  // More values out than in are no slip: ranges that overlap, or nodes beside the values below them.
  const char* words = !column.ranges.empty()                 ? " values and ranges"
                      : column.values_out > column.values_in ? ", joined ones or * among them"
                                                             : "";
  return fmt::format("recoded: {} became {}{}{}; {} lost", counted(column.values_in, "value"),
                     with_commas(column.values_out), words, level, percent(column.gcp));
}

std::string fate(const Report& report, const ColumnRole& column) {
  if (report.shape == Shape::model) return column.role == Role::identifier ? "not used" : "only through the model";
  switch (column.role) {
    case Role::identifier:
      return "not released";
    case Role::person:
      return "not released; says which rows are one person";
    case Role::none:
      return "not released: nobody said what it is";
    case Role::quasi: {
      const ColumnReport* quasi = find(report, column.name);
      return quasi ? fate_of_quasi(*quasi) : "recoded";
    }
    case Role::sensitive:
    case Role::target:
    case Role::plain:
      return "released as it is";
  }
  return "";
}

std::vector<std::string> released_as_they_are(const Report& report) {
  std::vector<std::string> names;
  for (const ColumnRole& column : report.input_columns) {
    if (column.role == Role::plain || column.role == Role::sensitive || column.role == Role::target) {
      names.push_back(column.name);
    }
  }
  return names;
}

// Who finds whom, in sentences.
std::vector<std::string> risk_sentences(const Report& report) {
  std::vector<std::string> said;
  const Risk& risk = report.risk;
  if (risk.groups == 0) return said;
  said.push_back(fmt::format(
      "Somebody who knows all quasi columns about a person is left with at least {} that fit{}: a risk of at most {} "
      "(before: {}), {} on average (before: {}).",
      counted(risk.smallest_group, "row"), risk.smallest_group == 1 ? "s" : "", percent(risk.prosecutor_max),
      percent(report.risk_before.prosecutor_max), percent(risk.prosecutor_average),
      percent(report.risk_before.prosecutor_average)));
  if (report.privacy.persons) {
    said.push_back(fmt::format("Counted by persons: at least {} in every group, a risk of at most {}.",
                               with_commas(report.privacy.persons->smallest_group),
                               percent(report.privacy.persons->prosecutor_max)));
  }
  for (const SensitiveValues& column : report.privacy.sensitive) {
    const uint64_t rows = column.rows_by_diversity[0];
    said.push_back(rows == 0 ? fmt::format("No group has a single value of {}.", column.column)
                             : fmt::format("{} ({}) {} in groups with a single value of {}: whoever finds the group "
                                           "knows it.",
                                           counted(rows, "row"),
                                           percent(static_cast<double>(rows) /
                                                   static_cast<double>(std::max<uint64_t>(1, report.rows_out))),
                                           rows == 1 ? "is" : "are", column.column));
  }
  return said;
}

}  // namespace

Section every_column(const Report& report) {
  if (report.input_columns.empty()) return {};
  const bool released = report.status == Status::released;
  // Of a release that was refused the reader wants to know what it would have shown, for that is why.
  const char* became = released || !measured(report) ? "what became of it" : "what would have become of it";
  FactTable table{"input_columns", {{"name", "column"}, {"role", "role"}, {"", became, kPage}}, {}};
  for (const ColumnRole& column : report.input_columns) {
    table.rows.push_back({{Value::text(column.name), Value::text(to_string(column.role)),
                           Value::text(measured(report) ? fate(report, column) : "not released: nothing was")}});
  }
  return {"Every column", "", {std::move(table)}, kPageAndMachines};
}

Section what_remains(const Report& report) {
  Section section{"What remains", "", {}, kPage};
  const auto say = [&](std::string words) {
    section.blocks.push_back(Paragraph{Value::text(std::move(words)), kPage});
  };
  if (report.status != Status::released) {
    say("Nothing was released. The table is where it was.");
    if (measured(report)) say("The numbers below are those of the release that was refused.");
    return section;
  }
  for (std::string& sentence : risk_sentences(report)) say(std::move(sentence));
  if (const auto names = released_as_they_are(report); !names.empty() && report.shape != Shape::model) {
    say(fmt::format(
        "Released as they are: {}. What somebody knows about a person from these is outside the promise on the "
        "quasi columns.",
        fmt::join(names, ", ")));
  }
  std::vector<std::string> accepted;
  for (const Finding& finding : report.findings.value_or(std::vector<Finding>{})) {
    if (finding.accepted) accepted.push_back(fmt::format("{} ({})", finding.code, fmt::join(finding.columns, ", ")));
  }
  if (!accepted.empty()) say(fmt::format("Findings that were accepted: {}.", fmt::join(accepted, "; ")));
  return section;
}

Section sign_off(const Report& report) {
  const bool released = report.status == Status::released;
  SignOff block{released ? "I have read the findings and what remains, and agree that this release is given out."
                         : "Nothing was released; there is nothing to sign.",
                {}};
  if (released) {
    const auto fact = [](const char* label, Value value) {
      return Fact{"", label, std::move(value), "", Direction::neutral, kPage};
    };
    block.about = {fact("release", Value::file(report.output).or_nothing()),
                   fact("its SHA-256", Value::hash(report.hashes.output).or_nothing())};
    block.lines = {"To whom, for what purpose", "Why these columns and this k"};
    block.fields = {"Name", "Place and date", "Signature"};
  }
  return {"Sign-off", "", {std::move(block)}, kPage};
}

}  // namespace shoal
