// The flags that describe a job, shared by all commands that take one. Flags override the job file.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "shoal/shoal.h"

namespace shoal::cli {

class JobFlags {
 public:
  // Adds groups of flags to a command. Every command with a job takes the first three.
  void add_input(Command& command);
  void add_reading(Command& command);  // instead, where no job is read
  void add_roles(Command& command);
  void add_requirements(Command& command);
  void add_further_requirements(Command& command);  // to the group that is open; add_requirements does it, too
  void add_hierarchies(Command& command);
  void add_trees(Command& command);  // instead, where nothing is recoded or measured
  void add_method(Command& command);
  void add_row_limit(Command& command);
  void add_releasing_method(Command& command);  // instead of add_method, where a release is only looked at
  void add_order(Command& command);             // to the group that is open; add_outputs does it, too
  void add_escape(Command& command);            // the same
  void add_findings(Command& command);
  void add_population(Command& command);
  void add_outputs(Command& command);  // to the group that is open

  // The job file (if any) with the flags on top:
  //  - a role flag sets the role of the columns it names; other columns keep what the job file says
  //  - --model adds a model for the groups of every requirement
  //  - --require adds a requirement; of two on the same columns, in flags or job file, the larger k stays
  //  - --method with another method than the job file's forgets the job file's params
  //  - --missing adds; everything else replaces
  // `notices` takes a sentence for every flag that asks less than the job file does, or that has no effect.
  // Throws Error(job).
  FileJob job(std::vector<std::string>* notices = nullptr) const;
  const std::string& job_file() const { return job_file_; }

 private:
  void add_reading_flags(Command& command);
  void apply_roles(FileJob& job) const;
  void apply_types(FileJob& job) const;
  void apply_requirements(FileJob& job) const;
  void apply_hierarchies(FileJob& job) const;
  void apply_method(FileJob& job) const;
  std::vector<std::string> overruled(const FileJob& job) const;

  std::string job_file_, delimiter_, encoding_, decimal_, thousands_, threads_, memory_limit_;
  std::vector<std::string> missing_;
  std::vector<std::string> quasi_, identifier_, sensitive_, person_, target_, plain_, numeric_, categorical_, ordinal_,
      date_;
  std::string k_;
  std::vector<std::string> require_, model_, value_order_;
  std::string distortion_beta_;
  std::vector<std::string> hierarchy_, weight_;
  std::string hierarchies_, unknown_values_, ranges_;
  std::string method_, suppress_rows_, seed_, time_budget_;
  std::vector<std::string> param_;
  bool unite_ = false, shuffle_ = false, escape_formulas_ = false;
  std::string others_, order_;
  std::vector<std::string> accept_, earlier_;
  std::string population_;
  std::string json_, report_, report_public_, recoding_, recoding_public_;
};

// All names of all times a list flag was given.
std::vector<std::string> names_in(const std::vector<std::string>& lists);

// The job with its relative paths made relative to `folder` instead of the current one, for saving it there.
FileJob relative_to(FileJob job, const std::string& folder);

}  // namespace shoal::cli
