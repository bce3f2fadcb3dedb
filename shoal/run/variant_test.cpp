#include "shoal/run/variant.h"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <string>
#include <vector>

namespace shoal {
namespace SHOAL_THIS_FILE {

int allocations_left = 0;

// Refuses memory once `allocations_left` are used up.
template <typename T>
struct ShortOfMemory {
  using value_type = T;
  ShortOfMemory() = default;
  template <typename U>
  ShortOfMemory(const ShortOfMemory<U>& /*other*/) {}
  T* allocate(size_t count) {
    if (allocations_left-- <= 0) throw std::bad_alloc();
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T* given, size_t count) { std::allocator<T>().deallocate(given, count); }
  bool operator==(const ShortOfMemory&) const = default;
};

using Text = std::basic_string<char, std::char_traits<char>, ShortOfMemory<char>>;
using Texts = std::vector<Text, ShortOfMemory<Text>>;
using Cell = Variant<std::monostate, double, Text, Texts>;

TEST(Variant, ACopyWithoutMemoryEndsWithAnErrorAndHarmsNothing) {
  allocations_left = 1000;
  const Text text(100, 'a');
  const Cell cells[] = {Cell(), Cell(2.5), Cell(text), Cell(Texts{text, text, text})};
  const int needed[] = {0, 0, 1, 4};
  for (size_t i = 0; i < std::size(cells); ++i) {
    for (int enough = 0; enough < needed[i]; ++enough) {
      allocations_left = enough;
      EXPECT_THROW(Cell{cells[i]}, std::bad_alloc) << i;
      Cell other(2.5);
      allocations_left = enough;
      EXPECT_THROW(other = cells[i], std::bad_alloc) << i;
      EXPECT_EQ(std::get<double>(other), 2.5);
    }
    allocations_left = needed[i];
    const Cell copy(cells[i]);
    EXPECT_EQ(copy, cells[i]);
    EXPECT_EQ(copy.index(), cells[i].index());
  }
}

TEST(Variant, IsMadeMovedAndSetAsAnyOther) {
  allocations_left = 1000;
  Cell cell = Text(100, 'a');
  const char* const letters = std::get<Text>(cell).data();
  Cell moved = std::move(cell);
  EXPECT_EQ(std::get<Text>(moved).data(), letters);
  moved = 3.0;
  EXPECT_EQ(std::get<double>(moved), 3.0);
  EXPECT_EQ(std::get_if<Text>(&moved), nullptr);
  EXPECT_EQ(std::visit([](const auto& held) { return sizeof(held); }, moved), sizeof(double));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
