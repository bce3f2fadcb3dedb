#include "shoal/files/evaluate_files.h"

#include <optional>

#include "shoal/read/hierarchies.h"
#include "shoal/read/input_file.h"

namespace shoal {

Evaluation evaluate_files(const FileJob& asked, const EvaluateSettings& settings, Progress& progress) {
  Notices notices;
  FileJob job = with_hierarchies_read(asked, notices.data_notices);
  if (job.memory_limit && !settings.test.empty()) job.memory_limit = *job.memory_limit / 2;  // two databases share it
  InputFile input(job.files.input, job, progress, &notices);
  std::optional<InputFile> test;
  if (!settings.test.empty()) test.emplace(settings.test, job, progress, &notices);
  Evaluation evaluation = evaluate(job, settings, input.table, test ? &test->table : nullptr, progress);
  for (const auto* told : {&notices.data_notices, &notices.notices}) {
    evaluation.notices.insert(evaluation.notices.begin(), told->begin(), told->end());
  }
  return evaluation;
}

}  // namespace shoal
