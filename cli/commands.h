// The commands of the program. Each takes what stands behind its name and returns the exit code; mistakes are Errors.
#pragma once

#include <string>
#include <vector>

namespace shoal::cli {

using Arguments = std::vector<std::string>;

int anonymize_command(const Arguments& arguments);
int apply_command(const Arguments& arguments);
int verify_command(const Arguments& arguments);
int measure_command(const Arguments& arguments);
int risk_command(const Arguments& arguments);
int inspect_command(const Arguments& arguments);
int attack_command(const Arguments& arguments);
int compare_command(const Arguments& arguments);
int evaluate_command(const Arguments& arguments);
int hierarchy_command(const Arguments& arguments);
int job_command(const Arguments& arguments);
int methods_command(const Arguments& arguments);
int serve_command(const Arguments& arguments);
int demo_command(const Arguments& arguments);

}  // namespace shoal::cli
