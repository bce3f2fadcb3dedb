// A table of whole numbers 1 .. 16, as in section 5.2 of Xu et al. 2006.
//   synthetic OUTPUT.csv ROWS COLUMNS uniform|gaussian [SEED]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <string>

int main(int argc, char** argv) {
  if (argc < 5) {
    std::cerr << "usage: synthetic OUTPUT.csv ROWS COLUMNS uniform|gaussian [SEED]\n";
    return 2;
  }
  std::ofstream output(argv[1]);
  const uint64_t rows = std::strtoull(argv[2], nullptr, 10), columns = std::strtoull(argv[3], nullptr, 10);
  const bool gaussian = std::string(argv[4]) == "gaussian";
  std::mt19937_64 random(argc > 5 ? std::strtoull(argv[5], nullptr, 10) : 1);
  std::normal_distribution<double> normal(8.5, 3);
  for (uint64_t j = 1; j <= columns; ++j) output << (j > 1 ? "," : "") << 'A' << j;
  output << '\n';
  for (uint64_t row = 0; row < rows; ++row) {
    for (uint64_t j = 0; j < columns; ++j) {
      const int64_t value = gaussian ? std::llround(normal(random)) : static_cast<int64_t>(random() % 16) + 1;
      output << (j > 0 ? "," : "") << std::clamp<int64_t>(value, 1, 16);
    }
    output << '\n';
  }
  output.close();
  return output ? 0 : 1;
}
