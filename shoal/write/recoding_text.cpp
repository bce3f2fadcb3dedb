#include "shoal/write/recoding_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "shoal/write/recoding_json.h"

namespace shoal {

std::string recoding_text(const Release& release, const Job& job) {
  RecodingContext context{{}, job.missing, release.grown_trees};
  for (const std::string& name : release.columns) {
    const auto recoded = std::find_if(release.encoding.columns.begin(), release.encoding.columns.end(),
                                      [&](const ColumnEncoding& column) { return column.name == name; });
    if (recoded == release.encoding.columns.end()) context.plain.push_back(name);
  }
  return indented_text(recoding_json(*release.recoding, release.original, release.encoding.hierarchies, context));
}

}  // namespace shoal
