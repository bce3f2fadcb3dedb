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

void write_as_found(FileJob& job, const Inspection& inspection) {
  bool used = false;
  for (const std::string& name : inspection.comma_columns) {
    const Role role = job.role_of(name);
    if (role != Role::quasi && role != Role::sensitive) continue;
    used = true;
    if (job.column(name).type == ColumnType::automatic) job.column(name).type = ColumnType::numeric;
  }
  job.files.decimal = used ? "," : "";
  job.files.thousands = used && inspection.point_thousands ? "." : "";
}

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
    const bool point_thousands = found.inspection.point_thousands;
    how = with_commas(std::move(how), found.inspection);
    InputFile again(first.source.path(), how, progress);  // standard input can be read once: this is its copy
    found.inspection = inspect(again.table, settings, progress);
    found.inspection.comma_columns = commas;
    found.inspection.point_thousands = point_thousands;
  }
  if (found.inspection.job) {
    static_cast<Job&>(found.job) = *found.inspection.job;
    found.job.files = how.files;
    if (asked.files.decimal.empty() && asked.files.thousands.empty()) write_as_found(found.job, found.inspection);
  }
  return found;
}

}  // namespace shoal
