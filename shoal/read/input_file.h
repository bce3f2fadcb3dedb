// A file to read, opened: its form found out, and its rows as a TableSource.
#pragma once

#include <memory>
#include <string>

#include "shoal/job/file_job.h"
#include "shoal/read/duck.h"
#include "shoal/read/file_table.h"
#include "shoal/read/source.h"
#include "shoal/run/notices.h"

namespace shoal {

struct InputFile {
  // "-" is standard input. Uses what the job says about its input, threads and memory limit. Throws Error(input) as
  // Source does. `spill_beside` as for DuckDb.
  InputFile(const std::string& path, const FileJob& job, const Progress& progress, const std::string& spill_beside = "")
      : database(std::make_unique<DuckDb>(job.thread_count(), job.memory_limit, spill_beside)),
        duck(*database),
        source(path, reading_of(job), duck, progress),
        table(source, duck) {}
  // The same, and `notices` (if any) are told what was found out by looking.
  InputFile(const std::string& path, const FileJob& job, const Progress& progress, Notices* notices)
      : InputFile(path, job, progress) {
    if (notices != nullptr) notices->add(source.notices());
  }
  // Gives the database's memory back; only `source` may be used from then on.
  void close_database() { database.reset(); }

  std::unique_ptr<DuckDb> database;
  DuckDb& duck;
  Source source;
  FileTable table;
};

}  // namespace shoal
