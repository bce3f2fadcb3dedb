// Labels as text: how messages quote them, which numbers they spell, which was probably meant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "shoal/table/decimal.h"

namespace shoal {

// 'label' for messages; long labels are cut, control characters shown as blanks.
std::string quoted_label(std::string_view label);
// Messages name so many values, and say that there are more.
inline constexpr size_t kValuesNamed = 5;

// The number a whole text spells: blanks around it, a sign, decimals and an exponent are fine; "inf", "nan", hex and
// anything after the number are not.
std::optional<double> label_number(std::string_view text);

// The same, exactly.
std::optional<Decimal> label_decimal(std::string_view text);

// Without the blanks and tabs around it.
std::string_view without_blanks(std::string_view text);

// The shortest decimal text that reads back as the same number; whole numbers without a point, "-0" as "0".
std::string number_label(double number);
// That of the nearest double where it is the same number, else all digits.
std::string number_label(const Decimal& number);

// "; did you mean 'Canada'?" or "": see nearest_word.h.
std::string meant_label(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace shoal
