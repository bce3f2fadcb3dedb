#include "shoal/files/tree_of_column.h"
#include "shoal/read/read_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/hierarchy/build.h"
#include "shoal/read/hierarchies.h"

namespace shoal {

std::optional<Tree> tree_of_column(const FileJob& job, const std::string& name, const Source& original, DuckDb& duck,
                                   const Progress& progress) {
  const auto spec = hierarchy_of(job, name);
  if (!spec) return std::nullopt;
  if (!spec->builder) return read_tree(spec->file);
  const std::string text = original.text(*original.find(name));
  std::vector<std::string> values;
  std::vector<uint64_t> counts;
  for (const auto& row :
       duck.query(fmt::format("SELECT {0}, count(*) FROM {1} WHERE {0} <> '' GROUP BY ALL", text, original.relation()),
                  progress)) {
    if (std::find(job.missing.begin(), job.missing.end(), row[0]) != job.missing.end()) continue;
    values.push_back(row[0]);
    counts.push_back(std::stoull(row[1]));
  }
  return build_tree(*spec->builder, values, counts);
}

}  // namespace shoal
