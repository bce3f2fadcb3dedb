// A memory limit binds the whole process: what a run needs is told before the work, and DuckDB gets what is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shoal/read/input_file.h"
#include "shoal/recode/recoding.h"

namespace shoal {

// What the run holds in memory itself, whatever DuckDB needs: bytes, rather too many than too few.
struct MemoryPlan {
  uint64_t program = 0;   // code, libraries, buffers of files
  uint64_t table = 0;     // codes, fingerprints and released cells
  uint64_t search = 0;    // the most that a method of this shape holds beside them
  uint64_t database = 0;  // DuckDB cannot work with less
  uint64_t sum() const { return program + table + search + database; }
};
struct MemoryQuestion {
  uint64_t rows = 0;
  size_t columns = 0;  // that are coded: quasi, sensitive, target
  int threads = 1;
  std::optional<Shape> shape;  // of the method; none: nothing is searched for
  bool reordered = false;      // the release has its rows in another order
  bool persons = false;        // there is a column of persons
  bool models = false;         // about sensitive columns
  size_t carried = 0;          // columns of which rows may take along what they are released as (FamilyTurn)
};
MemoryPlan memory_plan(const MemoryQuestion& asked);

// How many rows the file has: from its size and its first part where it is plain text, else counted.
uint64_t about_rows(const InputFile& input, const Progress& progress);

// The same for a table that stays in private files (anonymize_outsized.h): what is held of it does not grow with its
// rows, its different values, its persons (every row could be about another) and the pilot of very large ones apart.
MemoryPlan outsized_plan(const MemoryQuestion& asked, uint64_t k);

// Rows of a table, and how many of them are different.
struct AlikeCount {
  uint64_t rows = 0, different = 0;
};
// The same where each different row is searched once (MethodEntry::alike_rows); how many there are is not known yet.
MemoryPlan alike_plan(const MemoryQuestion& asked);
// Once they are counted: throws Error(job), with the number, when their search needs more than `most_bytes`.
void fit_alike_rows(const FileJob& job, const TableSource& table, const AlikeCount& counted, uint64_t most_bytes);

// Fragments as they were cut; one that has more rows than was planned cannot be cut again.
struct FragmentsToFit {
  const std::vector<uint64_t>& rows;  // of each
  const std::string& family;          // of requirements, by its columns; "" where there is no other
  uint64_t most_bytes;                // that searches may take together
};
// How many threads may search them: the job's, or fewer where so many side by side need too much. Throws Error(job),
// with the number, when the largest alone does. `columns`: the table without its rows.
int fit_fragments(const FileJob& job, const Table& columns, const FragmentsToFit& fragments);

// A limit that is looked at again while a run in parts goes on: what was planned are estimates.
struct WatchedLimit {
  uint64_t process = 0;   // what the whole process may hold; 0: there is no limit
  uint64_t database = 0;  // DuckDB cannot work with less
};
// What DuckDB is told to take in the next stage, of which it takes more than that: what is left of the limit beside
// what the process holds now (`resident`), but no more than was planned and no less than it can work with.
uint64_t database_share(const WatchedLimit& limit, uint64_t resident, uint64_t planned);

// How a job's table fits into its memory limit.
struct MemoryFit {
  bool outsized = false;      // in parts; else as a whole
  uint64_t search_bytes = 0;  // in parts: that searches of fragments, or of all different rows, may take
  WatchedLimit limit = {};    // in parts
};
// As fit_into_memory below, for jobs whose table may also stay in private files. In parts: the job's limit, and that of
// the input's database, are then what all of it may take besides the program.
MemoryFit choose_memory(FileJob& job, InputFile& input, const Progress& progress);

// Does nothing for a job without a limit. Throws Error(job), before a row is read, when the job needs more than it may
// have, with the number. Otherwise the job's limit, and that of the input's database, become what DuckDB may take:
// whoever opens another database beside it must share that.
void fit_into_memory(FileJob& job, InputFile& input, std::optional<Shape> shape, const Progress& progress);

}  // namespace shoal
