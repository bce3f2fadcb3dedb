// What a job file can say: every key, for its reader, for the checks and for the reference in the documentation. The
// one place where a key is listed; the reader refuses what is not here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shoal {

enum class JobPart { job, column, hierarchy, requirement };

struct JobKey {
  JobPart part;
  std::string name;
  std::string takes;                 // what the value is: "a file", "a whole number"
  std::vector<std::string> choices;  // the words that it can be, where these are all
  std::string standard;              // what holds when it is not given; "": nothing
  std::string meaning;
};

// In the order in which job_yaml() writes them. Made anew by each call.
std::vector<JobKey> job_keys();
std::vector<std::string> job_key_names(JobPart part);

}  // namespace shoal
