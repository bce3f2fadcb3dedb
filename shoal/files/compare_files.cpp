#include "shoal/files/compare_files.h"

#include "shoal/files/memory_plan.h"
#include "shoal/read/hierarchies.h"
#include "shoal/read/input_file.h"

namespace shoal {

ComparisonReport compare_files(const FileJob& asked, const CompareTableSettings& settings, Progress& progress) {
  Notices notices;
  FileJob job = with_hierarchies_read(asked, notices.data_notices);
  InputFile input(job.files.input, job, progress, &notices);
  fit_into_memory(job, input, Shape::groups, progress);
  ComparisonReport report = compare_table(job, settings, input.table, progress);
  report.comparison.input = job.files.input;
  report.notices.insert(report.notices.begin(), notices.notices.begin(), notices.notices.end());
  report.data_notices = std::move(notices.data_notices);  // they quote labels
  return report;
}

}  // namespace shoal
