// inspect() of a file.
#pragma once

#include <string>
#include <vector>

#include "shoal/examine/inspect.h"
#include "shoal/job/file_job.h"

namespace shoal {

struct FileInspection {
  Inspection inspection;
  FileJob job;                       // the suggested job with how the file is written; empty where there is none
  std::vector<std::string> notices;  // what was found out about the file by looking
};

// Of asked.files.input, read as asked.files says; uses asked.missing, asked.k (5 where there is none), threads, memory
// limit and seed. Numbers with a decimal comma are found, unless asked.files.decimal says how numbers are written, and
// the table is then looked at once more with them as numbers.
FileInspection inspect_file(const FileJob& asked, Progress& progress);

// Says in the job how numbers are written, as inspection found it: with a decimal comma where a quasi or sensitive
// column has such numbers (sensitive ones too, or one release would have numbers written in two ways); else text stays
// text.
void write_as_found(FileJob& job, const Inspection& inspection);

}  // namespace shoal
