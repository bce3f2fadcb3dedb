// What an attacker has: the released cells as boxes over the original's values. All attacks start from here.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/encode/table_source.h"
#include "shoal/job/job.h"
#include "shoal/recode/new_rows.h"
#include "shoal/run/progress.h"
#include "shoal/table/groups.h"
#include "shoal/table/table.h"

namespace shoal {

// What a released cell looks like to somebody who does not know the original.
enum class CellForm : uint8_t {
  value,    // one value
  range,    // [lo,hi]
  node,     // a label that stands for several values
  nothing,  // *, or a mean
};

// A release in the terms of its original: rows that look alike on all quasi columns are a group, and a group is a box.
struct AttackedRelease {
  std::string name;
  std::vector<uint32_t> group_of_row;  // [released row]
  std::vector<uint32_t> sizes;         // [group] rows
  std::vector<LeafInterval> boxes;     // [group * columns + j] leaves that the cell covers; first > last: none of them
  std::vector<CellForm> forms;         // the same place
  // Ranges: does the printed end stand in the original as a value? Ends moved outward need not.
  std::vector<bool> low_is_value, high_is_value;
  // [sensitive column][released row] code in the original's column; kUnknownValue for a text that it does not have.
  // Empty where the release lacks the column.
  std::vector<std::vector<uint32_t>> sensitive;
  static constexpr uint32_t kUnknownValue = UINT32_MAX;

  size_t groups() const { return sizes.size(); }
  size_t rows() const { return group_of_row.size(); }
  // The same value is released alike everywhere: in every column the released intervals are apart from each other.
  bool by_value(size_t columns) const;
};

// Reads a release: quasi columns of `original`, and its sensitive columns where the release has them. Cells that stand
// for nothing known of the original are an Error(input).
AttackedRelease read_attacked(TableSource& release, const EncodedTable& original, Progress& progress);

struct AttackScene {
  const Table& table;                         // members first, then outsiders
  const std::vector<Hierarchy>& hierarchies;  // one per quasi column
  size_t members = 0;                         // rows that the release is about
  AttackedRelease release;
  std::vector<AttackedRelease> earlier = {};
  int threads = 1;
  uint64_t seed = 1;
  size_t sample = 50'000;  // most rows, and about as many boxes, that are looked at one by one

  size_t columns() const { return hierarchies.size(); }
};

// A number found by looking at all rows (error 0), or at some: then its standard error.
struct Estimate {
  double value = 0, error = 0;
};
// Of a mean over `count` drawn ones, from their sum and their sum of squares; exact: all were looked at.
Estimate mean_estimate(double sum, double squares, uint64_t count, bool exact);

// Rows to look at: all of first .. last-1, or `most` of them drawn by the seed. Ascending.
struct RowSample {
  std::vector<uint32_t> rows;
  bool all = true;
};
RowSample sample_rows(size_t first, size_t last, size_t most, uint64_t seed);

// Which of some boxes cover a point. Each column keeps, for every value (or stretch of values, in columns of many), a
// bit for each box that covers it; a point's boxes are the AND of its values' bits. Memory: at most about 64 MB a
// column. Cost of a question: boxes / 64 x columns. Safe to share between threads.
class BoxIndex {
 public:
  // `chosen`: groups of the release whose boxes count; `leaves`: of each column.
  BoxIndex(const AttackedRelease& release, std::vector<uint32_t> chosen, std::span<const size_t> leaves);
  // Of all groups.
  BoxIndex(const AttackedRelease& release, std::span<const size_t> leaves);

  size_t size() const { return chosen_.size(); }
  uint32_t group(size_t place) const { return chosen_[place]; }

  // Calls visit(place) for every box that covers the point, ascending. `point`: a leaf per column.
  template <typename Visit>
  void covering(std::span<const uint32_t> point, const Visit& visit) const {
    for (size_t word = 0; word < words_; ++word) {
      uint64_t left = ~uint64_t{0};
      for (size_t j = 0; j < columns_.size() && left != 0; ++j) {
        left &= columns_[j].bits[(point[j] >> columns_[j].shift) * words_ + word];
      }
      for (; left != 0; left &= left - 1) {
        const size_t place = word * 64 + static_cast<size_t>(std::countr_zero(left));
        if (!coarse_ || really(place, point)) visit(place);
      }
    }
  }

 private:
  struct ColumnBits {
    unsigned shift = 0;  // leaves of one stretch: 2^shift
    std::vector<uint64_t> bits;
  };
  bool really(size_t place, std::span<const uint32_t> point) const;

  const AttackedRelease& release_;
  std::vector<uint32_t> chosen_;
  size_t words_ = 0;
  std::vector<ColumnBits> columns_;
  bool coarse_ = false;  // some stretch has several leaves: bits say "maybe"
};

std::vector<size_t> leaf_counts(const AttackScene& scene);

// What the original's rows look like inside a box.
struct BoxContents {
  struct Ends {
    uint32_t low = UINT32_MAX, low_rows = 0;  // least leaf among the rows, and how many rows have it
    uint32_t next_low = UINT32_MAX;           // the least among the others
    uint32_t high = 0, high_rows = 0, next_high = 0;
    bool any_next = false;  // there are others than those at `low`, and than those at `high`
    void add(uint32_t leaf, uint32_t rows);
    void add(const Ends& other);
  };
  std::vector<uint64_t> rows;  // [place in the index] original rows that the box covers
  std::vector<Ends> ends;      // [place * columns + j]
};
// Goes through all members once. Cost: their distinct tuples x boxes / 64 x columns.
BoxContents box_contents(const AttackScene& scene, const BoxIndex& index, const Progress& progress);

}  // namespace shoal
