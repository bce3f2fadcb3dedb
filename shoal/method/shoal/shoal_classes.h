// Method shoal's lines and windows on the rows of classes (blocks/shared_cells.h).
#pragma once

#include "shoal/method/blocks/shared_cells.h"

namespace shoal {

class ShoalClassSolver final : public ClassSolver {
 public:
  int effort(const Params& params) const override;
  std::string notice(const Params& params) const override;
  RowGroups solve(const Overlap& overlap, size_t part, const RowGroups& classes, Progress& progress) const override;
};

}  // namespace shoal
