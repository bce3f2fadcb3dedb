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

namespace shoal {

struct MethodEntry;

enum class Role { plain, identifier, quasi, sensitive, target };
enum class ColumnType { automatic, numeric, categorical };
std::string to_string(Role role);
std::string to_string(ColumnType type);

// Where a column's hierarchy comes from: a file, or a builder (not both). Neither: flat.
struct HierarchySpec {
  std::string file;  // relative paths are relative to the job file's folder
  std::optional<BuilderSpec> builder;
};

struct ColumnJob {
  std::string name;
  Role role = Role::plain;
  ColumnType type = ColumnType::automatic;
  std::optional<HierarchySpec> hierarchy;
  double weight = 1;
};

struct RequirementJob {
  std::vector<std::string> columns;
  uint64_t k = 0;
};

struct Job {
  std::string input;                         // "-": standard input
  std::string output;                        // "-": standard output
  std::string delimiter;                     // "": found by looking
  std::vector<ColumnJob> columns;            // those that are not plain with no settings; others are plain
  std::optional<uint64_t> k;                 // over all quasi columns
  std::vector<RequirementJob> requirements;  // further ones
  bool unite = false;                        // key `union`: a method that takes one requirement may unite several
  std::string hierarchies;                   // folder with <anything>_<column>.csv or <column>.csv
  std::string method;                        // "": chosen_method()
  std::map<std::string, std::string> params;
  std::optional<double> suppress_rows;  // largest share of rows that may be dropped
  std::vector<std::string> missing;     // texts that mean "missing", besides the empty cell
  bool unknown_values_under_root = false;
  bool shuffle = false;
  uint64_t seed = 1;
  int threads = 0;                       // 0: all cores
  double distortion_beta = 0;            // weights of the distortion measure: 0 uniform, >= 1 by height
  std::optional<double> time_budget;     // seconds, for the search
  std::optional<uint64_t> memory_limit;  // bytes
  std::string json, report, recoding;    // further outputs; "": none

  // The entry for a column, made when there is none.
  ColumnJob& column(std::string_view name);
  const ColumnJob* find_column(std::string_view name) const;
  // `threads`, with 0 resolved to the number of cores.
  int thread_count() const;
};

// Reads a job file (YAML; JSON is YAML too). Relative paths in it become relative to its folder. Throws Error(job) with
// file and line on a syntax error, a tab, an unknown key (with a suggestion), a value of the wrong kind.
Job read_job(const std::string& path);
Job parse_job(const std::string& text, const std::string& file_name, const std::string& folder);

// The job as YAML that read_job understands: complete (defaults too), in a fixed order. Paths are written as they are:
// whoever saves it in another folder than the current one must make them relative to that folder.
std::string job_yaml(const Job& job);

// Checks what can be said without the data. All throw Error(job) on the first mistake, with a suggestion where there is
// one; their messages name job keys and columns, not flags.
//   check_columns       at least one quasi column, at most one target, no column twice, weights > 0, known builders;
//                       enough for risk_report and measure_release
//   check_requirements  at least one requirement, k >= 1, over quasi columns only; with check_columns enough for
//                       verify_release
//   check_method_name   the method, where the job names one, is known
//   check_job           all of these and the rest: method and parameters known and able to do what is asked (several
//                       requirements, dropped rows, target), limits in range, no file both read and written
void check_columns(const Job& job);
void check_requirements(const Job& job);
void check_method_name(const Job& job);
void check_job(const Job& job);
void check_job(const Job& job, std::span<const MethodEntry> methods);  // against another list of methods

// The job's method; where it names none: `shoal`, the one that loses least, for one requirement (or several that may be
// united) and no target; else `mondrian`, which treats several one by one and releases equal rows alike.
std::string chosen_method(const Job& job);

// The k that C_AVG compares group sizes with: that over all quasi columns, else the largest asked for.
uint64_t c_avg_k(const Job& job);

// "2GB", "512MB", "1.5 GiB", "1000000" to bytes: K, M, G, T (with or without B) are powers of 1000, KiB, MiB, ... of
// 1024. Throws Error(job).
uint64_t parse_memory(std::string_view text);

}  // namespace shoal
