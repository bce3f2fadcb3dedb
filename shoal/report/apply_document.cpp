#include "shoal/report/apply_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "shoal/report/format.h"

namespace shoal {

Document apply_document(const ApplyReport& report) {
  Document document;
  document.title = "New rows by an earlier recoding";
  FactTable table{
      "columns",
      {{"name", "column"}, {"unseen_values", "values not known to the recoding"}, {"unseen_rows", "in rows"}},
      {}};
  for (const ApplyReport::PerColumn& column : report.columns) {
    table.rows.push_back(
        {{Value::text(column.name), Value::count(column.unseen_values), Value::count(column.unseen_rows)},
         "",
         column.unseen_values > 0 ? kEveryone : kMachines});
  }
  Remarks notes{.path = "notices", .lead = "Note"};
  for (const std::string& notice : report.notices) notes.remarks.push_back(Value::text(notice));
  if (!report.left_out.empty()) {
    notes.remarks.push_back(Value::text(
        fmt::format("left out, for the recoding releases no such column: {}", fmt::join(report.left_out, ", "))));
  }
  document.sections.push_back({"",
                               "",
                               {Facts{"", {{"rows", "", Value::count(report.rows), "", Direction::neutral, kMachines}}},
                                Paragraph{Value::text(fmt::format("Recoded {}. New rows are not promised any k.",
                                                                  counted(report.rows, "row")))},
                                std::move(table), std::move(notes)}});
  return document;
}

}  // namespace shoal
