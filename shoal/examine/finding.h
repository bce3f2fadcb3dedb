// Something about a table or a release that a careful steward must know before signing (docs/findings.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace shoal {

struct Finding {
  std::string code;  // one of kFindingCodes (job.h)
  std::vector<std::string> columns;
  std::string evidence;    // in numbers; holds no cells
  std::string what_to_do;  // in words of the job
  bool stands_in_the_way = false;
  bool accepted = false;                                  // by the user, in the job
  std::vector<std::pair<std::string, double>> numbers{};  // the evidence once more, for programs
};

}  // namespace shoal
