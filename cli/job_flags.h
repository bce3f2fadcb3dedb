// The flags that describe a job, shared by all commands that take one. Flags override the job file.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "shoal/job.h"

namespace shoal::cli {

class JobFlags {
 public:
  // Adds groups of flags to a command. Every command with a job takes the first three.
  void add_input(Command& command);
  void add_roles(Command& command);
  void add_requirements(Command& command);
  void add_hierarchies(Command& command);
  void add_method(Command& command);
  void add_releasing_method(Command& command);  // instead of add_method, where a release is only looked at
  void add_outputs(Command& command);           // to the group that is open

  // The job file (if any) with the flags on top:
  //  - a role flag sets the role of the columns it names; other columns keep what the job file says
  //  - --require replaces the requirement on the same columns, or adds one
  //  - --method with another method than the job file's forgets the job file's params
  //  - --missing adds; everything else replaces
  // Throws Error(job).
  Job job() const;
  const std::string& job_file() const { return job_file_; }

 private:
  void apply_roles(Job& job) const;
  void apply_requirements(Job& job) const;
  void apply_hierarchies(Job& job) const;
  void apply_method(Job& job) const;

  std::string job_file_, delimiter_, threads_, memory_limit_;
  std::vector<std::string> missing_;
  std::vector<std::string> quasi_, identifier_, sensitive_, target_, plain_, numeric_, categorical_;
  std::string k_;
  std::vector<std::string> require_;
  std::string distortion_beta_;
  std::vector<std::string> hierarchy_, weight_;
  std::string hierarchies_, unknown_values_;
  std::string method_, suppress_rows_, seed_, time_budget_;
  std::vector<std::string> param_;
  bool unite_ = false, shuffle_ = false;
  std::string json_, report_, recoding_;
};

// All names of all times a list flag was given.
std::vector<std::string> names_in(const std::vector<std::string>& lists);

// The job with its relative paths made relative to `folder` instead of the current one, for saving it there.
Job relative_to(Job job, const std::string& folder);

}  // namespace shoal::cli
