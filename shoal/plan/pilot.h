// The pilot of a large table: a sample, drawn by content, and its groups. Where these lie says where the table can be
// cut at little cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/plan/cut_tree.h"
#include "shoal/recode/content_order.h"
#include "shoal/run/progress.h"

namespace shoal {

// Which rows are drawn: about `wanted` of `rows`. A row is drawn for what it has on the requirements' columns and for
// which of the rows that have the same it is, so that neither the order of the input nor the way in which it is stored
// in parts matters, and of many equal rows their share is drawn.
class RowDraw {
 public:
  RowDraw(size_t wanted, uint64_t rows);
  // How many of `count` rows with these codes are drawn. Cost: linear in count.
  uint64_t drawn(std::span<const uint32_t> codes, uint64_t count) const;

 private:
  uint64_t below_ = 0;  // hashes
  bool all_ = false;
};

// The rows drawn, in their order. `columns`: those by which `order` was made.
std::vector<uint32_t> pilot_rows(const Table& table, const OrderedRows& order, const std::vector<size_t>& columns,
                                 size_t wanted);

// What a method answers for a fragment (FragmentSearch, where it has that side).
SearchResult fragment_answer(const Method& method, const Problem& fragment, Progress& progress);

// Searches the groups of a sample with method `shoal`, quickly, with every k made smaller as the table was: k x sample
// / rows, at least 2. Privacy models are left out. `sample`: some of the `rows` of the whole table, which must outlive
// the answer; the problem's own table is not looked at. Nothing where even that has no answer.
std::optional<PilotGroups> pilot_groups(const Problem& problem, const Table& sample, size_t rows, Progress& progress);

}  // namespace shoal
