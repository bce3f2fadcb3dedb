#include <algorithm>
#include <numeric>

#include "shoal/method/mondrian/mondrian_several.h"

namespace shoal::mondrian {
namespace {

// A number below 2 x regions for every region: regions with the same number share a bundle of this requirement.
// `extents` is what each region's rows take up, [region * width + column]. `rule`: null when k rows are enough.
std::vector<uint32_t> bundles(const BoxedRegions& boxed, const Requirement& requirement, const GroupRule* rule,
                              const std::vector<Interval>& extents, size_t width) {
  Projections projections(requirement);
  std::vector<uint32_t> bundle_of_region(boxed.regions.size());
  for (size_t region = 0; region < boxed.regions.size(); ++region) {
    const uint32_t number = projections.number_of(std::span(boxed.boxes).subspan(region * width, width));
    bundle_of_region[region] = number;
    projections.add_rows(number, boxed.rows->rows(boxed.regions[region]));
  }
  // Only projections with rows for two bundles are worth a thought. Their regions fill bundles in the order of where
  // their rows lie, so that neighbours shrink together.
  std::vector<size_t> order;
  for (size_t region = 0; region < boxed.regions.size(); ++region) {
    if (projections.rows(bundle_of_region[region]) >= 2 * requirement.k) order.push_back(region);
  }
  auto middle = [&](size_t region, size_t column) {
    const Interval extent = extents[region * width + column];
    return uint64_t{extent.first} + extent.last;
  };
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    for (size_t column : requirement.columns) {
      if (middle(a, column) != middle(b, column)) return middle(a, column) < middle(b, column);
    }
    return a < b;
  });
  // A bundle is closed once it has k rows and what is left makes another; with a rule, once it and what is left hold.
  struct Bundle {
    uint32_t number;
    uint64_t rows = 0;
  };
  std::vector<std::pair<GroupTally, GroupTally>> tallies;  // [projection]: of the open bundle, of what is left
  if (rule) {
    for (size_t i = 0; i < projections.size(); ++i) tallies.emplace_back(rule->tally(), rule->tally());
    for (size_t region : order) {
      rule->merge(tallies[bundle_of_region[region]].second,
                  rule->tally(boxed.rows->numbers(boxed.regions[region]), boxed.rows->times()));
    }
  }
  std::vector<Bundle> open;
  for (uint32_t number = 0; number < projections.size(); ++number) open.push_back({number});
  auto next = static_cast<uint32_t>(projections.size());
  for (size_t region : order) {
    const uint32_t number = bundle_of_region[region];
    Bundle& bundle = open[number];
    bundle_of_region[region] = bundle.number;
    bundle.rows += boxed.rows->rows(boxed.regions[region]);
    projections.take_rows(number, boxed.rows->rows(boxed.regions[region]));
    bool closed = bundle.rows >= requirement.k && projections.rows(number) >= requirement.k;
    if (rule) {
      auto& [bundled, left] = tallies[number];
      const GroupTally own = rule->tally(boxed.rows->numbers(boxed.regions[region]), boxed.rows->times());
      rule->merge(bundled, own);
      rule->subtract(left, own);
      closed = closed && rule->holds(bundled) && rule->holds(left);
      if (closed) bundled = rule->tally();
    }
    if (closed) bundle = {next++};
  }
  return bundle_of_region;
}

// Links regions of the same bundle: for every region the lowest region it is linked to, directly or by way of others.
class Links {
 public:
  explicit Links(size_t regions) : parent_(regions) { std::iota(parent_.begin(), parent_.end(), size_t{0}); }

  void add(const std::vector<uint32_t>& bundle_of_region) {
    std::vector<size_t> first(2 * parent_.size(), parent_.size());
    for (size_t region = 0; region < parent_.size(); ++region) {
      size_t& lowest = first[bundle_of_region[region]];
      if (lowest == parent_.size()) lowest = region;
      const size_t a = root(lowest), b = root(region);
      parent_[std::max(a, b)] = std::min(a, b);
    }
  }
  size_t root(size_t region) {
    while (parent_[region] != region) region = parent_[region] = parent_[parent_[region]];
    return region;
  }

 private:
  std::vector<size_t> parent_;
};

}  // namespace

std::vector<Interval> shrunk_boxes(const Search& search, const BoxedRegions& boxed) {
  const size_t width = search.columns.size(), regions = boxed.regions.size();
  std::vector<Interval> shrunk(regions * width);
  std::vector<uint32_t> least(width), greatest(width);
  for (size_t region = 0; region < regions; ++region) {
    boxed.rows->extents(boxed.regions[region], least, greatest);
    for (size_t column = 0; column < width; ++column) {
      shrunk[region * width + column] = {least[column], greatest[column]};
    }
  }
  std::vector<std::vector<uint32_t>> bundle_of_region;  // [requirement][region]
  for (size_t r = 0; r < search.requirements.size(); ++r) {
    const GroupRule* rule = search.rules.empty() || search.rules[r]->rows_only() ? nullptr : search.rules[r].get();
    bundle_of_region.push_back(bundles(boxed, search.requirements[r], rule, shrunk, width));
  }
  for (size_t column = 0; column < width; ++column) {
    Links links(regions);
    for (size_t r = 0; r < search.requirements.size(); ++r) {
      const std::vector<size_t>& columns = search.requirements[r].columns;
      if (std::binary_search(columns.begin(), columns.end(), column)) links.add(bundle_of_region[r]);
    }
    for (size_t region = 0; region < regions; ++region) {
      Interval& joint = shrunk[links.root(region) * width + column];
      const Interval own = shrunk[region * width + column];
      joint = {std::min(joint.first, own.first), std::max(joint.last, own.last)};
    }
    for (size_t region = 0; region < regions; ++region) {
      shrunk[region * width + column] = shrunk[links.root(region) * width + column];
    }
  }
  return shrunk;
}

}  // namespace shoal::mondrian
