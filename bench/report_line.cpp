// One line of a table from a JSON report.   report_line REPORT.json NAME K
// Columns: name, k, GCP, Prec, groups, smallest group, rows dropped, states expanded, proven, gap to
// the lower bound in percent (where the bound is one of the GCP), search and total seconds, peak memory in MB.
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
  const double gcp = report["measures"]["gcp"].get<double>();
  const auto& bound = report["search"]["bound"];
  std::string gap;
  if (report["method"] == "shoal" && bound.is_number() && bound.get<double>() > 0) {
    gap = fmt::format("{:.0f}", 100 * (gcp / bound.get<double>() - 1));
  }
  fmt::print("{:<26} {:>5} {:>7.4f} {:>7.4f} {:>8} {:>8} {:>7} {:>9} {:>6} {:>5} {:>8.3f} {:>7.2f} {:>6}\n", argv[2],
             argv[3], gcp, report["measures"]["prec"].get<double>(), report["groups"].get<uint64_t>(), smallest,
             report["rows_dropped"].get<uint64_t>(), report["search"]["expanded"].get<uint64_t>(),
             report["search"]["optimal"].get<bool>() ? "yes" : "", gap, report["timings"]["search"].get<double>(),
             report["timings"]["total"].get<double>(), report["peak_memory_bytes"].get<uint64_t>() / 1'000'000);
  return 0;
}
