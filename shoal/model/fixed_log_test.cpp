#include "shoal/model/fixed_log.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace shoal {
namespace SHOAL_THIS_FILE {

long double real(UnsignedWide units, int bits) { return std::ldexp(static_cast<long double>(units), -bits); }

std::vector<uint64_t> numbers() {
  std::vector<uint64_t> all{1, 2, 3, kMostRows, kMostRows - 1, uint64_t{1} << 31};
  std::mt19937_64 random(1);
  for (int i = 0; i < 3'000; ++i) all.push_back(1 + (random() % kMostRows >> (random() % 32)));
  return all;
}

TEST(FixedLog, AgreesWithTheLibrary) {
  for (uint64_t x : numbers())
    EXPECT_NEAR(static_cast<double>(real(log2_units(x), kLogBits) - std::log2(static_cast<long double>(x))), 0, 1e-17)
        << x;
  for (int power = 0; power < 32; ++power)
    EXPECT_TRUE(log2_units(uint64_t{1} << power) == static_cast<UnsignedWide>(power) << kLogBits);
}

// Far beyond what floating point can say: log2(xy) = log2(x) + log2(y), each less than a unit too small.
TEST(FixedLog, AddsUpToTheLastUnits) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 5'000; ++i) {
    const uint64_t x = 1 + random() % 60'000, y = 1 + random() % 60'000;
    const Wide difference = static_cast<Wide>(log2_units(x * y)) - static_cast<Wide>(log2_units(x) + log2_units(y));
    EXPECT_GE(difference, 0);
    EXPECT_LE(difference, 2);
  }
}

TEST(FixedLog, NaturalLogarithmOfARatio) {
  EXPECT_TRUE(ln_units(7, 7) == 0);
  std::mt19937_64 random(3);
  for (int i = 0; i < 2'000; ++i) {
    uint64_t a = 1 + random() % kMostRows, b = 1 + random() % a;
    const long double exact = std::log(static_cast<long double>(a) / static_cast<long double>(b));
    EXPECT_NEAR(static_cast<double>(real(ln_units(a, b), kRatioBits) - exact), 0, 1e-14) << a << ' ' << b;
  }
  // ln 2 to 30 digits: 0.693147180559945309417232121458 in units of 2^-80.
  const UnsignedWide ln2 = ln_units(2, 1);
  const UnsignedWide exact = (UnsignedWide{762'123'384'785} << 40) + 891'099'531'747;
  EXPECT_TRUE(ln2 <= exact && ln2 + 2 >= exact);
}

TEST(FixedLog, PowersOfTwo) {
  for (int power = 0; power < 32; ++power)
    EXPECT_TRUE(exp2_units(power, 1) == UnsignedWide{1} << (kRatioBits + power)) << power;
  std::mt19937_64 random(4);
  for (int i = 0; i < 2'000; ++i) {
    const uint64_t b = 1 + random() % 1'000'000'000, a = random() % (32 * b);
    const long double exact = std::exp2(static_cast<long double>(a) / static_cast<long double>(b));
    const long double ours = real(exp2_units(a, b), kRatioBits);
    EXPECT_NEAR(static_cast<double>(ours / exact), 1, 1e-14) << a << '/' << b;
  }
  // The square of 2^(1/2) is 2, to 2^-78, and never more.
  const UnsignedWide root = exp2_units(1, 2);
  const UnsignedWide square = product_high(root << 24, root << 24);  // 104 + 104 - 128 = 80
  EXPECT_TRUE(square < UnsignedWide{2} << kRatioBits);
  EXPECT_TRUE(square > (UnsignedWide{2} << kRatioBits) - 8);
}

TEST(FixedLog, LogsOfCounts) {
  for (uint64_t largest :
       {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{30'162}, uint64_t{1'000'000'000}, kMostRows}) {
    const CountLogs logs(largest);
    const long double unit = std::ldexp(1.0L, -logs.bits());
    for (uint64_t x : numbers()) {
      const uint64_t count = x % (largest + 1);
      const auto exact =
          count == 0 ? 0.0L : static_cast<long double>(count) * std::log2(static_cast<long double>(count));
      const long double error = exact - static_cast<long double>(logs.of(count)) * unit;
      EXPECT_LT(std::fabs(static_cast<double>(error / unit)), 1.0 + 1e-15 * static_cast<double>(exact / unit)) << count;
    }
    EXPECT_LT(logs.of(largest), int64_t{1} << 61);
    EXPECT_GE(logs.bits(), 20);
  }
  EXPECT_THROW(CountLogs(kMostRows + 1), std::logic_error);
}

TEST(FixedLog, HighHalfOfAProduct) {
  const UnsignedWide all = ~UnsignedWide{0};
  EXPECT_TRUE(product_high(all, all) == all - 1);
  EXPECT_TRUE(product_high(all, 2) == 1);
  EXPECT_TRUE(product_high(UnsignedWide{1} << 64, UnsignedWide{1} << 64) == 1);
  EXPECT_TRUE(product_high(UnsignedWide{1} << 127, 3) == 1);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
