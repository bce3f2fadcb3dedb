#include "shoal/model/fraction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "shoal/error.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

TEST(Fraction, ReadsWhatWasWritten) {
  struct Case {
    const char* text;
    Fraction expected;
  };
  for (const auto& [text, expected] : {Case{"3", {3, 1}},
                                       {"0", {0, 1}},
                                       {"0.2", {1, 5}},
                                       {".25", {1, 4}},
                                       {"2.", {2, 1}},
                                       {".0", {0, 1}},
                                       {"1.50", {3, 2}},
                                       {"0.500000000000000", {1, 2}},
                                       {"2/15", {2, 15}},
                                       {"4/6", {2, 3}},
                                       {"000007", {7, 1}},
                                       {"0.123456789", {123456789, 1'000'000'000}},
                                       {"1000000000", {1'000'000'000, 1}}})
    EXPECT_EQ(parse_fraction(text, "t"), expected) << text;
}

TEST(Fraction, RefusesTheRest) {
  for (const char* text : {"",
                           ".",
                           "-1",
                           "+1",
                           "1e3",
                           "a",
                           "1/",
                           "/2",
                           "1/0",
                           "1.2.3",
                           "1/2/3",
                           " 1",
                           "1 ",
                           "0x1",
                           "..",
                           "1000000001",
                           "99999999999999999999999",
                           "0.1234567891",
                           "1/99999999999999999999",
                           "nan"}) {
    try {
      parse_fraction(text, "model 't-closeness': t");
      FAIL() << "'" << text << "' was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::job);
      EXPECT_EQ(std::string(error.what()).rfind("model 't-closeness': t is '", 0), 0) << error.what();
    }
  }
}

TEST(Fraction, TextIsReadBack) {
  EXPECT_EQ(fraction_text({1, 5}), "0.2");
  EXPECT_EQ(fraction_text({1, 3}), "1/3");
  EXPECT_EQ(fraction_text({7, 1}), "7");
  EXPECT_EQ(fraction_text({1, 1024}), "1/1024");  // ten decimals
  EXPECT_EQ(fraction_text({3, 1'000}), "0.003");
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const uint64_t limit = uint64_t{1} << (random() % 30);
    uint64_t a = random() % limit, b = 1 + random() % limit;
    if (i % 2 == 0) b = std::llround(std::pow(10.0, random() % 10));
    const uint64_t common = std::gcd(a, b);
    const Fraction fraction{a / common, b / common};
    EXPECT_EQ(parse_fraction(fraction_text(fraction), "x"), fraction) << a << '/' << b;
  }
}

TEST(Fraction, Order) {
  EXPECT_TRUE(below({1, 3}, {1, 2}));
  EXPECT_FALSE(below({1, 2}, {1, 2}));
  EXPECT_TRUE(below({999'999'999, 1'000'000'000}, {1, 1}));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
