// Findings about a release as a whole: tight, earlier.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "shoal/error.h"
#include "shoal/examine/finding_parts.h"
#include "shoal/examine/match_release.h"
#include "shoal/recode/group_keys.h"

namespace shoal {
namespace {

struct RangesSeen {
  uint64_t ranges = 0, tight = 0;  // of groups
  uint64_t cells = 0;              // in ranges
};

// Released ranges of one column, group by group: is somebody at both ends?
RangesSeen count_ranges(const FindingContext& context, const Groups& groups, size_t quasi) {
  const ReleasedColumn& released = context.released->quasi[quasi];
  const Codes& leaves = context.table.quasi[quasi].codes;
  struct Ends {
    bool range = false, low = false, high = false;
  };
  std::vector<Ends> ends(groups.sizes.size());
  for (size_t row = 0; row < context.table.rows; ++row) {
    if (groups.group_of_row[row] == kNoGroup) continue;
    const Released& cell = released.values[released.codes[row]];
    if (!cell.is_range()) continue;
    Ends& group = ends[groups.group_of_row[row]];
    group.range = true;
    group.low |= leaves[row] == cell.first;
    group.high |= leaves[row] == cell.last;
  }
  RangesSeen found;
  for (size_t group = 0; group < ends.size(); ++group) {
    if (!ends[group].range) continue;
    ++found.ranges;
    found.tight += ends[group].low && ends[group].high ? 1 : 0;
    found.cells += groups.sizes[group];
  }
  return found;
}

// The job as far as an earlier release has its columns.
Job job_of_earlier(const Job& job, const TableSource& original, const TableSource& earlier) {
  Job common = job;
  common.requirements.clear();
  common.k.reset();
  common.models.clear();
  common.others_plain = false;
  common.columns.clear();
  for (const std::string& name : original.columns()) {
    const Role role = job.role_of(name);
    if (!earlier.find(name) || !is_released(role)) continue;
    ColumnJob column = job.find_column(name) ? *job.find_column(name) : ColumnJob{};
    column.name = name;
    column.role = role == Role::quasi ? Role::quasi : Role::plain;
    common.columns.push_back(std::move(column));
  }
  return common;
}

// Which group of the earlier release each row was in; dropped ones in one of their own.
Codes groups_of_earlier(const FindingContext& context, TableSource& earlier, Progress& progress) {
  const Job job = job_of_earlier(context.examined.job, context.examined.source, earlier);
  const bool any = std::any_of(job.columns.begin(), job.columns.end(),
                               [](const ColumnJob& column) { return column.role == Role::quasi; });
  if (!any) throw Error(ErrorKind::input, fmt::format("'{}' has none of the quasi columns", earlier.name()));
  const MatchedRelease matched = match_release(job, context.examined.source, earlier, progress);
  const Groups groups = group_rows(context.table.rows, released_keys(matched.released), matched.released.dropped_rows);
  std::vector<uint32_t> ids = groups.group_of_row;
  for (uint32_t& id : ids) id = id == kNoGroup ? static_cast<uint32_t>(groups.sizes.size()) : id;
  return Codes(std::move(ids));
}

// Rows whose sensitive value is the only one of their joint group, and was not of their group.
uint64_t rows_told(const FindingContext& context, const Groups& joint) {
  uint64_t rows = 0;
  for (const ExaminedColumn& column : context.columns) {
    if (column.role != Role::sensitive) continue;
    const auto one_value = [&](const Groups& groups) {
      std::vector<uint32_t> first(groups.sizes.size(), UINT32_MAX);
      std::vector<bool> one(groups.sizes.size(), true);
      for (size_t row = 0; row < context.table.rows; ++row) {
        const uint32_t group = groups.group_of_row[row];
        if (group == kNoGroup) continue;
        const uint32_t value = column.census.codes[row];
        if (first[group] == UINT32_MAX) first[group] = value;
        if (first[group] != value) one[group] = false;
      }
      return one;
    };
    const std::vector<bool> before = one_value(context.groups), after = one_value(joint);
    for (size_t row = 0; row < context.table.rows; ++row) {
      if (!context.is_released(row)) continue;
      rows += after[joint.group_of_row[row]] && !before[context.groups.group_of_row[row]] ? 1 : 0;
    }
  }
  return rows;
}

}  // namespace

void find_tight(const FindingContext& context, std::vector<Finding>& findings) {
  if (!context.released) return;
  const Groups groups = group_rows(context.table.rows, released_keys(*context.released), context.dropped());
  for (size_t j = 0; j < context.table.quasi.size(); ++j) {
    if (!context.hierarchies[j].numeric()) continue;
    const RangesSeen found = count_ranges(context, groups, j);
    if (found.tight * 10 < found.ranges * 9 || found.ranges == 0) continue;
    // Two persons of each group stand at the ends.
    const uint64_t told = std::min(2 * found.tight, found.cells);
    findings.push_back({"tight",
                        {context.table.quasi[j].name},
                        fmt::format("{} of {} ranges end in values of their own rows, so that {} of the {} cells in "
                                    "ranges are known to be an end",
                                    number_text(found.tight), number_text(found.ranges), share_text(told, found.cells),
                                    number_text(found.cells)),
                        "wider ranges hide the ends: ranges: snapped, or ranges: nodes",
                        false,
                        false,
                        {{"ranges", double(found.ranges)},
                         {"tight", double(found.tight)},
                         {"cells", double(found.cells)},
                         {"cells_told", double(told)}}});
  }
}

EarlierGroups read_earlier(const FindingContext& context, Progress& progress, std::vector<Finding>& findings) {
  EarlierGroups read;
  if (!context.released) return read;
  for (TableSource* earlier : context.examined.earlier) {
    try {
      read.of_row.push_back(groups_of_earlier(context, *earlier, progress));
      read.names.push_back(earlier->name());
    } catch (const Error& error) {  // its message may quote cells
      if (error.kind() == ErrorKind::cancelled) throw;
      findings.push_back({"earlier",
                          {},
                          fmt::format("the rows of '{}' could not be matched with those of the table", earlier->name()),
                          "look whether it is a release of this table, made with the same hierarchies; leave it out "
                          "only if it is about other persons",
                          true});
    }
  }
  return read;
}

void find_earlier(const FindingContext& context, const EarlierGroups& earlier, std::vector<Finding>& findings) {
  if (earlier.names.empty()) return;
  const Codes own = group_codes(context.groups);
  std::vector<GroupKey> keys{{&own, context.groups.sizes.size()}};
  for (const Codes& one : earlier.of_row) {
    keys.push_back({&one, one.visit([](auto all) { return size_t{*std::max_element(all.begin(), all.end())} + 1; })});
  }
  const Groups joint = group_rows(context.table.rows, keys, context.dropped());
  uint64_t below = 0, unique = 0;
  for (uint32_t size : joint.sizes) {
    below += size < context.k ? size : 0;
    unique += size == 1 ? 1 : 0;
  }
  if (below == 0) return;
  const uint64_t told = rows_told(context, joint);
  findings.push_back(
      {"earlier",
       {},
       fmt::format("with {} {} of {} rows are in joint groups below {}, {} of them unique{}",
                   fmt::join(earlier.names, ", "), number_text(below), number_text(context.rows), context.k,
                   number_text(unique),
                   told == 0 ? "" : fmt::format("; {} sensitive cells have one value left", number_text(told))),
       "release these persons once, or keep the groups of the earlier release",
       true,
       false,
       {{"rows_below_k", double(below)}, {"unique_rows", double(unique)}, {"cells_told", double(told)}}});
}

}  // namespace shoal
