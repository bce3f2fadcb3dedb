// What the user asks for: plain data, its checks, its YAML/JSON form.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/hierarchy/build.h"

namespace shoal {

enum class Role { plain, identifier, quasi, sensitive, target };
enum class ColumnType { automatic, numeric, categorical };
std::string to_string(Role role);
std::string to_string(ColumnType type);

// Where a column's hierarchy comes from: a file, or a builder. Neither: flat.
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
  std::string hierarchies;                   // folder with <anything>_<column>.csv or <column>.csv
  std::string method = "mondrian";
  std::map<std::string, std::string> params;
  std::optional<double> suppress_rows;  // largest share of rows that may be dropped
  std::vector<std::string> missing;     // texts that mean "missing", besides the empty cell
  bool unknown_values_under_root = false;
  bool shuffle = false;
  uint64_t seed = 1;
  int threads = 0;                       // 0: all cores
  std::optional<double> time_budget;     // seconds, for the search
  std::optional<uint64_t> memory_limit;  // bytes
  std::string json, report, recoding;    // further outputs; "": none

  // The entry for a column, made when there is none.
  ColumnJob& column(std::string_view name);
  const ColumnJob* find_column(std::string_view name) const;
};

// Reads a job file (YAML; JSON is YAML too). Relative paths in it become relative to its folder. Throws Error(job) with
// file and line on a syntax error, a tab, an unknown key (with a suggestion), a value of the wrong kind.
Job read_job(const std::string& path);
Job parse_job(const std::string& text, const std::string& file_name, const std::string& folder);

// The job as YAML that read_job understands: complete, in a fixed order.
std::string job_yaml(const Job& job);

// Checks what can be said without the data: k >= 1, limit in [0,1], known method and parameters, weights > 0, at least
// one quasi column and one requirement, requirements on quasi columns only. Throws Error(job).
void check_job(const Job& job);

// "2GB", "512MB", "1000000" to bytes; throws Error(job).
uint64_t parse_memory(std::string_view text);

// The candidate nearest to `word` by edit distance, if near enough to be a slip of the pen.
std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& candidates);
// "; did you mean 'education'?" or "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace shoal
