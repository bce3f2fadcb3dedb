// Errors in per cent that an independent, widely used implementation makes on the shared data sets, and how near ours
// must come. For the test and for bench/learners.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "shoal/learn/folds.h"
#include "shoal/learn/learner.h"
#include "shoal/read/text_columns.h"

namespace shoal::testing {

struct LearnReference {
  std::string set;      // folder and file of a 10-fold set; "adult": presplit
  std::string learner;  // name in the registry
  Params params;
  bool without_top7;  // leave the seven columns out that predict best
  double error, margin;
  bool quick;  // belongs into every test run
};

inline const std::vector<LearnReference>& learn_references() {
  static const std::vector<LearnReference> kReferences{
      {"adult", "c45", {}, false, 14.69, 0.25, true},
      {"adult", "c45", {}, true, 21.53, 0.3, true},
      {"adult", "nb", {}, false, 17.46, 0.3, true},
      {"adult", "nb", {{"numeric", "discretised"}}, false, 16.18, 0.3, true},
      {"adult", "logistic", {}, false, 15.24, 0.2, false},
      {"adult", "part", {}, false, 15.68, 0.6, false},
      {"nursery", "c45", {}, false, 2.95, 0.5, true},
      {"car", "c45", {}, false, 7.52, 1.2, true},
      {"tic-tac-toe", "c45", {}, false, 15.45, 2, true},
      {"mushroom", "c45", {}, false, 0, 0, true},
      {"vote", "c45", {}, false, 3.68, 1, true},
      {"crx", "c45", {}, false, 14.70, 2, true},
      {"german", "c45", {}, false, 29.50, 2, true},
      {"breast-cancer-wisconsin", "c45", {}, false, 5.44, 1.2, true},
      {"spambase", "c45", {}, false, 7.02, 0.7, false},
      {"waveform", "c45", {}, false, 24.92, 1.5, false},
  };
  return kReferences;
}

// Our error in per cent: on Adult's test part, else by stratified 10-fold cross-validation.
inline double measured_error(const LearnReference& reference, const std::filesystem::path& data, uint64_t seed) {
  Progress progress;
  DatasetReading reading;
  reading.target = "class";
  if (reference.set == "adult") {
    TrainTest both = read_presplit(read_text_columns(data / "adult/adult_train.csv", progress),
                                   read_text_columns(data / "adult/adult_test.csv", progress), reading);
    const std::vector<std::string> top7{"age",          "education-num", "marital-status", "relationship",
                                        "capital-gain", "sex",           "hours-per-week"};
    if (reference.without_top7) both = {both.train.without(top7), both.test.without(top7)};
    return 100 * error_rate(*train(reference.learner, both.train, reference.params, progress), both.test);
  }
  const auto file = data / reference.set / (reference.set + ".csv");
  const Dataset all = read_dataset(read_text_columns(file, progress), reading);
  double wrong = 0;
  for (const FoldSplit& split : k_fold(all.class_of, 10, seed)) {
    const Dataset test = all.subset(split.test);
    const auto classifier = train(reference.learner, all.subset(split.train), reference.params, progress);
    wrong += error_rate(*classifier, test) * static_cast<double>(test.rows);
  }
  return 100 * wrong / static_cast<double>(all.rows);
}

}  // namespace shoal::testing
