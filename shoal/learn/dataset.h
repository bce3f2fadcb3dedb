// A table as a learner sees it: columns to predict from, the class to predict, a weight per row. Cells may be vague.
//
// Released tables hold more than values: `[lo,hi]` ranges, nodes of hierarchies, `*`. A cell here is one of
//   exact     a number, or one of the column's categories
//   vague     a number somewhere in [low, high] (spread evenly), or one of a set of categories (spread like the rows
//             that are known, as C4.5 spreads missing values, but within the set)
//   missing   nothing known
// What the categories are is decided by the training table (see read_dataset): the finest values that occur in it.
// Plain data, immutable once made; safe to share between threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/hierarchy/tree.h"
#include "shoal/table/codes.h"
#include "shoal/table/table.h"

namespace shoal {

// Where a numeric cell lies; an exact number has low == high.
struct Extent {
  double low = 0, high = 0;
  bool exact() const { return low == high; }
  double middle() const { return low + (high - low) / 2; }
  bool operator==(const Extent&) const = default;
};

// One column to predict from. A cell's code means:
//   numeric        extents[code]; extents are distinct and ascend by (low, high)
//   categorical    category `code` if code < categories.size(), else one of sets[code - categories.size()]
//   kMissing       nothing known
struct Attribute {
  static constexpr uint32_t kMissing = UINT32_MAX;

  std::string name;
  bool numeric = false;
  std::vector<Extent> extents;              // numeric only
  std::vector<std::string> categories;      // categorical only
  std::vector<std::vector<uint32_t>> sets;  // categorical only: each ascending, at least two categories
  std::vector<uint32_t> codes;              // one per row
  bool has_missing = false;                 // some cell is kMissing
  bool has_vague = false;                   // some cell is a set, or an extent with low < high

  bool missing(size_t row) const { return codes[row] == kMissing; }
  // Categorical and neither missing nor a set.
  bool known_category(uint32_t code) const { return code < categories.size(); }
  // Requires: categorical, code not missing and not a category.
  const std::vector<uint32_t>& set(uint32_t code) const { return sets[code - categories.size()]; }
};

struct Dataset {
  size_t rows = 0;
  std::vector<Attribute> attributes;
  std::string class_name;
  std::vector<std::string> classes;  // texts of the class
  std::vector<uint32_t> class_of;    // one per row
  std::vector<double> weights;       // one per row, > 0; 1 as read
  bool as_collected = false;         // to be predicted: rows that went through no recoding though the training rows did
  bool recoded_locally = false;  // to be learned from: released rows, each group recoded on its own. Which cells are
                                 // unknown was then decided by looking at the row, often at its class

  // The rows listed, in that order (a row may come twice); same categories and classes. Cost: their number x columns.
  Dataset subset(std::span<const uint32_t> rows) const;
  // Equal rows (all cells and the class) as one that has their weight together, in order of first appearance. Cost:
  // linear in cells.
  Dataset merged() const;
  // merged(), where that leaves less than half of the rows: releases repeat themselves. Else nothing; found out quickly
  // where there are few rows, or a column has too many values.
  std::optional<Dataset> merged_by_half() const;
  // Without the named columns ("quasi columns removed"). Throws Error(job) when one is not there.
  Dataset without(std::span<const std::string> columns) const;
  std::optional<size_t> find(std::string_view attribute) const;
  double total_weight() const;
};

// ---- from texts ----

// One column as texts; codes index into `texts`. RawColumn and Column hold the same things.
struct TextColumn {
  std::string name;
  Codes codes;
  std::vector<std::string> texts;
};

// A hierarchy as labels and parents: enough to know which released node covers which value. The root is node 0 (its
// label does not matter: released as `*`), parents stand before their children.
struct LabelTree {
  std::vector<std::string> labels;
  std::vector<uint32_t> parents;
};
LabelTree label_tree(const Tree& tree);
LabelTree label_tree(const Hierarchy& hierarchy, const Column& column);  // leaves by the column's texts

// How texts become cells.
enum class ReadAs {
  automatic,    // numeric when every text is a number or a bracketed range, without leading zeros
  numeric,      // numbers, `[lo,hi]`, and labels that read as an interval ("20-29", "[1,37)", "65+")
  categorical,  // every text a value, or a node of the tree
  released,     // every text a category of its own, intervals and `*` too: columns recoded alike for all rows
};
struct ColumnReading {
  ReadAs as = ReadAs::automatic;
  std::optional<LabelTree> tree;
};
struct DatasetReading {
  std::string target;                                          // the class column
  std::vector<std::string> missing = {"", "?", "*"};           // texts that say nothing (`*` of a released column does)
  std::vector<std::pair<std::string, ColumnReading>> columns;  // those that are not automatic without a tree
  const ColumnReading& reading(std::string_view column) const;
};

// Reads a training table. In a categorical column with a tree, a text that has no other text of this table below it is
// a category of its own (so a globally recoded column simply has its nodes as categories); a text above categories is
// the set of those below it. Categories stand in ascending order of text. Columns of a single text are kept. In a
// numeric column a node that is neither a number nor an interval means the numbers below it in the tree.
// Throws Error(job) when the target is not there, Error(input) when a class cell is missing or a cell of a numeric
// column cannot be read (with value and column).
Dataset read_dataset(std::span<const TextColumn> columns, const DatasetReading& reading);

// Reads a table to be predicted for a classifier trained on `train`: the same columns (others are ignored, order does
// not matter), categories and classes. A categorical text that is not a category becomes, by the tree: the category
// above it (a raw value under a trained node), the set of categories below it, or the set of those below its closest
// ancestor that has some; without any: missing. Numbers need no such care. Throws Error(input) when a column or class
// value is not known to `train`.
Dataset read_dataset_like(const Dataset& train, std::span<const TextColumn> columns, const DatasetReading& reading);

// Train and test texts read with one common list of categories and classes, for presplit files: a category that only
// the test file has is known too (it has no training rows).
struct TrainTest {
  Dataset train, test;
};
TrainTest read_presplit(std::span<const TextColumn> train, std::span<const TextColumn> test,
                        const DatasetReading& reading);

}  // namespace shoal
