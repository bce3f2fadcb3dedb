// What the user asks for: plain data, its checks, its YAML/JSON form.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/hierarchy/build.h"
#include "shoal/model/model_spec.h"
#include "shoal/recode/ranges.h"

namespace shoal {

struct MethodEntry;

// `none`: nobody said what the column is, so that it is not released (unless the job says `others: plain`).
enum class Role { none, plain, identifier, quasi, sensitive, target, person };
// `automatic`: numeric where every value is a number, else categorical. `ordinal` and `date` are categories whose tree
// is built where none is given (implied_hierarchy.h).
enum class ColumnType { automatic, numeric, categorical, ordinal, date };
// Of the rows of a release: sorted by what is released, so that it tells nothing more; or as in the input.
enum class Order { released, input };
std::string to_string(Role role);
std::string to_string(Order order);
std::string to_string(ColumnType type);

// Where a column's hierarchy comes from: a file, or a builder, or a tree that is at hand (one of them).
struct HierarchySpec {
  std::string file;  // relative paths are relative to the job file's folder
  std::optional<BuilderSpec> builder;
  std::optional<Tree> tree{};  // as given, or as the file says it (see read/hierarchies.h)
};

// What the program looks for that a job may not have thought of (docs/findings.md).
inline constexpr const char* kFindingCodes[] = {"near-unique", "reveals", "persons", "order", "one-value",
                                                "earlier",     "tight",   "formula", "types"};

struct ColumnJob {
  std::string name;
  Role role = Role::none;
  ColumnType type = ColumnType::automatic;
  std::optional<HierarchySpec> hierarchy;  // of quasi columns, and of sensitive ones whose model asks for one
  double weight = 1;
  std::vector<std::string> order = {};  // of a sensitive or an ordinal column: its values from least to greatest
};

struct RequirementJob {
  std::vector<std::string> columns;
  uint64_t k = 0;
  std::vector<ModelSpec> models = {};  // for the groups of this requirement alone
};

// The question, whatever table it is asked of.
struct Job {
  std::vector<ColumnJob> columns;            // those that the job names
  bool others_plain = false;                 // key `others: plain`: columns without a role are plain, else not released
  std::optional<uint64_t> k;                 // over all quasi columns
  std::vector<RequirementJob> requirements;  // further ones
  std::vector<ModelSpec> models;             // for the groups of every requirement
  bool unite = false;                        // key `union`: several requirements are kept by one over all their columns
  std::string method;                        // "": chosen_method()
  std::map<std::string, std::string> params;
  std::optional<double> suppress_rows;  // largest share of rows that may be dropped
  std::vector<std::string> missing;     // texts that mean "missing", besides the empty cell
  bool unknown_values_under_root = false;
  Order order = Order::released;
  std::vector<std::string> accept;  // findings that do not stand in the way: "code" or "code:column" (docs/findings.md)
  std::map<std::string, std::string> reasons;  // why, for those of `accept` that have one; every report repeats it
  Ranges ranges = Ranges::tight;               // how methods that release ranges of numbers do so
  uint64_t seed = 1;
  int threads = 0;                       // 0: all cores
  double distortion_beta = 0;            // weights of the distortion measure: 0 uniform, >= 1 by height
  std::optional<double> time_budget;     // seconds, for the search
  std::optional<uint64_t> memory_limit;  // bytes

  // The entry for a column, made when there is none.
  ColumnJob& column(std::string_view name);
  const ColumnJob* find_column(std::string_view name) const;
  // What becomes of a column of the table, named by the job or not.
  Role role_of(std::string_view name) const;
  // `threads`, with 0 resolved to the number of cores.
  int thread_count() const;
};

// Checks what can be said without the data. All throw Error(job) on the first mistake, with a suggestion where there is
// one; their messages name job keys and columns, not flags.
//   check_columns       at least one quasi column, at most one target, no column twice, weights > 0, known builders;
//                       enough for risk_report and measure_release
//   check_requirements  at least one requirement, k >= 1, over quasi columns only; with check_columns enough for
//                       verify_release
//   check_method_name   the method, where the job names one, is known
//   check_job           all of these and the rest: method and parameters known and able to do what is asked (several
//                       requirements, dropped rows, target), limits in range
void check_columns(const Job& job);
void check_requirements(const Job& job);
void check_method_name(const Job& job);
void check_job(const Job& job);
void check_job(const Job& job, std::span<const MethodEntry> methods);  // against another list of methods

// The job's method; where it names none: `shoal`, the one that loses least; with a target `mondrian`, which releases
// equal rows alike.
std::string chosen_method(const Job& job);

// The k that C_AVG compares group sizes with: that over all quasi columns, else the largest asked for.
uint64_t c_avg_k(const Job& job);

// "2GB", "512MB", "1.5 GiB", "1000000" to bytes: K, M, G, T (with or without B) are powers of 1000, KiB, MiB, ... of
// 1024. Throws Error(job).
uint64_t parse_memory(std::string_view text);

}  // namespace shoal
