// Two tables side by side, row by row: the release and its original.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/table/text_stream.h"
#include "shoal/verify/mean_check.h"
#include "shoal/verify/pairing.h"

namespace shoal {

// The release's stream threw while it was read within the reading of the original.
struct ReleaseStreamFailed {
  std::exception_ptr why;
};

// Compares column by column over stretches of rows. All arguments must outlive the matcher.
class RowMatcher {
 public:
  // What `columns` learn about pairs of texts stays with them. `row_of_release`: ascending; empty where it is not known
  // which rows were dropped. `means`: gets every pair of rows, the cells of `alike`; may be nullptr.
  RowMatcher(std::vector<ComparedColumn>& columns, TextStream& release, TextStream& original,
             std::span<const uint32_t> row_of_release);
  void feed(MeanCheck* means, std::vector<size_t> alike);

  // Matches released rows to original rows in order, skipping originals that were dropped: where these are not known,
  // taking the first original that fits is enough, for a later one could only leave fewer to choose from. Once. Throws
  // ReleaseStreamFailed.
  Pairing run();

 private:
  bool next_release();
  bool next_original();
  void add_to_means(size_t count);
  // How many of the next `count` original rows, from the present one on, were kept.
  size_t kept_in_a_row(size_t count) const;
  // How many of the next `count` pairs of rows fit, up to the first that does not.
  size_t matching(size_t count);

  std::vector<ComparedColumn>& columns_;
  TextStream& release_;
  TextStream& original_;
  const std::span<const uint32_t> row_of_release_;
  MeanCheck* means_ = nullptr;
  std::vector<size_t> alike_;
  size_t at_release_ = 0, at_original_ = 0;
  uint64_t released_ = 0, skipped_ = 0;
  size_t misfit_column_ = 0;
  std::optional<Misfit> misfit_;  // why the next released row did not fit the first original tried
};

}  // namespace shoal
