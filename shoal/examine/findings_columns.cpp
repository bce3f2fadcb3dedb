// Findings about single columns: near-unique, persons, one-value, formula, types.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "shoal/examine/finding_parts.h"
#include "shoal/examine/role_words.h"
#include "shoal/recode/apply.h"
#include "shoal/run/counted.h"
#include "shoal/table/comma_number.h"
#include "shoal/table/decimal.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

// Rows of each value among those that are released.
std::vector<uint32_t> released_counts(const FindingContext& context, const CensusColumn& column) {
  if (context.rows == context.table.rows) return column.counts;
  std::vector<uint32_t> counts(column.counts.size(), 0);
  for (size_t row = 0; row < context.table.rows; ++row) counts[column.codes[row]] += context.is_released(row) ? 1 : 0;
  return counts;
}

// A value that fewer rows share singles these out. The promise is k; but with a large k half of a small table's ages
// are shared by fewer, and nobody would call an age a key: 5, the smallest k in common use, is the most that is asked.
uint64_t few_rows(const FindingContext& context) { return std::min<uint64_t>(context.k, 5); }
std::string shared_by_few(uint64_t few) {
  return few == 2 ? std::string("that no other row has") : fmt::format("that fewer than {} rows have", few);
}

// Rows in groups with fewer than k different values of the column.
uint64_t rows_with_few_values(const FindingContext& context, const CensusColumn& column) {
  auto values = sorted_by_group<uint32_t>(context.groups, column.codes);
  uint64_t rows = 0;
  auto at = values.begin();
  for (uint32_t size : context.groups.sizes) {
    std::sort(at, at + size);
    if (static_cast<uint64_t>(std::unique(at, at + size) - at) < context.k) rows += size;
    at += size;
  }
  return rows;
}

// Of pairs of neighbouring rows with the same value, how often a quasi cell agrees; and of neighbouring rows at large.
struct Agreement {
  double same = 0, any = 0;
};
Agreement agreement(const FindingContext& context, const CensusColumn& column) {
  std::vector<uint32_t> last(column.counts.size(), UINT32_MAX);
  uint64_t pairs = 0, equal = 0, all_pairs = 0, all_equal = 0;
  for (uint32_t row = 0; row < context.table.rows; ++row) {
    const uint32_t before = std::exchange(last[column.codes[row]], row);
    for (const Column& quasi : context.table.quasi) {
      if (before != UINT32_MAX) {
        ++pairs;
        equal += quasi.codes[before] == quasi.codes[row] ? 1 : 0;
      }
      // Far apart, for rows of one person often stand together.
      const size_t other = (size_t{row} + context.table.rows / 2 + 1) % context.table.rows;
      ++all_pairs;
      all_equal += quasi.codes[other] == quasi.codes[row] ? 1 : 0;
    }
  }
  if (pairs == 0) return {};
  return {static_cast<double>(equal) / static_cast<double>(pairs),
          static_cast<double>(all_equal) / static_cast<double>(all_pairs)};
}

constexpr double kPersonsAgree = 0.8;

// Not too few values, not too many rows for one of them, and a good part of the rows share theirs.
bool repeats_like_a_key(const FindingContext& context, const CensusColumn& column) {
  const uint64_t rows = context.table.rows, values = column.counts.size();
  if (values < 10 || values * 50 < rows) return false;
  uint64_t shared = 0, largest = 0;
  for (uint32_t count : column.counts) {
    shared += count > 1 ? count : 0;
    largest = std::max<uint64_t>(largest, count);
  }
  return shared * 10 >= rows && largest * 10 <= rows;
}

}  // namespace

void find_near_unique(const FindingContext& context, std::vector<Finding>& findings) {
  const uint64_t few = few_rows(context);
  std::vector<std::string>
      told;  // plain columns with some such rows, in one finding: tables have dozens of measurements
  std::vector<bool> is_rare(context.table.rows, false);
  for (const ExaminedColumn& column : context.columns) {
    if (!is_released(column.role) || context.rows < 2) continue;
    const std::vector<uint32_t> counts = released_counts(context, column.census);
    uint64_t values = 0, rare_rows = 0;
    for (uint32_t count : counts) {
      values += count > 0 ? 1 : 0;
      rare_rows += count < few ? count : 0;
    }
    if (values * 2 <= context.rows && rare_rows * 2 <= context.rows) {
      if (column.is_quiet() || rare_rows * 100 < context.rows || rare_rows == 0) continue;
      told.push_back(column.name());
      for (size_t row = 0; row < context.table.rows; ++row) {
        if (context.is_released(row) && counts[column.census.codes[row]] < few) is_rare[row] = true;
      }
      continue;
    }
    const SmallGroups small = small_groups_with(context, {&column.census.codes});
    findings.push_back(
        {"near-unique",
         {column.name()},
         fmt::format("{} in {}; {} one {}; with the quasi columns {} unique", counted(values, "different value"),
                     counted(context.rows, "row"), counted(rare_rows, "row has", "rows have"), shared_by_few(few),
                     counted(small.unique_rows, "row is", "rows are")),
         "if somebody can know it, make it quasi or an identifier; else make it coarser or leave it out",
         !column.is_quiet(),
         false,
         {{"values", double(values)},
          {"rows", double(context.rows)},
          {"rare_rows", double(rare_rows)},
          {"unique_rows", double(small.unique_rows)}}});
  }
  if (told.empty()) return;
  const auto rows = static_cast<uint64_t>(std::count(is_rare.begin(), is_rare.end(), true));
  findings.push_back(
      {"near-unique",
       told,
       fmt::format("{} of {} a value {} {}", number_text(rows), counted(context.rows, "row has", "rows have"),
                   told.size() == 1 ? "there" : "in one of these columns", shared_by_few(few)),
       "if somebody can know such a value, make the column quasi; else make rare values coarser or leave it out",
       false,
       false,
       {{"rows", double(context.rows)}, {"rare_rows", double(rows)}}});
}

void find_persons(const FindingContext& context, std::vector<Finding>& findings) {
  for (const ExaminedColumn& column : context.columns) {
    const bool known = column.role == Role::person;
    if (!known && (column.role == Role::target || !repeats_like_a_key(context, column.census))) continue;
    const Agreement agree = known ? Agreement{} : agreement(context, column.census);
    if (!known && (agree.same < kPersonsAgree || agree.same - agree.any < 0.3)) continue;
    const uint64_t few = rows_with_few_values(context, column.census);
    if (known && few == 0) continue;
    std::string evidence =
        fmt::format("{} in {}", counted(column.census.counts.size(), "value"), counted(context.table.rows, "row"));
    if (!known)
      evidence += fmt::format(", and rows that share one agree in {:.3g} % of their quasi cells", 100 * agree.same);
    evidence += fmt::format("; {} in groups of fewer than {} of them", counted(few, "row is", "rows are"), context.k);
    findings.push_back({"persons",
                        {column.name()},
                        std::move(evidence),
                        known ? "ask for more: groups must have that many persons"
                              : "if it says who a row is about, give it the role person, so that k counts persons",
                        known,
                        false,
                        {{"values", double(column.census.counts.size())}, {"rows_in_small_groups", double(few)}}});
  }
}

void find_one_value(const FindingContext& context, std::vector<Finding>& findings) {
  for (const ExaminedColumn& column : context.columns) {
    if (column.role != Role::sensitive) continue;
    auto values = sorted_by_group<uint32_t>(context.groups, column.census.codes);
    std::vector<uint64_t> in_all(column.census.counts.size(), 0);
    for (uint32_t value : values) ++in_all[value];
    uint64_t groups = 0, rows = 0, right = 0;
    auto at = values.begin();
    for (uint32_t size : context.groups.sizes) {
      std::sort(at, at + size);
      uint64_t most = 0;
      for (auto begin = at; begin < at + size;) {
        const auto end = std::upper_bound(begin, at + size, *begin);
        most = std::max<uint64_t>(most, static_cast<uint64_t>(end - begin));
        begin = end;
      }
      right += most;
      if (most == size) {
        ++groups;
        rows += size;
      }
      at += size;
    }
    if (groups == 0) continue;
    const uint64_t prior = *std::max_element(in_all.begin(), in_all.end());
    findings.push_back(
        {"one-value",
         {column.name()},
         fmt::format("in {} of {} all rows have the same value: {}; the best guess from the group is right "
                     "for {} of the rows, without it for {}",
                     number_text(groups), counted(context.groups.sizes.size(), "group"), counted(rows, "row"),
                     share_text(right, context.rows), share_text(prior, context.rows)),
         "ask for a model on the column, as in distinct-l",
         false,
         false,
         {{"groups", double(groups)},
          {"rows", double(rows)},
          {"guessed", double(right)},
          {"guessed_without", double(prior)}}});
  }
}

void find_formulas(const FindingContext& context, std::vector<Finding>& findings) {
  std::vector<std::string> names;
  uint64_t cells = 0;
  for (size_t j = 0; j < context.table.quasi.size(); ++j) {
    const Column& column = context.table.quasi[j];
    std::vector<bool> formula;
    if (context.released) {
      for (const Released& value : context.released->quasi[j].values) {
        formula.push_back(
            is_formula(released_text(value, column, context.hierarchies[j], context.released->quasi[j].means)));
      }
    } else {
      for (const std::string& value : column.values) formula.push_back(is_formula(value));
    }
    if (std::none_of(formula.begin(), formula.end(), [](bool yes) { return yes; })) continue;
    const Codes& codes = context.released ? context.released->quasi[j].codes : column.codes;
    uint64_t found = 0;
    for (size_t row = 0; row < context.table.rows; ++row)
      found += context.is_released(row) && formula[codes[row]] ? 1 : 0;
    if (found > 0) names.push_back(column.name);
    cells += found;
  }
  for (const ExaminedColumn& column : context.columns) {
    if (!is_released(column.role) || column.census.formula_cells == 0) continue;
    names.push_back(column.name());
    cells += column.census.formula_cells;
  }
  if (cells == 0) return;
  findings.push_back(
      {"formula",
       names,
       fmt::format("{} as a formula does, which a spreadsheet would run", counted(cells, "cell begins", "cells begin")),
       "escape_formulas puts an apostrophe before each of them in a released text table",
       false,
       false,
       {{"cells", double(cells)}}});
}

void say_formulas_are_escaped(std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    if (finding.code != "formula") continue;
    finding.evidence += "; each has an apostrophe in front in the release";
    finding.what_to_do = "other readers than spreadsheets have to take it off";
    finding.numbers.emplace_back("escaped", 1);
  }
}

namespace {

// admission_type_id, icd_code, zip: numbers there count nothing.
bool says_code(const std::string& name) {
  const std::vector<std::string> words = words_of_name(name);
  if (!word_about(words, Topic::area_code).empty()) return true;
  return !words.empty() && words.back() != "num" && words.back() != "number" &&
         (words.back() == "code" || word_about(words, Topic::key) == words.back());
}

// Texts that would be numbers but for how they, or a few among them, are written.
void tell_near_numbers(const std::string& name, const std::vector<std::string>& values, const auto& told) {
  const auto commas = static_cast<size_t>(std::count_if(values.begin(), values.end(), [](const std::string& text) {
    return comma_number(text).fits && !has_leading_zero(text);
  }));
  // 01001 among 11001: codes, and nothing is wrong with them.
  const bool codes =
      std::any_of(values.begin(), values.end(), has_leading_zero) &&
      std::all_of(values.begin(), values.end(), [&](const std::string& text) {
        return text.size() == values.front().size() && text.find_first_not_of("0123456789") == std::string::npos;
      });
  const auto numbers = static_cast<size_t>(std::count_if(values.begin(), values.end(), [](const std::string& text) {
    return parse_number(text).has_value() && !has_leading_zero(text);
  }));
  const size_t all = values.size();
  if (all < 2 || numbers == all || codes) return;
  if (commas == all) {
    told(
        name,
        fmt::format(
            "all {} values are numbers if the comma is the decimal mark, or stands between thousands; they are kept or "
            "hidden as texts",
            number_text(all)),
        "say decimal: comma or thousands: ',' (or type: categorical)");
  } else if (all >= 10 && std::max(numbers, commas) * 10 >= all * 9) {
    told(name,
         fmt::format("{} of {} values are numbers, and because of the others all are kept or hidden as texts",
                     number_text(std::max(numbers, commas)), number_text(all)),
         "name the others under missing:, mend them, or say type: categorical");
  }
}

}  // namespace

void find_types(const FindingContext& context, std::vector<Finding>& findings) {
  const auto told = [&](const std::string& name, std::string evidence, std::string what) {
    findings.push_back({"types", {name}, std::move(evidence), std::move(what)});
  };
  const Job& said = context.examined.said != nullptr ? *context.examined.said : context.examined.job;
  for (size_t j = 0; j < context.table.quasi.size(); ++j) {
    const Column& column = context.table.quasi[j];
    const ColumnJob* asked = said.find_column(column.name);
    const size_t values = column.values.size() - (context.hierarchies[j].missing() ? 1 : 0);
    if (values == 0) continue;
    std::vector<std::string> known;
    for (uint32_t leaf = 0; leaf < column.values.size(); ++leaf) {
      if (context.hierarchies[j].missing() != leaf) known.push_back(column.values[leaf]);
    }
    if (context.hierarchies[j].numeric()) {
      const size_t digits = known.front().size();
      const bool codes = asked->type == ColumnType::automatic && digits >= 5 && values >= 10 &&
                         std::all_of(known.begin(), known.end(), [&](const std::string& text) {
                           return text.size() == digits && text.find_first_not_of("0123456789") == std::string::npos;
                         });
      if (codes) {
        told(column.name,
             fmt::format("all {} values have {} digits, and the column was taken for numbers", number_text(values),
                         digits),
             "if these are codes, say type: categorical; if they are numbers, type: numeric");
      } else if (asked->type == ColumnType::automatic && says_code(column.name) &&
                 std::all_of(known.begin(), known.end(), [](const std::string& text) {
                   return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
                 })) {
        told(column.name,
             fmt::format("its name says that its {} values are codes, and the column was taken for numbers",
                         number_text(values)),
             "if these are codes, say type: categorical; if they are numbers, type: numeric");
      }
      const Decimal largest = *Decimal::parse("9007199254740992");
      const auto beyond = std::count_if(known.begin(), known.end(), [&](const std::string& text) {
        const auto number = Decimal::parse(text);
        return number && (*number > largest || *number < *Decimal::parse("-9007199254740992"));
      });
      if (beyond > 0) {
        told(column.name,
             fmt::format("{} beyond 2^53: exact here, but most programs will round {}",
                         counted(static_cast<uint64_t>(beyond), "value is", "values are"), beyond == 1 ? "it" : "them"),
             "if these are codes, say type: categorical");
      }
    } else if (!asked->hierarchy && asked->type == ColumnType::automatic &&
               context.examined.original.encoding.columns[j].hierarchy == "flat") {
      const auto dates = static_cast<size_t>(std::count_if(known.begin(), known.end(), looks_like_date));
      if (dates * 10 >= values * 9 && values >= 2) {
        told(column.name,
             fmt::format("{} of {} values look like dates, and are kept or hidden as texts", number_text(dates),
                         number_text(values)),
             "type: date releases months and years");
      } else {
        tell_near_numbers(column.name, known, told);
      }
    }
  }
}

}  // namespace shoal
