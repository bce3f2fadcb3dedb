#include "shoal/table/decimal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "shoal/table/number.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

// A decimal the plain way: digits of 700 places before and 700 after the point, compared as texts.
struct PlainDecimal {
  static constexpr int kSide = 700;
  bool negative = false;
  std::string digits = std::string(2 * kSide, '0');

  explicit PlainDecimal(const std::string& text) {
    std::string mantissa;
    int point = -1, exponent = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '-') negative = true;
      if (c == '.') point = static_cast<int>(mantissa.size());
      if (c >= '0' && c <= '9') mantissa += c;
      if (c == 'e' || c == 'E') {
        exponent = std::stoi(text.substr(i + 1));
        break;
      }
    }
    if (point < 0) point = static_cast<int>(mantissa.size());
    for (size_t i = 0; i < mantissa.size(); ++i) {
      const int place = kSide - point - exponent + static_cast<int>(i);
      if (mantissa[i] != '0') digits.at(static_cast<size_t>(place)) = mantissa[i];
    }
    if (digits.find_first_not_of('0') == std::string::npos) negative = false;
  }
  int compare(const PlainDecimal& other) const {
    if (negative != other.negative) return negative ? -1 : 1;
    const int larger = digits.compare(other.digits);
    return (larger > 0) - (larger < 0) == 0 ? 0 : ((larger > 0) == negative ? -1 : 1);
  }
};

class Spellings {
 public:
  explicit Spellings(uint64_t seed) : random_(seed) {}
  uint64_t draw(uint64_t below) { return random_() % below; }
  // Digits that often agree at the beginning, so that only late ones tell numbers apart.
  std::string number() {
    std::string text = draw(3) == 0 ? "-" : draw(4) == 0 ? "+" : "";
    if (draw(12) == 0) return text + (draw(2) ? "0" : "0.000") + (draw(3) == 0 ? "e7" : "");
    text += std::string(draw(4) == 0 ? draw(3) : 0, '0');
    const size_t length = 1 + draw(draw(3) == 0 ? 30 : 5);
    std::string digits;
    for (size_t i = 0; i < length; ++i)
      digits += static_cast<char>(i + 2 < length ? '1' + static_cast<int>(i % 3) : '0' + static_cast<int>(draw(10)));
    if (draw(2)) digits.insert(draw(digits.size() + 1), ".");
    text += digits;
    if (draw(3) == 0)
      text += (draw(2) ? "e" : "E") + std::to_string(static_cast<int>(draw(draw(3) ? 9 : 580)) - (draw(2) ? 4 : 290));
    return text;
  }

 private:
  std::mt19937_64 random_;
};

TEST(Decimal, ComparesLikeDigitsWrittenOut) {
  Spellings spellings(1);
  size_t equal = 0, close = 0;
  for (int round = 0; round < 40'000; ++round) {
    const std::string a = spellings.number(), b = spellings.number();
    const auto one = Decimal::parse(a), other = Decimal::parse(b);
    ASSERT_EQ(one.has_value(), parse_number(a).has_value()) << a;
    if (!one || !other) continue;
    const int expected = PlainDecimal(a).compare(PlainDecimal(b));
    ASSERT_EQ((*one > *other) - (*one < *other), expected) << a << " " << b;
    ASSERT_EQ(*one == *other, expected == 0) << a << " " << b;
    ASSERT_TRUE(expected != 0 || one->hash() == other->hash()) << a << " " << b;
    equal += expected == 0;
    close += expected != 0 && *parse_number(a) == *parse_number(b);
    ASSERT_EQ(*Decimal::parse(one->text()), *one) << a << " printed as " << one->text();
    ASSERT_EQ(one->nearest_double(), *parse_number(a)) << a;
  }
  EXPECT_GT(equal, 100u);
  EXPECT_GT(close, 5u) << "no two numbers that a double cannot tell apart: the test shows less than it should";
}

TEST(Decimal, TakesWhatParseNumberTakes) {
  for (const char* text : {"",
                           " ",
                           "-",
                           "+",
                           ".",
                           "1.",
                           ".5",
                           "-.5e1",
                           "+1",
                           "+-1",
                           "-+1",
                           "--1",
                           "++1",
                           "1e",
                           "1e+",
                           "1e5",
                           "1E-5",
                           "1e5.0",
                           "1.2.3",
                           "0x10",
                           "inf",
                           "nan",
                           "-inf",
                           "infinity",
                           " 12 ",
                           "1 2",
                           "1e400",
                           "-1e400",
                           "1e-400",
                           "0e400",
                           "0e99999999999999999999",
                           "1e99999999999999999999",
                           "1e308",
                           "2e308",
                           "4.9e-324",
                           "1e-323",
                           "00",
                           "007",
                           "1,5",
                           "\t1",
                           "1e+05",
                           "1e0005",
                           "0.0e-999"}) {
    EXPECT_EQ(Decimal::parse(text).has_value(), parse_number(text).has_value()) << "'" << text << "'";
  }
}

TEST(Decimal, TextsOfWholeNumbersAndFractions) {
  auto text = [](const char* spelled) { return Decimal::parse(spelled)->text(); };
  EXPECT_EQ(text("9400123412341237"), "9400123412341237");
  EXPECT_EQ(text("+0010.50"), "10.5");
  EXPECT_EQ(text("-0.00"), "0");
  EXPECT_EQ(text("12e3"), "12000");
  EXPECT_EQ(text("-1.25e-3"), "-0.00125");
  EXPECT_EQ(text("123456789012345678901234567890.5"), "123456789012345678901234567890.5");
  EXPECT_EQ(text("5e-200"), "5e-200");
  EXPECT_EQ(text("5.25e200"), "5.25e200");
}

TEST(ExactPlaces, AreTheOrderOfTheNumbers) {
  Spellings spellings(2);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> texts;
    while (texts.size() < 1 + spellings.draw(40)) {
      std::string text = spellings.number();
      if (parse_number(text)) texts.push_back(text);
    }
    std::vector<std::string_view> views(texts.begin(), texts.end());
    std::vector<double> numbers;
    for (const std::string& t : texts) numbers.push_back(*parse_number(t));
    const auto places = exact_places(views, numbers);
    uint32_t greatest = 0;
    for (size_t i = 0; i < texts.size(); ++i) {
      greatest = std::max(greatest, places[i]);
      for (size_t j = 0; j < texts.size(); ++j) {
        const int expected = PlainDecimal(texts[i]).compare(PlainDecimal(texts[j]));
        ASSERT_EQ((places[i] > places[j]) - (places[i] < places[j]), expected) << texts[i] << " " << texts[j];
      }
    }
    for (uint32_t place = 0; place <= greatest; ++place) {
      ASSERT_TRUE(std::find(places.begin(), places.end(), place) != places.end()) << "places are counted through";
    }
  }
}

__extension__ using Wide = __int128;

// Sums the plain way: whole numbers of units, at most 18 digits in all.
TEST(ExactSum, AddsWithoutRounding) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20'000; ++round) {
    ExactSum sum;
    Wide units = 0;  // of 10^-6
    const int count = 1 + static_cast<int>(random() % 6);
    for (int i = 0; i < count; ++i) {
      const int64_t value = static_cast<int64_t>(random() % (random() % 2 ? 2'000'000'000'000'000'000 : 3000)) - 1500;
      const int64_t times = random() % 3 == 0 ? static_cast<int64_t>(random() % 9) - 4 : 1;
      sum.add(*Decimal::parse(std::to_string(value) + "e-6"), times);
      units += Wide{value} * times;
    }
    std::string expected;
    for (Wide left = units < 0 ? -units : units; left > 0; left /= 10)
      expected += static_cast<char>('0' + static_cast<int>(left % 10));
    std::reverse(expected.begin(), expected.end());
    if (expected.empty()) expected = "0";
    ASSERT_EQ(sum.total(), *Decimal::parse((units < 0 ? "-" : "") + expected + "e-6"));
    ASSERT_EQ(sum.sign(), (units > 0) - (units < 0));
    // The mean, in whole thousandths of a unit: what is left decides, ties to the even digit.
    if (units > INT64_MAX / 2 || units < -INT64_MAX / 2) continue;
    const auto all = static_cast<int64_t>(units);
    const uint64_t rows = 1 + random() % 7, cut = 10'000 * rows;  // two decimals of 10^-6
    const uint64_t size = static_cast<uint64_t>(all < 0 ? -all : all);
    uint64_t hundredths = size / cut;
    const uint64_t left = size % cut;
    if (left * 2 > cut || (left * 2 == cut && hundredths % 2 == 1)) ++hundredths;
    std::string mean =
        std::to_string(hundredths / 100) + (hundredths % 100 < 10 ? ".0" : ".") + std::to_string(hundredths % 100);
    if (all < 0 && hundredths > 0) mean = "-" + mean;
    ASSERT_EQ(mean_text(sum, rows, 2), mean) << all << " / " << rows;
  }
  ExactSum far_apart;
  far_apart.add(*Decimal::parse("1e300"));
  far_apart.add(*Decimal::parse("1e-300"));
  far_apart.add(*Decimal::parse("-1e300"));
  EXPECT_EQ(far_apart.total(), *Decimal::parse("1e-300"));
  EXPECT_EQ(mean_text(far_apart, 1, 3), "0.000");
  ExactSum large;
  for (const char* text : {"9400123412341236", "9400123412341237"}) large.add(*Decimal::parse(text));
  EXPECT_EQ(mean_text(large, 2, 2), "9400123412341236.50");
  ExactSum third;
  third.add(*Decimal::parse("2"));
  EXPECT_EQ(mean_text(third, 3, 2), "0.67");
  EXPECT_EQ(mean_text(third, 1, 0), "2");
}

TEST(DecimalRange, ContainsExactly) {
  const auto range = parse_decimal_range("[9400123412341236,9400123412341237]");
  ASSERT_TRUE(range);
  EXPECT_TRUE(range->contains(*Decimal::parse("9400123412341236.5")));
  EXPECT_FALSE(range->contains(*Decimal::parse("9400123412341235")));
  EXPECT_FALSE(range->contains(*Decimal::parse("9400123412341237.0000000000000000000001")));
  for (const char* text : {"", "[,]", "[1,]", "(1,2]", "[1;2]", "[1,2", "[a,2]", "[1,2,3]"}) {
    EXPECT_FALSE(parse_decimal_range(text)) << text;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
