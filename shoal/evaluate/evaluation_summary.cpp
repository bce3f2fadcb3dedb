#include "shoal/evaluate/evaluation_summary.h"

#include <array>
#include <optional>
#include <span>

namespace shoal {
namespace {

bool five_by_two(const EvaluateSettings& settings) { return settings.test.empty() && settings.five_by_two; }

// Of one fold in every `stride`.
ErrorSummary summary(const EvaluateSettings& settings, std::span<const FoldError> errors, size_t folds, size_t stride) {
  ErrorSummary result;
  double wrong = 0, tested = 0;
  for (size_t i = 0; i < folds; ++i) {
    const FoldError& fold = errors[i * stride];
    result.folds.push_back(fold.tested > 0 ? fold.wrong / fold.tested : 0);
    wrong += fold.wrong;
    tested += fold.tested;
  }
  if (tested == 0) return result;
  result.error = wrong / tested;
  // Five repetitions test every row five times; that is not five times the rows.
  const double repetitions = five_by_two(settings) ? 5 : 1;
  result.interval = error_interval(result.error, static_cast<uint64_t>(tested / repetitions));
  return result;
}

std::optional<FTest> f_test(const EvaluateSettings& settings, const ErrorSummary& a, const ErrorSummary& b) {
  if (!five_by_two(settings)) return std::nullopt;
  std::array<std::array<double, 2>, 5> differences;
  for (size_t i = 0; i < 10; ++i) differences[i / 2][i % 2] = a.folds[i] - b.folds[i];
  return combined_5x2_f_test(differences);
}

}  // namespace

void summarise(const EvaluateSettings& settings, const std::vector<EvaluationSetup>& setups, const FoldErrors& errors,
               Evaluation& evaluation) {
  const size_t methods = settings.methods.size(), splits = errors.splits, learners = errors.learners;
  auto of = [&](std::span<const FoldError> folds, size_t first) {
    return summary(settings, folds.subspan(first), splits, learners);
  };
  for (size_t learner = 0; learner < learners; ++learner) {
    evaluation.baselines.push_back({settings.learners[learner], of(errors.raw, learner), of(errors.without, learner)});
  }
  for (size_t first = 0; first < setups.size(); first += methods) {  // setups of one k stand together
    for (size_t learner = 0; learner < learners; ++learner) {
      std::optional<ErrorSummary> first_summary;
      for (size_t m = 0; m < methods; ++m) {
        const EvaluationSetup& setup = setups[first + m];
        if (setup.method->releases_model && settings.learners[learner] != "c45") continue;
        EvaluationCell cell{setup.k, settings.learners[learner], setup.method->name, {}, {}, {}, 0, 0};
        cell.anonymized = of(errors.anonymized, (first + m) * splits * learners + learner);
        cell.against_raw = f_test(settings, cell.anonymized, evaluation.baselines[learner].raw);
        if (first_summary) cell.against_first = f_test(settings, cell.anonymized, *first_summary);
        if (m == 0) first_summary = cell.anonymized;
        for (size_t i = 0; i < splits; ++i) {
          cell.search_seconds += errors.seconds[(first + m) * splits + i];
          cell.rows_dropped += errors.dropped[(first + m) * splits + i];
        }
        evaluation.cells.push_back(std::move(cell));
      }
    }
  }
}

}  // namespace shoal
