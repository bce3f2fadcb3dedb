// Method kaca with its index beside the plain scan over all groups: same groups, how much faster?
//   kaca_scan INPUT.csv HIERARCHIES_FOLDER COLUMN,COLUMN,... K
#include <fmt/format.h>

#include <ctime>
#include <sstream>

#include "shoal/encode/encoding.h"
#include "shoal/encode/problem.h"
#include "shoal/read/hierarchies.h"
#include "shoal/read/input_file.h"
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
  FileJob job;
  job.files.input = argv[1];
  job.files.hierarchies = argv[2];
  std::istringstream names(argv[3]);
  for (std::string name; std::getline(names, name, ',');) job.column(name).role = Role::quasi;
  job.k = std::stoull(argv[4]);
  Progress progress;
  std::vector<std::string> notices;
  job.threads = 1;
  job = with_hierarchies_read(job, notices);
  InputFile input(job.files.input, job, progress);
  ReadTimings timings;
  const EncodedTable encoded = encode_table(job, input.table, {.with_rest = false}, timings, progress);
  const std::vector<Hierarchy>& hierarchies = encoded.encoding.hierarchies;
  const Problem problem = make_problem(job, *find_method("kaca"), encoded.table, encoded.encoding, notices);

  SearchResult indexed;
  const double index_seconds = seconds([&] { indexed = testing::run_method("kaca", problem, progress); });
  testing::KacaScan scan(problem, {});
  const double scan_seconds = seconds([&] { scan.run(); });

  size_t groups = 0;
  bool same = true;
  for (const auto& group : scan.groups()) {
    groups += !group.rows.empty();
    for (uint32_t row : group.rows) {
      same = same && indexed.recoding()->by_group().group_of_row[row] ==
                         indexed.recoding()->by_group().group_of_row[group.rows.front()];
    }
  }
  same = same && groups * hierarchies.size() == indexed.recoding()->by_group().group_releases.size();
  fmt::print("{} rows, {} columns, k={}: {} groups, {}; index {:.3f} s, plain scan {:.3f} s: {:.1f} times as fast\n",
             encoded.table.rows, hierarchies.size(), *job.k, groups, same ? "the same in both" : "DIFFERENT",
             index_seconds, scan_seconds, scan_seconds / index_seconds);
  for (const auto& [what, words] : indexed.stats.details) fmt::print("  {}: {}\n", what, words);
  return same ? 0 : 1;
} catch (const shoal::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
