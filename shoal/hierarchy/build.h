// Builders: trees made from the values themselves. One function per kind; `build_tree` chooses by name.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "shoal/hierarchy/tree.h"

namespace shoal {

// A builder's name and settings as the job file or `shoal hierarchy build` gives them, all as text ([...]: may be left
// out; the value shown is then used):
//
//   intervals   width=5 [start=0] [factor=2] [levels=4]   intervals `[lo,hi)`; each next level `factor` times as wide.
//                                                         Without levels=: up to 4, none that would cover everything
//   intervals   edges=0,18,65,100                         one level; `<0` and `>=100` for what lies outside
//   quantiles   parts=8                                   a binary tree over parts of about equal row counts
//   mask        [character=*] [from=right]                5371* 537** 53*** ...; from=left masks from the left
//   intervals   width=5 bottom=20 top=90                  ... and `<20`, `>=90` for what lies outside
//   dates       [levels=month,year,decade] [format=...]   also day, quarter; values in one of the formats of
//   date_text.h,
//                                                         found over all values where it is not given
//   codes       [levels=3,1]                              E11.9 -> E11* -> E*; how many characters are kept, found
//   where
//                                                         not given
//   ordinal     [order=low < middle < high] [factor=2]    neighbours join: low..middle; the order found where not given
//   frequency   [below=0.01,0.05]                         values with less than that share of the rows join
//   flat                                                  every value directly under the root
//   auto                                                  the one of these that fits the values (choose_builder.h)
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
