// What released texts lose, where only the plan of a table and counts are at hand.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "shoal/error.h"
#include "shoal/measure/cell_loss.h"
#include "shoal/recode/apply.h"
#include "shoal/release/table_plan.h"

namespace shoal {

size_t PlannedTable::quasi(std::string_view column) const {
  for (size_t j = 0; j < encoding_.columns.size(); ++j) {
    if (encoding_.columns[j].name == column) return j;
  }
  throw Error(ErrorKind::input, fmt::format("there is no quasi column '{}'", column));
}

std::vector<std::optional<Released>> PlannedTable::releases(size_t quasi, const std::vector<std::string>& texts) const {
  const ColumnEncoding& column = encoding_.columns[quasi];
  const Column values{column.name, {}, column.leaf_texts};
  const ReleasedCells cells(values, encoding_.hierarchies[quasi]);
  std::vector<std::optional<Released>> releases;
  for (const std::string& text : texts) releases.push_back(cells.parse(text));
  return releases;
}

std::vector<std::optional<double>> PlannedTable::losses(std::string_view column,
                                                        const std::vector<std::string>& texts) const {
  const size_t j = quasi(column);
  std::vector<std::optional<double>> losses;
  for (const std::optional<Released>& cell : releases(j, texts)) {
    losses.push_back(cell ? std::optional(ncp(encoding_.hierarchies[j], *cell)) : std::nullopt);
  }
  return losses;
}

BitsLost PlannedTable::bits_lost(std::string_view column, const std::vector<std::string>& texts,
                                 const std::vector<uint64_t>& counts) const {
  const size_t j = quasi(column);
  const Hierarchy& hierarchy = encoding_.hierarchies[j];
  const auto domain =
      std::find_if(plan_.domains.begin(), plan_.domains.end(), [&](const Domain& each) { return each.name == column; });
  std::vector<uint64_t> leaf_counts(hierarchy.leaves(), 0), release_counts = counts;
  for (size_t text = 0; text < domain->counts.size(); ++text) {
    leaf_counts[encoding_.columns[j].leaf_of_text[text]] += domain->counts[text];
  }
  std::vector<Released> released;
  for (size_t i = 0; const std::optional<Released>& cell : releases(j, texts)) {
    if (!cell) throw Error(ErrorKind::input, fmt::format("'{}' is no release of the column '{}'", texts[i], column));
    released.push_back(*cell);
    ++i;
  }
  const uint64_t kept = std::accumulate(counts.begin(), counts.end(), uint64_t{0});
  if (counts.size() != texts.size() || kept > plan_.rows) throw Error(ErrorKind::input, "counts of another table");
  released.push_back(released_node(hierarchy, Hierarchy::kRoot));
  release_counts.push_back(plan_.rows - kept);
  return shoal::bits_lost(hierarchy, leaf_counts, released, release_counts);
}

}  // namespace shoal
