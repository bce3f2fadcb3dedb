// Which builder fits the values of a column: what `build: auto` does, and what `inspect` suggests.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shoal/hierarchy/build.h"

namespace shoal {

struct ChosenBuilder {
  BuilderSpec builder;  // with every setting that decides, so that it gives the same tree for these values
  std::string reason;   // in words: "dates as DD.MM.YYYY"; holds no values
};

// What is known about the values besides themselves.
enum class ValueKind { any, names };  // names: not to be taken for numbers, whatever they look like

// Rules, the first that holds:
//   dates      every value is a date in one way of writing
//   intervals  every value is a number and none is written as a code is (02139; all of the same five or more digits):
//              ten or more intervals at round numbers between the 1st and the 99th percentile of the rows, and what
//              lies far outside of these joined at its end; ten values or fewer: ordinal
//   ordinal    the values show an order (value_order.h)
//   codes      short texts with digits in nine of ten that share beginnings
//   frequency  some values are rare: two or more have each less than 1 % of the rows, and not all values have
//   flat       otherwise
// The same for any order of the values. `counts`: as for build_tree. Cost: a few passes over the values.
ChosenBuilder choose_builder(std::span<const std::string> values, std::span<const uint64_t> counts,
                             ValueKind kind = ValueKind::any);

// All values are whole numbers of five or more digits, all of the same number of them, or some begin with a zero that a
// number would lose: written as a code is.
bool written_as_code(std::span<const std::string> values);

// How many characters the levels of `codes` keep, finest first; empty: the values share no beginnings.
std::vector<size_t> code_levels(std::span<const std::string> values);

}  // namespace shoal
