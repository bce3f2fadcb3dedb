// The order of values that are names: bands of numbers, grades, words that everybody puts in the same order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace shoal {

// The values from least to greatest, when they show an order; nothing otherwise. Tried in this order:
//   numbers       1, 2, 10
//   bands         [0-10), [10-20) or 18-25, 26-40 or <30, >=30: none may overlap another
//   words         of one scale: low, medium, high; never, rarely, often; mon, tue; case does not count
//   one number    inside a text that is otherwise the same: stage 2, G3, T1, grade IV
// Numbers that are no bands need not be different (1 and 1.0 are neighbours). Requires: distinct values.
std::optional<std::vector<std::string>> found_order(std::span<const std::string> values);

// Places in `values`, the most frequent first; as frequent ones by their texts (no counts: all of them). For values
// without a tree: some methods cut between neighbours only (mondrian), and could not keep a value apart that stands
// among rare ones.
std::vector<size_t> most_frequent_first(std::span<const std::string> values, std::span<const uint64_t> counts);

// The label of neighbours that join: that of one band over all of them where both are bands (`[0-10)` to `[20-30)` is
// `[0-30)`), else `low..high`.
std::string joined_label(const std::string& first, const std::string& last);

}  // namespace shoal
