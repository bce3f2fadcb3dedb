// Releases that are out already, opened for the finding "earlier".
#pragma once

#include <memory>
#include <vector>

#include "shoal/job/file_job.h"
#include "shoal/read/escaped_table.h"
#include "shoal/read/file_table.h"
#include "shoal/run/notices.h"

namespace shoal {

class EarlierFiles {
 public:
  // Throws Error(input) for a file that is not there or no table. `duck` must outlive this.
  // `notices` are told what was found out by looking.
  EarlierFiles(const FileJob& job, DuckDb& duck, Progress& progress, Notices& notices);
  std::vector<TableSource*> tables() const;

 private:
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<std::unique_ptr<FileTable>> files_;
  std::vector<std::unique_ptr<EscapedTable>> tables_;
};

}  // namespace shoal
