// One line of a table from the JSON of `shoal anonymize` and of `shoal measure --queries`.
//   local_line REPORT.json MEASURE.json NAME K
// Columns: name, k, GCP, DM, groups, mean and median error of COUNT and of SUM queries, search seconds, peak MB.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  std::ifstream report_file(argv[1]), measure_file(argv[2]);
  const auto report = nlohmann::json::parse(report_file);
  const auto errors = nlohmann::json::parse(measure_file)["query_error"];
  const auto& count = errors["count"];
  const auto& sum = errors["sum"];
  fmt::print("{:<22} {:>4} {:>7.4f} {:>10} {:>7} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.3f} {:>6}\n", argv[3],
             argv[4], report["measures"]["gcp"].get<double>(), report["measures"]["dm"].get<uint64_t>(),
             report["groups"].get<uint64_t>(), count["mean"].get<double>(), count["median"].get<double>(),
             sum.is_null() ? 0.0 : sum["mean"].get<double>(), sum.is_null() ? 0.0 : sum["median"].get<double>(),
             report["timings"]["search"].get<double>(), report["peak_memory_bytes"].get<uint64_t>() / 1000000);
  return 0;
}
