// Enlarges a table (a CSV file without quotes): its records over and over, and from the second time on
//   enlarge INPUT.csv OUTPUT.csv ROWS [SEED]          as section 5.3 of the TDR paper does: a random number of cells is
//                                                     replaced by values drawn from their column's domain
//   enlarge INPUT.csv OUTPUT.csv ROWS SEED SHARE      this share of the cells is replaced by the same column's cell of
//                                                     another record, so that columns keep their distribution
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

void write_row(std::ofstream& file, const std::vector<std::string>& cells) {
  for (size_t j = 0; j < cells.size(); ++j) file << (j ? "," : "") << cells[j];
  file << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: enlarge INPUT.csv OUTPUT.csv ROWS [SEED [SHARE]]\n";
    return 2;
  }
  std::ifstream input(argv[1]);
  std::ofstream output(argv[2]);
  const uint64_t wanted = std::strtoull(argv[3], nullptr, 10);
  std::mt19937_64 random(argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1);

  const bool redraw = argc > 5;
  const double share = redraw ? std::strtod(argv[5], nullptr) : 0;

  std::string line;
  std::getline(input, line);
  output << line << '\n';
  const size_t width = cells_of(line).size();
  std::vector<std::vector<std::string>> rows;
  std::vector<std::set<std::string>> seen(width);
  while (std::getline(input, line)) {
    rows.push_back(cells_of(line));
    for (size_t j = 0; j < width; ++j) seen[j].insert(rows.back()[j]);
  }
  std::vector<std::vector<std::string>> domain;
  for (const auto& values : seen) domain.emplace_back(values.begin(), values.end());

  std::vector<size_t> order(width);
  for (size_t j = 0; j < width; ++j) order[j] = j;
  for (uint64_t written = 0; written < wanted; ++written) {
    std::vector<std::string> row = rows[written % rows.size()];
    if (written >= rows.size() && redraw) {
      for (size_t j = 0; j < width; ++j) {
        if (double(random() >> 11) * 0x1p-53 < share) row[j] = rows[random() % rows.size()][j];
      }
    } else if (written >= rows.size()) {
      const size_t changed = 1 + random() % width;
      for (size_t i = 0; i < changed; ++i) {
        std::swap(order[i], order[i + random() % (width - i)]);
        row[order[i]] = domain[order[i]][random() % domain[order[i]].size()];
      }
    }
    write_row(output, row);
  }
  output.close();
  return output ? 0 : 1;
}
