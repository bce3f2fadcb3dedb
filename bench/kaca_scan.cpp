// Method kaca with its index beside the plain scan over all groups: same groups, how much faster?
//   kaca_scan INPUT.csv HIERARCHIES_FOLDER COLUMN,COLUMN,... K
#include <fmt/format.h>

#include <ctime>
#include <sstream>

#include "shoal/read/read_table.h"
#include "testing/kaca_oracle.h"
#include "testing/run_method.h"

namespace {

// Of the processor: both sides run on one thread, and the machine may be busy.
double seconds(const auto& work) {
  const std::clock_t start = std::clock();
  work();
  return double(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

int main(int argc, char** argv) try {
  using namespace shoal;
  if (argc != 5) return 2;
  Job job;
  job.input = argv[1];
  job.hierarchies = argv[2];
  std::istringstream names(argv[3]);
  for (std::string name; std::getline(names, name, ',');) job.column(name).role = Role::quasi;
  job.k = std::stoull(argv[4]);
  Progress progress;
  DuckDb duck(1, {});
  const Source source(job.input, "", duck, progress);
  ReadTimings timings;
  const EncodedTable encoded = read_table(job, source, duck, false, timings, progress);
  Problem problem{
      encoded.table, encoded.hierarchies, plan_requirements(job, plan_columns(job, source)), {}, {}, {}, 1, 1};
  problem.weights.assign(encoded.hierarchies.size(), 1);

  SearchResult indexed;
  const double index_seconds = seconds([&] { indexed = testing::run_method("kaca", problem, progress); });
  testing::KacaScan scan(problem, {});
  const double scan_seconds = seconds([&] { scan.run(); });

  size_t groups = 0;
  bool same = true;
  for (const auto& group : scan.groups()) {
    groups += !group.rows.empty();
    for (uint32_t row : group.rows) {
      same = same && indexed.recoding->group_of_row[row] == indexed.recoding->group_of_row[group.rows.front()];
    }
  }
  same = same && groups * encoded.hierarchies.size() == indexed.recoding->group_releases.size();
  fmt::print("{} rows, {} columns, k={}: {} groups, {}; index {:.3f} s, plain scan {:.3f} s: {:.1f} times as fast\n",
             encoded.table.rows, encoded.hierarchies.size(), *job.k, groups, same ? "the same in both" : "DIFFERENT",
             index_seconds, scan_seconds, scan_seconds / index_seconds);
  for (const auto& [what, words] : indexed.stats.details) fmt::print("  {}: {}\n", what, words);
  return same ? 0 : 1;
} catch (const shoal::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
