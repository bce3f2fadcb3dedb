// Requirements that share columns, taken apart: the columns that two or more of them have (shared) and those that one
// has alone (own). Shared cells tie the requirements to each other; own cells do not.
//
// The form that every answer here has. The rows are parted into blocks, and a block releases its hull on the shared
// columns. For a requirement R, a class is the rows of all blocks with equal cells on those shared columns that R has;
// each class is parted into groups of R's k rows or more on R's own columns alone. So R holds if every class has k
// rows: rows of a group agree on R's shared columns, since they are of one class, and on its own, which release the
// group's hull. No requirement reads another's own columns, so that classes can be parted as if each requirement were
// alone. Blocks of the largest k or more rows are enough for every class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/method/shoal/shoal_order.h"
#include "shoal/method/space/ncp_space.h"

namespace shoal {

// One of the requirements.
struct OverlapPart {
  uint64_t k = 1;
  std::vector<size_t> shared;         // places in the shared space, ascending
  std::vector<size_t> own_columns;    // indices into the quasi columns, ascending
  std::optional<NcpSpace> own;        // these as a space; none when there are no own columns
  std::vector<LineOrder> lines = {};  // promising ones through `own`
  bool sees_all_shared = false;       // has every shared column
};

// Immutable; safe to share between threads. Memory: as NcpSpace.
class Overlap {
 public:
  // `requirements`: two or more that hang together by shared columns, none implied by another. `lines`: how many to
  // keep per requirement. The problem must outlive it.
  Overlap(const Problem& problem, const std::vector<Requirement>& requirements, size_t lines);

  const Problem& problem() const { return problem_; }
  const std::vector<size_t>& shared_columns() const { return shared_columns_; }  // quasi, ascending
  const NcpSpace& shared() const { return shared_; }
  const std::vector<OverlapPart>& parts() const { return parts_; }
  uint64_t largest_k() const { return largest_k_; }
  // Every requirement with own columns sees all shared ones: its classes are the blocks.
  bool classes_are_blocks() const { return classes_are_blocks_; }
  // Whether these rows may be a block: then every requirement's rule holds for them, and for classes made of such
  // blocks, since what holds for two sets of rows holds for both together.
  bool may_be_block(std::span<const uint32_t> rows) const;

 private:
  const Problem& problem_;
  std::vector<size_t> shared_columns_;
  NcpSpace shared_;
  std::vector<OverlapPart> parts_;
  uint64_t largest_k_ = 1;
  bool classes_are_blocks_ = true;
  bool has_models_;
};

// Cuts rows into groups along a part's lines. Keeps its working memory between calls. One per thread.
class OwnCutter {
 public:
  explicit OwnCutter(const Overlap& overlap);

  // What these rows are expected to cost in groups of k or more on the part's own columns: cut along the best of the
  // part's first `lines` lines, less what windows will save later; 0 when it has no own columns. paid: one per row, to
  // which its own share is added. Requires rows.size() >= k >= 1.
  double cut(size_t part, std::span<const uint32_t> rows, uint64_t k, size_t lines, std::span<double> paid = {});
  // The groups of the last cut, which must have been one on own columns.
  const std::vector<uint32_t>& line() const { return best_line_; }  // places in the rows of that cut
  const std::vector<uint32_t>& ends() const { return best_ends_; }

 private:
  void add_prices(const NcpSpace& space, std::span<double> paid);

  const Overlap& overlap_;
  std::vector<std::optional<LineCutter>> cutters_;  // [part]
  std::vector<uint32_t> codes_, line_, best_line_, best_ends_;
  std::vector<std::pair<uint64_t, uint32_t>> keys_;
};

}  // namespace shoal
