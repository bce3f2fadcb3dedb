// mu-argus (Hundepool, Willenborg 1996): raise columns while many rows hold an unsafe combination, then suppress single
// cells (docs/methods/mu-argus.md).
//
// What it is given are the combinations themselves, each a requirement: a job's requirement on more columns is replaced
// by them before (job/requirements.h), and verification is told the same. So nothing here knows of a weaker promise.
//
// Statistical agencies read a suppressed cell as "could be anything". Here "*" is a value like any other, since that is
// what somebody who counts the release sees: rows with a suppressed cell must be k, too, and a row that loses a cell
// may leave others too few. Cells are therefore suppressed in rounds until nothing is unsafe; where that ends in a few
// rows that have nothing left to suppress, one more level is the way out.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "shoal/method/cuts/tuple_table.h"
#include "shoal/method/method.h"
#include "shoal/method/rules.h"
#include "shoal/run/counted.h"
#include "shoal/run/tasks.h"
#include "shoal/table/groups.h"

namespace shoal {

MethodEntry mu_argus_method();

namespace {

using Node = Hierarchy::Node;

// The distinct rows on the required columns and on what rules count, as what each cell is released as.
class Cells {
 public:
  explicit Cells(const Problem& problem) : problem_(problem), needed_(needed_requirements(problem)) {
    for (size_t i : needed_) {
      const auto& own = problem.requirements[i].columns;
      columns_.insert(columns_.end(), own.begin(), own.end());
    }
    std::sort(columns_.begin(), columns_.end());
    columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
    std::vector<GroupKey> keys;
    for (size_t j : columns_) keys.push_back({&problem.table.quasi[j].codes, problem.hierarchies[j].leaves()});
    const CountedTuples counted = counted_tuples(problem);
    keys.push_back({&counted.codes, std::max<size_t>(counted.size(), 1)});
    tuples_ = distinct_tuples(problem.table.rows, keys, problem.table.times);
    row_with_.assign(tuples_.size(), 0);
    for (uint32_t row = static_cast<uint32_t>(problem.table.rows); row-- > 0;)
      row_with_[tuples_.tuple_of_row[row]] = row;
  }

  size_t size() const { return tuples_.size(); }
  const std::vector<size_t>& columns() const { return columns_; }
  const Tuples& tuples() const { return tuples_; }
  Node& at(size_t tuple, size_t i) { return cells_[tuple * columns_.size() + i]; }
  Node at(size_t tuple, size_t i) const { return cells_[tuple * columns_.size() + i]; }

  void set_levels(std::span<const int> levels) {
    cells_.resize(size() * columns_.size());
    for (size_t i = 0; i < columns_.size(); ++i) {
      const std::vector<Node>& nodes = problem_.hierarchies[columns_[i]].level_nodes(levels[i]);
      for (size_t tuple = 0; tuple < size(); ++tuple) at(tuple, i) = nodes[tuples_.columns[i][tuple]];
    }
  }

  // How often each cell is part of an unsafe combination, [tuple * columns + i]. The same sums for any number of
  // threads.
  std::vector<uint32_t> unsafe(const Progress& progress) const {
    const size_t workers = task_workers(needed_.size(), problem_.threads);
    std::vector<std::vector<uint32_t>> sums(workers);
    sums[0].assign(size() * columns_.size(), 0);
    std::vector<Counting> countings(workers);
    run_tasks(needed_.size(), problem_.threads, [&](size_t worker, size_t task) {
      progress.check();
      sums[worker].resize(size() * columns_.size(), 0);
      count(needed_[task], countings[worker], sums[worker]);
    });
    for (size_t worker = 1; worker < workers; ++worker) {
      for (size_t i = 0; i < sums[worker].size(); ++i) sums[0][i] += sums[worker][i];
    }
    return std::move(sums[0]);
  }

  // Rows in groups on all required columns together that have fewer than k rows, and those that are alone.
  std::pair<uint64_t, uint64_t> rows_below(uint64_t k) const {
    Counting counting;
    std::vector<size_t> all(columns_.size());
    std::iota(all.begin(), all.end(), size_t{0});
    const uint32_t groups = group(all, counting);
    std::vector<uint64_t> rows(groups, 0);
    for (size_t tuple = 0; tuple < size(); ++tuple) rows[counting.of[tuple]] += tuples_.counts[tuple];
    std::pair<uint64_t, uint64_t> below{0, 0};
    for (uint64_t size : rows) {
      if (size < k) below.first += size;
      if (size == 1) ++below.second;
    }
    return below;
  }

 private:
  struct Counting {
    KeyIndex index;
    std::vector<uint64_t> key;
    std::vector<uint32_t> of, next, order;
    std::vector<uint64_t> rows;
    std::vector<uint8_t> breaks;
  };

  uint32_t group(const std::vector<size_t>& places, Counting& counting) const {
    counting.key.resize(places.size());
    counting.index.reset(places.size(), size());
    counting.of.resize(size());
    for (size_t tuple = 0; tuple < size(); ++tuple) {
      for (size_t i = 0; i < places.size(); ++i) counting.key[i] = at(tuple, places[i]);
      counting.of[tuple] = counting.index.id(counting.key.data());
    }
    return counting.index.size();
  }

  void count(size_t requirement, Counting& counting, std::vector<uint32_t>& sums) const {
    std::vector<size_t> places;
    for (size_t j : problem_.requirements[requirement].columns) {
      places.push_back(static_cast<size_t>(std::lower_bound(columns_.begin(), columns_.end(), j) - columns_.begin()));
    }
    const uint32_t groups = group(places, counting);
    const auto rule = problem_.rule(requirement);
    counting.breaks.assign(groups, 0);
    if (rule->rows_only()) {
      counting.rows.assign(groups, 0);
      for (size_t tuple = 0; tuple < size(); ++tuple) counting.rows[counting.of[tuple]] += tuples_.counts[tuple];
      for (size_t id = 0; id < groups; ++id) counting.breaks[id] = counting.rows[id] < rule->k() ? 1 : 0;
    } else {
      ask_rule(*rule, groups, counting);
    }
    for (size_t tuple = 0; tuple < size(); ++tuple) {
      if (!counting.breaks[counting.of[tuple]]) continue;
      for (size_t place : places) ++sums[tuple * columns_.size() + place];
    }
  }

  void ask_rule(const GroupRule& rule, uint32_t groups, Counting& counting) const {
    counting.next.assign(groups + size_t{1}, 0);
    for (uint32_t id : counting.of) ++counting.next[id + size_t{1}];
    std::partial_sum(counting.next.begin(), counting.next.end(), counting.next.begin());
    counting.order.resize(size());
    std::vector<uint32_t> place(counting.next.begin(), counting.next.end() - 1);
    for (uint32_t tuple = 0; tuple < size(); ++tuple) counting.order[place[counting.of[tuple]]++] = tuple;
    GroupTally tally = rule.tally();  // one for all groups: what one has added is taken out again
    for (size_t id = 0; id < groups; ++id) {
      const auto members =
          std::span(counting.order).subspan(counting.next[id], counting.next[id + 1] - counting.next[id]);
      for (uint32_t tuple : members) rule.add(tally, row_with_[tuple], tuples_.counts[tuple]);
      counting.breaks[id] = rule.holds(tally) ? 0 : 1;
      for (uint32_t tuple : members) rule.remove(tally, row_with_[tuple], tuples_.counts[tuple]);
    }
  }

  const Problem& problem_;
  std::vector<size_t> needed_;   // requirements that no other one implies
  std::vector<size_t> columns_;  // quasi columns that some requirement names, ascending
  Tuples tuples_;                // the last column is what rules count
  std::vector<uint32_t> row_with_;
  std::vector<Node> cells_;  // [tuple * columns + i]
};

class MuArgus final : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    if (problem.has_models()) {
      if (std::string reason = whole_table_breaks(problem); !reason.empty()) return {NoAnswer{reason}, {}, {}, {}};
    }
    progress.check();
    Cells cells(problem);
    std::vector<int> levels(cells.columns().size(), 0);
    const double most = number_setting(problem.params, "unsafe") * double(problem.table.input_rows());
    SearchResult result;
    std::string raised;
    while (true) {
      cells.set_levels(levels);
      const std::vector<uint32_t> unsafe = cells.unsafe(progress);
      ++result.stats.generated;
      if (rows_unsafe(cells, unsafe) <= most && suppress(problem, cells, unsafe, progress)) break;
      cells.set_levels(levels);
      if (progress.out_of_time()) {
        result.notices.emplace_back(
            "stopped by the time budget: all required columns are released at the top of their hierarchies");
        for (size_t i = 0; i < levels.size(); ++i) levels[i] = problem.hierarchies[cells.columns()[i]].height();
        continue;
      }
      const size_t column = column_to_raise(problem, cells, unsafe, levels);
      ++levels[column];
      raised += (raised.empty() ? "" : ", ") + problem.table.quasi[cells.columns()[column]].name;
    }
    result.stats.expanded = result.stats.generated;
    result.stats.details.emplace_back("columns raised, in order", raised.empty() ? "none" : raised);
    report(problem, cells, levels, result);
    result.answer = recoding(problem, cells);
    return result;
  }

 private:
  static bool is_unsafe(const Cells& cells, const std::vector<uint32_t>& unsafe, size_t tuple) {
    const auto first = unsafe.begin() + static_cast<ptrdiff_t>(tuple * cells.columns().size());
    return std::any_of(first, first + static_cast<ptrdiff_t>(cells.columns().size()), [](uint32_t n) { return n > 0; });
  }

  static double rows_unsafe(const Cells& cells, const std::vector<uint32_t>& unsafe) {
    uint64_t rows = 0;
    for (size_t tuple = 0; tuple < cells.size(); ++tuple) {
      if (is_unsafe(cells, unsafe, tuple)) rows += cells.tuples().counts[tuple];
    }
    return double(rows);
  }

  // A cell of every unsafe row, the one in most of its unsafe combinations for its weight, until nothing is unsafe.
  // False when rows are left that have nothing to give, or time is up before anything is safe.
  static bool suppress(const Problem& problem, Cells& cells, std::vector<uint32_t> unsafe, Progress& progress) {
    const size_t columns = cells.columns().size();
    while (true) {
      bool any = false, changed = false;
      for (size_t tuple = 0; tuple < cells.size(); ++tuple) {
        if (!is_unsafe(cells, unsafe, tuple)) continue;
        any = true;
        size_t chosen = columns;
        double most = 0;
        for (size_t i = 0; i < columns; ++i) {
          const double worth = unsafe[tuple * columns + i] / problem.weights[cells.columns()[i]];
          if (cells.at(tuple, i) == Hierarchy::kRoot || worth <= most) continue;
          most = worth;
          chosen = i;
        }
        if (chosen == columns) continue;
        cells.at(tuple, chosen) = Hierarchy::kRoot;
        changed = true;
      }
      if (!any) return true;
      if (!changed || progress.out_of_time()) return false;
      unsafe = cells.unsafe(progress);
    }
  }

  // The one in most unsafe combinations of rows for its weight; while some are unsafe, one of their columns is below
  // its top.
  static size_t column_to_raise(const Problem& problem, const Cells& cells, const std::vector<uint32_t>& unsafe,
                                std::span<const int> levels) {
    const size_t columns = cells.columns().size();
    std::vector<uint64_t> sums(columns, 0);
    for (size_t tuple = 0; tuple < cells.size(); ++tuple) {
      for (size_t i = 0; i < columns; ++i)
        sums[i] += uint64_t{unsafe[tuple * columns + i]} * cells.tuples().counts[tuple];
    }
    size_t chosen = columns;
    double most = -1;
    for (size_t i = 0; i < columns; ++i) {
      const double worth = double(sums[i]) / problem.weights[cells.columns()[i]];
      if (levels[i] == problem.hierarchies[cells.columns()[i]].height() || worth <= most) continue;
      most = worth;
      chosen = i;
    }
    if (chosen == columns) throw std::logic_error("mu-argus: unsafe with everything at the top");
    return chosen;
  }

  static void report(const Problem& problem, const Cells& cells, std::span<const int> levels, SearchResult& result) {
    uint64_t suppressed = 0, rows = 0;
    for (size_t tuple = 0; tuple < cells.size(); ++tuple) {
      uint64_t own = 0;
      for (size_t i = 0; i < cells.columns().size(); ++i) {
        const auto& nodes = problem.hierarchies[cells.columns()[i]].level_nodes(levels[i]);
        own += cells.at(tuple, i) != nodes[cells.tuples().columns[i][tuple]] ? 1 : 0;
      }
      suppressed += own * cells.tuples().counts[tuple];
      rows += own > 0 ? cells.tuples().counts[tuple] : 0;
    }
    result.stats.details.emplace_back("cells suppressed", std::to_string(suppressed));
    result.stats.details.emplace_back("rows with a suppressed cell", std::to_string(rows));
    uint64_t k = 1;
    size_t widest = 0;
    for (const Requirement& requirement : problem.requirements) {
      k = std::max(k, requirement.k);
      widest = std::max(widest, requirement.columns.size());
    }
    if (widest == cells.columns().size()) return;
    const auto [below, alone] = cells.rows_below(k);
    result.stats.details.emplace_back("rows below k on all columns together", std::to_string(below));
    result.stats.details.emplace_back("of these unique", std::to_string(alone));
    result.notices.push_back(fmt::format(
        "combinations of up to {} were made safe, NOT all {} columns together: to somebody who knows them all, "
        "{} of {} rows stand among fewer than {}, {} of them alone",
        counted(widest, "column"), cells.columns().size(), below, problem.table.input_rows(), k, alone));
  }

  // Cells are suppressed row by row: the groups belong to their rows, and say nothing about new ones.
  static Recoding recoding(const Problem& problem, const Cells& cells) {
    const size_t columns = cells.columns().size();
    GroupRecoding recoding;
    recoding.recoded_columns = cells.columns();
    KeyIndex index;
    index.reset(columns, cells.size());
    std::vector<uint64_t> key(columns);
    std::vector<uint32_t> group_of_tuple;
    for (size_t tuple = 0; tuple < cells.size(); ++tuple) {
      for (size_t i = 0; i < columns; ++i) key[i] = cells.at(tuple, i);
      const uint32_t before = index.size();
      group_of_tuple.push_back(index.id(key.data()));
      if (index.size() == before) continue;
      for (size_t i = 0; i < columns; ++i) {
        const Hierarchy& tree = problem.hierarchies[cells.columns()[i]];
        recoding.group_releases.push_back(released_node(tree, cells.at(tuple, i)));
      }
    }
    for (uint32_t tuple : cells.tuples().tuple_of_row) recoding.group_of_row.push_back(group_of_tuple[tuple]);
    return {std::move(recoding)};
  }
};

}  // namespace

MethodEntry mu_argus_method() {
  return {
      .name = "mu-argus",
      .title = "levels, then single cells suppressed; promises combinations of up to 3 columns, NOT all of them",
      .paper = "Hundepool, Willenborg 1996",
      .shape = Shape::groups,
      .parameters = {{.name = "combinations",
                      .meaning = "how many columns are checked together; must be stated where a requirement has more, "
                                 "since that promises less than it says",
                      .default_value = "3",
                      .choices = {"1", "2", "3"}},
                     {.name = "unsafe",
                      .meaning = "share of rows with an unsafe combination up to which cells are suppressed; above it "
                                 "a column is raised",
                      .default_value = "0.1",
                      .choices = {},
                      .minimum = 0,
                      .maximum = 1}},
      .several_requirements = true,
      .drops_rows = false,
      .needs_target = false,
      .make = []() -> std::unique_ptr<Method> { return std::make_unique<MuArgus>(); },
      .obeys_models = true,
      .alike_rows = [](const Params&) { return AlikeRows{}; }};
}

}  // namespace shoal
