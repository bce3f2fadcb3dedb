// Pictures of a release: before and after. The numbers stand in tables beside them, and in the JSON.
#include <fmt/format.h>

#include <algorithm>

#include "shoal/report/format.h"
#include "shoal/report/release_parts.h"

namespace shoal {
namespace {

std::vector<double> shares_of(const RowsByGroupSize& rows) {
  uint64_t all = 0;
  for (const uint64_t part : rows) all += part;
  std::vector<double> shares;
  for (const uint64_t part : rows) {
    shares.push_back(all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all));
  }
  return shares;
}

bool any(const RowsByGroupSize& rows) {
  return std::any_of(rows.begin(), rows.end(), [](uint64_t part) { return part > 0; });
}

}  // namespace

Section group_sizes(const Report& report) {
  if (!measured(report) || !any(report.group_sizes_before)) return {};
  Chart chart{Chart::Kind::bars, "Rows by the size of their group, before and after", {"before", "after"}, {}};
  FactTable table{"group_sizes", {{"group_of", "rows in groups of"}, {"before", "before"}, {"after", "after"}}, {}};
  const std::vector<double> before = shares_of(report.group_sizes_before), after = shares_of(report.group_sizes);
  for (size_t i = 0; i < kGroupSizeWords.size(); ++i) {
    chart.bars.push_back({kGroupSizeWords[i], {Value::share(before[i]), Value::share(after[i])}});
    table.rows.push_back({{Value::text(kGroupSizeWords[i]), Value::count(report.group_sizes_before[i]),
                           Value::count(report.group_sizes[i])}});
  }
  const char* words =
      "How many rows look alike on all quasi columns. A row alone in its group is told from all others.";
  return {"Group sizes, before and after",
          "",
          {Paragraph{Value::text(words), kPage}, std::move(chart), std::move(table)},
          kPageAndMachines};
}

Section told_apart(const Report& report) {
  if (!measured(report) || report.columns.empty()) return {};
  Chart chart{Chart::Kind::bars, "Rows that a column alone rules out, before and after", {"before", "after"}, {}};
  Section section{"Risk by column", "", {}, kPageAndMachines};
  for (size_t i = 0; i < report.columns.size(); ++i) {
    const ColumnReport& column = report.columns[i];
    chart.bars.push_back({column.name, {Value::share(column.told_apart_before), Value::share(column.told_apart)}});
    section.blocks.push_back(
        Facts{fmt::format("columns[{}]", i),
              {{"told_apart_before", "", Value::share(column.told_apart_before), "", Direction::neutral, kMachines},
               {"told_apart", "", Value::share(column.told_apart), "", Direction::neutral, kMachines}}});
  }
  const char* words =
      "How much a column alone tells apart: somebody knows its value of one person, and can rule out this share of the "
      "rows. The more, the more it helps to single somebody out.";
  section.blocks.insert(section.blocks.begin(), Paragraph{Value::text(words), kPage});
  section.blocks.push_back(std::move(chart));
  return section;
}

Section loss_against_bound(const Report& report) {
  const auto detail = std::find_if(report.search.details.begin(), report.search.details.end(),
                                   [](const auto& entry) { return entry.first == kLowerBoundDetail; });
  if (!measured(report) || detail == report.search.details.end() || !report.search.bound) return {};
  Chart chart{Chart::Kind::bars, "Information lost, beside what any release must lose", {}, {}};
  chart.bars = {{"this release (GCP)", {Value::share(report.measures.gcp)}},
                {"no release can lose less than", {Value::share(*report.search.bound)}}};
  chart.to_largest = true;
  return {
      "Loss against the bound",
      "",
      {Paragraph{Value::text(fmt::format("In what the search counts: {}.", detail->second)), kPage}, std::move(chart)},
      kPage};
}

Section values_before_and_after(const Report& report) {
  Section section{"Values, before and after", "", {}, kPageAndMachines};
  if (!measured(report)) return {};
  section.blocks.push_back(Paragraph{
      Value::text(
          "Share of the rows by value; what a released range or node covers is spread evenly over the values in it. "
          "Columns of many values: ranges of numbers, nodes of the hierarchy, or the most frequent values."),
      kPage});
  for (size_t i = 0; i < report.columns.size(); ++i) {
    const ColumnReport& column = report.columns[i];
    if (column.shares.empty()) continue;
    const std::string path = fmt::format("columns[{}]", i);
    Chart chart{Chart::Kind::bars, fmt::format("Values of {}, before and after", column.name), {"before", "after"}, {}};
    chart.to_largest = true;
    chart.holds_data = true;
    FactTable table{
        path + ".shares", {{"value", "", kMachines}, {"before", "", kMachines}, {"after", "", kMachines}}, {}};
    for (const ValueShare& share : column.shares) {
      chart.bars.push_back({share.value, {Value::share(share.before), Value::share(share.after)}});
      table.rows.push_back({{Value::text(share.value).as_data(), Value::share(share.before).as_data(),
                             Value::share(share.after).as_data()}});
    }
    section.blocks.push_back(
        Facts{path,
              {{"shares_moved", column.name, Value::share(column.shares_moved),
                "rows that would have to move for both to be the same", Direction::neutral, kPageAndMachines}}});
    section.blocks.push_back(std::move(chart));
    section.blocks.push_back(std::move(table));
  }
  if (section.blocks.size() == 1) return {};
  return section;
}

}  // namespace shoal
