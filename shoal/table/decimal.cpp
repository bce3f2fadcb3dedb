#include "shoal/table/decimal.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "shoal/table/dictionary.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

constexpr size_t kLeadDigits = 18;
// Within these magnitudes every decimal is a finite double that is not 0; outside, parse_number is asked.
constexpr int64_t kSurelyFinite = 300;
constexpr int64_t kLongestPlain = 40;
constexpr int kWordDigits = 9;
constexpr int64_t kWordUnit = 1'000'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The digits of a number in a text, and where its point stands among them.
struct Spelling {
  bool negative = false;
  std::string_view mantissa;  // digits with at most one point
  int64_t exponent = 0;       // as written
};

// Reads [-]digits[.digits][e[+-]digits]; nothing else.
std::optional<Spelling> spelling_of(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Spelling spelling;
  if (!text.empty() && text.front() == '-') {
    spelling.negative = true;
    text.remove_prefix(1);
  }
  size_t at = 0, digits = 0, points = 0;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && points == 0)); ++at) {
    is_digit(text[at]) ? ++digits : ++points;
  }
  if (digits == 0) return std::nullopt;
  spelling.mantissa = text.substr(0, at);
  if (at == text.size()) return spelling;
  if (text[at] != 'e' && text[at] != 'E') return std::nullopt;
  std::string_view exponent = text.substr(at + 1);
  const bool down = !exponent.empty() && exponent.front() == '-';
  if (down || (!exponent.empty() && exponent.front() == '+')) exponent.remove_prefix(1);
  if (exponent.empty()) return std::nullopt;
  for (char c : exponent) {
    if (!is_digit(c)) return std::nullopt;
    // No text is long enough to bring such an exponent back into the range of numbers.
    spelling.exponent = std::min<int64_t>(spelling.exponent * 10 + (c - '0'), INT64_C(1) << 50);
  }
  if (down) spelling.exponent = -spelling.exponent;
  return spelling;
}

}  // namespace

std::optional<Decimal> Decimal::parse(std::string_view text) {
  const auto spelling = spelling_of(text);
  if (!spelling) return std::nullopt;
  Decimal number = from_digits(spelling->negative, spelling->mantissa, spelling->exponent);
  const bool surely = number.magnitude_ <= kSurelyFinite && number.magnitude_ >= -kSurelyFinite;
  if (!surely && !parse_number(text)) return std::nullopt;
  return number;
}

Decimal Decimal::from_digits(bool negative, std::string_view digits, int64_t exponent) {
  Decimal number;
  size_t taken = 0;          // digits from the first that is not 0 on
  int64_t before_point = 0;  // how many of these stand before the point; negative: zeros between point and first
  bool after_point = false;
  for (char c : digits) {
    if (c == '.') {
      after_point = true;
      continue;
    }
    if (taken == 0 && c == '0') {
      if (after_point) --before_point;
      continue;
    }
    if (!after_point) ++before_point;
    if (taken < kLeadDigits) {
      number.lead_ = number.lead_ * 10 + static_cast<uint64_t>(c - '0');
    } else {
      number.rest_ += c;
    }
    ++taken;
  }
  if (taken == 0) return Decimal();
  for (size_t i = taken; i < kLeadDigits; ++i) number.lead_ *= 10;
  number.rest_.erase(number.rest_.find_last_not_of('0') + 1);
  number.sign_ = negative ? -1 : 1;
  number.magnitude_ = before_point + exponent;
  return number;
}

std::strong_ordering Decimal::operator<=>(const Decimal& other) const {
  if (sign_ != other.sign_) return sign_ <=> other.sign_;
  auto larger = magnitude_ <=> other.magnitude_;
  if (larger == 0) larger = lead_ <=> other.lead_;
  if (larger == 0) larger = rest_ <=> other.rest_;
  return sign_ < 0 ? 0 <=> larger : larger;
}

size_t Decimal::digit_count() const {
  if (!rest_.empty()) return kLeadDigits + rest_.size();
  size_t count = kLeadDigits;
  for (uint64_t lead = lead_; count > 1 && lead % 10 == 0; lead /= 10) --count;
  return count;
}

std::string Decimal::digits() const {
  if (sign_ == 0) return "0";
  return (std::to_string(lead_) + rest_).substr(0, digit_count());
}

std::string Decimal::text() const {
  if (sign_ == 0) return "0";
  std::string digits = this->digits();
  const auto count = static_cast<int64_t>(digits.size());
  const std::string minus = sign_ < 0 ? "-" : "";
  if (magnitude_ <= -kWordDigits || std::max(magnitude_, count) > kLongestPlain) {
    const std::string power = "e" + std::to_string(magnitude_ - 1);
    return minus + digits.substr(0, 1) + (count > 1 ? "." + digits.substr(1) : "") + power;
  }
  if (magnitude_ <= 0) return minus + "0." + std::string(static_cast<size_t>(-magnitude_), '0') + digits;
  if (magnitude_ >= count) return minus + digits + std::string(static_cast<size_t>(magnitude_ - count), '0');
  return minus + digits.insert(static_cast<size_t>(magnitude_), ".");
}

double Decimal::nearest_double() const { return parse_number(text()).value_or(0); }

uint64_t Decimal::hash() const {
  uint64_t hash = (lead_ ^ static_cast<uint64_t>(magnitude_ * 2 + (sign_ < 0 ? 1 : 0)) << 56) * 0x9E3779B97F4A7C15ULL;
  if (!rest_.empty()) hash ^= hash_text(rest_);
  return hash ^ (hash >> 29);
}

std::optional<DecimalRange> parse_decimal_range(std::string_view text) {
  const size_t comma = text.find(',');
  if (text.size() < 5 || text.front() != '[' || text.back() != ']' || comma == std::string_view::npos) {
    return std::nullopt;
  }
  auto low = Decimal::parse(text.substr(1, comma - 1));
  auto high = Decimal::parse(text.substr(comma + 1, text.size() - comma - 2));
  if (!low || !high) return std::nullopt;
  return DecimalRange{std::move(*low), std::move(*high)};
}

std::vector<uint32_t> exact_places(std::span<const std::string_view> texts, std::span<const double> numbers) {
  std::vector<uint32_t> order(texts.size()), places(texts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return numbers[a] < numbers[b]; });
  uint32_t place = 0;
  std::vector<std::pair<Decimal, uint32_t>> alike;
  for (size_t first = 0, end = 0; first < order.size(); first = end) {
    for (end = first + 1; end < order.size() && numbers[order[end]] == numbers[order[first]];) ++end;
    if (end - first == 1) {
      places[order[first]] = place++;
      continue;
    }
    alike.clear();
    for (size_t i = first; i < end; ++i)
      alike.emplace_back(Decimal::parse(texts[order[i]]).value_or(Decimal()), order[i]);
    std::sort(alike.begin(), alike.end());
    for (size_t i = 0; i < alike.size(); ++i) {
      if (i > 0 && alike[i].first != alike[i - 1].first) ++place;
      places[alike[i].second] = place;
    }
    ++place;
  }
  return places;
}

// ---- sums ----

ExactSum::Word& ExactSum::word(int64_t place) {
  if (words_.empty()) first_ = place;
  if (place < first_) {
    words_.insert(words_.begin(), static_cast<size_t>(first_ - place), Word{0});
    first_ = place;
  }
  if (place >= first_ + static_cast<int64_t>(words_.size())) words_.resize(static_cast<size_t>(place - first_) + 1, 0);
  return words_[static_cast<size_t>(place - first_)];
}

void ExactSum::add(const Decimal& number, int64_t times) {
  if (number.sign() == 0) return;
  std::string digits = number.digits();
  const int64_t exponent = number.exponent();
  // Zeros behind bring the last digit to the border of a word.
  const int64_t place = exponent >= 0 ? exponent / kWordDigits : -((-exponent + kWordDigits - 1) / kWordDigits);
  digits.append(static_cast<size_t>(exponent - place * kWordDigits), '0');
  int64_t at = place;
  for (size_t end = digits.size(); end > 0; ++at) {
    const size_t begin = end > kWordDigits ? end - kWordDigits : 0;
    int64_t part = 0;
    std::from_chars(digits.data() + begin, digits.data() + end, part);
    word(at) += Word{part} * times * number.sign();
    end = begin;
  }
}

void ExactSum::add(const ExactSum& other, int64_t times) {
  for (size_t i = 0; i < other.words_.size(); ++i) {
    if (other.words_[i] != 0) word(other.first_ + static_cast<int64_t>(i)) += other.words_[i] * times;
  }
}

Decimal ExactSum::total() const {
  // Carries go up, so that every word has nine digits; what is left above the last word has the sign of the sum.
  auto carried = [](const std::vector<Word>& words, bool negated, std::vector<int64_t>& parts) {
    Word carry = 0;
    parts.clear();
    for (Word value : words) {
      carry += negated ? -value : value;
      Word part = carry % kWordUnit;
      if (part < 0) part += kWordUnit;
      parts.push_back(static_cast<int64_t>(part));
      carry = (carry - part) / kWordUnit;
    }
    return carry;
  };
  std::vector<int64_t> parts;
  Word above = carried(words_, false, parts);
  const bool negative = above < 0;
  if (negative) above = carried(words_, true, parts);
  for (; above > 0; above /= kWordUnit) parts.push_back(static_cast<int64_t>(above % kWordUnit));
  std::string digits;
  for (size_t i = parts.size(); i-- > 0;) {
    const std::string part = std::to_string(parts[i]);
    digits.append(kWordDigits - part.size(), '0').append(part);
  }
  return Decimal::from_digits(negative, digits, first_ * kWordDigits);
}

int ExactSum::sign() const { return total().sign(); }

std::string mean_text(const ExactSum& total, uint64_t count, int decimals) {
  const Decimal sum = total.total();
  // The sum in units of 10^exponent, fine enough for the digits that are asked for, divided digit by digit.
  std::string digits = sum.digits();
  const int64_t exponent = std::min<int64_t>(sum.exponent(), -decimals);
  digits.append(static_cast<size_t>(sum.exponent() - exponent), '0');
  __extension__ using WideSum = unsigned __int128;
  WideSum left = 0;
  for (char& digit : digits) {
    left = left * 10 + static_cast<unsigned>(digit - '0');
    digit = static_cast<char>('0' + static_cast<int>(left / count));
    left %= count;
  }
  const auto wanted = static_cast<size_t>(decimals);
  // Digits beyond the wanted ones, and what the division left, decide how to round.
  const auto beyond = static_cast<size_t>(-decimals - exponent);
  digits.insert(0, wanted + beyond + 2, '0');  // so that there is one before the point, and one to carry into
  const std::string cut = digits.substr(digits.size() - beyond);
  digits.resize(digits.size() - beyond);
  std::strong_ordering half = left * 2 <=> WideSum{count};
  if (beyond > 0) {
    half = cut <=> ("5" + std::string(beyond - 1, '0'));
    if (half == 0 && left > 0) half = std::strong_ordering::greater;
  }
  if (half > 0 || (half == 0 && (digits.back() - '0') % 2 == 1)) {
    size_t at = digits.size() - 1;
    for (; digits[at] == '9'; --at) digits[at] = '0';
    ++digits[at];
  }
  const bool zero = digits.find_first_not_of('0') == std::string::npos;
  std::string text = digits.substr(0, digits.size() - wanted);
  text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
  if (wanted > 0) text += "." + digits.substr(digits.size() - wanted);
  return (sum.sign() < 0 && !zero ? "-" : "") + text;
}

}  // namespace shoal
