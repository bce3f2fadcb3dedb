// The plan of a table that no process holds as a whole: made by one of them from counts, followed by all of them.
//
//   distinct values and counts  ->  TablePlan::domains
//   PlannedTable::keys, drawn   ->  the pilot, drawn from counted tuples
//   FragmentPlanner             ->  the tree of cuts, and which of its leaves make a fragment
//   PlannedTable::fragments     ->  where each row goes
//   anonymize (TablesBeside::fragment) of every fragment
//
// Where requirements share no column, each family of them has a plan of its own (PlannedTable::by_family). These are
// followed one after the other, and rows take along what they are released as on the columns of families before.
//
// Where the counts are those of a table in memory the fragments are those of plan_fragments, row by row.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/encode/table_source.h"
#include "shoal/job/job.h"
#include "shoal/measure/bits_lost.h"
#include "shoal/model/requirement.h"
#include "shoal/plan/cut_tree.h"
#include "shoal/plan/fragments.h"
#include "shoal/plan/plan_fragments.h"
#include "shoal/release/fragment_of_table.h"
#include "shoal/run/progress.h"

namespace shoal {

// Plain data, which all processes share.
struct TablePlan {
  uint64_t rows = 0;
  std::vector<std::string> columns;  // of the table, in its order
  std::vector<Domain> domains;       // of its quasi and sensitive columns, in its order, texts ascending by bytes
  CutTree tree;
  std::vector<uint32_t> fragment_of_leaf{0};  // [node of the tree]
  std::optional<size_t> family = {};  // of requirements that share columns, for which it is made; nothing: for all
  size_t fragments() const;

  // For another process; from_bytes throws Error(input) on anything else than what bytes() gave.
  std::string bytes() const;
  static TablePlan from_bytes(std::string_view bytes);
};

// The domain of a column from a table of two columns: values, and how many rows have each. Throws Error(input) where a
// count is none.
Domain read_domain(const std::string& column, TableSource& counted, const Progress& progress);

// A plan and the job that it is for: what each process does with its own rows. Safe to share between threads.
class PlannedTable {
 public:
  // The job's hierarchies must be at hand. Throws Error for what the user got wrong: a job that does not fit the table,
  // or that asks for what cannot be had in fragments (models that compare with a population, a time budget, rows in the
  // order of the input, methods of another shape than groups, models that compare with more than kMostRows rows).
  PlannedTable(const Job& job, TablePlan plan);

  // As the plan's family asks it.
  const Job& job() const { return job_; }
  // Plans for each family of requirements that share no column, if any of these is to be cut; else this one for all.
  std::vector<TablePlan> by_family() const;
  const TablePlan& plan() const { return plan_; }
  const Encoding& encoding() const { return encoding_; }
  // The quasi columns that decide where a row goes: those of the requirements.
  std::vector<std::string> key_columns() const;
  // `found`: where families before have been searched for, what their columns are released as (FragmentOfTable).
  FragmentOfTable fragment(size_t number, TableSource* found = nullptr) const;
  // What is to be said of any release that follows the plan, besides what its fragments say.
  std::vector<std::string> notices() const;

  // A row's codes on the key columns, as text ("3,0,17"). `rows`: a table that has these columns, and may have others.
  std::vector<std::string> keys(TableSource& rows, const Progress& progress) const;
  // For tuples (columns key and count): how many of the rows are drawn for a pilot of about `wanted` rows.
  std::vector<uint64_t> drawn(TableSource& tuples, size_t wanted, const Progress& progress) const;
  // For tuples (column key): the leaf of each.
  std::vector<uint32_t> leaves(TableSource& tuples, const Progress& progress) const;
  // What the models look at: the columns that keeps_models wants to see, in the table's order. Nothing where there are
  // no models, or more than kMostRows rows, too many to know them together.
  std::optional<std::vector<std::string>> model_columns() const;
  // For rows that have model_columns(), each as often as `times` says: whether they keep the requirements as one group,
  // so that they may be a fragment.
  bool keeps_models(TableSource& rows, std::vector<uint32_t> times, const Progress& progress) const;
  // For rows as in keys(): the fragment of each.
  std::vector<uint32_t> fragments(TableSource& rows, const Progress& progress) const;
  // The same as an SQL expression over the table's columns, named as standard SQL does. `stored`: how each key
  // column stands there; numbers are compared as such. Nothing where it would be longer than `most` characters, or
  // a column of another kind decides.
  enum class Stored { text, whole_number, other };
  std::optional<std::string> fragments_sql(std::span<const Stored> stored, size_t most) const;

  // NCP of released texts of a quasi column; nothing for a text that is no release of its values. Throws Error(input)
  // where there is no such column.
  std::vector<std::optional<double>> losses(std::string_view column, const std::vector<std::string>& texts) const;
  // Bits that are lost where so many cells of the column have each of these texts; rows of the table beyond these were
  // dropped. Throws Error(input) also for a text that is no release.
  BitsLost bits_lost(std::string_view column, const std::vector<std::string>& texts,
                     const std::vector<uint64_t>& counts) const;

 private:
  friend class FragmentPlanner;
  std::vector<std::vector<uint32_t>> codes(TableSource& rows, const Progress& progress) const;  // [key column][row]
  std::vector<Requirement> requirements() const;
  std::vector<uint32_t> parsed(std::string_view key) const;
  uint32_t leaf(std::span<const uint32_t> codes) const;
  size_t quasi(std::string_view column) const;  // its place; throws Error(input) where there is none
  std::vector<std::optional<Released>> releases(size_t quasi, const std::vector<std::string>& texts) const;

  Job whole_job_, job_;
  TablePlan plan_;
  Encoding encoding_;
  std::optional<WholeTable> whole_;  // nothing: more than kMostRows rows
  std::vector<size_t> key_columns_;  // of the quasi columns, ascending
};

// Makes the tree and the fragments of a plan from counts.
class FragmentPlanner {
 public:
  // The plan that is made from has domains and one fragment. Fragments are asked for as by the setting `fragments`, but
  // `auto` cuts whatever the requirements and models are: a whole table may be too large for everybody.
  explicit FragmentPlanner(std::shared_ptr<const PlannedTable> table);
  FragmentPlanner(const FragmentPlanner&) = delete;  // the tree looks at the sample
  FragmentPlanner& operator=(const FragmentPlanner&) = delete;

  const FragmentSizes& sizes() const { return sizes_; }
  const std::string& reason() const { return reason_; }  // why there is one fragment; "" where more are wanted

  // How many different tuples were counted: few make fewer fragments where these were not asked for by number. Before
  // grow().
  void count_tuples(uint64_t tuples);
  // The pilot: tuples (columns key and count, the rows of each that were drawn), in any order. Grows the tree.
  void grow(TableSource& drawn, Progress& progress);
  // [node of the tree]: rows of leaves. Cuts those again that have far too many; false where there are none.
  bool cut_again(const std::vector<uint64_t>& rows);
  // Which leaves make a fragment. `holds`: whether the rows of these leaves as one group keep the models; the fragments
  // are those of one process where it says so of all that it is asked about.
  void join(const std::vector<uint64_t>& rows, const std::function<bool(std::span<const uint32_t> leaves)>& holds);

  // As far as it is made.
  const TablePlan& plan() const { return plan_; }

 private:
  Problem problem() const;
  void show_tree();  // in the plan

  std::shared_ptr<const PlannedTable> table_;
  TablePlan plan_;
  const Job job_;      // without models: these look at rows
  const Table whole_;  // of so many rows; none of them is here
  FragmentSizes sizes_;
  bool asked_ = false;  // by the user
  std::string reason_;
  Table sample_;
  std::optional<PilotTree> tree_;
};

}  // namespace shoal
