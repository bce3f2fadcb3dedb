#include "shoal/examine/findings_narrowing.h"

// Who looks for a person knows the quasi values of that person, and takes the rows of the group one by one: a row whose
// plain value does not go with one of them is somebody else's. Which values do not go together is known to everybody
// who knows the subject. Here it is read off the table, in such a way that chance does not count: by the counts of both
// values alone at least kExpected rows should have them together (none by chance has a probability of e^-20), and at
// most one in kRare of these has (files hold a female husband or two). Numbers and dates are also taken together, all
// low ones and all high ones: pairs of single values are rare in most tables.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace shoal {
namespace {

constexpr uint64_t kExpected = 20;
constexpr uint64_t kRare = 50;
constexpr size_t kMostPairs = size_t{1} << 22;
constexpr uint64_t kStepsPerRow = 300;
constexpr size_t kMostStretches = 256;

std::vector<uint64_t> released_counts(const FindingContext& context, const Codes& codes, size_t values) {
  std::vector<uint64_t> counts(values, 0);
  codes.visit([&](auto all) {
    for (size_t row = 0; row < all.size(); ++row) counts[all[row]] += context.is_released(row) ? 1 : 0;
  });
  return counts;
}

// The values that are frequent enough to be missed beside the most frequent value of the other column are numbered from
// 1; the others are 0. `counts` becomes those of the numbers.
std::vector<uint32_t> number_frequent(std::vector<uint64_t>& counts, uint64_t most_of_other, uint64_t rows) {
  std::vector<uint32_t> number(counts.size(), 0);
  std::vector<uint64_t> kept{0};
  for (size_t value = 0; value < counts.size(); ++value) {
    if (counts[value] * most_of_other < kExpected * rows) continue;
    number[value] = static_cast<uint32_t>(kept.size());
    kept.push_back(counts[value]);
  }
  counts = std::move(kept);
  return number;
}

// Lines that are alike get the same class; a line without a mark gets 0.
std::vector<uint32_t> classes_of(const std::vector<std::vector<bool>>& lines) {
  std::map<std::vector<bool>, uint32_t> classes;
  classes.emplace(std::vector<bool>(lines.front().size(), false), 0);
  std::vector<uint32_t> result;
  for (const std::vector<bool>& line : lines) {
    result.push_back(classes.emplace(line, static_cast<uint32_t>(classes.size())).first->second);
  }
  return result;
}

std::vector<uint32_t> looked_up(const std::vector<uint32_t>& numbers, const std::vector<uint32_t>& classes) {
  std::vector<uint32_t> result;
  for (uint32_t number : numbers) result.push_back(classes[number]);
  return result;
}

size_t count_classes(const std::vector<uint32_t>& classes) {
  return size_t{*std::max_element(classes.begin(), classes.end())} + 1;
}

// Among `rows` rows, of which these numbers have the one and the other, so many have both: too few for chance.
bool hardly_together(uint64_t both, uint64_t one, uint64_t other, uint64_t rows) {
  const uint64_t product = one * other;  // fits: a table has fewer than 2^32 rows
  return rows > 0 && product >= kExpected * rows && both <= product / (kRare * rows);
}

// A column whose values have numbers below `count`.
struct NumberedColumn {
  const Codes& codes;
  const std::vector<uint32_t>& number;  // of each code
  size_t count;
};
// [number * other.count + other's number]: released rows.
std::vector<uint32_t> rows_together(const FindingContext& context, const NumberedColumn& column,
                                    const NumberedColumn& other) {
  std::vector<uint32_t> together(column.count * other.count, 0);
  column.codes.visit([&](auto code) {
    other.codes.visit([&](auto value) {
      for (size_t row = 0; row < code.size(); ++row) {
        if (context.is_released(row)) ++together[column.number[code[row]] * other.count + other.number[value[row]]];
      }
    });
  });
  return together;
}

// Values in their order, in stretches of about as many rows, numbered from 1; those that are not in the order are 0.
struct Stretches {
  std::vector<uint32_t> of_value;
  size_t count = 1;  // with 0
};
Stretches stretches(const std::vector<uint32_t>& in_order, const std::vector<uint64_t>& rows) {
  Stretches result{std::vector<uint32_t>(rows.size(), 0)};
  uint64_t all = 0;
  for (uint32_t value : in_order) all += rows[value];
  const uint64_t enough = all / kMostStretches;
  uint64_t held = enough + 1;
  for (uint32_t value : in_order) {
    if (rows[value] == 0) continue;
    if (held > enough) {
      ++result.count;
      held = 0;
    }
    held += rows[value];
    result.of_value[value] = static_cast<uint32_t>(result.count - 1);
  }
  return result;
}

// Rows of pairs of stretches, seen from one of the table's four corners; both count from 1.
struct SeenFromCorner {
  const std::vector<uint32_t>& together;
  size_t height, width;
  bool from_last_row, from_last_column;
  size_t row(size_t a) const { return from_last_row ? height - a : a; }
  size_t column(size_t b) const { return from_last_column ? width - b : b; }
  uint32_t rows(size_t a, size_t b) const { return together[row(a) * width + column(b)]; }
};

// Marks the pairs in a part of the table, from this corner to anywhere, that should hold many rows and hardly holds
// any.
void mark_empty(const SeenFromCorner& seen, std::vector<std::vector<bool>>& empty) {
  const size_t height = seen.height, width = seen.width;
  std::vector<uint64_t> within(height * width, 0);  // rows from the corner to here
  for (size_t a = 1; a < height; ++a) {
    for (size_t b = 1; b < width; ++b) {
      within[a * width + b] =
          seen.rows(a, b) + within[(a - 1) * width + b] + within[a * width + b - 1] - within[(a - 1) * width + b - 1];
    }
  }
  // From the far end: what lies in an empty part is ruled out, however small a part of its own it has.
  std::vector<bool> beyond(width + 1, false);
  for (size_t a = height - 1; a > 0; --a) {
    for (size_t b = width - 1; b > 0; --b) {
      const bool alone = hardly_together(within[a * width + b], within[a * width + width - 1],
                                         within[(height - 1) * width + b], within.back());
      beyond[b] = beyond[b] || beyond[b + 1] || alone;
      if (beyond[b]) empty[seen.row(a)][seen.column(b)] = true;
    }
  }
}

// Low with low, low with high, high with low, high with high. `together`: rows of each pair of stretches.
std::vector<std::vector<bool>> empty_corners(const std::vector<uint32_t>& together, size_t height, size_t width) {
  std::vector<std::vector<bool>> empty(height, std::vector<bool>(width, false));
  for (const bool last_row : {false, true}) {
    for (const bool last_column : {false, true}) {
      mark_empty({together, height, width, last_row, last_column}, empty);
    }
  }
  return empty;
}

}  // namespace

void PairsRuledOut::settle(const std::vector<std::vector<bool>>& pairs, const std::vector<uint32_t>& leaf_number,
                           const std::vector<uint32_t>& value_number) {
  std::vector<std::vector<bool>> by_value(pairs.front().size(), std::vector<bool>(pairs.size(), false));
  bool any = false;
  for (size_t a = 0; a < pairs.size(); ++a) {
    for (size_t b = 0; b < by_value.size(); ++b) {
      by_value[b][a] = pairs[a][b];
      any |= pairs[a][b];
    }
  }
  if (!any) return;
  const std::vector<uint32_t> leaf_classes = classes_of(pairs), value_classes = classes_of(by_value);
  value_classes_ = count_classes(value_classes);
  ruled_out_.assign(count_classes(leaf_classes) * value_classes_, false);
  for (size_t a = 0; a < pairs.size(); ++a) {
    for (size_t b = 0; b < by_value.size(); ++b) {
      ruled_out_[leaf_classes[a] * value_classes_ + value_classes[b]] = pairs[a][b];
    }
  }
  class_of_leaf_ = looked_up(leaf_number, leaf_classes);
  class_of_value_ = looked_up(value_number, value_classes);
}

PairsRuledOut PairsRuledOut::by_value(const FindingContext& context, size_t quasi, const CensusColumn& column,
                                      std::vector<uint64_t> of_leaf, std::vector<uint64_t> of_value) {
  PairsRuledOut result(quasi);
  if (of_leaf.empty() || of_value.empty() || context.rows == 0) return result;
  const uint64_t most_of_leaf = *std::max_element(of_leaf.begin(), of_leaf.end());
  const std::vector<uint32_t> leaf_number =
      number_frequent(of_leaf, *std::max_element(of_value.begin(), of_value.end()), context.rows);
  const std::vector<uint32_t> value_number = number_frequent(of_value, most_of_leaf, context.rows);
  const size_t width = of_value.size();
  if (of_leaf.size() == 1 || width == 1 || of_leaf.size() * width > kMostPairs) return result;
  const std::vector<uint32_t> together = rows_together(
      context, {context.table.quasi[quasi].codes, leaf_number, of_leaf.size()}, {column.codes, value_number, width});
  std::vector<std::vector<bool>> pairs(of_leaf.size(), std::vector<bool>(width, false));
  for (size_t a = 1; a < of_leaf.size(); ++a) {
    for (size_t b = 1; b < width; ++b) {
      pairs[a][b] = hardly_together(together[a * width + b], of_leaf[a], of_value[b], context.rows);
    }
  }
  result.settle(pairs, leaf_number, value_number);
  return result;
}

PairsRuledOut PairsRuledOut::by_order(const FindingContext& context, size_t quasi, const CensusColumn& column,
                                      const std::vector<uint64_t>& of_leaf, const std::vector<uint64_t>& of_value) {
  PairsRuledOut result(quasi);
  if (column.places.empty() || context.rows == 0) return result;
  std::vector<uint32_t> leaves(of_leaf.size()), values;
  std::iota(leaves.begin(), leaves.end(), 0U);
  for (uint32_t value = 0; value < of_value.size(); ++value) {
    if (!std::isnan(column.places[value])) values.push_back(value);
  }
  std::sort(values.begin(), values.end(), [&](uint32_t a, uint32_t b) { return column.places[a] < column.places[b]; });
  const Stretches quasi_stretches = stretches(leaves, of_leaf), value_stretches = stretches(values, of_value);
  if (quasi_stretches.count < 3 || value_stretches.count < 3) return result;
  std::vector<uint32_t> together =
      rows_together(context, {context.table.quasi[quasi].codes, quasi_stretches.of_value, quasi_stretches.count},
                    {column.codes, value_stretches.of_value, value_stretches.count});
  result.settle(empty_corners(together, quasi_stretches.count, value_stretches.count), quasi_stretches.of_value,
                value_stretches.of_value);
  return result;
}

NarrowingSearch::NarrowingSearch(const FindingContext& context)
    : context_(context), of_leaf_(context.table.quasi.size()) {
  for (size_t j : context.quasi) {
    const std::vector<Released>& cells = context.released->quasi[j].values;
    if (std::none_of(cells.begin(), cells.end(), [](const Released& cell) { return cell.first < cell.last; })) continue;
    of_leaf_[j] = released_counts(context, context.table.quasi[j].codes, context.table.quasi[j].values.size());
  }
  std::vector<uint32_t> all(context.table.rows);
  std::iota(all.begin(), all.end(), 0U);
  rows_by_group_ = sorted_by_group<uint32_t>(context.groups, all);
}

Narrowing NarrowingSearch::by(const ExaminedColumn& column) const {
  Narrowing narrowing{&column, {}};
  const std::vector<uint64_t> of_value = released_counts(context_, column.census.codes, column.census.counts.size());
  for (size_t j = 0; j < of_leaf_.size(); ++j) {
    if (of_leaf_[j].empty()) continue;
    for (PairsRuledOut pairs : {PairsRuledOut::by_value(context_, j, column.census, of_leaf_[j], of_value),
                                PairsRuledOut::by_order(context_, j, column.census, of_leaf_[j], of_value)}) {
      if (pairs.any()) narrowing.pairs.push_back(std::move(pairs));
    }
  }
  return narrowing;
}

namespace {

// All pairs of all columns, and for every row in one number each what its person goes with and what its row goes with:
// rows have few different ones.
class Candidates {
 public:
  Candidates(const FindingContext& context, std::span<const Narrowing* const> columns)
      : context_(context), steps_left_(kStepsPerRow * (context.table.rows + 1)) {
    for (const Narrowing* column : columns) {
      for (const PairsRuledOut& pairs : column->pairs) {
        pairs_.push_back(&pairs);
        person_codes_.push_back(person_classes(pairs));
        value_codes_.push_back(value_classes(pairs, column->column->census.codes));
      }
    }
    std::vector<GroupKey> person_keys, value_keys;
    for (size_t i = 0; i < pairs_.size(); ++i) {
      person_keys.push_back({&person_codes_[i], pairs_[i]->leaf_classes()});
      value_keys.push_back({&value_codes_[i], pairs_[i]->value_classes()});
    }
    persons_ = group_rows(context.table.rows, person_keys, context.dropped());
    values_ = group_rows(context.table.rows, value_keys, context.dropped());
    keep_first_rows(persons_, person_codes_, person_);
    keep_first_rows(values_, value_codes_, value_);
    rows_of_value_.assign(values_.sizes.size(), 0);
  }

  // Adds the rows of one group.
  void count(std::span<const uint32_t> rows, SmallGroups& small) {
    if (rows.size() < context_.k) return;  // was below before
    seen_.clear();
    for (uint32_t row : rows) {
      const uint32_t value = values_.group_of_row[row];
      if (rows_of_value_[value]++ == 0) seen_.push_back(value);
    }
    for (uint32_t row : rows) {
      const uint32_t person = persons_.group_of_row[row];
      // Whose own row is not what one would expect is not found in this way.
      if (!go_together(person, values_.group_of_row[row])) continue;
      uint64_t left = 0;
      for (size_t i = 0; i < seen_.size() && left < context_.k && steps_left_ > 0; ++i, --steps_left_) {
        if (go_together(person, seen_[i])) left += rows_of_value_[seen_[i]];
      }
      small.rows_below_k += left < context_.k ? 1 : 0;
      small.unique_rows += left == 1 ? 1 : 0;
    }
    for (uint32_t value : seen_) rows_of_value_[value] = 0;
  }
  bool gave_up() const { return steps_left_ == 0; }

 private:
  // Per row; 0 where the cell is released as it is, for then all rows of the group have the value.
  Codes person_classes(const PairsRuledOut& pairs) const {
    const ReleasedColumn& released = context_.released->quasi[pairs.quasi()];
    Codes classes(context_.table.rows, pairs.leaf_classes());
    std::vector<bool> recoded;
    for (const Released& cell : released.values) recoded.push_back(cell.first < cell.last);
    context_.table.quasi[pairs.quasi()].codes.visit([&](auto leaf) {
      released.codes.visit([&](auto cell) {
        classes.visit([&](auto to) {
          using Code = typename decltype(to)::value_type;
          for (size_t row = 0; row < to.size(); ++row) {
            if (context_.is_released(row) && recoded[cell[row]])
              to[row] = static_cast<Code>(pairs.class_of_leaf()[leaf[row]]);
          }
        });
      });
    });
    return classes;
  }
  Codes value_classes(const PairsRuledOut& pairs, const Codes& column) const {
    Codes classes(context_.table.rows, pairs.value_classes());
    column.visit([&](auto value) {
      classes.visit([&](auto to) {
        using Code = typename decltype(to)::value_type;
        for (size_t row = 0; row < to.size(); ++row) to[row] = static_cast<Code>(pairs.class_of_value()[value[row]]);
      });
    });
    return classes;
  }
  // The classes of every different person (or value), pair after pair; the codes are not needed any more.
  static void keep_first_rows(const Groups& groups, std::vector<Codes>& codes, std::vector<uint32_t>& classes) {
    classes.assign(groups.sizes.size() * codes.size(), 0);
    std::vector<bool> known(groups.sizes.size(), false);
    for (size_t row = 0; row < groups.group_of_row.size(); ++row) {
      const uint32_t group = groups.group_of_row[row];
      if (group == kNoGroup || known[group]) continue;
      known[group] = true;
      for (size_t i = 0; i < codes.size(); ++i) classes[group * codes.size() + i] = codes[i][row];
    }
    codes.clear();
  }
  bool go_together(uint32_t person, uint32_t value) const {
    const uint32_t* persons = person_.data() + person * pairs_.size();
    const uint32_t* values = value_.data() + value * pairs_.size();
    for (size_t i = 0; i < pairs_.size(); ++i) {
      if (pairs_[i]->ruled_out(persons[i], values[i])) return false;
    }
    return true;
  }

  const FindingContext& context_;
  uint64_t steps_left_;
  std::vector<const PairsRuledOut*> pairs_;
  std::vector<Codes> person_codes_, value_codes_;  // [pair][row]
  Groups persons_, values_;                        // rows with the same classes in all pairs
  std::vector<uint32_t> person_, value_;           // [person or value * pairs + pair]
  std::vector<uint32_t> rows_of_value_, seen_;     // of the group at hand
};

}  // namespace

std::optional<SmallGroups> NarrowingSearch::narrowed(std::span<const Narrowing* const> columns,
                                                     const Progress& progress) const {
  Candidates candidates(context_, columns);
  SmallGroups small;
  size_t at = 0;
  for (uint32_t size : context_.groups.sizes) {
    candidates.count(std::span(rows_by_group_).subspan(at, size), small);
    at += size;
    progress.check();
    if (candidates.gave_up()) return std::nullopt;
  }
  return small;
}

}  // namespace shoal
