// inspect() of a file, and the files that a person goes on with: a job and the hierarchies that it names.
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

// The hierarchies of the suggested job that a person may want to edit, as files named after the job file and the column
// (`JOB_COLUMN.csv`), and the job changed to name them in place of their builders.
struct HierarchyText {
  std::string path;
  std::string text;  // a level table
};
std::vector<HierarchyText> hierarchies_beside(const std::string& job_file, FileInspection& inspected);

}  // namespace shoal
