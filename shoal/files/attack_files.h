// Attacks on a release in a file.
#pragma once

#include <string>
#include <vector>

#include "shoal/examine/attack.h"
#include "shoal/job/file_job.h"
#include "shoal/run/notices.h"

namespace shoal {

struct AttackFiles {
  std::string release;
  std::vector<std::string> earlier = {};
  std::string outsiders = {};  // "": none
};
// attack_release() of a release of job.files.input. Releases keep the delimiter of their original unless their name
// says tabs. `notices` (if any) are told what was found out about the files by looking.
AttackReport attack_files(const FileJob& job, const AttackFiles& files, size_t sample, Progress& progress,
                          Notices* notices = nullptr);

}  // namespace shoal
