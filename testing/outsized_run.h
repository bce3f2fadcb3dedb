// A table of people, and its release by way of private files, as anonymize_files makes it where memory is short.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "shoal/files/anonymize_files.h"
#include "shoal/files/anonymize_outsized.h"
#include "shoal/read/hierarchies.h"
#include "shoal/read/input_file.h"
#include "shoal/write/outputs.h"
#include "testing/run_program.h"

namespace shoal::outsized_run {

using testing::Workplace;

// Some columns with many equal cells, missing ones, a plain one with commas and quotes, a class.
inline std::string people(int rows, unsigned seed) {
  std::mt19937 random(seed);
  std::string text = "name,age,town,job,note,class\n";
  for (int i = 0; i < rows; ++i) {
    text += fmt::format("n{},{},{},{},{},{}\n", i, random() % 20 == 0 ? "" : std::to_string(20 + random() % 50),
                        fmt::format("t{}", random() % 12), fmt::format("j{}", random() % 7),
                        random() % 3 == 0 ? "\"a, \"\"b\"\"\"" : fmt::format("x{}", random() % 40),
                        random() % 4 == 0 ? "yes" : "no");
  }
  return text;
}

inline FileJob job_for(const Workplace& place, const std::string& input, const std::string& output) {
  FileJob job;
  job.files.input = (place.folder() / input).string();
  job.files.output = (place.folder() / output).string();
  job.column("name").role = Role::identifier;
  for (const char* column : {"age", "town", "job"}) job.column(column).role = Role::quasi;
  job.column("age").type = ColumnType::numeric;
  job.column("note").role = Role::plain;
  job.k = 4;
  job.method = "shoal";
  job.params = {{"fragments", "5"}, {"effort", "fast"}};
  job.accept = {"near-unique", "reveals", "order", "tight", "one-value", "persons", "types"};
  job.threads = 2;
  return job;
}

// As anonymize_files does it for a table that does not fit.
inline Report outsized(const FileJob& job, size_t most_bytes, Progress& progress) {
  Outputs outputs;
  register_files(job, outputs);
  outputs.prepare();
  FileJob run = job;
  std::vector<std::string> notices;
  run = with_hierarchies_read(run, notices);
  InputFile input(run.files.input, run, progress, outputs.at(kReleaseOutput).path());
  EXPECT_EQ(why_not_outsized(run, input.table, 1000), "");
  Report report = anonymize_outsized({run, most_bytes}, input, outputs, progress);
  outputs.publish(progress);
  return report;
}

inline void expect_alike(const Measures& a, const Measures& b) {
  EXPECT_NEAR(a.gcp, b.gcp, 1e-12);
  EXPECT_NEAR(a.prec, b.prec, 1e-12);
  EXPECT_NEAR(a.lm, b.lm, 1e-12);
  EXPECT_NEAR(a.distortion, b.distortion, 1e-6);
  EXPECT_NEAR(a.entropy, b.entropy, 1e-6);
  EXPECT_NEAR(a.modification_rate, b.modification_rate, 1e-12);
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.dm, b.dm);
  EXPECT_EQ(a.c_avg, b.c_avg);
  EXPECT_EQ(a.rows_ratio, b.rows_ratio);
  EXPECT_EQ(a.cm, b.cm);
}

}  // namespace shoal::outsized_run
