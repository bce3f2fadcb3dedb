#include "shoal/release/verify_release.h"

#include <fmt/format.h>

#include "shoal/encode/arrow_table.h"
#include "shoal/encode/raw_table.h"
#include "shoal/encode/roles.h"
#include "shoal/hierarchy/build.h"
#include "shoal/job/implied_hierarchy.h"
#include "shoal/release/promise_of.h"
#include "shoal/table/missing_texts.h"
#include "shoal/verify/rows_with_numbers.h"

namespace shoal {
namespace {

// What trees are built from: a table, and what stands in the columns of the larger table that it is a fragment of.
struct TreeSource {
  TableSource& table;
  std::span<const Domain> domains;
  std::span<const uint32_t> times;  // Table::times
};

Domain domain_of(const std::string& column, const TreeSource& from, const Progress& progress) {
  for (const Domain& domain : from.domains) {
    if (domain.name == column) return domain;
  }
  const size_t place = *from.table.find(column);
  RawColumn raw = std::move(read_columns(from.table, {place}, {}, progress, from.times).columns.front());
  return {column, std::move(raw.texts), std::move(raw.counts)};
}

// The trees of the promised columns, as given or built from the values of the table once more.
void add_trees(Promise& promise, const Job& job, const TreeSource& from, const Progress& progress) {
  for (PromisedColumn& column : promise.columns) {
    const ColumnJob* asked = job.find_column(column.name);
    if (!column.recoded) continue;
    const std::optional<HierarchySpec> hierarchy = asked->hierarchy ? asked->hierarchy : implied_hierarchy(*asked);
    if (!hierarchy) continue;
    column.tree = hierarchy->tree;
    if (!hierarchy->builder) continue;
    const Domain raw = domain_of(column.name, from, progress);
    const MissingTexts missing(job.missing);
    std::vector<std::string> values;
    std::vector<uint64_t> counts;
    for (size_t text = 0; text < raw.texts.size(); ++text) {
      if (missing(raw.texts[text])) continue;
      values.push_back(raw.texts[text]);
      counts.push_back(raw.counts[text]);
    }
    column.tree = build_tree(*hierarchy->builder, values, counts);
  }
}

// Arrow's memory stays where it is; what other sources do while they are read is theirs.
bool can_be_read_by_several(const TableSource& table) { return dynamic_cast<const ArrowTable*>(&table) != nullptr; }

// For releases whose columns are found wrong before anything is counted.
class NothingToCount : public SqlEngine {
 public:
  std::vector<std::vector<std::string>> query(const std::string& /*sql*/) override { return {}; }
  void create_table(const std::string& /*name*/, const std::vector<std::string>& /*columns*/,
                    TextStream& /*rows*/) override {}
};

}  // namespace

Verification verify_release(const Job& job, TableSource& release, const TablesBehind& behind,
                            const SecondEngine& second_engine, const Progress& progress) {
  const auto& [original, population, domains] = behind;
  if (original != nullptr) plan_columns(job, original->table);  // a column that it does not have is the job's mistake
  Promise promise = promise_of(job, original != nullptr ? &original->table.columns() : nullptr);
  Promise of_columns;
  of_columns.columns = promise.columns;
  of_columns.hidden = promise.hidden;
  of_columns.others = promise.others;
  NothingToCount nobody;
  Verification columns = verify(of_columns, {release, nobody, {}}, nullptr, false, progress);
  if (!columns.ok()) return columns;
  // Trees are built from the domain that the release speaks of.
  if (population != nullptr) {
    add_trees(promise, job, {*population, domains, {}}, progress);
  } else if (original != nullptr) {
    add_trees(promise, job, {original->table, domains, original->times}, progress);
  }
  add_inputs(promise, job, domains);
  if (original != nullptr && domains.empty()) add_inputs(promise, job, original->table, progress, original->times);
  std::vector<size_t> counted = counted_columns(promise, release.columns());
  std::optional<ReleaseWithTimes> with_times;
  SqlNames names;
  if (original != nullptr && !original->times.empty()) {
    with_times.emplace(release, original->times, *original->row_of_release);
    counted.push_back(release.columns().size());
    names.times = fmt::format("CAST({} AS BIGINT)", sql_quoted_name(ReleaseWithTimes::kTimes));
  }
  const auto engine = second_engine(with_times ? *with_times : release, counted);
  const bool side_by_side = original != nullptr && job.thread_count() > 1 && can_be_read_by_several(release) &&
                            can_be_read_by_several(original->table);
  return verify(promise, {release, *engine, names, population}, original, side_by_side, progress);
}

}  // namespace shoal
