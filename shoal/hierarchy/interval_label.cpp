#include "shoal/hierarchy/interval_label.h"

#include <array>

#include "shoal/hierarchy/label_text.h"

namespace shoal {
namespace {

std::optional<LabelInterval> between(std::string_view low, std::string_view high) {
  const auto from = label_decimal(low), to = label_decimal(high);
  if (!from || !to || *from > *to) return std::nullopt;
  return LabelInterval{*from, *to, true, true};
}

std::optional<LabelInterval> with_separator(std::string_view label) {
  constexpr std::array<std::string_view, 5> kSeparators{"-", "~", "\xE2\x80\x93" /* en dash */, "..", " to "};
  for (std::string_view separator : kSeparators) {
    // Every place is tried: the first "-" may be a sign or belong to an exponent.
    for (size_t at = label.find(separator, 1); at != std::string_view::npos; at = label.find(separator, at + 1)) {
      if (auto interval = between(label.substr(0, at), label.substr(at + separator.size()))) return interval;
    }
  }
  return std::nullopt;
}

std::optional<LabelInterval> in_brackets(std::string_view label) {
  const std::string_view inside = label.substr(1, label.size() - 2);
  const size_t comma = inside.find_first_of(",;");
  auto interval = comma == std::string_view::npos ? with_separator(inside)
                                                  : between(inside.substr(0, comma), inside.substr(comma + 1));
  if (!interval) return std::nullopt;
  interval->low_closed = label.front() == '[';
  interval->high_closed = label.back() == ']';
  return interval;
}

std::optional<LabelInterval> one_sided(std::string_view label) {
  const bool or_equal = label.size() > 1 && label[1] == '=';
  const auto bound = label_decimal(label.substr(or_equal ? 2 : 1));
  if (!bound) return std::nullopt;
  if (label.front() == '<') return LabelInterval{std::nullopt, *bound, false, or_equal};
  return LabelInterval{*bound, std::nullopt, or_equal, false};
}

}  // namespace

std::optional<LabelInterval> label_interval(std::string_view label) {
  while (!label.empty() && label.front() == ' ') label.remove_prefix(1);
  while (!label.empty() && label.back() == ' ') label.remove_suffix(1);
  if (label.size() < 2 || label_decimal(label)) return std::nullopt;
  const char first = label.front(), last = label.back();
  if ((first == '[' || first == '(') && (last == ']' || last == ')')) return in_brackets(label);
  if (first == '<' || first == '>') return one_sided(label);
  if (last == '+') {
    const auto bound = label_decimal(label.substr(0, label.size() - 1));
    return bound ? std::optional(LabelInterval{*bound, std::nullopt, true, false}) : std::nullopt;
  }
  return with_separator(label);
}

}  // namespace shoal
