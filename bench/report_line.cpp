// One line of a table from a JSON report.   report_line REPORT.json NAME K
// Columns: name, k, GCP, Prec, groups, smallest group, rows dropped, states expanded, proven, search and total seconds.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::ifstream file(argv[1]);
  const auto report = nlohmann::json::parse(file);
  uint64_t smallest = UINT64_MAX;
  for (const auto& requirement : report["requirements"]) {
    smallest = std::min(smallest, requirement["min_group"].get<uint64_t>());
  }
  fmt::print("{:<26} {:>5} {:>7.4f} {:>7.4f} {:>8} {:>8} {:>7} {:>9} {:>6} {:>8.3f} {:>7.2f}\n", argv[2], argv[3],
             report["measures"]["gcp"].get<double>(), report["measures"]["prec"].get<double>(),
             report["groups"].get<uint64_t>(), smallest, report["rows_dropped"].get<uint64_t>(),
             report["search"]["expanded"].get<uint64_t>(), report["search"]["optimal"].get<bool>() ? "yes" : "",
             report["timings"]["search"].get<double>(), report["timings"]["total"].get<double>());
  return 0;
}
