// Chooses, among the ways to pair released rows with original rows, one in which every group has enough persons.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "shoal/run/progress.h"

namespace shoal {

// Released rows that look alike on a requirement's columns, and how many different persons they must be about.
struct PersonGroups {
  std::vector<uint32_t> group_of_row;  // of each released row
  uint64_t persons = 0;
};

struct RowsToSpread {
  std::span<const uint32_t> person;            // of each original row
  std::vector<PersonGroups> groups;            // of each requirement
  std::span<const uint32_t> class_of_release;  // rows may stand for originals of their class,
  std::span<const uint32_t> class_of_original;
  std::function<bool(uint32_t released, uint32_t original)> covers;  // if they cover them
};

// Rows, chosen at random but always the same ones, take an original of their class from another row that can stand for
// theirs, or one that no row stands for, unless more persons are missing then. Where as many are, they take it as well:
// what a group lacks may come free later. True once no group is short. `row_of_release` must be a pairing, and stays
// one. False says only that no way was found in so many steps (`work`).
bool spread_persons(const RowsToSpread& rows, std::vector<uint32_t>& row_of_release, uint64_t work,
                    const Progress& progress);

}  // namespace shoal
