#include "shoal/write/lines_in_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <random>

#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

TEST(LinesInOrder, InMemoryAndThroughAFileTheSame) {
  testing::Workplace place;
  std::mt19937_64 random(1);
  Progress progress;
  for (int round = 0; round < 300; ++round) {
    const auto count = static_cast<uint32_t>(random() % 400);
    std::vector<uint32_t> positions(count);
    std::iota(positions.begin(), positions.end(), 0U);
    std::shuffle(positions.begin(), positions.end(), random);
    std::vector<std::string> lines(count);
    // Sometimes a line that is longer than all memory it may take.
    for (std::string& line : lines) line.assign(random() % 50 == 0 ? 5000 : random() % 20, char('a' + random() % 26));
    std::string expected, found;
    for (const std::string& line : lines) expected += line + "\n";
    LinesInOrder in_order(count, place.folder().string(), progress, random() % 3 == 0 ? 96 << 20 : random() % 3000);
    for (uint32_t position : positions) in_order.line(position).append(lines[position]).append("\n");
    in_order.write([&](std::string_view text) { found += text; });
    ASSERT_EQ(found, expected) << round;
  }
  EXPECT_TRUE(place.files().empty()) << "the private file must be gone";
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
