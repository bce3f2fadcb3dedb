// One line of the loss table from a JSON report.   report_line REPORT.json METHOD K
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::ifstream file(argv[1]);
  const auto report = nlohmann::json::parse(file);
  fmt::print("{:<10} {:>5} {:>8.4f} {:>8.4f} {:>9} {:>9} {:>9.3f} {:>9.2f}\n", argv[2], argv[3],
             report["measures"]["gcp"].get<double>(), report["measures"]["prec"].get<double>(),
             report["groups"].get<uint64_t>(), report["rows_dropped"].get<uint64_t>(),
             report["timings"]["search"].get<double>(), report["timings"]["total"].get<double>());
  return 0;
}
