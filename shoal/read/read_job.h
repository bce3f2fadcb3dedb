// A job as people write it: YAML, from a file or a text.
#pragma once

#include <string>

#include "shoal/job/file_job.h"

namespace shoal {

// Reads a job file (YAML; JSON is YAML too). Relative paths in it become relative to its folder. Throws Error(job) with
// file and line on a syntax error, a tab, an unknown key (with a suggestion), a value of the wrong kind.
FileJob read_job(const std::string& path);
FileJob parse_job(const std::string& text, const std::string& file_name, const std::string& folder);

}  // namespace shoal
