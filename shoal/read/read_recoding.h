// A recoding back from the file that `--recoding` wrote.
#pragma once

#include <string>
#include <vector>

#include "shoal/recode/new_rows.h"

namespace shoal {

struct RecodingFile {
  WrittenRecoding recoding;
  std::vector<std::string> plain;    // columns released as they are; all others are left out
  std::vector<std::string> missing;  // texts that mean missing, besides the empty one
};

// Throws Error(job) when there is no such file, when it is no recoding, and with the reason when it has the shape
// groups, which belongs to the rows it was made for.
RecodingFile read_recoding(const std::string& path);

}  // namespace shoal
