// First half of the search for several requirements: cuts that all regions they touch make together.
//
// For every requirement the rows are parted into cells: rows whose boxes have the same projection on its columns. For
// column j, two cells (of any requirements that contain j) are linked when they have a row in common, and so are cells
// that are linked to the same cell. Linked cells have the same interval on j, and a joint cut parts it at the same leaf
// for all of them. It is allowable when every linked cell keeps, on each side, no row or at least its requirement's k.
//
// A cell of requirement R changes only by cuts on R's columns, and then with all cells linked to it, so it is parted as
// a whole: the cells of each requirement are disjoint boxes, a cut makes two of one, and each has at least k rows. A
// column of one requirement only is linked to nothing: there each requirement is cut as if it were alone.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/method/mondrian/mondrian_boxes.h"
#include "shoal/method/mondrian/mondrian_regions.h"

namespace shoal::mondrian {

// The cells of one requirement.
struct Cells {
  std::vector<uint32_t> cell_of_row;
  std::vector<Interval> boxes;  // [cell * columns of the requirement + i]
};

struct JointCuts {
  std::vector<Cells> cells;  // one per requirement
  uint64_t cuts_tried = 0, cuts_made = 0;
  bool out_of_time = false;
};

// Makes joint cuts until none is allowable. The largest cell is cut first (of equal ones that of the first requirement,
// then the oldest): along its widest column that has an allowable cut, where the rows of all linked cells say. Cost:
// about that of one search per requirement, and a pass over the linked cells for every cut on a shared column.
JointCuts make_joint_cuts(const Search& search);

}  // namespace shoal::mondrian
