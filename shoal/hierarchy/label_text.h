// Labels as text: how messages quote them, which numbers they spell, which word was probably meant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace shoal {

// 'label' for messages; long labels are cut, control characters shown as blanks.
std::string quoted_label(std::string_view label);

// The number a whole text spells: blanks around it, a sign, decimals and an exponent are fine; "inf", "nan", hex and
// anything after the number are not.
std::optional<double> label_number(std::string_view text);

// The shortest decimal text that reads back as the same number; whole numbers without a point, "-0" as "0".
std::string number_label(double number);

// The candidate that differs from `word` least, if by no more than a slip of the pen (case, blanks at the ends, or up
// to one edit in short words and two in long ones). The first one on ties. Cost: candidates x length^2 at worst.
std::optional<std::string> nearest_label(std::string_view word, std::span<const std::string_view> candidates);

// "; did you mean 'Canada'?" or "".
std::string meant_label(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace shoal
