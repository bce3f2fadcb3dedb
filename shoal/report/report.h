// What a run did: numbers for machines (JSON) and people (text, HTML). Plain data plus its three forms.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "shoal/measure/measures.h"
#include "shoal/measure/query_error.h"
#include "shoal/measure/risk.h"
#include "shoal/method/method.h"
#include "shoal/recode/recoding.h"
#include "shoal/verify/verify.h"

namespace shoal {

enum class Status {
  released,             // written and verified
  unsatisfied,          // no recoding satisfies the requirements; `reason` says which and why
  verification_failed,  // nothing was left on disk
};
std::string to_string(Status status);

struct RequirementReport {
  std::vector<std::string> columns;
  uint64_t k = 0;
  uint64_t min_group = 0;  // smallest group of the release
  bool ok = false;
};

// One quasi column: how it was treated and what it lost.
struct ColumnReport {
  std::string name;
  std::string type;                        // numeric, categorical
  std::string hierarchy;                   // file, builder, or "flat"
  uint64_t values_in = 0, values_out = 0;  // distinct
  double gcp = 0;                          // of this column alone
  std::optional<int> level, height;        // levels recodings
};

struct Timings {  // seconds of wall clock
  double read = 0, encode = 0, search = 0, recode = 0, write = 0, verify = 0, total = 0;
};

struct Hashes {  // SHA-256, hexadecimal
  std::string input, output, job;
};

struct Report {
  Status status = Status::unsatisfied;
  std::string reason;  // like `notices` and the search's details: columns, counts and names, never values of the table
  std::string input, output;
  std::string method;
  Shape shape = Shape::levels;
  Params params;
  uint64_t seed = 1;
  int threads = 1;
  uint64_t rows_in = 0, rows_out = 0, rows_dropped = 0, cells_suppressed = 0;
  std::vector<RequirementReport> requirements;
  std::vector<ColumnReport> columns;
  uint64_t groups = 0;
  Measures measures;
  Risk risk_before, risk;
  SearchStats search;
  Timings timings;
  uint64_t peak_memory_bytes = 0;
  Hashes hashes;
  Verification verification;
  std::vector<std::string> notices;
};

// All fields of section 6 of the interface; numbers that do not apply (a run that released nothing has no measures, a
// table without target no CM) are null, and so are empty texts.
nlohmann::ordered_json to_json(const Report& report);
nlohmann::ordered_json to_json(const Measures& measures);
nlohmann::ordered_json to_json(const Risk& risk);
nlohmann::ordered_json to_json(const QueryErrors& errors);
nlohmann::ordered_json to_json(const Verification& verification);

// Indented, with a newline at the end; bytes that are no UTF-8 (file names may hold any) are replaced, never refused.
std::string json_text(const nlohmann::ordered_json& json);

// For the terminal: short, aligned, no colour codes.
std::string to_text(const Report& report);
std::string to_text(const Measures& measures);
std::string to_text(const Risk& risk);
std::string to_text(const QueryErrors& errors);
std::string to_text(const Verification& verification);

// One self-contained page for people, without any value of the table.
std::string to_html(const Report& report);

}  // namespace shoal
