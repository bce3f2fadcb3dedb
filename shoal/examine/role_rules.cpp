#include "shoal/examine/role_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "shoal/examine/finding_parts.h"
#include "shoal/examine/role_words.h"
#include "shoal/hierarchy/choose_builder.h"
#include "shoal/hierarchy/value_order.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

constexpr uint64_t kFewestRows = 20;              // below that "all different" says nothing
constexpr double kNearlyAll = 0.98;               // of the rows with a value: as good as a number for each
constexpr uint64_t kSmallCode = 1000;             // values of a code that means something
constexpr uint64_t kMeasured = 100;               // different numbers from which on a column is a measurement
constexpr double kAgree = 0.8, kAgreeMore = 0.3;  // as for the finding `persons`

uint64_t present(const ColumnProfile& column) { return column.rows - column.missing; }
double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}
bool nearly_all(uint64_t part, const ColumnProfile& column) { return part * 10 >= column.distinct * 9 && part > 0; }

bool is_yes_no(const ColumnProfile& column) {
  constexpr std::array<std::string_view, 9> kPairs{"0 1",     "no yes", "false true", "n y", "f t",
                                                   "ja nein", "f m",    "m w",        "j n"};
  if (column.values.size() != 2) return false;
  std::vector<std::string> values = column.values;
  for (std::string& value : values) {
    for (char& c : value) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  std::sort(values.begin(), values.end());
  return std::find(kPairs.begin(), kPairs.end(), values[0] + " " + values[1]) != kPairs.end();
}

bool is_free_text(const ColumnProfile& column) {
  const ValueShapes& shapes = column.shapes;
  return column.distinct >= 10 && shapes.words >= 4 * column.distinct && shapes.characters >= 20 * column.distinct &&
         column.distinct * 10 >= present(column);
}

// A small set of whole numbers whose name says that they number something: codes, as admission_type_id. Codes of areas
// are codes however many there are: 11001 as much as 01001.
bool is_numbered_code(const ColumnProfile& column) {
  const std::vector<std::string> words = words_of_name(column.name);
  if (!word_about(words, Topic::area_code).empty()) return true;
  return !words.empty() && (word_about(words, Topic::key) == words.back() || words.back() == "code") &&
         column.distinct <= kSmallCode && words.back() != "num" && words.back() != "number";
}

TypeGuess number_type(const ColumnProfile& column) {
  const ValueShapes& shapes = column.shapes;
  if (written_as_code(column.values)) {
    return {ValueType::code, shapes.leading_zeros > 0 ? "code (zeros in front)" : "code (same digits)",
            ColumnType::categorical};
  }
  if (is_numbered_code(column) && shapes.whole == column.distinct) {
    return {ValueType::code, "code (by its name)", ColumnType::categorical};
  }
  if (shapes.whole == column.distinct) return {ValueType::whole, "whole number", ColumnType::numeric};
  return {ValueType::number, "number", ColumnType::numeric};
}

std::optional<TypeGuess> date_type(const ColumnProfile& column) {
  const DateFormats& dates = column.shapes.dates;
  const std::vector<DateFormat> possible = dates.possible();
  if (possible.empty() || !dates.any_day() || column.distinct < 2) return std::nullopt;
  if (possible.size() > 1) {
    return TypeGuess{ValueType::two_dates,
                     fmt::format("date, {} or {}", to_string(possible[0]), to_string(possible[1])),
                     ColumnType::categorical};
  }
  return TypeGuess{ValueType::date,
                   fmt::format("{} {}", dates.any_time() ? "timestamp" : "date", to_string(possible[0])),
                   ColumnType::date};
}

// Pairs of sampled rows with the same value in a column: how often their other cells agree, and those of any two rows.
struct Agreement {
  double same = 0, any = 0;
  uint64_t pairs = 0;
};

class RoleRules {
 public:
  RoleRules(const TableProfile& table, const std::vector<TypeGuess>& types)
      : table_(table), types_(types), guesses_(table.columns.size()) {}

  std::vector<RoleGuess> take() {
    for (size_t j = 0; j < table_.columns.size(); ++j) guesses_[j] = alone(j);
    choose_person();
    keep_one_target();
    follow_who_tells();
    if (std::none_of(guesses_.begin(), guesses_.end(),
                     [](const RoleGuess& guess) { return guess.role == Role::quasi; })) {
      make_something_quasi();
    }
    return std::move(guesses_);
  }

 private:
  const ColumnProfile& column(size_t j) const { return table_.columns[j]; }

  // By the column itself.
  RoleGuess alone(size_t j) const {
    const ValueType type = types_[j].type;
    if (type == ValueType::empty) return {Role::none, "no values", false};
    if (type == ValueType::constant) return {Role::plain, "one value in all rows: tells nobody apart", false};
    if (type == ValueType::text) {
      return {Role::identifier, "free text: can name anybody; not released", false};
    }
    if (auto guess = identity(j)) return *guess;
    if (type == ValueType::two_dates) {
      return {Role::none, "dates that can be read in two ways: say which (hierarchy: {build: dates, format: ...})",
              false};
    }
    if (type == ValueType::date) return {Role::quasi, "dates: others can know when something happened", false};
    return by_topic(j);
  }

  std::optional<RoleGuess> identity(size_t j) const {
    const ColumnProfile& profile = column(j);
    const ValueShapes& shapes = profile.shapes;
    const ValueType type = types_[j].type;
    const auto number_words =
        fmt::format("{} distinct of {}", number_text(profile.distinct), number_text(present(profile)));
    if (nearly_all(shapes.emails, profile)) return RoleGuess{Role::identifier, "e-mail addresses", false};
    if (nearly_all(shapes.addresses_of_pages, profile)) return RoleGuess{Role::identifier, "addresses of pages", false};
    if (nearly_all(shapes.phones, profile) && type != ValueType::date) {
      return RoleGuess{Role::identifier, "telephone numbers", false};
    }
    const bool measured = type == ValueType::number || type == ValueType::date || type == ValueType::two_dates;
    if (!measured && present(profile) >= kFewestRows && share(profile.distinct, present(profile)) >= kNearlyAll) {
      return RoleGuess{Role::identifier, number_words + ": identifier", false};
    }
    const std::vector<std::string> words = words_of_name(profile.name);
    const std::string word = word_about(words, Topic::identity);
    if (!word.empty() && profile.distinct >= 10 && !measured && type != ValueType::whole) {
      return RoleGuess{Role::identifier, fmt::format("its name says '{}'; {}", word, number_words), false};
    }
    return std::nullopt;
  }

  RoleGuess by_topic(size_t j) const {
    const ColumnProfile& profile = column(j);
    const std::vector<std::string> words = words_of_name(profile.name);
    if (const std::string word = word_about(words, Topic::outcome);
        !word.empty() && profile.distinct >= 2 && profile.distinct <= 20) {
      return {Role::target, fmt::format("its name says '{}', and it has {} values", word, profile.distinct), false};
    }
    if (nearly_all(profile.shapes.icd, profile) && profile.distinct >= 10) {
      return {Role::sensitive, "codes of diagnoses (ICD)", false};
    }
    const std::string known = word_about(words, Topic::known), private_word = word_about(words, Topic::sensitive);
    if (!known.empty() && private_word.empty()) {
      return {Role::quasi, fmt::format("its name says '{}': others can know it", known), false};
    }
    if (!private_word.empty()) {
      return {Role::sensitive, fmt::format("its name says '{}': nobody should learn it", private_word), false};
    }
    return unknown(j);
  }

  // Nothing is known about it: the careful choice.
  RoleGuess unknown(size_t j) const {
    const ColumnProfile& profile = column(j);
    const ValueType type = types_[j].type;
    const bool number = type == ValueType::whole || type == ValueType::number;
    if (profile.distinct * 2 > present(profile) && present(profile) >= kFewestRows) {
      return {Role::none,
              fmt::format("{} distinct of {}: as good as a name where another table has it; left out",
                          number_text(profile.distinct), number_text(present(profile))),
              true};
    }
    if (number && (profile.distinct > kMeasured || type == ValueType::number)) {
      return {Role::sensitive,
              fmt::format("a measurement ({} different numbers) that others are not likely to know",
                          number_text(profile.distinct)),
              true};
    }
    if (profile.distinct > kSmallCode || profile.distinct * 10 > present(profile)) {
      if (present(profile) >= 10 * kFewestRows) {
        return {Role::none,
                fmt::format("{} different values in {} rows, and nothing says what they are; left out",
                            number_text(profile.distinct), number_text(present(profile))),
                true};
      }
    }
    return {Role::quasi,
            fmt::format("{} that others may know; nothing says otherwise", counted(profile.distinct, "value")), true};
  }

  // ---- persons ----

  // Not too few values, not too many rows for one of them, and a good part of the rows share theirs.
  bool repeats_like_a_key(size_t j) const {
    const ColumnProfile& profile = column(j);
    const ValueType type = types_[j].type;
    if (type != ValueType::whole && type != ValueType::code && type != ValueType::category) return false;
    if (profile.distinct < 10 || profile.distinct * 50 < profile.rows || profile.missing > 0) return false;
    return (profile.rows - profile.once) * 10 >= profile.rows && profile.most * 10 <= profile.rows;
  }

  Agreement agreement(size_t j) const {
    Agreement found;
    std::unordered_map<uint64_t, uint32_t> last;
    uint64_t same = 0, any = 0, cells = 0, all_cells = 0;
    const size_t rows = table_.sampled;
    for (uint32_t row = 0; row < rows; ++row) {
      const auto [entry, fresh] = last.try_emplace(column(j).sample[row], row);
      const uint32_t before = std::exchange(entry->second, row);
      const size_t other = (size_t{row} + rows / 2 + 1) % rows;
      for (size_t i = 0; i < table_.columns.size(); ++i) {
        const Role role = guesses_[i].role;
        if (i == j || role != Role::quasi) continue;
        const std::vector<uint64_t>& sample = column(i).sample;
        if (!fresh) {
          ++cells;
          same += sample[before] == sample[row] ? 1 : 0;
        }
        ++all_cells;
        any += sample[other] == sample[row] ? 1 : 0;
      }
      found.pairs += fresh ? 0 : 1;
    }
    found.same = share(same, cells);
    found.any = share(any, all_cells);
    return found;
  }

  void choose_person() {
    struct Candidate {
      size_t column;
      bool named;
      std::string evidence;
    };
    std::vector<Candidate> candidates;
    for (size_t j = 0; j < table_.columns.size(); ++j) {
      if (guesses_[j].role == Role::identifier || guesses_[j].role == Role::target || !repeats_like_a_key(j)) continue;
      const std::vector<std::string> words = words_of_name(column(j).name);
      const bool key = !word_about(words, Topic::key).empty(), person = !word_about(words, Topic::person).empty();
      const Agreement agree = agreement(j);
      const bool alike = agree.pairs >= 50 && agree.same >= kAgree && agree.same - agree.any >= kAgreeMore;
      if (!alike && !(key && person)) continue;
      candidates.push_back(
          {j, key && person,
           fmt::format("repeats {:.1f} times ({} values in {} rows){}", share(column(j).rows, column(j).distinct),
                       number_text(column(j).distinct), number_text(column(j).rows),
                       alike
                           ? fmt::format(", and rows that share one agree in {:.0f} % of their cells", 100 * agree.same)
                           : "")});
    }
    if (candidates.empty()) return;
    // A name that says so, else the one that tells most rows apart.
    const auto chosen =
        std::max_element(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
          return std::pair(a.named, column(a.column).distinct) < std::pair(b.named, column(b.column).distinct);
        });
    for (const Candidate& candidate : candidates) {
      const bool person = &candidate == &*chosen;
      guesses_[candidate.column] = {
          person ? Role::person : Role::identifier,
          person ? candidate.evidence + ": person"
                 : fmt::format("{}, as a key does; the person is {}", candidate.evidence, column(chosen->column).name),
          false};
    }
  }

  // A job has one class to predict: the last, as in most tables.
  void keep_one_target() {
    bool found = false;
    for (size_t j = guesses_.size(); j-- > 0;) {
      if (guesses_[j].role != Role::target) continue;
      if (found) guesses_[j] = {Role::sensitive, guesses_[j].reason + ", as a later column does", true};
      found = true;
    }
  }

  // ---- who tells whom ----

  // Whether rows with the same value in `a` always have the same value in `b`, among the first `rows` of the sample.
  bool tells(size_t a, size_t b, size_t rows) const {
    std::unordered_map<uint64_t, uint64_t> value_of;
    value_of.reserve(rows / 4);
    for (size_t row = 0; row < rows; ++row) {
      const auto [entry, fresh] = value_of.try_emplace(column(a).sample[row], column(b).sample[row]);
      if (entry->second != column(b).sample[row]) return false;
    }
    return true;
  }

  void follow_who_tells() {
    std::vector<size_t> quasi;
    for (size_t j = 0; j < guesses_.size(); ++j) {
      if (guesses_[j].role == Role::quasi && !guesses_[j].careful && column(j).separation >= 0.05) quasi.push_back(j);
    }
    for (size_t j = 0; j < guesses_.size(); ++j) {
      if (!guesses_[j].careful && guesses_[j].role != Role::quasi) continue;
      // Each value five times, or it would be chance.
      if (column(j).distinct < 2 || column(j).distinct * 5 > table_.sampled) continue;
      for (const size_t known : quasi) {
        if (known == j || column(known).distinct > column(j).distinct) continue;
        if (!tells(j, known, table_.sampled / 10) || !tells(j, known, table_.sampled)) continue;
        const std::string why = fmt::format("{} tells {}: same role", column(j).name, column(known).name);
        if (guesses_[j].role == Role::quasi && !guesses_[j].careful) {
          guesses_[j].reason += "; " + why;
        } else {
          guesses_[j] = {Role::quasi, why, false};
        }
        break;
      }
    }
  }

  // A job needs columns that an attacker may know; where no name says which, measurements are the next best guess.
  void make_something_quasi() {
    for (RoleGuess& guess : guesses_) {
      if (guess.role != Role::sensitive || !guess.careful) continue;
      guess.role = Role::quasi;
      guess.reason += "; quasi all the same, since no other column is";
    }
  }

  const TableProfile& table_;
  const std::vector<TypeGuess>& types_;
  std::vector<RoleGuess> guesses_;
};

}  // namespace

TypeGuess guess_type(const ColumnProfile& column) {
  const ValueShapes& shapes = column.shapes;
  if (column.distinct == 0) return {ValueType::empty, "empty", ColumnType::categorical};
  if (column.distinct == 1 && column.missing == 0) return {ValueType::constant, "one value", ColumnType::categorical};
  if (is_yes_no(column)) return {ValueType::yes_no, "yes/no", ColumnType::categorical};
  if (auto type = date_type(column)) return *type;
  if (shapes.numbers == column.distinct) return number_type(column);
  if (is_free_text(column)) return {ValueType::text, "free text", ColumnType::categorical};
  if (!column.values.empty() && column.distinct >= 3 && column.distinct <= kMeasured && found_order(column.values)) {
    return {ValueType::ordinal, "ordinal", ColumnType::ordinal};
  }
  const bool codes = shapes.with_digit * 10 >= column.distinct * 9 && column.distinct >= 10 && shapes.longest <= 16 &&
                     shapes.words == column.distinct;
  if (codes) return {ValueType::code, "code", ColumnType::categorical};
  return {ValueType::category, "category", ColumnType::categorical};
}

std::vector<RoleGuess> guess_roles(const TableProfile& table, const std::vector<TypeGuess>& types) {
  return RoleRules(table, types).take();
}

}  // namespace shoal
