#include "shoal/job/implied_hierarchy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace shoal {

std::optional<HierarchySpec> implied_hierarchy(const ColumnJob& column) {
  if (column.role != Role::quasi) return std::nullopt;
  BuilderSpec builder;
  if (column.type == ColumnType::date) {
    builder.kind = "dates";
  } else if (column.type == ColumnType::ordinal) {
    builder.kind = "ordinal";
    if (!column.order.empty()) builder.settings["order"] = fmt::format("{}", fmt::join(column.order, " < "));
  } else {
    return std::nullopt;
  }
  return HierarchySpec{"", builder, std::nullopt};
}

}  // namespace shoal
