// From texts to codes: the dictionary and the bound hierarchy of every quasi and sensitive column, and tables in their
// terms.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/encode/raw_table.h"
#include "shoal/encode/roles.h"
#include "shoal/hierarchy/hierarchy.h"
#include "shoal/job/job.h"
#include "shoal/table/table.h"

namespace shoal {

// What can stand in one column: its distinct texts with how often each occurs, spellings of "missing" among them.
struct Domain {
  std::string name;
  std::vector<std::string> texts;
  std::vector<uint64_t> counts;
};

// How one quasi or sensitive column was understood.
struct ColumnEncoding {
  std::string name;
  std::string type;                     // numeric, categorical, ordinal, date
  std::string hierarchy;                // file, builder or "flat", for the report
  bool has_tree = false;                // given or built, not flat
  std::vector<std::string> texts;       // of the domain, in its order
  std::vector<uint32_t> leaf_of_text;   // for each of them; all spellings of "missing" have one leaf
  std::vector<std::string> leaf_texts;  // for each leaf, the text released when the cell is not recoded
  std::vector<uint32_t> order;  // of a sensitive column: its leaves from least to greatest, missing last; empty: none
};

// Made once for a whole table; its fragments share it, so that a cell has the same code, and costs the same, in all of
// them.
struct Encoding {
  std::vector<ColumnEncoding> columns;  // quasi
  std::vector<Hierarchy> hierarchies;   // one per column
  std::vector<ColumnEncoding> sensitive;
  std::vector<Hierarchy> sensitive_hierarchies;  // one per sensitive column

  // The same encoding for another process; from_bytes(bytes()) equals the original. from_bytes throws Error(input) on
  // anything else than what bytes() gave.
  std::string bytes() const;
  static Encoding from_bytes(std::string_view bytes);
};

// The encoding of the job's quasi and sensitive columns over the given domains, one for each, in the table's order.
// Hierarchies must be at hand in the job: trees or builders; a file that was not read is a mistake of the caller
// (std::logic_error). `places` is for messages.
struct DomainPlaces {
  std::string table;                                                  // its name
  std::function<std::string(size_t domain, size_t text)> place = {};  // where a text was first seen: "line 17"
};
Encoding make_encoding(const Job& job, std::span<const Domain> domains, const DomainPlaces& places);

struct EncodedTable {
  Table table;
  Encoding encoding;
};

struct EncodeSettings {
  bool with_rest = true;               // also fill Table::rest
  const Encoding* encoding = nullptr;  // of a larger table; nothing: made from this one
  // For how many rows each row stands (Table::times); empty: for itself.
  std::span<const uint32_t> times = {};
};
struct ReadTimings {  // seconds, added to
  double read = 0, encode = 0;
};
// Reads and encodes what the job needs. Throws Error(input), also for a value that a given encoding does not know, and
// for rows that stand for none or for more than can be counted together.
EncodedTable encode_table(const Job& job, TableSource& source, const EncodeSettings& settings, ReadTimings& timings,
                          Progress& progress);

}  // namespace shoal
