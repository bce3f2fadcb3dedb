// Values in an order, where neighbours join: pairs, then fours, and so on.

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "shoal/error.h"
#include "shoal/hierarchy/builders.h"
#include "shoal/hierarchy/label_text.h"
#include "shoal/hierarchy/value_order.h"

namespace shoal {
namespace {

constexpr std::string_view kBefore = " < ";

std::vector<std::string> stated_order(const BuilderSettings& settings) {
  std::vector<std::string> order;
  std::string_view rest;
  const std::string text = settings.text("order", "");
  rest = text;
  for (;;) {
    const size_t end = std::min(rest.find(kBefore), rest.size());
    order.emplace_back(rest.substr(0, end));
    if (order.back().empty()) settings.refuse("order", "has a name that is empty; write low < middle < high");
    if (end == rest.size()) break;
    rest.remove_prefix(end + kBefore.size());
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& value : order) {
    if (!seen.insert(value).second) settings.refuse("order", fmt::format("names {} twice", quoted_label(value)));
  }
  return order;
}

// The values that occur, in the stated order, or in the one they show.
std::vector<std::string> order_of(const BuilderSettings& settings, std::span<const std::string> values) {
  if (!settings.has("order")) {
    if (values.size() < 2) return {values.begin(), values.end()};
    if (auto found = found_order(values)) return *found;
    throw Error(ErrorKind::input,
                fmt::format("the values show no order ({}, {}, ...); state it, as in order: low < middle < "
                            "high",
                            quoted_label(*std::min_element(values.begin(), values.end())),
                            quoted_label(*std::max_element(values.begin(), values.end()))));
  }
  const std::vector<std::string> stated = stated_order(settings);
  const std::unordered_set<std::string_view> known(stated.begin(), stated.end());
  std::vector<size_t> wrong;
  for (size_t value = 0; value < values.size(); ++value) {
    if (!known.contains(values[value])) wrong.push_back(value);
  }
  if (!wrong.empty()) refuse_values(values, wrong, "are not in the stated order", "add them there");
  const std::unordered_set<std::string_view> present(values.begin(), values.end());
  std::vector<std::string> order;
  for (const std::string& value : stated) {
    if (present.contains(value)) order.push_back(value);
  }
  return order;
}

class OrdinalTree {
 public:
  OrdinalTree(std::vector<std::string> order, size_t factor) : order_(std::move(order)), factor_(factor) {}

  Tree grow() {
    size_t width = 1;
    while (width < order_.size()) width *= factor_;
    split(0, 0, order_.size(), width);
    return std::move(tree_).take();
  }

 private:
  // The values [first, end) under `parent`, in parts of width / factor.
  void split(uint32_t parent, size_t first, size_t end, size_t width) {
    const size_t part = width / factor_;
    for (size_t at = first; at < end; at += std::max<size_t>(part, 1)) {
      const size_t stop = std::min(at + std::max<size_t>(part, 1), end);
      if (stop - at == 1) {
        tree_.leaf(parent, order_[at]);
      } else if (at == first && stop == end) {
        split(parent, at, stop, part);  // the same values as the node above
      } else {
        split(tree_.inner(parent, joined_label(order_[at], order_[stop - 1])), at, stop, part);
      }
    }
  }

  std::vector<std::string> order_;
  size_t factor_;
  GrowingTree tree_;
};

}  // namespace

Tree build_ordinal(const BuilderSpec& spec, std::span<const std::string> values) {
  const BuilderSettings settings(spec, {"order", "factor"});
  const uint32_t factor = settings.whole("factor", 2, 2, 1000);
  return OrdinalTree(order_of(settings, values), factor).grow();
}

}  // namespace shoal
