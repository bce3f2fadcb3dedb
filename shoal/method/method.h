// What every method takes and gives. One .cpp per method in this folder; registry.cpp lists them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/hierarchy/tree.h"
#include "shoal/parameter.h"
#include "shoal/progress.h"
#include "shoal/recode/recoding.h"
#include "shoal/table/table.h"

namespace shoal {

// Every combination of released values on `columns` (indices into the quasi columns, ascending) occurs in >= k rows.
struct Requirement {
  std::vector<size_t> columns;
  uint64_t k = 1;
};

struct Problem {
  const Table& table;
  const std::vector<Hierarchy>& hierarchies;  // one per quasi column
  std::vector<Requirement> requirements;      // at least one, each with k <= rows
  std::vector<double> weights;                // one per quasi column
  std::optional<double> suppress_rows;        // largest share of rows that may be dropped; unset: the method's own rule
  Params params;
  uint64_t seed = 1;
  int threads = 1;
};

// One step of a greedy search, in words and in the numbers that decided it ("info_gain", "score", ...).
struct SearchStep {
  std::string what;
  std::vector<std::pair<std::string, double>> numbers;
};

// What the search saw, for the report.
// The detail that says how far from the best possible the answer can be at most; also shown on the terminal.
inline constexpr std::string_view kLowerBoundDetail = "lower bound";

struct SearchStats {
  uint64_t generated = 0;                                    // states looked at
  uint64_t expanded = 0;                                     // states whose groups were counted
  uint64_t pruned = 0;                                       // states decided without counting
  bool optimal = false;                                      // proven best for the method's own objective
  std::optional<double> bound;                               // of that objective, where known
  std::vector<std::pair<std::string, std::string>> details;  // method's own facts, in words, for text and JSON
  std::vector<SearchStep> steps;                             // greedy methods: what was done, in order
};

// A model that is released in place of a table (MethodEntry::releases_model), as text to be written.
struct ReleasedModel {
  std::string json;  // complete: what verification reads (see shoal/verify/verify_model.h)
  std::string text;  // the same for people
};

struct SearchResult {
  std::optional<Recoding> recoding;  // nothing: no recoding satisfies the requirements, and `reason` says why
  std::string reason;
  SearchStats stats;
  std::vector<std::string> notices;  // what a careful user should know ("stopped by the time budget", ...)
  // Interval trees grown during the search: quasi column and its tree, whose leaves are the intervals released.
  std::vector<std::pair<size_t, Tree>> grown_trees;
  // Methods that release a model only: the recoding then says what the model tells about each row, and is not written.
  std::optional<ReleasedModel> model;
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
  bool releases_model = false;  // the output is a model (.json or .txt), not a table
  bool releases_means = false;  // numbers may be released as the mean of their group
  // An exact search for small tables: throws Error(job), with an estimate of the work, where that is too much.
  bool refuses_large_tables = false;
};

// All methods, in the order they are shown.
std::span<const MethodEntry> methods();
// nullptr when there is none of that name.
const MethodEntry* find_method(std::string_view name);

// Removes requirements that another one implies (same or more columns, same or larger k). Order is kept.
std::vector<Requirement> without_implied(std::vector<Requirement> requirements);

// The one requirement that implies all: their columns together, with the largest k. Requires: at least one.
Requirement united(const std::vector<Requirement>& requirements);

}  // namespace shoal
