// The journey of a table inside the engine: read, encode, search, recode.
#include "shoal/release/draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "shoal/encode/problem.h"
#include "shoal/encode/raw_table.h"
#include "shoal/error.h"
#include "shoal/examine/findings.h"
#include "shoal/examine/population_fit.h"
#include "shoal/examine/privacy.h"
#include "shoal/job/requirements.h"
#include "shoal/measure/measures.h"
#include "shoal/measure/risk.h"
#include "shoal/method/search.h"
#include "shoal/plan/by_fragments.h"
#include "shoal/recode/apply.h"
#include "shoal/recode/content_order.h"
#include "shoal/recode/group_keys.h"
#include "shoal/recode/ranges.h"
#include "shoal/release/before_and_after.h"
#include "shoal/release/counted_out.h"
#include "shoal/run/clock.h"
#include "shoal/run/processor_time.h"

namespace shoal {
namespace {

// How many kept cells each release of a column has.
std::vector<uint64_t> cells_per_release(const Table& table, const ReleasedColumn& column,
                                        const std::vector<uint32_t>& dropped) {
  std::vector<uint64_t> cells(column.values.size(), 0);
  if (dropped.size() == column.codes.size()) return cells;
  column.codes.visit([&](auto codes) {
    for (size_t row = 0; row < codes.size(); ++row) cells[codes[row]] += table.times_of(row);
  });
  for (uint32_t row : dropped) cells[column.codes[row]] -= table.times_of(row);
  return cells;
}

void report_columns(const EncodedTable& encoded, const Recoding& recoding, const ReleasedTable& released, Ranges ranges,
                    Report& report) {
  for (size_t j = 0; j < encoded.table.quasi.size(); ++j) {
    const Column& quasi = encoded.table.quasi[j];
    const Hierarchy& hierarchy = encoded.encoding.hierarchies[j];
    const auto cells = cells_per_release(encoded.table, released.quasi[j], released.dropped_rows);
    const auto rows = rows_per_leaf(quasi, hierarchy.leaves(), encoded.table.times);
    const ReleasedCounts counts{released.quasi[j], cells};
    ColumnReport column = report_column({quasi, encoded.encoding.columns[j], hierarchy, rows, counts}, ranges,
                                        report.measures.column_gcp[j]);
    report.cells_suppressed += cells_at_root(counts);
    if (recoding.shape() == Shape::levels) {
      column.level = recoding.by_value().levels[j];
      column.height = hierarchy.height();
    }
    report.columns.push_back(std::move(column));
  }
}

std::vector<GroupKey> chosen(const std::vector<GroupKey>& keys, const std::vector<size_t>& columns) {
  std::vector<GroupKey> result;
  for (size_t j : columns) result.push_back(keys[j]);
  return result;
}

void add(std::vector<ModelValues>& values, std::vector<ModelValues> more) {
  values.insert(values.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// The people that the cells of each group fit: `cell(column, row)` says what a row has.
template <class Cell>
std::vector<uint64_t> people_of(const PopulationIndex& people, const Groups& groups, const std::vector<size_t>& columns,
                                const Cell& cell) {
  std::vector<uint64_t> result(groups.sizes.size(), 0);
  std::vector<bool> done(groups.sizes.size(), false);
  std::vector<LeafStretch> box(columns.size());
  for (uint32_t row = 0; row < groups.group_of_row.size(); ++row) {
    const uint32_t group = groups.group_of_row[row];
    if (group == kNoGroup || done[group]) continue;
    done[group] = true;
    for (size_t i = 0; i < columns.size(); ++i) box[i] = cell(columns[i], row);
    result[group] = people.people_in(box);
  }
  return result;
}

// What the models of the population have, before and after.
void report_population(Draft& draft) {
  const Table& table = draft.original.table;
  const auto before = raw_keys(table, draft.original.encoding.hierarchies), after = released_keys(draft.released);
  const auto requirements = plan_requirements(draft.job, draft.columns);
  for (size_t i = 0; i < requirements.size(); ++i) {
    const std::vector<size_t>& columns = requirements[i].columns;
    std::shared_ptr<const PopulationIndex> people;
    for (const ModelSpec& model : requirements[i].models) {
      if (!of_population(model)) continue;
      if (!people) people = draft.population->on(columns);
      const Groups raw = group_rows(table.rows, chosen(before, columns));
      const Groups released = group_rows(table.rows, chosen(after, columns), draft.released.dropped_rows);
      const auto raw_people = people_of(*people, raw, columns, [&](size_t j, uint32_t row) {
        const uint32_t leaf = table.quasi[j].codes[row];
        return LeafStretch{leaf, leaf};
      });
      const auto released_people = people_of(*people, released, columns, [&](size_t j, uint32_t row) {
        const Released& cell = draft.released.quasi[j].values[draft.released.quasi[j].codes[row]];
        return LeafStretch{cell.first, cell.last};
      });
      draft.report.requirements[i].models_before.push_back(population_values(model, raw, raw_people));
      draft.report.requirements[i].models.push_back(population_values(model, released, released_people));
    }
  }
}

// Models and persons, before and after. A table without sensitive and person columns has nothing to look at.
void report_privacy(Draft& draft) {
  const Table& table = draft.original.table;
  const Encoding& encoding = draft.original.encoding;
  if (draft.population) report_population(draft);
  if (table.sensitive.empty() && !table.person) return;
  const auto before = raw_keys(table, encoding.hierarchies), after = released_keys(draft.released);
  Report& report = draft.report;
  const WholeTable* const whole = draft.whole ? &*draft.whole : nullptr;
  report.privacy_before = privacy_of(table, encoding, group_rows(table.rows, before), kRiskThreshold, whole);
  report.privacy =
      privacy_of(table, encoding, group_rows(table.rows, after, draft.released.dropped_rows), kRiskThreshold, whole);
  CountedTable counted(table, encoding, whole);
  const auto requirements = plan_requirements(draft.job, draft.columns);
  for (size_t i = 0; i < requirements.size(); ++i) {
    if (requirements[i].models.empty()) continue;
    add(report.requirements[i].models_before,
        asked_values(counted, requirements[i], group_rows(table.rows, chosen(before, requirements[i].columns))));
    add(report.requirements[i].models,
        asked_values(counted, requirements[i],
                     group_rows(table.rows, chosen(after, requirements[i].columns), draft.released.dropped_rows)));
  }
  report.distributions = distributions_of(draft.job, counted);
}

// What the population says matters only where a model asks about it.
std::shared_ptr<const Population> population_beside(const Job& job, TableSource& source, TableSource* people,
                                                    Progress& progress) {
  const std::vector<ModelSpec> models = all_models(job);
  if (people == nullptr || std::none_of(models.begin(), models.end(), of_population)) return nullptr;
  return std::make_shared<const Population>(job, source, *people, progress);
}

// Rows that stand for several are all that there is of the table.
void refuse_what_needs_all_rows(const Draft& draft, const TablesBeside& beside) {
  const auto refuse = [](const std::string& why) {
    throw Error(ErrorKind::job, fmt::format("rows cannot stand for several here: {}", why));
  };
  const MethodEntry& method = *draft.method;
  if (method.alike_rows == nullptr) refuse(fmt::format("method {} must be given every row", method.name));
  const std::string why_not = method.alike_rows(complete(draft.job.params, method.parameters)).why_not;
  if (!why_not.empty()) refuse(fmt::format("method {} {}", method.name, why_not));
  if (beside.population != nullptr) refuse("a population is beside the table");
  if (!beside.earlier.empty()) refuse("earlier releases are beside the table");
  if (beside.fragment != nullptr) refuse("the table is a fragment of a larger one");
  if (draft.job.order == Order::input) refuse("the order of the input is asked for, which they do not have");
}

// What quasi columns of other families of requirements are released as, each row as it says there.
void take_found(Draft& draft, TableSource& found, const Progress& progress) {
  const Table& table = draft.original.table;
  for (size_t j = 0; j < table.quasi.size(); ++j) {
    const auto place = found.find(table.quasi[j].name);
    if (!place) continue;
    RawColumn raw = std::move(read_columns(found, {*place}, {}, progress).columns.front());
    if (raw.codes.size() != table.rows) throw Error(ErrorKind::input, "what was released before has other rows");
    const ReleasedCells cells(table.quasi[j], draft.original.encoding.hierarchies[j]);
    ReleasedColumn released{{}, std::move(raw.codes)};
    for (const std::string& text : raw.texts) {
      const std::optional<Released> cell = cells.parse(text);
      if (!cell) {
        throw Error(ErrorKind::input,
                    fmt::format("'{}' is no release of a value of the column '{}'", text, table.quasi[j].name));
      }
      released.values.push_back(*cell);
    }
    draft.released.quasi[j] = std::move(released);
  }
}

// Nobody said what these columns are, so that the release goes without them.
void note_left_out(Draft& draft) {
  std::vector<std::string> names;
  for (size_t j : columns_with(draft.columns, Role::none)) names.push_back(draft.columns[j].name);
  if (names.empty()) return;
  draft.report.notices.push_back(fmt::format("{} without a role {} not released: {}; give {}, or `others: plain`",
                                             names.size() == 1 ? "a column" : fmt::format("{} columns", names.size()),
                                             names.size() == 1 ? "is" : "are", fmt::join(names, ", "),
                                             names.size() == 1 ? "it one" : "them one each"));
}

}  // namespace

std::vector<uint32_t> Draft::kept_rows() const {
  std::vector<uint32_t> rows;
  rows.reserve(original.table.rows - released.dropped_rows.size());
  size_t next_dropped = 0;
  for (uint32_t row = 0; row < original.table.rows; ++row) {
    if (next_dropped < released.dropped_rows.size() && released.dropped_rows[next_dropped] == row) {
      ++next_dropped;
    } else {
      rows.push_back(row);
    }
  }
  return rows;
}

void notice_ranges(const Job& job, const MethodEntry& method, const Encoding& encoding,
                   std::vector<std::string>& notices) {
  if (!method.ranges_over_trees) return;
  std::vector<std::string> with_tree, without;
  for (size_t j = 0; j < encoding.columns.size(); ++j) {
    const Hierarchy& hierarchy = encoding.hierarchies[j];
    if (hierarchy.numeric()) (hierarchy.has_inner_nodes() ? with_tree : without).push_back(encoding.columns[j].name);
  }
  if (job.ranges == Ranges::nodes && !without.empty()) {
    notices.push_back(
        fmt::format("numeric columns without a hierarchy have no nodes: {} {} released as ranges with round "
                    "ends (as with ranges: snapped)",
                    fmt::join(without, ", "), without.size() == 1 ? "is" : "are"));
  } else if (job.ranges != Ranges::nodes && !with_tree.empty()) {
    notices.push_back(fmt::format(
        "numbers are released as ranges: the hierarchy of {} {} (ranges: nodes would release its nodes)",
        fmt::join(with_tree, ", "), job.ranges == Ranges::tight ? "is not used" : "only says where ranges may end"));
  }
}

Draft begin_draft(const Job& asked, const TableSource& source) {
  Draft draft{asked, nullptr, {}, {}, {}, nullptr, {}, {}};
  Job& job = draft.job;
  job.threads = job.thread_count();
  check_job(job);
  job.method = chosen_method(job);
  const MethodEntry& method = *find_method(job.method);
  draft.method = &method;
  Report& report = draft.report;
  report.input = source.name();
  report.method = method.name;
  report.shape = method.shape;
  report.params = complete(job.params, method.parameters);
  report.seed = job.seed;
  report.threads = job.threads;
  draft.columns = plan_columns(job, source);
  for (const ColumnPlan& column : draft.columns) report.input_columns.push_back({column.name, column.role});
  note_left_out(draft);
  for (const auto& [accepted, reason] : job.reasons) {
    report.notices.push_back(fmt::format("{} was accepted: {}", accepted, reason));
  }
  return draft;
}

Draft draft_release(const Job& asked, TableSource& source, Progress& progress, const TablesBeside& beside) {
  progress.stage("read");
  const FragmentOfTable* const fragment = beside.fragment;
  Draft draft = begin_draft(asked, source);
  if (!beside.times.empty()) refuse_what_needs_all_rows(draft, beside);
  if (beside.times.empty() && fragment == nullptr) check_accepted_columns(asked, source);
  const Job& job = draft.job;
  const MethodEntry& method = *draft.method;
  Report& report = draft.report;
  const auto requirements = plan_requirements(job, draft.columns);
  ReadTimings timings;
  draft.population = population_beside(job, source, beside.population, progress);
  EncodeSettings encoding;
  if (draft.population) encoding.encoding = &draft.population->encoding();
  if (fragment != nullptr) encoding.encoding = &fragment->encoding;
  encoding.times = beside.times;
  draft.original = encode_table(job, source, encoding, timings, progress);
  const Table& table = draft.original.table;
  report.timings.read = timings.read;
  report.timings.encode = timings.encode;
  report.rows_in = table.input_rows();
  for (const Requirement& requirement : requirements) {
    report.requirements.push_back({column_names(requirement, table), requirement.k, 0, false});
  }
  const bool drops_rows = method.drops_rows && job.suppress_rows.value_or(0) > 0;
  if (fragment != nullptr && fragment->number && fragment->whole != nullptr) {
    draft.whole = whole_beside(*fragment->whole, table);
  }
  report.reason = draft.whole
                      ? impossible_alone(requirements, table, draft.original.encoding, *draft.whole)
                      : impossible(requirements, table, draft.original.encoding, draft.population.get(), drops_rows);
  if (!report.reason.empty()) return draft;

  progress.stage("search");
  auto stage_start = Clock::now();
  const double processor_start = processor_seconds();
  const ContentOrder by_content(table, progress);
  by_content.arrange(draft.original.table);
  const Problem problem = draft.whole
                              ? make_problem(job, method, table, draft.original.encoding, *draft.whole, report.notices)
                              : make_problem(job, method, draft.original, draft.population.get(), report.notices);
  notice_ranges(job, method, draft.original.encoding, report.notices);
  draft.found = search(method, problem, progress, [&](const Problem& asked_of) {
    const TimeBudget budget(progress, job.time_budget, stage_start);
    if (fragment == nullptr) return run_search(method, asked_of, progress);
    return fragment->number ? search_as_fragment(method, asked_of, *fragment->number, progress)
                            : method.make()->search(asked_of, progress);
  });
  by_content.restore(draft.original.table);
  if (auto* recoding = std::get_if<Recoding>(&draft.found.answer)) by_content.restore(*recoding);
  if (auto* model = std::get_if<ModelAnswer>(&draft.found.answer)) by_content.restore(model->told);
  report.timings.search = seconds_since(stage_start);
  report.timings.processor_search = processor_seconds() - processor_start;
  report.search = draft.found.stats;
  report.notices.insert(report.notices.end(), draft.found.notices.begin(), draft.found.notices.end());
  if (const Recoding* recoding = draft.found.recoding(); recoding && recoding->dropped_rows.size() == table.rows) {
    draft.found.answer = NoAnswer{std::string(kNoRowLeft)};
  }
  report.reason = draft.found.reason();
  if (!draft.satisfied()) return draft;

  progress.stage("recode");
  stage_start = Clock::now();
  if (auto* recoding = std::get_if<Recoding>(&draft.found.answer)) {
    settle_ranges(*recoding, table, draft.original.encoding.hierarchies, job.ranges);
  }
  draft.released = apply(*draft.found.recoding(), table, draft.original.encoding.hierarchies, job.threads);
  if (fragment != nullptr && fragment->found != nullptr) take_found(draft, *fragment->found, progress);
  report.timings.recode = seconds_since(stage_start);
  report.rows_dropped = table.input_rows_of(draft.released.dropped_rows);
  report.rows_out = report.rows_in - report.rows_dropped;
  return draft;
}

void measure_draft(Draft& draft) {
  const Table& table = draft.original.table;
  const std::vector<Hierarchy>& hierarchies = draft.original.encoding.hierarchies;
  Report& report = draft.report;
  MeasureSettings settings;
  for (const Column& column : table.quasi) settings.weights.push_back(draft.job.find_column(column.name)->weight);
  settings.distortion_beta = draft.job.distortion_beta;
  settings.k = c_avg_k(draft.job);
  GroupSizes sizes;
  report.measures = measure(table, hierarchies, draft.released, settings, &sizes);
  report.risk_before = risk(sizes.input, kRiskThreshold);
  report.risk = risk(sizes.released, kRiskThreshold);
  report.groups = report.risk.groups;
  report.group_sizes_before = rows_by_group_size(sizes.input);
  report.group_sizes = rows_by_group_size(sizes.released);
  report_columns(draft.original, *draft.found.recoding(), draft.released, draft.job.ranges, report);
  report_privacy(draft);
}

bool examine_draft(Draft& draft, TableSource& source, const std::vector<TableSource*>& earlier, Progress& progress) {
  progress.stage("findings");
  const auto start = Clock::now();
  const double processor_start = processor_seconds();
  if (draft.original.table.times.empty()) {
    draft.report.findings = look_for_findings({draft.job, source, draft.original, &draft.released, earlier}, progress);
  } else {
    const CountedOut rows = counted_out(draft.original, draft.released);
    RowsCountedOut out(draft.job, source, draft.original, draft.released, rows, progress);
    draft.report.findings = look_for_findings({draft.job, out.table(), out.original(), &out.released(), {}}, progress);
    if (!rows.all) draft.report.notices.push_back(findings_in_some_rows(rows.rows.size(), draft.report.rows_in));
  }
  draft.report.timings.findings = seconds_since(start);
  draft.report.timings.processor_findings = processor_seconds() - processor_start;
  if (!any_stands_in_the_way(*draft.report.findings)) return true;
  draft.report.reason = what_stands_in_the_way(*draft.report.findings);
  // Nothing will be written that verification could count.
  const auto requirements = plan_requirements(draft.job, draft.columns);
  const std::vector<GroupKey> keys = released_keys(draft.released);
  for (size_t i = 0; i < requirements.size(); ++i) {
    std::vector<GroupKey> chosen;
    for (size_t j : requirements[i].columns) chosen.push_back(keys[j]);
    const auto sizes = group_totals(group_rows(draft.original.table.rows, chosen, draft.released.dropped_rows),
                                    draft.original.table.times);
    RequirementReport& requirement = draft.report.requirements[i];
    requirement.min_group = sizes.empty() ? 0 : *std::min_element(sizes.begin(), sizes.end());
    requirement.ok = requirement.min_group >= requirement.k;
  }
  return false;
}

}  // namespace shoal
