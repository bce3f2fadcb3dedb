// What every method takes and gives. A folder per family of methods; registry.cpp lists all methods.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/hierarchy/tree.h"
#include "shoal/model/group_rule.h"
#include "shoal/model/parameter.h"
#include "shoal/model/requirement.h"
#include "shoal/recode/recoding.h"
#include "shoal/recode/shown_tree.h"
#include "shoal/run/progress.h"
#include "shoal/table/table.h"

namespace shoal {

struct Problem {
  const Table& table;
  const std::vector<Hierarchy>& hierarchies;  // one per quasi column
  std::vector<Requirement> requirements;      // at least one, each with k <= rows
  std::vector<double> weights;                // one per quasi column
  std::optional<double> suppress_rows;        // largest share of rows that may be dropped; unset: none
  Params params;
  uint64_t seed = 1;
  int threads = 1;
  // What the groups of each requirement must have, one per requirement; empty: k rows and nothing else.
  std::vector<std::shared_ptr<const GroupRule>> rules = {};

  std::shared_ptr<const GroupRule> rule(size_t requirement) const {
    return rules.empty() ? std::make_shared<const GroupRule>(requirements[requirement].k) : rules[requirement];
  }
  // More is asked than rows: the general way is needed.
  bool has_models() const {
    return std::any_of(rules.begin(), rules.end(),
                       [](const auto& rule) { return !rule->rows_only() || rule->average_risk(); });
  }
};

// One step of a greedy search, in words and in the numbers that decided it ("info_gain", "score", ...).
struct SearchStep {
  std::string what;
  std::vector<std::pair<std::string, double>> numbers;
};

// The detail that says how far from the best possible the answer can be at most; also shown on the terminal.
inline constexpr std::string_view kLowerBoundDetail = "lower bound";

// What the search saw, for the report.
struct SearchStats {
  uint64_t generated = 0;                                    // states looked at
  uint64_t expanded = 0;                                     // states whose groups were counted
  uint64_t pruned = 0;                                       // states decided without counting
  bool optimal = false;                                      // proven best for the method's own objective
  std::optional<double> bound;                               // of that objective, where known
  std::vector<std::pair<std::string, std::string>> details;  // method's own facts, in words, for text and JSON
  std::vector<SearchStep> steps;                             // greedy methods: what was done, in order
};

// No recoding satisfies the requirements.
struct NoAnswer {
  std::string reason;
};
// Of methods that release a model in place of a table (Shape::model).
struct ModelAnswer {
  ShownTree model;
  Recoding told;  // what the model tells about each row: measured, not written
};

struct SearchResult {
  std::variant<NoAnswer, Recoding, ModelAnswer> answer;
  SearchStats stats;
  std::vector<std::string> notices;  // what a careful user should know ("stopped by the time budget", ...)
  // Interval trees grown during the search: quasi column and its tree, whose leaves are the intervals released.
  std::vector<std::pair<size_t, Tree>> grown_trees;
  // Of fragments (fragment_search.h): what each row is ready to pay at most, as its own fragment shows (docs/bound.md).
  // Empty, or NaN for single rows: not known.
  std::vector<float> ready_to_pay = {};

  // The recoding, or what the model tells; nullptr when there is no answer. Valid as long as this is.
  const Recoding* recoding() const {
    if (const auto* model_answer = std::get_if<ModelAnswer>(&answer)) return &model_answer->told;
    return std::get_if<Recoding>(&answer);
  }
  // nullptr when the answer is no model.
  const ShownTree* model() const {
    const auto* model_answer = std::get_if<ModelAnswer>(&answer);
    return model_answer ? &model_answer->model : nullptr;
  }
  // Why there is no answer; "" when there is one.
  std::string reason() const {
    const auto* none = std::get_if<NoAnswer>(&answer);
    return none ? none->reason : "";
  }
};

// How a method takes a table whose rows stand for several (Table::times): its answer must be the one that it gives when
// each of them is there, for all rows that are alike.
struct AlikeRows {
  std::string why_not{};  // with these settings it must be given every row; follows "method X ..."
  bool rest = false;      // it tells rows apart by Table::rest, too
};

class Method {
 public:
  virtual ~Method() = default;
  // Finds a recoding under which every requirement holds, or nothing. Deterministic for a given seed, whatever the
  // number of threads. Reports progress; throws Error(cancelled) when asked to stop; returns its best answer so far
  // once progress.out_of_time().
  virtual SearchResult search(const Problem& problem, Progress& progress) const = 0;
};

struct MethodEntry {
  std::string name;
  std::string title;  // one line
  std::string paper;  // who and when
  Shape shape;
  std::vector<Parameter> parameters;
  bool several_requirements;  // else: it is given exactly one, the strictest union of the job's (see `united`)
  bool drops_rows;            // obeys suppress_rows; else refuses a limit > 0
  bool needs_target;
  std::unique_ptr<Method> (*make)();
  bool releases_means = false;  // numbers may be released as the mean of their group
  // Numbers are released as ranges even where their column has a tree, unless the job asks for nodes.
  bool ranges_over_trees = false;
  // An exact search for small tables: throws Error(job), with an estimate of the work, where that is too much.
  bool refuses_large_tables = false;
  // What of Problem::rules it obeys; a job that asks for more is refused by the method's name.
  bool obeys_models = false;        // models of sensitive columns, and persons
  bool obeys_average_risk = false;  // GroupRule::average_risk; else it is given a k that makes it hold
  bool obeys_population = false;    // k-map and delta-presence
  std::string cannot_obey{};        // why it cannot, where that lies in the method itself; follows "method X ..."

  // Rows that stand for several, with its complete settings; nullptr: it must be given every row.
  AlikeRows (*alike_rows)(const Params& params) = nullptr;

  // The output is a model (.json or .txt), not a table.
  bool releases_model() const { return shape == Shape::model; }
};

// All methods, in the order they are shown.
std::span<const MethodEntry> methods();
// nullptr when there is none of that name.
const MethodEntry* find_method(std::string_view name);

}  // namespace shoal
