// Near groups become one: those that the rule refuses, until all hold, and the cheapest pairs where there are too many.
#pragma once

#include "shoal/method/shoal/shoal_passes.h"
#include "shoal/method/shoal/shoal_window.h"

namespace shoal {

// Which near group a violator is united with.
enum class MergePolicy {
  least_cost,             // the one that adds least, of those that lower what both lack
  least_cost_per_deficit  // the one that adds least for what is lacking no longer
};

// Unites violators inside the window, the smallest first, until none is left or (unless `forced`) no partner helps.
void merge_violators(ShoalWindow& window, MergePolicy policy, bool forced);

// The partition with violators united, window by window along ever other lines and, where that does not suffice, in
// ever larger windows. Every group holds in the end, because the whole table does (required).
RowGroups merged_violators(const TableLines& lines, const GroupRule& rule, RowGroups partition, MergePolicy policy,
                           size_t window_rows, uint64_t seed);

// Makes the window's cheapest pairs one, the cheapest first: at most `unions` times, and none that adds `price` or more
// or does not hold afterwards.
void merge_cheapest(ShoalWindow& window, double price, size_t unions);

}  // namespace shoal
