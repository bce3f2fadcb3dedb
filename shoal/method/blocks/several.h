// Several requirements for methods that know one.
//
// Requirements that share no column, not even through others, do not touch each other: each is the method's own search,
// with the answer it would have alone. Those that hang together by shared columns are solved by blocks (overlap.h), and
// by mondrian, which cuts for several at once; the answer of less weighted NCP is taken.
#pragma once

#include <memory>

#include "shoal/method/blocks/shared_cells.h"
#include "shoal/method/method.h"

namespace shoal {

// A method for any number of requirements from one for one. It must drop no rows when told so (suppress_rows = 0) and
// answer with groups. Problems with one requirement, after leaving out those that follow from others, are `one`'s
// alone. `solver` parts classes on own columns; without one, `one` does.
std::unique_ptr<Method> for_several_requirements(std::unique_ptr<Method> one,
                                                 std::unique_ptr<ClassSolver> solver = nullptr);

// Parts every class by a method for one requirement, on a table of the class's rows, under the requirement's rule.
class MethodClassSolver final : public ClassSolver {
 public:
  explicit MethodClassSolver(const Method& one) : one_(one) {}
  RowGroups solve(const Overlap& overlap, size_t part, const RowGroups& classes, Progress& progress) const override;

 private:
  const Method& one_;
};

}  // namespace shoal
