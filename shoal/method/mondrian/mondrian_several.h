// The steps of the search for several requirements that share columns, and why the answer keeps them all.
//
// A region carries a box: one interval of leaves per column, which holds all its rows. What a row releases is a
// function of its region's box, one column at a time. For a requirement R, the part of a box on R's columns is its
// projection.
//
// Invariant: for every requirement R, every projection on R's columns belongs to no row or to at least k rows, counted
// over all regions that have it. Then R holds: rows with the same projection release the same on R's columns, so each
// combination released there is shared by whole projections, of at least k rows each.
//
// 1. Start: one region of all rows, or any regions of at least k rows each for the largest k asked for: whatever their
//    boxes, each projection has the rows of at least one region.
// 2. Joint cuts (mondrian_joint.h) cut every region that shares a projection at once.
// 3. Lone cuts cut one region G on one column j. The box's interval of j is parted and the others stay, so a
// requirement
//    without j sees no change. For one with j the rows of G move from projection p to two others, p1 and p2. The cut is
//    allowable only if p keeps no row or at least k from other regions, and p1 and p2 have at least k, rows of other
//    regions that have them included. Nothing else changes, so the invariant stays.
// 4. Boxes shrink. For every requirement R, the regions of each projection are dealt into bundles of at least k rows.
//    For column j, regions in the same bundle of some requirement with j are linked, and so are regions linked to the
//    same region; linked regions take the least interval that holds the rows of all of them on j. The regions of a
//    bundle of R are linked for every column of R, so they have the same projection afterwards: that of at least k
//    rows. (Regions linked on j shared its interval before, so no box grows.)
//
// With rules (Search::rules) "at least k rows" reads "holds under the requirement's rule" throughout: groups that hold
// also hold as one (rules.h), which is all that the steps above use of "at least k". Start, joint cuts and bundles keep
// sets of rows that hold; a lone cut is tested with the rows of other regions that have the projections p, p1 and p2.
//
// Strict cuts part rows by their leaves, so equal rows stay in one region throughout.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "shoal/method/mondrian/mondrian_boxes.h"
#include "shoal/method/mondrian/mondrian_regions.h"
#include "shoal/method/mondrian/mondrian_rows.h"

namespace shoal::mondrian {

// Regions with their boxes.
struct BoxedRegions {
  std::unique_ptr<Rows> rows;   // packed from the columns of the search
  std::vector<Region> regions;  // of `rows`; every row in one
  std::vector<Interval> boxes;  // [region * columns + column]
  uint64_t cuts_tried = 0, cuts_made = 0;
  bool out_of_time = false;
};

// Makes lone cuts until none is allowable: the largest region first (of equal ones the first), then again over those
// that had none, for a cut can make others allowable elsewhere, until a whole round cuts nothing. New regions are added
// at the end. Cost: a few passes over the rows of each region, and a look-up for every cut with a side below k.
void make_lone_cuts(const Search& search, BoxedRegions& boxed);

// The intervals that the boxes shrink to, in the same order. Cost: linear in regions x columns x requirements.
std::vector<Interval> shrunk_boxes(const Search& search, const BoxedRegions& boxed);

}  // namespace shoal::mondrian
