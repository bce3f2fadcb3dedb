// Builders: trees made from the values themselves. One function per kind; `build_tree` chooses by name.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "shoal/hierarchy/tree.h"

namespace shoal {

// A builder's name and settings as the job file or `shoal hierarchy build` gives them, all as text:
//   intervals  width=5 [start=0] [factor=2] [levels=4]  or  edges=0,18,65,100 (open ends: below the first, from the
//   last) quantiles  parts=8            (a binary tree over parts of equal counts) mask       [character=*]      5371*
//   537** 53*** ... from the right; [from=left] from the left dates      [levels=month,year,decade]       values as
//   YYYY-MM-DD (also YYYY-MM, YYYY) flat                         every value directly under the root
struct BuilderSpec {
  std::string kind;
  std::map<std::string, std::string> settings;
};

// Names of all kinds, for help texts and suggestions.
std::vector<std::string> builder_kinds();

// `values`: the distinct values of the column, `counts` how often each occurs (used by quantiles; may be empty = once
// each). Throws Error(job) on unknown kinds or settings, Error(input) on values that do not fit (not a number, no
// date).
Tree build_tree(const BuilderSpec& spec, std::span<const std::string> values, std::span<const uint64_t> counts);

}  // namespace shoal
