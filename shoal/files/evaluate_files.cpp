#include "shoal/files/evaluate_files.h"

#include <optional>

#include "shoal/read/hierarchies.h"
#include "shoal/read/input_file.h"

namespace shoal {

Evaluation evaluate_files(const FileJob& asked, const EvaluateSettings& settings, Progress& progress) {
  std::vector<std::string> notices;
  FileJob job = with_hierarchies_read(asked, notices);
  if (job.memory_limit && !settings.test.empty()) job.memory_limit = *job.memory_limit / 2;  // two databases share it
  InputFile input(job.files.input, job, progress);
  std::optional<InputFile> test;
  if (!settings.test.empty()) test.emplace(settings.test, job, progress);
  Evaluation evaluation = evaluate(job, settings, input.table, test ? &test->table : nullptr, progress);
  evaluation.notices.insert(evaluation.notices.begin(), notices.begin(), notices.end());
  return evaluation;
}

}  // namespace shoal
