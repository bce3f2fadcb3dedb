#include "shoal/files/inspect_files.h"

#include <algorithm>

#include "shoal/read/input_file.h"

namespace shoal {
namespace {

// The job with which these columns are read as numbers.
FileJob with_commas(FileJob job, const Inspection& inspection) {
  job.files.decimal = ",";
  if (inspection.point_thousands) job.files.thousands = ".";
  job.columns.clear();
  for (const std::string& name : inspection.comma_columns) {
    job.column(name).role = Role::quasi;
    job.column(name).type = ColumnType::numeric;
  }
  return job;
}

}  // namespace

FileInspection inspect_file(const FileJob& asked, Progress& progress) {
  const InspectSettings settings{
      .missing = asked.missing, .k = asked.k.value_or(5), .threads = asked.thread_count(), .seed = asked.seed};
  FileInspection found;
  FileJob how = asked;
  InputFile first(how.files.input, how, progress);
  found.inspection = inspect(first.table, settings, progress);
  found.notices = first.source.notices();
  if (first.source.encoding() != "utf-8") how.files.encoding = first.source.encoding();
  const std::vector<std::string> commas = found.inspection.comma_columns;
  if (!commas.empty() && asked.files.decimal.empty()) {
    how = with_commas(std::move(how), found.inspection);
    InputFile again(first.source.path(), how, progress);  // standard input can be read once: this is its copy
    found.inspection = inspect(again.table, settings, progress);
    found.inspection.comma_columns = commas;
  }
  if (found.inspection.job) {
    static_cast<Job&>(found.job) = *found.inspection.job;
    found.job.files = how.files;
    // Sensitive numbers are released as numbers too, or one release would have numbers written in two ways. Text stays
    // text where no such column is released.
    bool used = false;
    for (const std::string& name : commas) {
      const Role role = found.job.role_of(name);
      if (role == Role::sensitive) found.job.column(name).type = ColumnType::numeric;
      used = used || role == Role::quasi || role == Role::sensitive;
    }
    if (asked.files.decimal.empty() && !used) found.job.files.decimal = found.job.files.thousands = "";
  }
  return found;
}

}  // namespace shoal
