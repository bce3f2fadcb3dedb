// Our learners beside the reference errors, as a table.   learners DATA-FOLDER [SEEDS]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "testing/learn_references.h"

namespace {

// Of the processor, not of the wall: the machine may be busy. Training uses one thread.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string words(const shoal::testing::LearnReference& reference) {
  std::string text = reference.learner;
  for (const auto& [name, value] : reference.params) text += fmt::format(" {}={}", name, value);
  return text;
}

// Training alone, the fastest of three.
double training_seconds(const std::string& learner, const shoal::Params& params, const shoal::Dataset& data) {
  double fastest = 1e9;
  for (int round = 0; round < 3; ++round) {
    shoal::Progress progress;
    const double start = cpu_seconds();
    shoal::train(learner, data, params, progress);
    fastest = std::min(fastest, cpu_seconds() - start);
  }
  return fastest;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::filesystem::path data = argv[1];
  const int seeds = argc > 2 ? std::atoi(argv[2]) : 3;
  bool all_near = true;
  fmt::print("| set | learner | reference, % | ours, % | seeds | CPU seconds in all |\n|---|---|---|---|---|---|\n");
  for (const auto& reference : shoal::testing::learn_references()) {
    const int rounds = reference.set == "adult" ? 1 : seeds;
    const double start = cpu_seconds();
    double sum = 0;
    for (int seed = 1; seed <= rounds; ++seed) {
      sum += shoal::testing::measured_error(reference, data, static_cast<uint64_t>(seed));
    }
    const double ours = sum / rounds;
    const bool near = std::abs(ours - reference.error) <= reference.margin + 1e-9;
    all_near = all_near && near;
    fmt::print("| {}{} | {} | {:.2f} ± {} | {:.2f}{} | {} | {:.2f} |\n", reference.set,
               reference.without_top7 ? " without Top7" : "", words(reference), reference.error, reference.margin, ours,
               near ? "" : " (NOT within the margin)", rounds, cpu_seconds() - start);
    std::fflush(stdout);
  }
  shoal::Progress progress;
  shoal::DatasetReading reading;
  reading.target = "class";
  const auto adult = shoal::read_dataset(shoal::read_text_columns(data / "adult/adult_train.csv", progress), reading);
  fmt::print("\n| training on Adult, {} rows | CPU seconds, fastest of three |\n|---|---|\n", adult.rows);
  for (const auto& learner : shoal::learners()) {
    fmt::print("| {} | {:.3f} |\n", learner.name, training_seconds(learner.name, {}, adult));
  }
  return all_near ? 0 : 1;
}
