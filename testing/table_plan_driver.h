// A table that no process holds as a whole, and what a driver does with it: plans from counts, searches part by part.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "shoal/files/anonymize_arrow.h"
#include "shoal/model/model.h"
#include "shoal/release/arrow_columns.h"
#include "shoal/release/table_plan.h"

namespace shoal::planned {

using Rows = std::vector<std::vector<std::string>>;

inline const std::vector<std::string> kColumns{"age", "note", "zip", "ill", "work"};

inline std::unique_ptr<ArrowTable> table_of(const std::vector<std::string>& names, const Rows& rows) {
  std::vector<ArrowColumn> columns;
  for (size_t j = 0; j < names.size(); ++j) {
    columns.push_back(ArrowColumn::of_texts(names[j]));
    for (const auto& row : rows) {
      if (row[j].empty()) {
        columns[j].add_null();
      } else {
        columns[j].add_text(row[j]);
      }
    }
  }
  ArrowArrayStream stream{};
  ArrowColumns(std::move(columns)).stream(stream);
  return std::make_unique<ArrowTable>(stream, "people");
}

inline Rows rows_of(const ArrowColumns& release) {
  ArrowArrayStream stream{};
  release.stream(stream);
  ArrowTable table(stream, "release");
  std::vector<size_t> all(table.columns().size());
  std::iota(all.begin(), all.end(), size_t{0});
  Rows rows;
  Progress progress;
  table.read(all, progress, [&](TextStream& cells) {
    while (cells.next()) {
      for (size_t row = 0; row < cells.size(); ++row) {
        auto& copy = rows.emplace_back();
        for (size_t j : all) copy.emplace_back(cells.cell(j, row));
      }
    }
  });
  return rows;
}

inline Rows people(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  const auto one_of = [&](size_t values) { return random() % values; };
  Rows rows;
  for (size_t i = 0; i < count; ++i) {
    const size_t age = 20 + one_of(60);
    rows.push_back({one_of(15) == 0 ? (one_of(2) ? "" : "?") : std::to_string(age), "n" + std::to_string(one_of(40)),
                    std::to_string(1000 + one_of(5) * 100 + one_of(4)), std::string(1, char('r' + one_of(4))),
                    one_of(9) == 0 ? "it's" : std::string(1, char('a' + (age / 20 + one_of(2))))});
  }
  return rows;
}

inline Job job_with(const std::string& method, const std::string& fragments) {
  Job job;
  for (const char* name : {"age", "zip", "work"}) job.column(name).role = Role::quasi;
  job.column("zip").hierarchy = HierarchySpec{"", BuilderSpec{"mask", {}}, {}};
  job.column("note").role = Role::plain;
  job.column("ill").role = Role::sensitive;
  job.missing = {"?"};
  job.k = 3;
  job.method = method;
  job.params = {{"fragments", fragments}};
  if (method == "shoal") job.params["effort"] = "fast";
  job.accept = {"near-unique", "reveals", "one-value", "tight"};
  job.threads = 1;
  return job;
}

inline ModelSpec model_of(ModelKind kind) {
  ModelSpec model;
  model.kind = kind;
  model.column = "ill";
  return model;
}

// Of rows whose illness goes with the age, so that a fragment is unlike the whole table.
inline Rows ill_by_age(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  Rows rows = people(seed, count);
  for (auto& row : rows) {
    const size_t age = row[0].empty() || row[0] == "?" ? 40 : std::stoul(row[0]);
    row[3] = std::string(1, char('r' + (random() % 3 == 0 ? random() % 4 : (age - 20) / 15)));
  }
  return rows;
}

// What a driver does, with counts that come from loops over the rows.
class PlanDriver {
 public:
  PlanDriver(const Job& job, const Rows& rows) : job_(job), rows_(rows) {
    TablePlan plan;
    plan.rows = rows.size();
    plan.columns = kColumns;
    for (size_t j = 0; j < kColumns.size(); ++j) {
      const Role role = job.role_of(kColumns[j]);
      if (role != Role::quasi && role != Role::sensitive) continue;
      std::map<std::string, size_t> counts;
      for (const auto& row : rows) ++counts[row[j]];
      Rows listed;
      for (const auto& [text, count] : counts) listed.push_back({text, std::to_string(count)});
      std::reverse(listed.begin(), listed.end());  // any order
      plan.domains.push_back(read_domain(kColumns[j], *table_of({"value", "count"}, listed), progress_));
    }
    table_ = std::make_shared<const PlannedTable>(job, std::move(plan));
  }

  // `distinct_ill`: so many different illnesses make a fragment one that may stand alone.
  void plan(size_t distinct_ill) {
    grow();
    join([&](std::span<const uint32_t> leaves) {
      std::set<std::string> together;
      for (uint32_t leaf : leaves) together.insert(ill_[leaf].begin(), ill_[leaf].end());
      return together.size() >= distinct_ill;
    });
  }

  // As Spark does. How many sets of leaves broke a model.
  size_t release(Rows& released) {
    grow();
    const size_t broken = join_what_keeps_models();
    for (size_t number = 0; const Rows& part : parts()) {
      const FragmentOfTable fragment = table_->fragment(number++);
      const Release one = anonymize(job_, *table_of(kColumns, part), progress_, {.fragment = &fragment});
      EXPECT_EQ(one.report.status, Status::released) << one.report.reason;
      EXPECT_TRUE(one.report.verification.ok());
      const Rows found = rows_of(one.table);
      released.insert(released.end(), found.begin(), found.end());
    }
    return broken;
  }

  struct ByFamily {
    Rows released;
    double ncp = 0;
    std::vector<size_t> fragments;  // [family]
  };
  // The same where requirements share no column: one family of them after the other, and rows take along what they are
  // released as so far.
  ByFamily release_by_family() {
    ByFamily all;
    std::vector<std::string> names;  // of columns that were searched for
    Rows found(rows_.size());
    for (const TablePlan& plan : table_->by_family()) {
      table_ = std::make_shared<const PlannedTable>(job_, plan);
      grow();
      join_what_keeps_models();
      all.fragments.push_back(table_->plan().fragments());
      all.released.clear();
      all.ncp = 0;
      Rows next = found;
      const auto fragment_of_row = table_->fragments(*table_of(kColumns, rows_), progress_);
      for (size_t number = 0; number < all.fragments.back(); ++number) {
        Rows part, before;
        std::vector<size_t> row_at;
        for (size_t row = rows_.size(); row-- > 0;) {  // any order
          if (fragment_of_row[row] != number) continue;
          part.push_back(rows_[row]);
          before.push_back(found[row]);
          row_at.push_back(row);
        }
        const auto beside = table_of(names, before);
        const FragmentOfTable fragment = table_->fragment(number, names.empty() ? nullptr : beside.get());
        const Release one = anonymize(table_->job(), *table_of(kColumns, part), progress_, {.fragment = &fragment});
        EXPECT_EQ(one.report.status, Status::released) << one.report.reason;
        EXPECT_TRUE(one.report.verification.ok());
        all.ncp += one.report.measures.ncp;
        const Rows rows = rows_of(one.table);
        for (size_t i = 0; i < rows.size(); ++i) {
          for (const std::string& name : table_->key_columns()) {
            next[row_at.at(one.row_of_release.at(i))].push_back(rows[i].at(place_of(name, one.columns)));
          }
        }
        all.released.insert(all.released.end(), rows.begin(), rows.end());
      }
      found = std::move(next);
      for (const std::string& name : table_->key_columns()) names.push_back(name);
    }
    return all;
  }

  void grow() {
    planner_ = std::make_unique<FragmentPlanner>(table_);
    FragmentPlanner& planner = *planner_;
    ASSERT_GT(planner.sizes().fragments, 1u) << planner.reason();
    const auto keys = table_->keys(*table_of(kColumns, rows_), progress_);
    std::map<std::string, size_t> counts;
    for (const std::string& key : keys) ++counts[key];
    Rows tuples;
    for (const auto& [key, count] : counts) tuples.push_back({key, std::to_string(count)});
    std::shuffle(tuples.begin(), tuples.end(), std::mt19937_64(7));
    planner.count_tuples(tuples.size());  // few, but the job says how many fragments it wants
    const auto counted = table_of({"key", "count"}, tuples);
    const auto drawn = table_->drawn(*counted, planner.sizes().pilot_rows, progress_);
    Rows pilot;
    for (size_t i = 0; i < tuples.size(); ++i) pilot.push_back({tuples[i][0], std::to_string(drawn[i])});
    planner.grow(*table_of({"key", "count"}, pilot), progress_);
    do {
      const PlannedTable now(job_, TablePlan::from_bytes(planner.plan().bytes()));
      rows_of_leaf_.assign(planner.plan().tree.nodes().size(), 0);
      ill_.clear();
      leaf_of_row_.clear();
      const auto leaves = now.leaves(*counted, progress_);
      std::map<std::string, uint32_t> leaf_of;
      for (size_t i = 0; i < tuples.size(); ++i) leaf_of[tuples[i][0]] = leaves[i];
      for (size_t row = 0; row < rows_.size(); ++row) {
        leaf_of_row_.push_back(leaf_of.at(keys[row]));
        ++rows_of_leaf_[leaf_of.at(keys[row])];
        ill_[leaf_of.at(keys[row])].insert(rows_[row][3]);
      }
    } while (planner.cut_again(rows_of_leaf_));
  }

  void join(const std::function<bool(std::span<const uint32_t>)>& holds) {
    planner_->join(rows_of_leaf_, holds);
    table_ = std::make_shared<const PlannedTable>(job_, TablePlan::from_bytes(planner_->plan().bytes()));
  }

  // Sets of leaves that the tree asks about are looked at until all are known. How many broke a model.
  size_t join_what_keeps_models() {
    std::map<std::vector<uint32_t>, bool> known;
    for (size_t before = SIZE_MAX; before != known.size();) {
      before = known.size();
      std::set<std::vector<uint32_t>> asked;
      join([&](std::span<const uint32_t> leaves) {
        std::vector<uint32_t> sorted(leaves.begin(), leaves.end());
        std::sort(sorted.begin(), sorted.end());
        if (const auto found = known.find(sorted); found != known.end()) return found->second;
        asked.insert(sorted);
        return true;
      });
      for (const auto& leaves : asked) known[leaves] = keeps_models(leaves);
    }
    return static_cast<size_t>(std::count_if(known.begin(), known.end(), [](const auto& set) { return !set.second; }));
  }

  std::vector<Rows> parts() {
    std::vector<Rows> parts(table_->plan().fragments());
    const auto fragment_of_row = table_->fragments(*table_of(kColumns, rows_), progress_);
    for (size_t row = 0; row < rows_.size(); ++row) parts.at(fragment_of_row[row]).push_back(rows_[row]);
    return parts;
  }

  const PlannedTable& table() const { return *table_; }

 private:
  bool keeps_models(const std::vector<uint32_t>& leaves) const {
    const auto columns = table_->model_columns();
    if (!columns) return true;
    std::map<std::vector<std::string>, uint32_t> counts;
    for (size_t row = 0; row < rows_.size(); ++row) {
      if (std::find(leaves.begin(), leaves.end(), leaf_of_row_[row]) == leaves.end()) continue;
      std::vector<std::string> cells;
      for (const std::string& name : *columns) cells.push_back(rows_[row][place_of(name, kColumns)]);
      ++counts[cells];
    }
    Rows listed;
    std::vector<uint32_t> times;
    for (const auto& [cells, count] : counts) {
      listed.push_back(cells);
      times.push_back(count);
    }
    return table_->keeps_models(*table_of(*columns, listed), std::move(times), progress_);
  }

  static size_t place_of(const std::string& name, const std::vector<std::string>& columns) {
    return static_cast<size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
  }

  Job job_;
  Rows rows_;
  Progress progress_;
  std::shared_ptr<const PlannedTable> table_;
  std::unique_ptr<FragmentPlanner> planner_;
  std::vector<uint64_t> rows_of_leaf_;
  std::vector<uint32_t> leaf_of_row_;
  std::map<uint32_t, std::set<std::string>> ill_;  // of each leaf
};

inline Rows sorted(Rows rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace shoal::planned
