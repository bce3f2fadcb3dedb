#include "shoal/examine/findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "shoal/examine/examine.h"
#include "shoal/examine/finding_parts.h"
#include "shoal/examine/match_release.h"
#include "shoal/job/requirements.h"
#include "shoal/recode/group_keys.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

constexpr size_t kMostRequirements = 6;

// The requirements whose groups are looked at: all that no other implies, those on most columns first; of very many (a
// model may ask for every combination of columns) the first. None asked: all quasi columns. In whatever order they were
// asked the answer is the same.
std::vector<Requirement> requirements_to_look_at(const FindingContext& context) {
  std::vector<std::string> names;
  Requirement all{{}, 2};
  for (const Column& column : context.table.quasi) {
    all.columns.push_back(names.size());
    names.push_back(column.name);
  }
  std::vector<Requirement> asked = requirements_of(context.examined.job, names);
  if (asked.empty()) return {all};
  for (Requirement& requirement : asked) {
    requirement.k = std::max<uint64_t>(requirement.k, 2);
    requirement.models.clear();
  }
  std::sort(asked.begin(), asked.end(), [](const Requirement& a, const Requirement& b) {
    return std::tuple(b.columns.size(), b.k, a.columns) < std::tuple(a.columns.size(), a.k, b.columns);
  });
  asked = without_implied(std::move(asked));
  asked.resize(std::min(asked.size(), kMostRequirements));
  return asked;
}

// How many rows a finding is about, where it says so.
double rows_concerned(const Finding& finding) {
  double most = 0;
  for (const auto& [name, number] : finding.numbers) {
    if (name.starts_with("rows_") || name.starts_with("unique_") || name == "rows") most = std::max(most, number);
  }
  return most;
}

// Of two findings about the same columns, under two requirements, the worse one is told.
void add_worst(std::vector<Finding> found, std::vector<Finding>& findings) {
  for (Finding& finding : found) {
    const auto same = std::find_if(findings.begin(), findings.end(), [&](const Finding& other) {
      return other.code == finding.code && other.columns == finding.columns;
    });
    if (same == findings.end()) {
      findings.push_back(std::move(finding));
    } else if (std::pair(finding.stands_in_the_way, rows_concerned(finding)) >
               std::pair(same->stands_in_the_way, rows_concerned(*same))) {
      *same = std::move(finding);
    }
  }
}

CensusColumn census_of(const Column& column, size_t rows) {
  CensusColumn census;
  census.name = column.name;
  census.codes = column.codes;
  census.counts.assign(column.values.size(), 0);
  for (size_t row = 0; row < rows; ++row) ++census.counts[column.codes[row]];
  for (size_t code = 0; code < column.values.size(); ++code) {
    if (is_formula(column.values[code])) census.formula_cells += census.counts[code];
    if (looks_like_date(column.values[code])) ++census.date_values;
    if (column.values[code].empty()) census.empty_cells += census.counts[code];
    census.places.push_back(place_of(column.values[code]));
  }
  census.places = useful_places(std::move(census.places), census.counts);
  return census;
}

void read_columns(FindingContext& context, Progress& progress) {
  const std::vector<ColumnPlan> plan = plan_columns(context.examined.job, context.examined.source);
  std::vector<size_t> unread;
  const auto held = [&](const std::string& name) -> const Column* {
    for (const Column& column : context.table.sensitive) {
      if (column.name == name) return &column;
    }
    return context.table.target && context.table.target->name == name ? &*context.table.target : nullptr;
  };
  for (size_t j = 0; j < plan.size(); ++j) {
    if (plan[j].role != Role::quasi && held(plan[j].name) == nullptr) unread.push_back(j);
  }
  std::vector<CensusColumn> read;
  bool hidden_too = true;
  try {
    if (!unread.empty()) read = take_census(context.examined.source, unread, progress);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    // Columns that are not released may be of kinds that cannot be read (nested ones): they stay unexamined.
    hidden_too = false;
    std::erase_if(unread, [&](size_t j) { return !is_released(plan[j].role); });
    if (!unread.empty()) read = take_census(context.examined.source, unread, progress);
  }
  std::vector<ExaminedColumn> hidden;
  size_t next = 0;
  for (const ColumnPlan& column : plan) {
    if (column.role == Role::quasi || (!hidden_too && !is_released(column.role))) continue;
    const Column* known = held(column.name);
    ExaminedColumn examined{column.role, known ? census_of(*known, context.table.rows) : std::move(read[next])};
    next += known ? 0 : 1;
    (is_released(column.role) ? context.columns : hidden).push_back(std::move(examined));
  }
  for (ExaminedColumn& column : hidden) context.columns.push_back(std::move(column));
}

// A finding is accepted when its code is, or its code with each of its columns.
void mark_accepted(const Job& job, std::vector<Finding>& findings) {
  const auto accepts = [&](const std::string& text) {
    return std::find(job.accept.begin(), job.accept.end(), text) != job.accept.end();
  };
  for (Finding& finding : findings) {
    finding.accepted = accepts(finding.code) ||
                       (!finding.columns.empty() &&
                        std::all_of(finding.columns.begin(), finding.columns.end(),
                                    [&](const std::string& column) { return accepts(finding.code + ":" + column); }));
  }
}

}  // namespace

std::string number_text(uint64_t number) { return with_commas(number); }

std::string share_text(uint64_t part, uint64_t whole) {
  return fmt::format("{:.3g} %", whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

Codes group_codes(const Groups& groups) {
  std::vector<uint32_t> ids = groups.group_of_row;
  for (uint32_t& id : ids) id = id == kNoGroup ? 0 : id;
  return Codes(std::move(ids));
}

SmallGroups small_groups_with(const FindingContext& context, const std::vector<const Codes*>& further) {
  const Codes ids = group_codes(context.groups);
  std::vector<GroupKey> keys{{&ids, context.groups.sizes.size()}};
  for (const Codes* codes : further) {
    const uint32_t largest = codes->visit(
        [](auto all) { return all.empty() ? 0U : static_cast<uint32_t>(*std::max_element(all.begin(), all.end())); });
    keys.push_back({codes, size_t{largest} + 1});
  }
  const Groups joint = group_rows(context.table.rows, keys, context.dropped());
  SmallGroups small;
  for (size_t row = 0; row < context.table.rows; ++row) {
    if (!context.is_released(row)) continue;
    const uint32_t size = joint.sizes[joint.group_of_row[row]];
    if (size < context.k && context.groups.sizes[context.groups.group_of_row[row]] >= context.k) ++small.rows_below_k;
    if (size == 1) ++small.unique_rows;
  }
  return small;
}

std::vector<Finding> look_for_findings(const ExaminedTable& examined, Progress& progress) {
  FindingContext context{.examined = examined,
                         .table = examined.original.table,
                         .hierarchies = examined.original.encoding.hierarchies,
                         .released = examined.released,
                         .quasi = {},
                         .groups = {},
                         .columns = {}};
  const std::vector<Requirement> requirements = requirements_to_look_at(context);
  const std::vector<GroupKey> all =
      examined.released ? released_keys(*examined.released) : raw_keys(context.table, context.hierarchies);
  const auto look_at = [&](const Requirement& requirement) {
    progress.check();
    context.quasi = requirement.columns;
    context.k = requirement.k;
    std::vector<GroupKey> keys;
    for (size_t j : context.quasi) keys.push_back(all[j]);
    context.groups = group_rows(context.table.rows, keys, context.dropped());
  };
  look_at(requirements.front());
  context.rows = context.table.rows - context.dropped().size();
  read_columns(context, progress);

  std::vector<Finding> findings;
  for (const Requirement& requirement : requirements) context.k = std::max(context.k, requirement.k);
  find_near_unique(context, findings);
  if (!examined.release_alone) find_order(context, findings);
  const EarlierGroups earlier = read_earlier(context, progress, findings);
  std::vector<Finding> worst;  // apart: that an earlier release could not be matched stays beside what others tell
  for (const Requirement& requirement : requirements) {
    if (requirements.size() > 1) look_at(requirement);
    std::vector<Finding> found;
    if (!examined.release_alone) find_reveals(context, progress, found);
    find_persons(context, found);
    find_one_value(context, found);
    find_earlier(context, earlier, found);
    add_worst(std::move(found), worst);
  }
  findings.insert(findings.end(), worst.begin(), worst.end());
  progress.check();
  find_tight(context, findings);
  find_formulas(context, findings);
  if (!examined.release_alone) find_types(context, findings);
  if (examined.released == nullptr && !examined.release_alone) {
    for (Finding& finding : findings) finding.stands_in_the_way = false;
  }
  mark_accepted(examined.job, findings);
  return findings;
}

std::vector<Finding> release_findings(const Job& job, TableSource& release, TableSource* original,
                                      const std::vector<TableSource*>& earlier, Progress& progress) {
  if (original == nullptr) {
    const Job present = as_it_stands(job, release);
    ReadTimings timings;
    const EncodedTable encoded = encode_table(present, release, {.with_rest = false}, timings, progress);
    return look_for_findings({.job = present, .source = release, .original = encoded, .release_alone = true}, progress);
  }
  const MatchedRelease matched = match_release(job, *original, release, progress);
  // The order is what it is, whatever the job says of it.
  Job found = job;
  const bool by_input = matched.in_order && (job.order == Order::input || !matched.alike_together);
  found.order = by_input ? Order::input : Order::released;
  std::vector<Finding> findings =
      look_for_findings({found, *original, matched.original, &matched.released, earlier}, progress);
  // Who is in a group is known only where rows stand as in the original: verification says that it was not checked.
  if (!matched.in_order) {
    std::erase_if(findings, [&](const Finding& finding) {
      return finding.code == "persons" && job.role_of(finding.columns.front()) == Role::person;
    });
  }
  return findings;
}

bool any_stands_in_the_way(std::span<const Finding> findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.stands_in_the_way && !finding.accepted; });
}

std::string what_stands_in_the_way(std::span<const Finding> findings) {
  std::vector<std::string> found, accepted;
  for (const Finding& finding : findings) {
    if (!finding.stands_in_the_way || finding.accepted) continue;
    found.push_back(finding.columns.empty() ? finding.code
                                            : fmt::format("{} ({})", finding.code, fmt::join(finding.columns, ", ")));
    for (const std::string& column : finding.columns) accepted.push_back(finding.code + ":" + column);
    if (finding.columns.empty()) accepted.push_back(finding.code);
  }
  return fmt::format("{}: mend the job, or say that you accept this (accept: [{}])", fmt::join(found, ", "),
                     fmt::join(accepted, ", "));
}

}  // namespace shoal
