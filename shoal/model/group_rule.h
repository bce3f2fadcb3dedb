// What every group of one requirement must have: k rows (or persons), and what the privacy models ask of its sensitive
// values. The one thing that methods ask about groups.
//
// A GroupRule is made once per requirement and never changes; a GroupTally is what it has counted in one group. Methods
// that only ever count rows look at rows_only() and keep their own, faster way.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "shoal/model/average_risk.h"
#include "shoal/model/histogram.h"
#include "shoal/model/model.h"

namespace shoal {

// Something that groups count, a code for every row: the values of a sensitive column, pairs of them with the other
// sensitive columns (joint models), persons. Several models may look at the same one.
struct CountedColumn {
  uint32_t values = 0;          // codes 0 .. values-1
  std::vector<uint32_t> codes;  // [row]
};

// A model and what it counts. Models of the population count nothing of the rows: `counted` is then null.
struct CountedModel {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const CountedColumn> counted;
};

// The rows of a group as its rule counts them. Made by GroupRule::tally alone.
class GroupTally {
 public:
  uint64_t rows() const { return rows_; }
  // How many people of the population the group's released values fit. Only rules that needs_population() read it, and
  // whoever knows the released values sets it.
  uint64_t population = 0;

 private:
  friend class GroupRule;
  uint64_t rows_ = 0;
  std::vector<Histogram> histograms_;  // one per counted column of the rule
};

// Immutable; safe to share between threads. A rule must outlive its tallies.
class GroupRule {
 public:
  // k rows and nothing else.
  explicit GroupRule(uint64_t k) : GroupRule(k, {}) {}
  // average_risk: about all groups of the requirement together; not part of holds().
  GroupRule(uint64_t k, std::vector<CountedModel> models, std::optional<AverageRisk> average_risk = std::nullopt);
  GroupRule(const GroupRule&) = delete;
  GroupRule& operator=(const GroupRule&) = delete;

  uint64_t k() const { return k_; }  // rows; persons are one of the models
  bool rows_only() const { return models_.empty(); }
  bool needs_population() const { return needs_population_; }
  const std::optional<AverageRisk>& average_risk() const { return average_risk_; }
  std::span<const CountedModel> models() const { return models_; }
  // The weakest of k and all models: what pruning may rely on.
  Closure closure() const { return closure_; }

  // Of no rows, and of some.
  GroupTally tally() const;
  GroupTally tally(std::span<const uint32_t> rows) const;
  // The same where rows stand for several each: `times` has all rows of the table (Table::times), or is empty.
  GroupTally tally(std::span<const uint32_t> rows, std::span<const uint32_t> times) const;

  // Require rows of the table, and for remove and subtract that they are there. One undoes the other. `times`: that
  // many rows which count like this one.
  void add(GroupTally& group, uint32_t row, uint32_t times = 1) const;
  void remove(GroupTally& group, uint32_t row, uint32_t times = 1) const;
  void merge(GroupTally& group, const GroupTally& other) const;
  void subtract(GroupTally& group, const GroupTally& other) const;

  // Whether a group of these rows may be released. A group without rows holds: there is none.
  bool holds(const GroupTally& group) const;
  bool holds_union(const GroupTally& a, const GroupTally& b) const;
  bool holds_after_adding(const GroupTally& group, uint32_t row) const;
  bool holds_after_removing(const GroupTally& group, uint32_t row) const;
  bool holds(std::span<const uint32_t> rows) const;

  // How much a group lacks: the rows to k and what each model lacks (Model::deficit). 0 exactly when it holds; merging
  // never raises the sum of two.
  double deficit(const GroupTally& group) const;
  double deficit_union(const GroupTally& a, const GroupTally& b) const;

 private:
  struct Part {
    const Model* model;
    size_t histogram;  // place in the tally; kNone for models of the population
  };
  static constexpr size_t kNone = SIZE_MAX;

  template <class View>
  bool all_hold(uint64_t rows, const View& view_of) const;
  template <class View>
  double sum_of_deficits(uint64_t rows, const View& view_of) const;
  void note_column(const CountedModel& model);

  uint64_t k_;
  std::vector<CountedModel> models_;
  std::optional<AverageRisk> average_risk_;
  bool needs_population_ = false;
  Closure closure_ = Closure::any_superset;
  std::vector<std::shared_ptr<const CountedColumn>> columns_;  // each once
  std::vector<HistogramShape> shapes_;                         // one per column; histograms point to them
  std::vector<Part> parts_;
};

}  // namespace shoal
