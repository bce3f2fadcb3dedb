// What an evaluation is going to run: which methods with which k, on which rows.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/evaluate/evaluate.h"
#include "shoal/evaluate/evaluation_table.h"
#include "shoal/job/job.h"
#include "shoal/learn/folds.h"
#include "shoal/method/method.h"

namespace shoal {

// One method with one k.
struct EvaluationSetup {
  uint64_t k = 0;
  const MethodEntry* method = nullptr;
  Job job{};                        // with that method, k and its params: what check_job was asked about
  std::vector<Reading> readings{};  // what the readings asked for come to, each once
  size_t first_variant = 0;         // readings of all setups before it
  // The most frequent class of groups is asked for, and there are groups.
  bool group_majority = false;
};

// Throws Error(job) for an unknown learner, a missing target, nothing to do.
void check_settings(const Job& job, const EvaluateSettings& settings);

// Setups of one k stand together, methods in the order of the settings. Each method gets its own params, complete.
// Throws Error(job) for what check_job refuses, and for params that belong to none of the methods.
std::vector<EvaluationSetup> plan_setups(const Job& job, const EvaluateSettings& settings);

// The rows to train and to test on: one split where there is a file of test rows, else those of cross-validation.
std::vector<FoldSplit> plan_splits(const EvaluationTable& table, const EvaluateSettings& settings, uint64_t seed);

}  // namespace shoal
