// A binary tree over parts with about equally many rows.

#include <fmt/format.h>

#include <cmath>

#include "shoal/error.h"
#include "shoal/hierarchy/builders.h"
#include "shoal/hierarchy/label_text.h"

namespace shoal {
namespace {

constexpr uint32_t kMostParts = 1U << 20;

// One number with all its spellings.
struct Step {
  uint32_t place;
  std::vector<size_t> values;
};

class QuantileTree {
 public:
  QuantileTree(std::span<const std::string> values, std::span<const uint64_t> counts,
               const std::vector<NumberValue>& numbers)
      : values_(values) {
    rows_before_.push_back(0);
    for (const auto& [place, value] : numbers) {
      if (steps_.empty() || steps_.back().place != place) {
        steps_.push_back({place, {}});
        rows_before_.push_back(rows_before_.back());
      }
      steps_.back().values.push_back(value);
      rows_before_.back() += counts.empty() ? 1 : counts[value];
    }
  }

  Tree grow(uint32_t parts) {
    split({0, steps_.size(), parts}, 0);
    return std::move(tree_).take();
  }

 private:
  struct Stretch {
    size_t first, end;
    uint32_t parts;
  };

  // Recursion depth: log2 of the parts.
  void split(const Stretch& stretch, uint32_t parent) {
    if (stretch.parts < 2 || stretch.end - stretch.first < 2) {
      for (size_t step = stretch.first; step < stretch.end; ++step) {
        for (size_t value : steps_[step].values) tree_.leaf(parent, values_[value]);
      }
      return;
    }
    const uint32_t left_parts = (stretch.parts + 1) / 2;
    const size_t middle = split_point(stretch, left_parts);
    hang({stretch.first, middle, left_parts}, parent);
    hang({middle, stretch.end, stretch.parts - left_parts}, parent);
  }

  // A single value needs no interval around it.
  void hang(const Stretch& stretch, uint32_t parent) {
    const Step &least = steps_[stretch.first], &greatest = steps_[stretch.end - 1];
    if (stretch.end - stretch.first == 1 && least.values.size() == 1) {
      tree_.leaf(parent, values_[least.values.front()]);
      return;
    }
    split(stretch, tree_.inner(parent, fmt::format("[{},{}]", label(least), label(greatest))));
  }
  std::string label(const Step& step) const { return number_label(*label_decimal(values_[step.values.front()])); }

  // Where the left side's share of rows is nearest to its share of parts; the lower place on ties. Both sides keep at
  // least one number. The distance falls, then rises: binary search for the turn.
  size_t split_point(const Stretch& stretch, uint32_t left_parts) const {
    const double rows = static_cast<double>(rows_before_[stretch.end] - rows_before_[stretch.first]);
    const double wanted = rows * left_parts / stretch.parts;
    const auto left = [&](size_t at) { return static_cast<double>(rows_before_[at] - rows_before_[stretch.first]); };
    size_t low = stretch.first + 1, high = stretch.end - 1;
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (left(middle) < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const bool below_is_nearer =
        low > stretch.first + 1 && std::abs(wanted - left(low - 1)) <= std::abs(left(low) - wanted);
    return below_is_nearer ? low - 1 : low;
  }

  std::span<const std::string> values_;
  std::vector<Step> steps_;
  std::vector<uint64_t> rows_before_;  // rows of all steps before this one
  GrowingTree tree_;
};

}  // namespace

Tree build_quantiles(const BuilderSpec& spec, std::span<const std::string> values, std::span<const uint64_t> counts) {
  const BuilderSettings settings(spec, {"parts"});
  const uint32_t parts = settings.whole("parts", std::nullopt, 2, kMostParts);
  if (!counts.empty() && counts.size() != values.size()) {
    throw Error(ErrorKind::input, fmt::format("{} counts were given for {} values; give one for each, or none",
                                              counts.size(), values.size()));
  }
  return QuantileTree(values, counts, number_values(settings, values)).grow(parts);
}

}  // namespace shoal
