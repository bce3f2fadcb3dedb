#include "shoal/table/fingerprint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace shoal {
namespace SHOAL_THIS_FILE {

Fingerprint print_of(const std::vector<std::string>& cells) {
  Fingerprint print;
  for (const std::string& cell : cells) print.add(cell);
  return print;
}

// Texts that differ in one bit, in their length, in where a cell ends, in the order of cells: both halves differ.
TEST(Fingerprints, HalvesDifferWhereCellsDo) {
  std::set<uint64_t> first, second;
  size_t made = 0;
  const auto add = [&](const std::vector<std::string>& cells) {
    const Fingerprint print = print_of(cells);
    first.insert(print.first);
    second.insert(print.second);
    ++made;
  };
  for (size_t size = 0; size <= 40; ++size) {
    add({std::string(size, '\0')});
    add({std::string(size, 'a')});
    for (size_t bit = 0; bit < 8 * size; ++bit) {
      std::string text(size, '\0');
      text[bit / 8] = static_cast<char>(1 << bit % 8);
      if (text != std::string(size, 'a')) add({text});
    }
  }
  --made;  // of no letters both are the same
  for (int a = 0; a < 60; ++a) {
    for (int b = 0; b < 60; ++b) add({std::to_string(a), std::to_string(b)});
  }
  for (size_t cut = 0; cut <= 20; ++cut) add({std::string(cut, 'x'), std::string(20 - cut, 'x'), ""});
  EXPECT_EQ(first.size(), made);
  EXPECT_EQ(second.size(), made);
}

// Rows drawn from few halves, so that first ones collide all the time: told apart exactly as by both.
TEST(Fingerprints, FirstHalvesAreMadeToTellRowsApart) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    const size_t rows = random() % 60, firsts = 1 + random() % 12, seconds = 1 + random() % 4;
    const uint64_t base = round % 2 == 0 ? 0 : UINT64_MAX - 3;  // numbers next to each other, over the end too
    std::vector<uint64_t> first, second;
    for (size_t row = 0; row < rows; ++row) {
      first.push_back(base + random() % firsts);
      second.push_back(random() % seconds);
    }
    std::vector<uint64_t> told = first;
    tell_apart(told, second);
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> told_as;
    for (size_t row = 0; row < rows; ++row) {
      const auto at = told_as.emplace(std::pair(first[row], second[row]), told[row]).first;
      EXPECT_EQ(at->second, told[row]);
    }
    std::set<uint64_t> different;
    for (const auto& [both, number] : told_as) different.insert(number);
    EXPECT_EQ(different.size(), told_as.size());

    // In another order each row is told as before.
    std::vector<size_t> order(rows);
    for (size_t i = 0; i < rows; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    std::vector<uint64_t> moved_first, moved_second;
    for (size_t row : order) {
      moved_first.push_back(first[row]);
      moved_second.push_back(second[row]);
    }
    tell_apart(moved_first, moved_second);
    for (size_t i = 0; i < rows; ++i) EXPECT_EQ(moved_first[i], told[order[i]]);
  }
}

TEST(Fingerprints, RowsWithoutCollisionsStayAsTheyAre) {
  std::vector<uint64_t> first = {5, 1, 5, UINT64_MAX, 0}, second = {2, 2, 2, 7, 9};
  const std::vector<uint64_t> before = first;
  tell_apart(first, second);
  EXPECT_EQ(first, before);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
