#include "shoal/job/job_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include "shoal/error.h"
#include "shoal/nearest_word.h"

namespace shoal {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Takes a quoted part off the front of `rest`, quotes included. Requires: rest starts with a quote.
std::string take_quoted(std::string_view& rest, std::string_view whole) {
  std::string part;
  for (size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] != '"') {
      part += rest[i];
    } else if (i + 1 < rest.size() && rest[i + 1] == '"') {
      part += '"';
      ++i;
    } else {
      rest.remove_prefix(i + 1);
      return part;
    }
  }
  throw Error(ErrorKind::job, fmt::format("a quote without its end in '{}'; double quotes go around a name, and two of "
                                          "them stand for one inside it",
                                          whole));
}

template <typename T>
std::optional<T> whole_text_as(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

constexpr Role kRoles[] = {Role::identifier, Role::quasi, Role::sensitive, Role::person, Role::target, Role::plain};
constexpr ColumnType kTypes[] = {ColumnType::automatic, ColumnType::numeric, ColumnType::categorical,
                                 ColumnType::ordinal, ColumnType::date};
constexpr Order kOrders[] = {Order::released, Order::input};
constexpr Ranges kRanges[] = {Ranges::tight, Ranges::snapped, Ranges::nodes};

// The words of such a list, and what one of them means.
std::vector<std::string> words_of(const auto& list) {
  std::vector<std::string> words;
  for (const auto one : list) words.push_back(to_string(one));
  return words;
}
template <typename Meaning, size_t Size>
std::optional<Meaning> find_word(const Meaning (&list)[Size], std::string_view text) {
  for (const Meaning one : list) {
    if (text == to_string(one)) return one;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  std::string_view rest = text;
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    if (!rest.empty() && rest.front() == '"') {
      parts.push_back(take_quoted(rest, text));
      rest = trimmed(rest);
      if (!rest.empty() && rest.front() != ',') {
        throw Error(ErrorKind::job, fmt::format("a comma is missing after \"{}\" in '{}'", parts.back(), text));
      }
    } else {
      const size_t comma = std::min(rest.find(','), rest.size());
      parts.emplace_back(trimmed(rest.substr(0, comma)));
      rest.remove_prefix(comma);
    }
    if (parts.back().empty()) {
      throw Error(ErrorKind::job, fmt::format("an empty name in the list '{}'; write names with commas between them, "
                                              "as in age,zip",
                                              text));
    }
    if (rest.empty()) return parts;
    rest.remove_prefix(1);  // the comma
  }
}

RequirementJob parse_requirement(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    throw Error(ErrorKind::job, fmt::format("no k in the requirement '{}'; write columns:k, as in age,zip:5", text));
  }
  const std::string_view k = trimmed(text.substr(colon + 1));
  const auto value = whole_text_as<uint64_t>(k);
  if (!value) {
    throw Error(ErrorKind::job,
                fmt::format("'{}' is not a whole number in the requirement '{}'; write columns:k, as in "
                            "age,zip:5",
                            k, text));
  }
  return {split_list(text.substr(0, colon)), *value};
}

std::pair<std::string, std::string> parse_assignment(std::string_view text) {
  std::string_view rest = trimmed(text);
  std::string name;
  if (!rest.empty() && rest.front() == '"') {
    name = take_quoted(rest, text);
    rest = trimmed(rest);
  } else {
    const size_t equals = std::min(rest.find('='), rest.size());
    name = trimmed(rest.substr(0, equals));
    rest.remove_prefix(equals);
  }
  if (rest.empty() || rest.front() != '=' || name.empty()) {
    throw Error(ErrorKind::job, fmt::format("'{}' is not of the form name=value", text));
  }
  return {name, std::string(rest.substr(1))};
}

HierarchySpec parse_hierarchy(std::string_view text) {
  constexpr std::string_view kBuild = "build:";
  if (!text.starts_with(kBuild)) return {std::string(text), std::nullopt, std::nullopt};
  BuilderSpec builder;
  std::string* open = nullptr;  // the setting that a part without = continues
  std::string_view rest = text.substr(kBuild.size());
  for (bool first = true;; first = false) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view part = rest.substr(0, comma);
    if (first) {
      builder.kind = trimmed(part);
    } else if (const size_t equals = part.find('='); equals != std::string_view::npos) {
      open = &(builder.settings[std::string(trimmed(part.substr(0, equals)))] = part.substr(equals + 1));
    } else if (open != nullptr) {
      open->append(1, ',').append(part);
    } else {
      throw Error(ErrorKind::job, fmt::format("'{}' in '{}' is not of the form setting=value", part, text));
    }
    if (comma == rest.size()) return {"", std::move(builder), std::nullopt};
    rest.remove_prefix(comma + 1);
  }
}

uint64_t parse_whole_number(std::string_view name, std::string_view text) {
  const auto value = whole_text_as<uint64_t>(text);
  if (!value) throw Error(ErrorKind::job, fmt::format("{}: '{}' is not a whole number", name, text));
  return *value;
}

double parse_number(std::string_view name, std::string_view text) {
  const auto value = whole_text_as<double>(text);
  if (!value || !std::isfinite(*value))
    throw Error(ErrorKind::job, fmt::format("{}: '{}' is not a number", name, text));
  return *value;
}

bool parse_unknown_values(std::string_view text) {
  if (text == "root") return true;
  if (text == "refuse") return false;
  throw Error(ErrorKind::job, fmt::format("unknown_values: '{}' is neither root nor refuse{}", text,
                                          did_you_mean(text, {"root", "refuse"})));
}

bool parse_others(std::string_view text) {
  if (text == "plain") return true;
  if (text == "leave-out") return false;
  throw Error(ErrorKind::job, fmt::format("others: '{}' is neither plain nor leave-out{}", text,
                                          did_you_mean(text, {"plain", "leave-out"})));
}

std::vector<std::string> order_words() { return words_of(kOrders); }

Order parse_order(std::string_view text) {
  if (const auto order = find_word(kOrders, text)) return *order;
  throw Error(ErrorKind::job,
              fmt::format("order: '{}' is neither released nor input{}", text, did_you_mean(text, order_words())));
}

std::string parse_accepted(std::string_view text) {
  const std::string_view code = text.substr(0, text.find(':'));
  const std::vector<std::string> codes(std::begin(kFindingCodes), std::end(kFindingCodes));
  if (std::find(codes.begin(), codes.end(), code) == codes.end()) {
    throw Error(ErrorKind::job,
                fmt::format("accept: there is no finding '{}'{}", code, advice_on(code, codes, "findings")));
  }
  return std::string(text);
}

std::vector<std::string> ranges_words() { return words_of(kRanges); }

Ranges parse_ranges(std::string_view text) {
  if (const auto ranges = find_word(kRanges, text)) return *ranges;
  throw Error(ErrorKind::job, fmt::format("ranges: '{}' is none of {}{}", text, fmt::join(ranges_words(), ", "),
                                          did_you_mean(text, ranges_words())));
}

std::string parse_delimiter(std::string_view text) {
  if (text == "tab" || text == "\\t") return "\t";
  if (text.size() != 1) {
    throw Error(ErrorKind::job, fmt::format("delimiter: '{}' is not a single character (or 'tab')", text));
  }
  return std::string(text);
}

std::vector<std::string> encoding_words() { return {"utf-8", "utf-16", "latin-1", "windows-1252"}; }

std::string parse_encoding(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (c != '-' && c != '_' && c != ' ') word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (word == "utf8") return "utf-8";
  if (word == "utf16" || word == "utf16le" || word == "utf16be") return "utf-16";
  if (word == "latin1" || word == "iso88591") return "latin-1";
  if (word == "windows1252" || word == "cp1252" || word == "ansi") return "windows-1252";
  throw Error(ErrorKind::job,
              fmt::format("encoding: '{}' is not known{}", text, advice_on(text, encoding_words(), "encodings")));
}

std::string parse_decimal_mark(std::string_view text) {
  if (text == "." || text == "point") return ".";
  if (text == "," || text == "comma") return ",";
  throw Error(ErrorKind::job, fmt::format("decimal: '{}' is neither point nor comma", text));
}

std::string parse_thousands(std::string_view text) {
  if (text == "blank") return " ";
  if (text == "." || text == "," || text == "'" || text == " ") return std::string(text);
  throw Error(ErrorKind::job, fmt::format("thousands: '{}' is none of . , ' and blank", text));
}

std::vector<std::string> role_words() { return words_of(kRoles); }

Role parse_role(std::string_view text) {
  if (const auto role = find_word(kRoles, text)) return *role;
  throw Error(ErrorKind::job, fmt::format("unknown role '{}'{}", text, advice_on(text, role_words(), "roles")));
}

std::vector<std::string> type_words() { return words_of(kTypes); }

ColumnType parse_column_type(std::string_view text) {
  if (const auto type = find_word(kTypes, text)) return *type;
  throw Error(ErrorKind::job, fmt::format("unknown type '{}'{}", text, advice_on(text, type_words(), "types")));
}

std::string parse_builder_kind(std::string_view text) {
  const std::vector<std::string> kinds = builder_kinds();
  if (std::find(kinds.begin(), kinds.end(), text) != kinds.end()) return std::string(text);
  throw Error(ErrorKind::job,
              fmt::format("unknown hierarchy builder '{}'{}", text, advice_on(text, kinds, "builders")));
}

std::string advice_on(std::string_view word, const std::vector<std::string>& known, std::string_view plural) {
  const std::string suggestion = did_you_mean(word, known);
  return suggestion.empty() ? fmt::format("; {} are {}", plural, fmt::join(known, ", ")) : suggestion;
}

}  // namespace shoal
