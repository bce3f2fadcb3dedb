// The first rows of a file as they stand there, for a person who wants to see what was read.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "shoal/job/file_job.h"
#include "shoal/run/progress.h"

namespace shoal {

struct TablePreview {
  std::string format;     // "csv", "json", "parquet"
  std::string encoding;   // of text tables
  std::string delimiter;  // of text tables; "" else
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // cells as the file writes them, in UTF-8; "" where missing
};

// At most `rows` rows of job.files.input, read as job.files says, except that numbers keep the marks they have in the
// file. Throws Error(input) as every reader does.
TablePreview preview_file(const FileJob& job, size_t rows, const Progress& progress);

}  // namespace shoal
