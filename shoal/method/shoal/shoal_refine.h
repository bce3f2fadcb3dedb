// The steps that make a window's groups cheaper. None ever makes them dearer, and all keep every group at k rows or
// more (or empty), and at what the window's rule asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "shoal/method/shoal/keyed_rows.h"
#include "shoal/method/shoal/shoal_order.h"
#include "shoal/method/shoal/shoal_window.h"

namespace shoal {

inline constexpr double kWorthwhile = 1e-9;  // a smaller gain is rounding

// How hard to try on one window.
struct RefinePlan {
  int recuts = 1;        // rounds of re-cutting runs of neighbouring groups
  int opened_lines = 1;  // lines whose runs are tried as new boxes
  double mutations = 1;  // random boxes tried, per group
  int sweeps = 1;        // at most, of row moves and slabs
  bool chains = true;    // a group of exactly k rows may give a row away and get another one
};

struct RefineCounts {
  uint64_t moves = 0, chains = 0, slabs = 0, dissolved = 0, recuts = 0, opened = 0, tried = 0;
  RefineCounts& operator+=(const RefineCounts& other);
};

// One per thread; works on the window it was made for, whatever is loaded there.
class ShoalRefiner {
 public:
  explicit ShoalRefiner(ShoalWindow& window) : window_(window), space_(window.space()), cutter_(window.space()) {}

  // All steps below, as the plan says.
  void refine(const RefinePlan& plan, SeededRandom& random);

  // Every row goes to the group where it costs least, as long as its own keeps k rows. `chains`: a group of k rows
  // may also let a row go when another row, from a group that can spare it, takes its place and both together pay.
  bool move_rows(bool chains);
  // Groups larger than k drop the rows at one end of a column, as many as make the box cheaper, if all of these find
  // better places.
  bool peel_slabs();
  // Whole groups disappear if their rows find better places.
  bool dissolve_groups();
  // Pools runs of `run` neighbouring groups (in window order), lines their rows up and cuts the line anew.
  bool recut(size_t run, const LineOrder& order);
  // Lines up all rows, cuts the line, and tries the box of each run by open_box.
  bool open_boxes_along(const LineOrder& order);
  // Tries `tries` variations of boxes of the window: narrower in one or two columns, perhaps wider in another.
  bool open_mutated_boxes(size_t tries, SeededRandom& random);

  struct Box {
    std::vector<uint32_t> lo, hi;
    double price = 0;  // per row
    double gain = 0;   // of the rows it was made from
  };
  // A new group out of rows inside the box that pay more than its price now: rows that their groups can spare, whole
  // groups that lie inside, and up to three groups that are broken up, whose other rows must find places.
  bool open_box(const Box& box);

  const RefineCounts& counts() const { return counts_; }
  // The counts so far; counting begins anew.
  RefineCounts take_counts() { return std::exchange(counts_, {}); }

 private:
  struct Donor {
    uint32_t group;
    size_t first, count;  // of its rows inside the box, in inside_
    size_t given;         // how many it gives
    bool broken;          // gives all; its other rows go elsewhere
  };
  bool evict(uint32_t group, std::vector<uint32_t> rows);
  bool refill(uint32_t group, uint32_t leaver, double gain);
  uint64_t run_size() const;
  bool runs_hold() const;
  bool find_donors(const Box& box);
  bool enough_donors();
  bool all_hold(uint32_t opened) const;
  void line_up(std::span<const uint32_t> rows, const LineOrder& order);
  Box mutated_box(SeededRandom& random) const;
  void narrow(Box& box, uint32_t group, size_t column, SeededRandom& random) const;
  void undo_moves();

  ShoalWindow& window_;
  const NcpSpace& space_;
  LineCutter cutter_;
  RefineCounts counts_;
  std::vector<uint64_t> examined_;  // [row]: window clock when it was last found well placed
  KeyedRows keys_, spare_keys_;     // of rows to line up
  std::vector<uint32_t> line_, pooled_, run_groups_;
  std::vector<uint32_t> inside_;  // rows inside the box that is being opened
  std::vector<Donor> donors_;
  std::vector<std::pair<uint32_t, uint32_t>> undo_;   // row and the group it came from
  std::vector<std::pair<uint32_t, uint32_t>> given_;  // row and the group it goes to
  std::vector<size_t> sticking_out_;                  // columns on which a donor has rows outside the box
};

}  // namespace shoal
