#include "shoal/evaluate/evaluation_summary.h"

#include <array>
#include <optional>
#include <span>

namespace shoal {
namespace {

// The folds of one error: one in every `stride`.
struct Folds {
  std::span<const FoldError> errors;
  size_t stride;
  const FoldError& operator[](size_t split) const { return errors[split * stride]; }
};

class Summary {
 public:
  Summary(const EvaluateSettings& settings, const std::vector<FoldSplit>& splits, size_t rows)
      : five_by_two_(settings.test.empty() && settings.five_by_two), splits_(splits), rows_(rows) {}

  ErrorSummary error(const Folds& folds) const {
    ErrorSummary result;
    double wrong = 0, tested = 0;
    for (size_t i = 0; i < splits_.size(); ++i) {
      const FoldError& fold = folds[i];
      result.folds.push_back(fold.tested > 0 ? fold.wrong / fold.tested : 0);
      wrong += fold.wrong;
      tested += fold.tested;
    }
    if (tested == 0) return result;
    result.error = wrong / tested;
    // Five repetitions test every row five times; that is not five times the rows.
    const double repetitions = five_by_two_ ? 5 : 1;
    result.interval = error_interval(result.error, static_cast<uint64_t>(tested / repetitions));
    return result;
  }

  std::optional<FTest> f_test(const ErrorSummary& a, const ErrorSummary& b) const {
    if (!five_by_two_) return std::nullopt;
    std::array<std::array<double, 2>, 5> differences;
    for (size_t i = 0; i < 10; ++i) differences[i / 2][i % 2] = a.folds[i] - b.folds[i];
    return combined_5x2_f_test(differences);
  }

  // Over the rows that both were tested on, each the mean of its tests.
  ErrorDifference difference(const Folds& a, const Folds& b) const {
    std::vector<double> sums(rows_, 0);
    std::vector<uint32_t> tests(rows_, 0);
    for (size_t i = 0; i < splits_.size(); ++i) {
      const std::vector<uint8_t>&first = a[i].rows, &second = b[i].rows;
      for (size_t place = 0; place < splits_[i].test.size(); ++place) {
        if (first[place] == FoldError::not_tested || second[place] == FoldError::not_tested) continue;
        const uint32_t row = splits_[i].test[place];
        sums[row] += static_cast<double>(first[place]) - static_cast<double>(second[place]);
        ++tests[row];
      }
    }
    std::vector<double> by_row;
    for (size_t row = 0; row < rows_; ++row) {
      if (tests[row] > 0) by_row.push_back(sums[row] / tests[row]);
    }
    return mean_difference(by_row);
  }

 private:
  bool five_by_two_;
  const std::vector<FoldSplit>& splits_;
  size_t rows_;
};

}  // namespace

void summarise(const EvaluateSettings& settings, const std::vector<EvaluationSetup>& setups,
               const std::vector<FoldSplit>& splits, const FoldErrors& errors, Evaluation& evaluation) {
  const Summary summary(settings, splits, evaluation.rows);
  const size_t methods = settings.methods.size(), learners = errors.learners;
  auto of = [&](const std::vector<FoldError>& all, size_t first, size_t stride) {
    return Folds{std::span(all).subspan(first), stride};
  };
  const Folds majority = of(errors.majority, 0, 1);
  evaluation.majority = summary.error(majority);
  for (size_t learner = 0; learner < learners; ++learner) {
    evaluation.baselines.push_back({settings.learners[learner], summary.error(of(errors.raw, learner, learners)),
                                    summary.error(of(errors.without, learner, learners))});
  }
  auto add = [&](size_t setup_number, EvaluationCell cell, const Folds& folds) {
    cell.above_majority = summary.difference(folds, majority);
    for (size_t i = 0; i < splits.size(); ++i) {
      cell.search_seconds += errors.seconds[setup_number * splits.size() + i];
      cell.rows_dropped += errors.dropped[setup_number * splits.size() + i];
    }
    evaluation.cells.push_back(std::move(cell));
  };
  for (size_t first = 0; first < setups.size(); first += methods) {  // setups of one k stand together
    for (size_t learner = 0; learner < learners; ++learner) {
      std::optional<Folds> first_folds;
      ErrorSummary first_error;
      for (size_t s = first; s < first + methods; ++s) {
        const EvaluationSetup& setup = setups[s];
        if (setup.method->releases_model() && settings.learners[learner] != "c45") continue;
        for (size_t r = 0; r < setup.readings.size(); ++r) {
          const Folds folds =
              of(errors.anonymized, (setup.first_variant + r) * splits.size() * learners + learner, learners);
          EvaluationCell cell{.k = setup.k, .learner = settings.learners[learner], .method = setup.method->name};
          cell.reading = setup.readings[r];
          cell.anonymized = summary.error(folds);
          cell.against_raw = summary.f_test(cell.anonymized, evaluation.baselines[learner].raw);
          cell.above_raw = summary.difference(folds, of(errors.raw, learner, learners));
          cell.above_without = summary.difference(folds, of(errors.without, learner, learners));
          if (first_folds) {
            cell.against_first = summary.f_test(cell.anonymized, first_error);
            cell.above_first = summary.difference(folds, *first_folds);
          } else if (s == first) {
            first_folds = folds;
            first_error = cell.anonymized;
          }
          add(s, std::move(cell), folds);
        }
      }
    }
    for (size_t s = first; s < first + methods; ++s) {
      if (!setups[s].group_majority) continue;
      const Folds folds = of(errors.by_group, s * splits.size(), 1);
      EvaluationCell cell{.k = setups[s].k, .learner = kGroupMajority, .method = setups[s].method->name};
      cell.reading = setups[s].readings.front();
      cell.anonymized = summary.error(folds);
      add(s, std::move(cell), folds);
    }
  }
}

}  // namespace shoal
