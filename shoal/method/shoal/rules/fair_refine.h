// The steps that make a window's groups cheaper under a rule on what they are made of: pools of near groups are dealt
// or cut anew, rows change places. None ever makes the window dearer, and all groups hold throughout.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/method/shoal/rules/fair_cut.h"
#include "shoal/method/shoal/shoal_window.h"

namespace shoal {

struct FairPlan {
  size_t near = 12;        // groups that count as near
  size_t pairs = 3;        // pools of two, per group
  size_t triples = 1;      // pools of three, per group
  size_t splits = 4;       // lines along which a group alone is tried, per group
  size_t swap_places = 4;  // groups in which a row looks for one to change places with
};

struct FairCounts {
  uint64_t dealt = 0, cut = 0, split = 0, triples = 0, swaps = 0, merged = 0;
  FairCounts& operator+=(const FairCounts& other);
};

// One per thread; works on the window it was made for, which must have a rule, whatever is loaded there.
class FairRefiner {
 public:
  FairRefiner(ShoalWindow& window, const RowKinds& kinds)
      : window_(window), space_(window.space()), kinds_(kinds), cutter_(window.space(), *window.rule(), kinds) {}

  // All steps below, as the plan says.
  void refine(const FairPlan& plan, SeededRandom& random);

  // Cuts one group in two if that is cheaper.
  bool split(uint32_t group, SeededRandom& random);
  // Pools two groups, deals or cuts them anew along a random line, or makes them one where groups have a price.
  bool recut_pair(uint32_t a, uint32_t b, SeededRandom& random);
  // Pools three groups and cuts them again and again.
  bool recut_triple(uint32_t a, uint32_t b, uint32_t c, SeededRandom& random);
  // Rows at the border of their group's box change places with rows of groups in which they cost less.
  bool swap_rows(size_t places);

  // The groups to which this one lies nearest, by what uniting them would add; at most `most`.
  const std::vector<uint32_t>& nearest(uint32_t group, size_t most);

  FairCounts take_counts() { return std::exchange(counts_, {}); }

 private:
  Pool pool_of(std::span<const uint32_t> groups) const;
  void line_up(Pool& pool, SeededRandom& random);
  void release(std::span<const uint32_t> groups, const std::vector<std::vector<uint32_t>>& sides);
  bool swap_with_one_of(uint32_t row, uint32_t group);

  ShoalWindow& window_;
  const NcpSpace& space_;
  const RowKinds& kinds_;
  FairCutter cutter_;
  FairCounts counts_;
  std::vector<uint32_t> nearest_;
  std::vector<std::pair<double, uint32_t>> ranked_;
  std::vector<std::vector<uint32_t>> sides_;
  std::vector<uint32_t> line_, ends_;
};

}  // namespace shoal
