#include "shoal/method/trees/kactus_inside.h"

#include <algorithm>

#include "shoal/method/shoal/shoal_search.h"
#include "shoal/method/space/ncp_space.h"
#include "shoal/run/tasks.h"

namespace shoal::kactus {
namespace {

// The quasi columns of these rows. Prices are those of the whole table: they come from its hierarchies.
Table rows_of(const Table& table, std::span<const uint32_t> rows) {
  Table part;
  part.rows = rows.size();
  for (const Column& column : table.quasi) {
    Codes codes(rows.size(), column.values.size());
    column.codes.visit([&](auto from) {
      codes.visit([&](auto to) {
        using Code = typename decltype(to)::value_type;
        for (size_t i = 0; i < rows.size(); ++i) to[i] = static_cast<Code>(from[rows[i]]);
      });
    });
    part.quasi.push_back({column.name, std::move(codes), {}});
  }
  return part;
}

// Parts of one group, as rows of the whole table.
RowGroups split(const Problem& problem, const std::vector<size_t>& columns, std::vector<uint32_t> rows,
                const InsideSearch& settings, Progress& progress) {
  const uint64_t k = problem.requirements.front().k;
  std::sort(rows.begin(), rows.end());  // a group's rows stand in no particular order
  RowGroups whole{rows, {0, static_cast<uint32_t>(rows.size())}};
  if (rows.size() < 2 * k || progress.out_of_time()) return whole;
  const Table table = rows_of(problem.table, rows);
  const Problem inner{table, problem.hierarchies, problem.requirements, problem.weights, {}, {}, problem.seed, 1};
  const NcpSpace space =
      settings.prices.empty() ? NcpSpace(inner, columns, 0) : NcpSpace(inner, columns, 0, settings.prices);
  const ShoalPlan plan = shoal_plan(settings.effort, table.rows, columns.size(), k);
  ShoalSearch search(space, k, plan, problem.seed, 1, progress);
  search.start();
  while (search.passes_done() < plan.passes && !progress.out_of_time()) search.pass();
  RowGroups parts = search.partition();
  for (uint32_t& row : parts.rows) row = rows[row];
  const auto rule = problem.rule(0);
  for (size_t part = 0; part < parts.size(); ++part) {
    const auto group = parts.group(part);
    if (!rule->holds(std::vector<uint32_t>(group.begin(), group.end()))) return whole;
  }
  return parts;
}

}  // namespace

RowGroups split_inside(const Problem& problem, const std::vector<size_t>& columns, std::span<const Group> groups,
                       const InsideSearch& settings, Progress& progress) {
  std::vector<RowGroups> parts(groups.size());
  run_tasks(groups.size(), problem.threads, [&](size_t, size_t g) {
    progress.check();
    parts[g] = split(problem, columns, groups[g].rows, settings, progress);
  });
  RowGroups all;
  for (const RowGroups& group : parts) {
    for (size_t part = 0; part < group.size(); ++part) {
      all.rows.insert(all.rows.end(), group.group(part).begin(), group.group(part).end());
      all.starts.push_back(static_cast<uint32_t>(all.rows.size()));
    }
  }
  return all;
}

}  // namespace shoal::kactus
